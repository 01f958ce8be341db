// SPDX-License-Identifier: Apache-2.0
//
// Rejects floats of formats outside IEEE 754 in instructions that do not support them (SPV_KHR_bfloat16, SPV_EXT_float8
// and the later small formats).
//
// Such floats may be stored, converted, and multiplied as matrices. A table lists the instructions that
// must not compute with them, and the operand to check. It lists only instructions whose typing row accepts any float.
// A typing row that requires IEEE 754 already rejects other formats.
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/arithmetic.h"
#include "vireo/spirv/binary/views/non_uniform.h"

namespace vireo::spirv {
namespace {

using enum Op;

bool has_other_format(const ModuleCheck& c, Word type) {
  const TypeRow* row = c.types.find(type);
  if (row == nullptr) return false;
  const TypeRow& scalar = row->component();
  return scalar.is(TypeKind::Float) && scalar.encoding != TypeRow::no_encoding;
}

// Reports a type whose floats have a format outside IEEE 754.
void check_type(const InstructionCheck& c, Word type, Place place) {
  if (!has_other_format(c, type)) return;
  c.report(Rule::FloatFormat, place, {c.op(), type});
}

void check_result(const InstructionCheck& c) { check_type(c, c.type, c.at_type()); }

// Whether a type is a cooperative matrix or a long vector. The typing rows of some instructions require IEEE 754 for
// scalars and vectors, but accept any float in these two.
bool is_large(const ModuleCheck& c, Word type) {
  const TypeRow& row = c.types.of(type);
  return row.is_cooperative_matrix() || row.is(TypeKind::LongVector);
}
void check_large_result(const InstructionCheck& c) {
  if (is_large(c, c.type)) check_result(c);
}

// OpBFloat16MulAddQCOM multiplies two bfloat16 values and adds the product to a 32-bit float (SPV_QCOM_bfloat16_muladd).
void check_multiply_add(const InstructionCheck& c) {
  const auto add = c.as<OpBFloat16MulAddQCOM>();
  const auto is_wide = [](const TypeRow& type) {
    return type.is(TypeKind::Float) && type.width == 32 && type.encoding == TypeRow::no_encoding;
  };
  if (!is_wide(c.types.of(c.type))) return c.wrong_result("a 32-bit float scalar");
  const struct {
    AnyOperand operand;
    std::string_view name;
  } factors[] = {{add.operand_1(), "operand 1"}, {add.operand_2(), "operand 2"}};
  for (const auto& factor : factors) {
    const TypeRow& type = c.type_of(factor.operand);
    if (!type.is(TypeKind::Float) || !type.contains.has_any(TypeTrait::BFloat16)) {
      c.wrong_operand(factor.operand, factor.name, "a bfloat16 scalar");
    }
  }
  if (!is_wide(c.type_of(add.operand_3()))) c.wrong_operand(add.operand_3(), "operand 3", "a 32-bit float scalar");
}

// A bfloat16 result of OpDot is accepted here, because arithmetic.cpp checks its capability.
void check_dot_result(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (type.contains.has_any(TypeTrait::BFloat16)) return;
  check_result(c);
}

// Checks the first operand. Its name is `x` in classification instructions and `operand_1` in comparisons.
void check_large_operand(const InstructionCheck& c) {
  for (const OperandName name : {OperandName::x, OperandName::operand_1}) {
    const AnyOperand operand = c.operand(name);
    const Word type = c.module.type_of(operand);
    if (is_large(c, type)) check_type(c, type, c.at(operand));
  }
}
void check_vote(const InstructionCheck& c) {
  const auto value = c.as<OpGroupNonUniformAllEqual>().value();
  check_type(c, c.module.type_of(value), c.at(value));
}

}  // namespace

std::span<const Check> float_format_checks() {
  // clang-format off
  static constexpr Check checks[] = {
      {{OpBFloat16MulAddQCOM}, check_multiply_add},
      {{OpFNegate, OpFAdd, OpFSub, OpFMul, OpFDiv, OpFRem, OpFMod, OpFmaKHR, OpVectorTimesScalar, OpMatrixTimesScalar},
        check_large_result},
      {{OpVectorTimesMatrix, OpMatrixTimesVector, OpMatrixTimesMatrix, OpOuterProduct, OpCooperativeMatrixMulAddNV,
        OpGroupNonUniformRotateKHR, OpGroupNonUniformBroadcast, OpGroupNonUniformBroadcastFirst,
        OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor, OpGroupNonUniformShuffleUp, OpGroupNonUniformShuffleDown,
        OpGroupNonUniformQuadBroadcast, OpGroupNonUniformQuadSwap}, check_result},
      {{OpDot}, check_dot_result},
      {{OpGroupNonUniformAllEqual}, check_vote},
      {{OpIsNan, OpIsInf, OpIsFinite, OpIsNormal, OpSignBitSet, OpLessOrGreater, OpOrdered, OpUnordered, OpFOrdEqual,
        OpFUnordEqual, OpFOrdNotEqual, OpFUnordNotEqual, OpFOrdLessThan, OpFUnordLessThan, OpFOrdGreaterThan,
        OpFUnordGreaterThan, OpFOrdLessThanEqual, OpFUnordLessThanEqual, OpFOrdGreaterThanEqual,
        OpFUnordGreaterThanEqual}, check_large_operand},
  };
  // clang-format on
  return checks;
}

}  // namespace vireo::spirv
