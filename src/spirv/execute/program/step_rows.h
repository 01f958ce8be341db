// SPDX-License-Identifier: Apache-2.0
//
// The opcodes whose steps apply one operation to each scalar of their operands.
#pragma once

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

/// Whether an instruction computes its result from one to three values, which are its operands after the result.
constexpr bool is_plain(Op opcode) {
  switch (opcode) {
    case Op::OpSNegate:
    case Op::OpFNegate:
    case Op::OpIAdd:
    case Op::OpFAdd:
    case Op::OpISub:
    case Op::OpFSub:
    case Op::OpIMul:
    case Op::OpFMul:
    case Op::OpUDiv:
    case Op::OpSDiv:
    case Op::OpFDiv:
    case Op::OpUMod:
    case Op::OpSRem:
    case Op::OpSMod:
    case Op::OpFRem:
    case Op::OpFMod:
    case Op::OpDot:
    case Op::OpIAddCarry:
    case Op::OpISubBorrow:
    case Op::OpUMulExtended:
    case Op::OpSMulExtended:
    case Op::OpAny:
    case Op::OpAll:
    case Op::OpIsNan:
    case Op::OpIsInf:
    case Op::OpLogicalEqual:
    case Op::OpLogicalNotEqual:
    case Op::OpLogicalOr:
    case Op::OpLogicalAnd:
    case Op::OpLogicalNot:
    case Op::OpSelect:
    case Op::OpIEqual:
    case Op::OpINotEqual:
    case Op::OpUGreaterThan:
    case Op::OpSGreaterThan:
    case Op::OpUGreaterThanEqual:
    case Op::OpSGreaterThanEqual:
    case Op::OpULessThan:
    case Op::OpSLessThan:
    case Op::OpULessThanEqual:
    case Op::OpSLessThanEqual:
    case Op::OpFOrdEqual:
    case Op::OpFUnordEqual:
    case Op::OpFOrdNotEqual:
    case Op::OpFUnordNotEqual:
    case Op::OpFOrdLessThan:
    case Op::OpFUnordLessThan:
    case Op::OpFOrdGreaterThan:
    case Op::OpFUnordGreaterThan:
    case Op::OpFOrdLessThanEqual:
    case Op::OpFUnordLessThanEqual:
    case Op::OpFOrdGreaterThanEqual:
    case Op::OpFUnordGreaterThanEqual:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
    case Op::OpShiftLeftLogical:
    case Op::OpBitwiseOr:
    case Op::OpBitwiseXor:
    case Op::OpBitwiseAnd:
    case Op::OpNot:
    case Op::OpBitReverse:
    case Op::OpBitCount:
    case Op::OpConvertFToU:
    case Op::OpConvertFToS:
    case Op::OpConvertSToF:
    case Op::OpConvertUToF:
    case Op::OpUConvert:
    case Op::OpSConvert:
    case Op::OpFConvert:
    case Op::OpQuantizeToF16:
    case Op::OpBitcast: return true;
    default: return false;
  }
}

}  // namespace vireo::spirv
