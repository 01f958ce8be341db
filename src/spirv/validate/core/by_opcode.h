// SPDX-License-Identifier: Apache-2.0
//
// Lookup of table rows by opcode.
//
// Tables are written by subject, so their opcodes are not in order. A copy is sorted at compile time, and
// a lookup is a binary search in that copy.
//
//   constexpr auto queries = by_opcode(query_rows);
//   if (const QueryRow* query = find_row(queries, visit.op())) …
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

/// Returns the rows in ascending order of their opcodes. A row has a member named `opcode`. Two rows with the same
/// opcode do not compile, because a lookup could never find the second one.
template <typename Row, std::size_t Size>
consteval std::array<Row, Size> by_opcode(const Row (&rows)[Size]) {
  auto sorted = std::to_array(rows);
  std::ranges::sort(sorted, {}, &Row::opcode);
  if (std::ranges::adjacent_find(sorted, {}, &Row::opcode) != sorted.end()) throw "two rows of one opcode";
  return sorted;
}

/// The row of an opcode in a table that by_opcode() sorted; nullptr if there is none.
template <typename Row, std::size_t Size>
constexpr const Row* find_row(const std::array<Row, Size>& sorted, Op op) {
  const auto row = std::ranges::lower_bound(sorted, op, {}, &Row::opcode);
  return row != sorted.end() && row->opcode == op ? &*row : nullptr;
}

}  // namespace vireo::spirv
