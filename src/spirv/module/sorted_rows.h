// SPDX-License-Identifier: Apache-2.0
//
// Sorted tables: making them, and the rows that have a key.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace vireo::spirv {

/// Neighbours in `rows` for which place(row) == key; `rows` ascend by it. Logarithmic. (Not std::ranges::equal_range,
/// whose result clang 14 cannot make of libstdc++'s headers.)
template <typename Row, typename Key, typename Place>
std::span<const Row> rows_with(std::span<const Row> rows, const Key& key, Place place) {
  const auto first = std::ranges::lower_bound(rows, key, {}, place);
  return {first, std::ranges::upper_bound(first, rows.end(), key, {}, place)};
}

/// Sorts by place(row); equal rows keep their order. Most lists are sorted as they come, which one look tells.
template <typename Row, typename Place = std::identity>
void sort_stably(std::vector<Row>& rows, Place place = {}) {
  if (!std::ranges::is_sorted(rows, {}, place)) std::ranges::stable_sort(rows, {}, place);
}

}  // namespace vireo::spirv
