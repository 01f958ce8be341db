// SPDX-License-Identifier: Apache-2.0
//
// Rejects floats of formats outside IEEE 754 in instructions that do not support them (SPV_KHR_bfloat16, SPV_EXT_float8
// and the later small formats).
//
// Such floats may be stored, converted, and multiplied as matrices. A table lists the instructions that
// must not compute with them, and the operand to check. It lists only instructions whose typing row accepts any float.
// A typing row that requires IEEE 754 already rejects other formats.
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/arithmetic.h"
#include "vireo/spirv/views/non_uniform.h"

namespace vireo::spirv {
namespace {

using enum Op;

bool has_other_format(const Context& context, Word type) {
  const TypeRow* row = context.types.find(type);
  if (row == nullptr) return false;
  const TypeRow& scalar = context.types.row(row->component);
  return scalar.is(TypeKind::Float) && scalar.encoding != TypeRow::no_encoding;
}

// Reports a type whose floats have a format outside IEEE 754.
void check_type(const Context& context, const DecodedInstruction& visit, Report& report, Word type, Place place) {
  if (!has_other_format(context, type)) return;
  report.add(Rule::FloatFormat, place, {op_text(context, visit.op()), type_name(context, type)});
}

void check_result(const Context& context, const DecodedInstruction& visit, Report& report) {
  check_type(context, visit, report, visit.type, visit.at_type());
}

// Whether a type is a cooperative matrix or a long vector. The typing rows of some instructions require IEEE 754 for
// scalars and vectors, but accept any float in these two.
bool is_large(const Context& context, Word type) {
  const TypeRow& row = context.types.of(type);
  return row.is_cooperative_matrix() || row.is(TypeKind::LongVector);
}
void check_large_result(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (is_large(context, visit.type)) check_result(context, visit, report);
}

// OpBFloat16MulAddQCOM multiplies two bfloat16 values and adds the product to a 32-bit float (SPV_QCOM_bfloat16_muladd).
void check_multiply_add(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto add = visit.as<OpBFloat16MulAddQCOM>();
  const TypeErrorReporter type_errors{context, visit, report};
  const auto is_wide = [](const TypeRow& type) {
    return type.is(TypeKind::Float) && type.width == 32 && type.encoding == TypeRow::no_encoding;
  };
  if (!is_wide(context.types.of(visit.type))) return type_errors.result("a 32-bit float scalar");
  const struct {
    AnyOperand operand;
    std::string_view name;
  } factors[] = {{add.operand_1(), "operand 1"}, {add.operand_2(), "operand 2"}};
  for (const auto& factor : factors) {
    const TypeRow& type = context.type_of(factor.operand);
    if (!type.is(TypeKind::Float) || !type.contains.has_any(TypeTrait::BFloat16)) {
      type_errors.operand(factor.operand, factor.name, "a bfloat16 scalar");
    }
  }
  if (!is_wide(context.type_of(add.operand_3())))
    type_errors.operand(add.operand_3(), "operand 3", "a 32-bit float scalar");
}

// A bfloat16 result of OpDot is accepted here, because arithmetic.cpp checks its capability.
void check_dot_result(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (type.contains.has_any(TypeTrait::BFloat16)) return;
  check_result(context, visit, report);
}

// Checks the first operand. Its name is `x` in classification instructions and `operand_1` in comparisons.
void check_large_operand(const Context& context, const DecodedInstruction& visit, Report& report) {
  for (const OperandName name : {OperandName::x, OperandName::operand_1}) {
    const AnyOperand operand = visit.operand(name);
    const Word type = context.module.type_of(operand);
    if (is_large(context, type)) check_type(context, visit, report, type, visit.at(operand));
  }
}
void check_vote(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto value = visit.as<OpGroupNonUniformAllEqual>().value();
  check_type(context, visit, report, context.module.type_of(value), visit.at(value));
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
