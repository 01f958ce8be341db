// SPDX-License-Identifier: Apache-2.0
//
// Rows of a table, found by opcode.
//
// The one idea: tables are written by subject, so their opcodes are in no order. The compiler sorts a copy, and a lookup
// is a binary search in that copy.
//
//   constexpr auto queries = by_opcode(query_rows);
//   if (const QueryRow* query = find_row(queries, visit.op())) …
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "vireo/spirv/enums.h"

namespace vireo::spirv {

/// The rows, by ascending opcode; a row has a member of this name. Two rows of one opcode do not compile: one of them
/// would never be found.
template <typename Row, std::size_t Size>
consteval std::array<Row, Size> by_opcode(const Row (&rows)[Size]) {
  auto sorted = std::to_array(rows);
  std::ranges::sort(sorted, {}, &Row::opcode);
  if (std::ranges::adjacent_find(sorted, {}, &Row::opcode) != sorted.end()) throw "two rows of one opcode";
  return sorted;
}

/// The row of an opcode among those that by_opcode() sorted; nullptr when there is none.
template <typename Row, std::size_t Size>
constexpr const Row* find_row(const std::array<Row, Size>& sorted, Op op) {
  const auto row = std::ranges::lower_bound(sorted, op, {}, &Row::opcode);
  return row != sorted.end() && row->opcode == op ? &*row : nullptr;
}

}  // namespace vireo::spirv
