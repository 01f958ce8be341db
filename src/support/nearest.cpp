// SPDX-License-Identifier: Apache-2.0
//
// Bounded edit distance (optimal string alignment, Ukkonen's band); see nearest.h.
#include "support/nearest.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "support/printable.h"

namespace vireo {
namespace {

constexpr std::size_t longest_word = 255;
constexpr std::size_t most_names = 3;
constexpr std::size_t least_beginning = 3;  // shortest word that is tried as a prefix

// Folds ASCII letters only, because names are ASCII.
constexpr char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins_with(std::string_view word, std::string_view beginning) {
  return word.size() > beginning.size() && std::equal(beginning.begin(), beginning.end(), word.begin(),
                                                      [](char a, char b) { return folded(a) == folded(b); });
}

/// The maximum distance: a third of the letters, at least one and at most four.
constexpr std::size_t bound_for(std::size_t length) { return std::clamp<std::size_t>(length / 3, 1, 4); }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound) {
  const std::size_t beyond = bound + 1;
  if (a.size() > longest_word || b.size() > longest_word) return beyond;
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > bound) return beyond;

  // Three rows of the table are kept, because an exchange of adjacent letters reads the row two above. All cells
  // outside of the band are `beyond`.
  using Row = std::array<std::size_t, longest_word + 2>;
  std::array<Row, 3> rows;
  for (Row& row : rows) row.fill(beyond);
  for (std::size_t j = 0; j <= std::min(b.size(), bound); ++j) rows[0][j] = j;

  for (std::size_t i = 1; i <= a.size(); ++i) {
    Row& row = rows[i % 3];
    const Row& above = rows[(i + 2) % 3];
    const Row& above_that = rows[(i + 1) % 3];
    const std::size_t first = i > bound ? i - bound : 1;
    const std::size_t last = std::min(b.size(), i + bound);
    std::size_t smallest = beyond;
    row[first - 1] = i <= bound ? i : beyond;
    for (std::size_t j = first; j <= last; ++j) {
      const bool equal = folded(a[i - 1]) == folded(b[j - 1]);
      std::size_t cost = std::min({above[j - 1] + (equal ? 0 : 1), above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1])) {
        cost = std::min(cost, above_that[j - 2] + 1);
      }
      row[j] = std::min(cost, beyond);
      smallest = std::min(smallest, row[j]);
    }
    // The next row reads the cell to the right of the band, which still contains a value from three rows ago.
    if (last < b.size()) row[last + 1] = beyond;
    if (std::min(smallest, row[first - 1]) >= beyond) return beyond;
  }
  return rows[a.size() % 3][b.size()];
}

NearestNames::NearestNames(std::string_view wanted) : wanted_(wanted), bound_(bound_for(wanted.size())) {}

void NearestNames::offer(std::string_view candidate) {
  // Names of one letter are never suggested, because any letter is within the distance.
  if (wanted_.empty() || std::min(candidate.size(), wanted_.size()) < 2) return;
  if (wanted_.size() >= least_beginning && begins_with(candidate, wanted_) && longer_.size() <= most_names &&
      std::find(longer_.begin(), longer_.end(), candidate) == longer_.end()) {
    longer_.push_back(candidate);
  }
  const std::size_t distance = edit_distance(wanted_, candidate, bound_);
  if (distance > bound_) return;
  // Each better name lowers the bound, so most later candidates are rejected early.
  if (distance < bound_) nearest_.clear();
  bound_ = distance;
  nearest_.push_back(candidate);
}

std::vector<std::string_view> NearestNames::names() const {
  std::vector<std::string_view> result = nearest_;
  if (result.empty() && longer_.size() <= most_names) result = longer_;
  // The names are sorted, so that the message does not depend on the order of candidates. A name may be offered twice,
  // for example as an alias.
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  if (result.size() > most_names) result.resize(most_names);
  return result;
}

std::string_view NearestNames::best() const {
  const std::vector<std::string_view> found = names();
  return found.empty() ? std::string_view() : found.front();
}

std::string did_you_mean(std::span<const std::string_view> names) {
  if (names.empty()) return {};
  std::string hint = "did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) hint += i + 1 == names.size() ? " or " : ", ";
    hint += quoted(names[i]);
  }
  return hint += '?';
}

std::string did_you_mean(std::string_view name) {
  return name.empty() ? std::string() : did_you_mean(std::span(&name, 1));
}

std::string expected_one_of(std::span<const std::string_view> names, std::string_view word) {
  constexpr std::size_t most_listed = 40;
  NearestNames nearest(word);
  for (const std::string_view name : names) nearest.offer(name);
  if (names.size() == 1 && !nearest.best().empty()) return did_you_mean(names.front());
  const std::size_t listed = std::min(names.size(), most_listed);
  std::string hint = "expected ";
  for (std::size_t i = 0; i < listed; ++i) {
    if (i > 0) hint += i + 1 == names.size() ? " or " : ", ";
    append_printable(hint, names[i]);
  }
  if (names.size() > listed) hint += " or " + std::to_string(names.size() - listed) + " others";
  const std::vector<std::string_view> similar = nearest.names();
  return similar.size() == 1 ? hint + suggestion(similar.front()) : hint;
}

std::string suggestion(std::string_view name) { return name.empty() ? std::string() : "; " + did_you_mean(name); }

}  // namespace vireo
