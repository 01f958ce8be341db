// SPDX-License-Identifier: Apache-2.0
//
// The chapters, and how their checks are gathered.
//
// The one idea: a counting sort, so that a module pays for two looks at some six hundred checks, and no more.
#include "spirv/validate/check_table.h"

#include <algorithm>
#include <span>
#include <utility>

#include "spirv/validate/checks.h"

namespace vireo::spirv {
namespace {

// The chapters of specification 3.42 whose instructions have checks beside their typing rows.
// Functions, since each table stands in its chapter's file and is not known when this one is compiled.
constexpr std::span<const Check> (*chapter_tables[])() = {
    type_checks,
    constant_checks,
    composite_checks,
    arithmetic_checks,
    dot_product_checks,
    conversion_checks,
    function_checks,
    variable_checks,
    memory_checks,
    access_chain_checks,
    logical_pointer_checks,
    descriptor_heap_checks,
    cooperative_matrix_checks,
    cooperative_vector_checks,
    cooperative_array_checks,
    cooperative_tensor_checks,
    float_format_checks,
    control_flow_checks,
    annotation_checks,
    mode_checks,
    group_checks,
    pipe_checks,
    shader_checks,
    image_type_checks,
    image_access_checks,
    image_query_checks,
    image_processing_checks,
    tensor_checks,
    graph_checks,
    import_checks,
    miscellaneous_checks,
    limit_checks,
};

// Takes each check whose instruction the grammar has, with the row of that.
template <typename Take>
void each_check(const Grammar& grammar, std::span<CheckTable::Row> rows, Take take) {
  for (const auto chapter : chapter_tables) {
    for (const Check& check : chapter()) {
      const InstructionRow* row = grammar.find_opcode(static_cast<std::uint32_t>(check.opcode));
      if (row != nullptr) take(rows[static_cast<std::size_t>(row - grammar.instructions.data())], check);
    }
  }
}

}  // namespace

// First the lengths of both runs of a row are counted; then these are given their places, and move along as checks are
// placed.
CheckTable::CheckTable(const Grammar& grammar) : grammar_(grammar), rows_(grammar.instructions.size()) {
  each_check(grammar, rows_, [](Row& row, const Check& check) {
    ++(check.rests_on == RestsOn::Anything ? row.end : row.of_each);
    row.basis = std::max(row.basis, check.rests_on);
  });
  std::uint16_t begin = 0;
  for (Row& row : rows_) {
    const std::uint16_t alike = row.of_each, each = row.end;
    row.of_alike = begin;
    row.of_each = row.end = static_cast<std::uint16_t>(begin + alike);
    begin = static_cast<std::uint16_t>(begin + alike + each);
  }
  checks_.resize(begin);
  each_check(grammar, rows_, [&](Row& row, const Check& check) {
    if (check.rests_on == RestsOn::Anything) checks_[row.end++] = &check;
    else checks_[row.of_alike++] = &check;
  });
  // Each first run has moved to where the second one begins, and that is where the row before ends.
  std::uint16_t end = 0;
  for (Row& row : rows_) row.of_alike = std::exchange(end, row.end);
}

}  // namespace vireo::spirv
