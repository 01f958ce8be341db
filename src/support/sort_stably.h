// SPDX-License-Identifier: Apache-2.0
//
// Sorting rows by a number, where equal rows keep their order.
//
// The one idea: the numbers are sorted, each with the place of its row, and then the rows are moved. Numbers with places
// are sorted by the same code for every list, while std::stable_sort would be some 3 KB of machine code for each.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <utility>
#include <vector>

namespace vireo {

struct KeyedPlace {
  std::uint64_t key = 0;
  std::size_t place = 0;  // where the row stood
};

/// By key, and equal keys by place.
void sort_places(std::vector<KeyedPlace>& places);

/// Sorts by key(row), which is no number below zero; equal rows keep their order. Most lists are sorted as they come,
/// which one look tells.
template <std::ranges::contiguous_range Rows, typename Key>
requires std::unsigned_integral<std::remove_cvref_t<std::invoke_result_t<Key, std::ranges::range_reference_t<Rows>>>>
void sort_stably(Rows&& rows, Key key) {
  if (std::ranges::is_sorted(rows, {}, key)) return;
  std::vector<KeyedPlace> places;
  places.reserve(std::ranges::size(rows));
  for (auto& row : rows) places.push_back({std::invoke(key, row), places.size()});
  sort_places(places);
  std::vector<std::ranges::range_value_t<Rows>> sorted;
  sorted.reserve(places.size());
  for (const KeyedPlace& keyed : places) sorted.push_back(std::move(rows[keyed.place]));
  std::ranges::move(sorted, std::ranges::begin(rows));
}

}  // namespace vireo
