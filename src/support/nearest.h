// SPDX-License-Identifier: Apache-2.0
//
// The name that was probably meant.
//
// The one idea: edit distance with a bound. Only what lies within the bound is worth suggesting, and a bounded distance
// needs but a narrow band of the table, so asking a thousand candidates takes microseconds. Upper and lower case count
// as equal, since a wrong case is the likeliest slip; two neighbours exchanged count as one edit. Where nothing is within
// the bound, a word may be the beginning of what was meant: `raw` of `raw-id`.
//
//   NearestNames nearest("OpLaod");
//   for (…) nearest.offer(name);
//   nearest.best();   // "OpLoad"
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vireo {

/// Edits (insert, delete, replace, exchange neighbours) that lead from one word to the other; bound + 1 if more than
/// `bound`. Letters are compared without their case. ASCII; words of more than 255 bytes are as far away as can be.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound);

/// Collects candidates and keeps the nearest. Candidates are borrowed. The result depends on the set of candidates
/// only, not on their order.
class NearestNames {
 public:
  explicit NearestNames(std::string_view wanted);

  void offer(std::string_view candidate);
  /// The candidates at the smallest distance, sorted, each once, three at most. When none is near, those that begin with
  /// the word, if there are three at most. Otherwise empty.
  [[nodiscard]] std::vector<std::string_view> names() const;
  /// The first of names(); empty when none is near.
  [[nodiscard]] std::string_view best() const;

 private:
  std::string_view wanted_;
  std::size_t bound_;                      // shrinks to the smallest distance found
  std::vector<std::string_view> nearest_;  // all at distance bound_
  std::vector<std::string_view> longer_;   // begin with the word, each once; one more than are worth naming
};

/// "did you mean 'A', 'B' or 'C'?": the one form of this hint, whoever gives it. Empty when there is no name.
std::string did_you_mean(std::span<const std::string_view> names);
std::string did_you_mean(std::string_view name);
/// The same at the end of a sentence: "; did you mean 'NAME'?".
std::string suggestion(std::string_view name);

}  // namespace vireo
