// SPDX-License-Identifier: Apache-2.0
//
// Suggests the name that the user probably meant.
//
// An edit distance with a bound. A bounded distance needs only a narrow band of the table, so a thousand
// candidates take microseconds. Case is ignored, because a wrong case is the most likely mistake. Exchanging two
// adjacent letters counts as one edit. If no candidate is within the bound, the word may be a prefix of the intended
// name: `raw` of `raw-id`.
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

/// The number of edits (insert, delete, replace, exchange two adjacent letters) between two words; bound + 1 if it
/// exceeds `bound`. Ignores the case of ASCII letters. A word of more than 255 bytes always exceeds the bound.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound);

/// Collects candidates and keeps the nearest ones, without copying their texts. The result does not depend on their
/// order.
class NearestNames {
 public:
  explicit NearestNames(std::string_view wanted);

  void offer(std::string_view candidate);
  /// The candidates at the smallest distance, sorted, without duplicates, at most three. If no candidate is within the
  /// bound, the candidates that begin with the word, if there are at most three.
  [[nodiscard]] std::vector<std::string_view> names() const;
  /// The first of names(); empty if there is none.
  [[nodiscard]] std::string_view best() const;

 private:
  std::string_view wanted_;
  std::size_t bound_;                      // shrinks to the smallest distance found
  std::vector<std::string_view> nearest_;  // all at distance bound_
  std::vector<std::string_view> longer_;   // begin with the word; one more than names() may return
};

/// Returns the hint "did you mean 'A', 'B' or 'C'?"; empty if there is no name.
std::string did_you_mean(std::span<const std::string_view> names);
std::string did_you_mean(std::string_view name);
/// Returns the hint as the end of a sentence: "; did you mean 'NAME'?".
std::string suggestion(std::string_view name);
/// Returns the hint for a word that is none of a few names: "expected A, B or C", and the name that is the most similar
/// one, if only one is. After 40 names, the number of the others. For one similar name, "did you mean 'A'?" alone.
std::string expected_one_of(std::span<const std::string_view> names, std::string_view word);

}  // namespace vireo
