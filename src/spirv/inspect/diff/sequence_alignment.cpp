// SPDX-License-Identifier: Apache-2.0
//
// Aligns two sequences (sequence_alignment.h).
#include "spirv/inspect/diff/sequence_alignment.h"

#include <algorithm>

#include "spirv/inspect/diff/key_join.h"

namespace vireo::spirv {
namespace {

using Key = std::uint64_t AlignmentKeys::*;
constexpr Key levels[] = {&AlignmentKeys::deep, &AlignmentKeys::value, &AlignmentKeys::near, &AlignmentKeys::shallow};

// Gaps beyond this number of cells are not aligned by dynamic programming.
constexpr std::size_t most_cells = 1u << 16;
// Gaps within gaps: each level sorts the elements again.
constexpr std::uint32_t most_splits = 24;

// Positions of both sequences: [before, before_end) and [after, after_end).
struct Gap {
  std::uint32_t before, before_end, after, after_end;
  std::uint32_t splits = 0;

  [[nodiscard]] bool is_empty() const { return before == before_end || after == after_end; }
};

// How much speaks for a pair; 0: it is impossible. One exact pair counts more than a few coarse ones.
int similarity(const AlignmentKeys& a, const AlignmentKeys& b) {
  const int uses = a.uses == b.uses ? 1 : 0;
  if (a.deep == b.deep) return 80 + uses;
  if (a.value == b.value) return 64 + uses;
  if (a.near == b.near) return 48 + uses;
  if (a.shallow == b.shallow) return 24 + uses;
  if (a.opcode == b.opcode) return (a.type == b.type ? 12 : 6) + uses;
  return a.type != 0 && a.type == b.type ? 2 + uses : 0;
}

class SequenceAligner {
 public:
  SequenceAligner(std::span<const AlignmentKeys> before, std::span<const AlignmentKeys> after)
      : before_(before), after_(after) {}

  std::vector<AlignedPair> run() {
    open_.push_back({0, static_cast<std::uint32_t>(before_.size()), 0, static_cast<std::uint32_t>(after_.size())});
    while (!open_.empty()) {
      Gap gap = open_.back();
      open_.pop_back();
      trim(gap, levels[0]);
      if (!gap.is_empty()) align(gap);
    }
    std::ranges::sort(pairs_);
    return std::move(pairs_);
  }

 private:
  void pair(std::uint32_t i, std::uint32_t j) { pairs_.emplace_back(i, j); }

  // Pairs equal elements at both ends.
  void trim(Gap& gap, Key key) {
    while (!gap.is_empty() && before_[gap.before].*key == after_[gap.after].*key) pair(gap.before++, gap.after++);
    while (!gap.is_empty() && before_[gap.before_end - 1].*key == after_[gap.after_end - 1].*key) {
      pair(--gap.before_end, --gap.after_end);
    }
  }

  void align(Gap gap) {
    for (const Key key : levels) {
      if (gap.splits < most_splits && split(gap, key)) return;
    }
    const std::size_t cells = std::size_t{gap.before_end - gap.before} * (gap.after_end - gap.after);
    if (cells <= most_cells) return align_by_similarity(gap);
    // A long run of instructions that occur many times, such as a generated polynomial.
    for (const Key key : levels) trim(gap, key);
    if (!gap.is_empty()) pair_in_order(gap);
  }

  // Divides a gap at the anchors of a level. Returns false if there is none.
  bool split(const Gap& gap, Key key) {
    const std::vector<AlignedPair> anchors = longest_chain(unique_pairs(gap, key));
    if (anchors.empty()) return false;
    std::uint32_t i = gap.before, j = gap.after;
    for (const auto& [a, b] : anchors) {
      pair(a, b);
      open({i, a, j, b, gap.splits + 1});
      i = a + 1;
      j = b + 1;
    }
    open({i, gap.before_end, j, gap.after_end, gap.splits + 1});
    return true;
  }
  void open(const Gap& gap) {
    if (!gap.is_empty()) open_.push_back(gap);
  }

  // The elements whose key occurs once in each sequence, ascending in the first one.
  std::vector<AlignedPair> unique_pairs(const Gap& gap, Key key) {
    KeyedItems left, right;
    left.reserve(gap.before_end - gap.before);
    right.reserve(gap.after_end - gap.after);
    for (std::uint32_t i = gap.before; i < gap.before_end; ++i) left.emplace_back(before_[i].*key, i);
    for (std::uint32_t j = gap.after; j < gap.after_end; ++j) right.emplace_back(after_[j].*key, j);
    std::vector<AlignedPair> pairs;
    for_each_unique_pair(left, right, [&](std::uint32_t i, std::uint32_t j) { pairs.emplace_back(i, j); });
    std::ranges::sort(pairs);
    return pairs;
  }

  // The longest subsequence that ascends in the second sequence too, by patience sorting.
  static std::vector<AlignedPair> longest_chain(const std::vector<AlignedPair>& pairs) {
    std::vector<std::size_t> tops, previous(pairs.size(), pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto place =
          std::ranges::lower_bound(tops, pairs[p].second, {}, [&](std::size_t top) { return pairs[top].second; });
      if (place != tops.begin()) previous[p] = *(place - 1);
      if (place == tops.end()) tops.push_back(p);
      else *place = p;
    }
    std::vector<AlignedPair> chain;
    for (std::size_t p = tops.empty() ? pairs.size() : tops.back(); p < pairs.size(); p = previous[p]) {
      chain.push_back(pairs[p]);
    }
    std::ranges::reverse(chain);
    return chain;
  }

  void align_by_similarity(const Gap& gap) {
    const std::size_t rows = gap.before_end - gap.before, columns = gap.after_end - gap.after;
    // The best sum for the elements from (row, column) on.
    std::vector<int> best((rows + 1) * (columns + 1));
    const auto at = [&](std::size_t row, std::size_t column) -> int& { return best[row * (columns + 1) + column]; };
    const auto value = [&](std::size_t row, std::size_t column) {
      return similarity(before_[gap.before + row], after_[gap.after + column]);
    };
    for (std::size_t row = rows; row-- > 0;) {
      for (std::size_t column = columns; column-- > 0;) {
        at(row, column) = std::max(at(row + 1, column), at(row, column + 1));
        if (const int v = value(row, column); v > 0) {
          at(row, column) = std::max(at(row, column), v + at(row + 1, column + 1));
        }
      }
    }
    for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
      const int v = value(row, column);
      if (v > 0 && at(row, column) == v + at(row + 1, column + 1)) {
        pair(gap.before + static_cast<std::uint32_t>(row), gap.after + static_cast<std::uint32_t>(column));
        ++row;
        ++column;
      } else if (at(row, column) == at(row + 1, column)) {
        ++row;
      } else {
        ++column;
      }
    }
  }

  // Pairs each element with the next one of the same opcode within a short distance.
  void pair_in_order(const Gap& gap) {
    constexpr std::uint32_t window = 64;
    std::uint32_t j = gap.after;
    for (std::uint32_t i = gap.before; i < gap.before_end && j < gap.after_end; ++i) {
      const std::uint32_t end = std::min(gap.after_end, j + window);
      for (std::uint32_t k = j; k < end; ++k) {
        if (before_[i].opcode != after_[k].opcode) continue;
        pair(i, k);
        j = k + 1;
        break;
      }
    }
  }

  std::span<const AlignmentKeys> before_, after_;
  std::vector<Gap> open_;
  std::vector<AlignedPair> pairs_;
};

}  // namespace

std::vector<AlignedPair> align_sequences(std::span<const AlignmentKeys> before, std::span<const AlignmentKeys> after) {
  return SequenceAligner(before, after).run();
}

}  // namespace vireo::spirv
