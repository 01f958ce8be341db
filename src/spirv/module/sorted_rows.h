// SPDX-License-Identifier: Apache-2.0
//
// Sorted tables: the rows that have a key.
#pragma once

#include <algorithm>
#include <span>

namespace vireo::spirv {

/// Neighbours in `rows` for which place(row) == key; `rows` ascend by it. Logarithmic. (Not std::ranges::equal_range,
/// whose result clang 14 cannot make of libstdc++'s headers.)
template <typename Row, typename Key, typename Place>
std::span<const Row> rows_with(std::span<const Row> rows, const Key& key, Place place) {
  const auto first = std::ranges::lower_bound(rows, key, {}, place);
  return {first, std::ranges::upper_bound(first, rows.end(), key, {}, place)};
}

}  // namespace vireo::spirv
