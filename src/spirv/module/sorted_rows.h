// SPDX-License-Identifier: Apache-2.0
//
// Lookup of all rows with a key in a sorted table.
#pragma once

#include <algorithm>
#include <span>

namespace vireo::spirv {

/// The adjacent rows for which place(row) == key; `rows` ascend by place(row). Logarithmic. (Not
/// std::ranges::equal_range, because clang 14 cannot compile its result with libstdc++.)
template <typename Row, typename Key, typename Place>
std::span<const Row> rows_with(std::span<const Row> rows, const Key& key, Place place) {
  const auto first = std::ranges::lower_bound(rows, key, {}, place);
  return {first, std::ranges::upper_bound(first, rows.end(), key, {}, place)};
}

}  // namespace vireo::spirv
