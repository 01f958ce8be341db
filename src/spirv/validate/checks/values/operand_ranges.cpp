// SPDX-License-Identifier: Apache-2.0
//
// Constant operands of instructions of extensions, which accept only some numbers.
//
// A row has an operand, a test of its value, and the text of the values that the test accepts. Typing
// rows check the types. An operand that is not a constant, or that specialization may change, has no known value.
//
// Source: SPV_NV_mesh_shader, SPV_KHR_untyped_pointers, SPV_INTEL_2d_block_io (Restrictions).
#include <string>
#include <string_view>

#include "spirv/validate/checks/checks.h"
#include "spirv/validate/core/by_opcode.h"

namespace vireo::spirv {
namespace {

using enum Op;

struct RangeRow {
  OperandName operand;
  std::string_view name;  ///< in messages: "the index offset"
  bool (*accepts)(std::uint64_t);
  std::string_view expected;
};

constexpr RangeRow packed_indices[] = {
    {OperandName::index_offset, "the index offset", [](std::uint64_t v) { return v % 4 == 0; }, "a multiple of 4"},
};
constexpr RangeRow prefetch[] = {
    {OperandName::rw, "the access", [](std::uint64_t v) { return v <= 1; }, "0 for a read or 1 for a write"},
    {OperandName::locality, "the locality", [](std::uint64_t v) { return v <= 3; }, "0 to 3"},
    {OperandName::cache_type, "the cache type", [](std::uint64_t v) { return v <= 1; },
     "0 for the instruction cache or 1 for the data cache"},
};
constexpr RangeRow block_access[] = {
    {OperandName::element_size, "the element size",
     [](std::uint64_t v) { return v == 1 || v == 2 || v == 4 || v == 8; }, "1, 2, 4 or 8"},
};

struct OpcodeRow {
  Op opcode;
  std::span<const RangeRow> operands;
};
constexpr OpcodeRow all_rows[] = {
    {OpWritePackedPrimitiveIndices4x8NV, packed_indices}, {OpUntypedPrefetchKHR, prefetch},
    {OpSubgroup2DBlockLoadINTEL, block_access},           {OpSubgroup2DBlockLoadTransformINTEL, block_access},
    {OpSubgroup2DBlockLoadTransposeINTEL, block_access},  {OpSubgroup2DBlockPrefetchINTEL, block_access},
    {OpSubgroup2DBlockStoreINTEL, block_access},
};
constexpr auto rows = by_opcode(all_rows);

void report_value(const InstructionCheck& c, AnyOperand operand, std::string_view name, std::uint64_t value,
                  std::string_view expected) {
  c.report(Rule::OperandRange, c.at(operand), {c.named(operand, name), value, expected});
}

void check_ranges(const InstructionCheck& c) {
  const OpcodeRow* row = find_row(rows, c.op());
  if (row == nullptr) return;
  for (const RangeRow& range : row->operands) {
    const AnyOperand operand = c.operand(range.operand);
    const auto value = c.constants.as_u64(operand);
    if (value && !range.accepts(*value)) report_value(c, operand, range.name, *value, range.expected);
  }
}

// A row of a block of 1-byte or 2-byte elements fills whole words.
void check_block(const InstructionCheck& c) {
  check_ranges(c);
  const auto size = c.constants.as_u64(c.operand(OperandName::element_size));
  const AnyOperand width_operand = c.operand(OperandName::block_width);
  const auto width = c.constants.as_u64(width_operand);
  if (!size || !width || (*size != 1 && *size != 2)) return;
  const std::uint64_t multiple = 4 / *size;
  if (*width % multiple == 0) return;
  report_value(c, width_operand, "the block width", *width,
               *size == 1 ? "a multiple of 4 for elements of 1 byte" : "a multiple of 2 for elements of 2 bytes");
}

}  // namespace

std::span<const Check> operand_range_checks() {
  static constexpr Check checks[] = {
      {{OpWritePackedPrimitiveIndices4x8NV, OpUntypedPrefetchKHR}, check_ranges},
      {{OpSubgroup2DBlockLoadINTEL, OpSubgroup2DBlockLoadTransformINTEL, OpSubgroup2DBlockLoadTransposeINTEL,
        OpSubgroup2DBlockPrefetchINTEL, OpSubgroup2DBlockStoreINTEL},
       check_block},
  };
  return checks;
}

}  // namespace vireo::spirv
