// SPDX-License-Identifier: Apache-2.0
//
// Which instructions take floats of other formats than those of IEEE 754 (SPV_KHR_bfloat16, SPV_EXT_float8 and the small
// formats that follow them).
//
// The one idea: such floats are for storage, conversion and products of matrices. What computes with them otherwise is a
// list of instructions, with the word that holds the value in question. It has those alone whose typing rows take any
// float: where a row asks for one of IEEE 754, it has spoken.
#include "spirv/validate/checks.h"
#include "spirv/validate/complaint.h"

namespace vireo::spirv {
namespace {

using enum Op;

bool is_odd(const Context& context, Word type) {
  const TypeRow* row = context.types.find(type);
  if (row == nullptr) return false;
  const TypeRow& scalar = context.types.row(row->component);
  return scalar.is(TypeKind::Float) && scalar.encoding != TypeRow::no_encoding;
}

void tell(const Context& context, const Visit& visit, Report& report, Word type, std::size_t word) {
  report.add(Rule::FloatFormat, visit.at(word), {op_text(context, visit.op()), type_text(context, type)});
}

void check_result(const Context& context, const Visit& visit, Report& report) {
  if (is_odd(context, visit.type)) tell(context, visit, report, visit.type, 1);
}

// Scalars and vectors are judged by the typing rows of these; their matrices and long vectors are of any float there.
bool is_large(const Context& context, Word type) {
  const TypeRow& row = context.types.of(type);
  return row.is_cooperative_matrix() || row.is(TypeKind::LongVector);
}
void check_large_result(const Context& context, const Visit& visit, Report& report) {
  if (is_large(context, visit.type)) check_result(context, visit, report);
}

// Of a dot product bfloat16 is taken, with a capability of its own.
void check_dot_result(const Context& context, const Visit& visit, Report& report) {
  const TypeRow* type = context.types.find(visit.type);
  if (type == nullptr || type->contains.has_any(TypeTrait::BFloat16)) return;
  check_result(context, visit, report);
}

void check_operand_type(const Context& context, const Visit& visit, Report& report, std::size_t word) {
  const Word type = context.module.type_of(visit.word(word));
  if (is_odd(context, type)) tell(context, visit, report, type, word);
}

void check_large_operand(const Context& context, const Visit& visit, Report& report) {
  if (is_large(context, context.module.type_of(visit.word(3)))) check_operand_type(context, visit, report, 3);
}
// The value of a vote stands behind its scope.
void check_vote(const Context& context, const Visit& visit, Report& report) {
  check_operand_type(context, visit, report, 4);
}

}  // namespace

std::span<const Check> float_format_checks() {
  using enum RestsOn;
  // clang-format off
  static constexpr Check checks[] = {
      {OpFNegate, check_large_result, Types}, {OpFAdd, check_large_result, Types}, {OpFSub, check_large_result, Types},
      {OpFMul, check_large_result, Types}, {OpFDiv, check_large_result, Types}, {OpFRem, check_large_result, Types},
      {OpFMod, check_large_result, Types}, {OpFmaKHR, check_large_result, Types},
      {OpVectorTimesScalar, check_large_result, Types}, {OpMatrixTimesScalar, check_large_result, Types},
      {OpVectorTimesMatrix, check_result, Types}, {OpMatrixTimesVector, check_result, Types},
      {OpMatrixTimesMatrix, check_result, Types}, {OpOuterProduct, check_result, Types},
      {OpCooperativeMatrixMulAddNV, check_result, Types}, {OpDot, check_dot_result, Types},
      {OpGroupNonUniformRotateKHR, check_result, Types}, {OpGroupNonUniformBroadcast, check_result, Types},
      {OpGroupNonUniformBroadcastFirst, check_result, Types}, {OpGroupNonUniformShuffle, check_result, Types},
      {OpGroupNonUniformShuffleXor, check_result, Types}, {OpGroupNonUniformShuffleUp, check_result, Types},
      {OpGroupNonUniformShuffleDown, check_result, Types}, {OpGroupNonUniformQuadBroadcast, check_result, Types},
      {OpGroupNonUniformQuadSwap, check_result, Types}, {OpGroupNonUniformAllEqual, check_vote, Types},
      {OpIsNan, check_large_operand, Types}, {OpIsInf, check_large_operand, Types},
      {OpIsFinite, check_large_operand, Types}, {OpIsNormal, check_large_operand, Types},
      {OpSignBitSet, check_large_operand, Types}, {OpLessOrGreater, check_large_operand, Types},
      {OpOrdered, check_large_operand, Types}, {OpUnordered, check_large_operand, Types},
      {OpFOrdEqual, check_large_operand, Types}, {OpFUnordEqual, check_large_operand, Types},
      {OpFOrdNotEqual, check_large_operand, Types}, {OpFUnordNotEqual, check_large_operand, Types},
      {OpFOrdLessThan, check_large_operand, Types}, {OpFUnordLessThan, check_large_operand, Types},
      {OpFOrdGreaterThan, check_large_operand, Types}, {OpFUnordGreaterThan, check_large_operand, Types},
      {OpFOrdLessThanEqual, check_large_operand, Types}, {OpFUnordLessThanEqual, check_large_operand, Types},
      {OpFOrdGreaterThanEqual, check_large_operand, Types}, {OpFUnordGreaterThanEqual, check_large_operand, Types},
  };
  // clang-format on
  return checks;
}

}  // namespace vireo::spirv
