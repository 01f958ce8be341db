// SPDX-License-Identifier: Apache-2.0
//
// Joins two lists by keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vireo::spirv {

/// A key, and an index.
using KeyedItem = std::pair<std::uint64_t, std::uint32_t>;
using KeyedItems = std::vector<KeyedItem>;

/// Sorts both lists. Calls take(first, end, first, end) for each key that is in both, with the ranges of its items.
template <typename Take>
void for_each_common_key(KeyedItems& left, KeyedItems& right, Take&& take) {
  std::ranges::sort(left);
  std::ranges::sort(right);
  const auto end_of = [](auto at, auto end) {
    auto next = at;
    while (next != end && next->first == at->first) ++next;
    return next;
  };
  auto i = left.begin();
  auto j = right.begin();
  while (i != left.end() && j != right.end()) {
    if (i->first < j->first) {
      i = end_of(i, left.end());
    } else if (j->first < i->first) {
      j = end_of(j, right.end());
    } else {
      const auto i_end = end_of(i, left.end());
      const auto j_end = end_of(j, right.end());
      take(i, i_end, j, j_end);
      i = i_end;
      j = j_end;
    }
  }
}

/// Sorts both lists. Calls take(left index, right index) for each key that occurs once in each, in the order of keys.
template <typename Take>
void for_each_unique_pair(KeyedItems& left, KeyedItems& right, Take&& take) {
  for_each_common_key(left, right, [&](auto i, auto i_end, auto j, auto j_end) {
    if (i_end - i == 1 && j_end - j == 1) take(i->second, j->second);
  });
}

/// Pairs each owner on the left with the owner on the right that shares the most keys with it and is still free. Both
/// lists have the owner as index; the left one is grouped by owner. `accept(left, right, shared)` decides on the pair,
/// and is called in the order of the left list. Keys that occur often on the right do not count: they say little, and
/// would take quadratic time.
template <typename Accept>
void for_each_similar_pair(const KeyedItems& left, KeyedItems& right, Accept&& accept) {
  constexpr std::ptrdiff_t most_occurrences = 8;
  if (right.empty()) return;
  std::ranges::sort(right);
  std::uint32_t owners = 0;
  for (const KeyedItem& item : right) owners = std::max(owners, item.second + 1);
  std::vector<std::uint32_t> shared(owners), touched;
  std::vector<bool> is_taken(owners);
  for (std::size_t begin = 0, end = 0; begin < left.size(); begin = end) {
    const std::uint32_t owner = left[begin].second;
    for (; end < left.size() && left[end].second == owner; ++end) {
      const auto first = std::ranges::lower_bound(right, left[end].first, {}, &KeyedItem::first);
      auto last = first;
      while (last != right.end() && last->first == left[end].first && last - first <= most_occurrences) ++last;
      if (last - first > most_occurrences) continue;
      for (auto at = first; at != last; ++at) {
        if (!is_taken[at->second] && shared[at->second]++ == 0) touched.push_back(at->second);
      }
    }
    std::ranges::sort(touched);
    std::uint32_t best = owners;
    for (const std::uint32_t each : touched) {
      if (best == owners || shared[each] > shared[best]) best = each;
    }
    if (best != owners && accept(owner, best, shared[best])) is_taken[best] = true;
    for (const std::uint32_t each : touched) shared[each] = 0;
    touched.clear();
  }
}

}  // namespace vireo::spirv
