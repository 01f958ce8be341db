// SPDX-License-Identifier: Apache-2.0
//
// The opcodes whose steps apply one operation to each scalar of their operands.
#pragma once

#include <algorithm>
#include <iterator>

#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

// Values of Step::operation: an operand that has one cell for all cells of the result.
inline constexpr std::uint16_t scalar_a = 1, scalar_b = 2;

/// An operand after the result, counted from 0; 0 if the instruction is shorter.
inline Word nth_operand(InstructionView view, std::size_t index) {
  const Words operands = ValueOperands(view).others();
  return index < operands.size() ? operands[index] : 0;
}

// Bits of Step::flags.
inline constexpr std::uint8_t no_signed_wrap = 1, no_unsigned_wrap = 2;  ///< the decorations of the result
inline constexpr std::uint8_t is_saturated = 4;                          ///< SaturatedConversion
inline constexpr std::uint8_t has_domain = 8;  ///< an extended instruction of function_domains.h

inline constexpr std::uint8_t is_visible = 16;  ///< an access that is coherent, non-private or volatile

inline constexpr std::uint8_t is_non_uniform = 32;  ///< an access whose pointer is NonUniform

inline constexpr std::uint8_t is_handle = 64;  ///< a load of an image, a sampler, or both

// The instructions that compute their results from one to three values, which are their operands after the result.

// clang-format off
/// Operations on integers: each component by itself.
inline constexpr Op integer_opcodes[] = {
    Op::OpSNegate, Op::OpNot, Op::OpIAdd, Op::OpISub, Op::OpIMul, Op::OpUDiv, Op::OpUMod, Op::OpSDiv, Op::OpSRem,
    Op::OpSMod, Op::OpBitwiseAnd, Op::OpBitwiseOr, Op::OpBitwiseXor, Op::OpShiftLeftLogical, Op::OpShiftRightLogical,
    Op::OpShiftRightArithmetic, Op::OpBitReverse, Op::OpBitCount, Op::OpIEqual, Op::OpINotEqual, Op::OpUGreaterThan,
    Op::OpUGreaterThanEqual, Op::OpULessThan, Op::OpULessThanEqual, Op::OpSGreaterThan, Op::OpSGreaterThanEqual,
    Op::OpSLessThan, Op::OpSLessThanEqual,
};
/// Operations on floats: each component by itself.
inline constexpr Op float_opcodes[] = {
    Op::OpFNegate, Op::OpFAdd, Op::OpFSub, Op::OpFMul, Op::OpFDiv, Op::OpFRem, Op::OpFMod, Op::OpIsNan, Op::OpIsInf,
    Op::OpFOrdEqual, Op::OpFUnordEqual, Op::OpFOrdNotEqual, Op::OpFUnordNotEqual, Op::OpFOrdLessThan,
    Op::OpFUnordLessThan, Op::OpFOrdGreaterThan, Op::OpFUnordGreaterThan, Op::OpFOrdLessThanEqual,
    Op::OpFUnordLessThanEqual, Op::OpFOrdGreaterThanEqual, Op::OpFUnordGreaterThanEqual,
};
/// Conversions, operations on booleans, and those that combine components.
inline constexpr Op other_plain_opcodes[] = {
    Op::OpDot, Op::OpIAddCarry, Op::OpISubBorrow, Op::OpUMulExtended, Op::OpSMulExtended, Op::OpAny, Op::OpAll,
    Op::OpLogicalEqual, Op::OpLogicalNotEqual, Op::OpLogicalOr, Op::OpLogicalAnd, Op::OpLogicalNot, Op::OpSelect,
    Op::OpConvertFToU, Op::OpConvertFToS, Op::OpConvertSToF, Op::OpConvertUToF, Op::OpUConvert, Op::OpSConvert,
    Op::OpFConvert, Op::OpQuantizeToF16, Op::OpBitcast,
};
// clang-format on

constexpr bool is_plain(Op opcode) {
  const auto has = [opcode](const auto& opcodes) { return std::ranges::find(opcodes, opcode) != std::end(opcodes); };
  return has(integer_opcodes) || has(float_opcodes) || has(other_plain_opcodes);
}

}  // namespace vireo::spirv
