// SPDX-License-Identifier: Apache-2.0
//
// Cooperative vectors (SPV_NV_cooperative_vector): loads, stores, and products with matrices in memory.
//
// Vectors and matrices are accessed in arrays, at an offset in bytes. So pointers point to arrays, not to
// elements. Several integer operands state the layout of a matrix, and each has a requirement.
#include <optional>

#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/memory.h"
#include "vireo/spirv/views/reserved.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The enumeration of the layouts of matrices in memory.
constexpr std::string_view matrix_layouts = "CooperativeVectorMatrixLayout";

// Offsets are in bytes and may have 64 bits, because buffers may exceed 4 GiB. All other numbers have 32 bits.
void check_offset(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand offset,
                  std::string_view name) {
  const TypeRow& type = context.type_of(offset);
  if (type.is_int(32) || type.is_int(64)) return;
  TypeErrorReporter{context, visit, report}.operand(offset, name, "a 32-bit or 64-bit integer scalar");
}

// --- loads and stores ------------------------------------------------------------------------------------------------

/// The operands of a load or store.
struct VectorTransfer {
  AnyOperand pointer, offset;
  std::optional<AnyOperand> object;  ///< the stored value; none for loads
  MemoryAccessView memory_access;
  AccessKind kind;
};

void transfer_vector(const Context& context, const DecodedInstruction& visit, Report& report,
                     const VectorTransfer& transfer) {
  const TypeRow* vector = check_cooperative_object(context, visit, report, transfer.object, TypeKind::LongVector);
  const TypeRow* pointer =
      vector == nullptr ? nullptr
                        : check_cooperative_memory(context, visit, report, transfer.pointer, CooperativeMemory::Arrays);
  if (pointer == nullptr) return;
  check_offset(context, visit, report, transfer.offset, "the offset");
  check_memory_access(context, visit, report, {pointer, nullptr, transfer.memory_access, transfer.kind});
}
void check_load_vector(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto load = visit.as<OpCooperativeVectorLoadNV>();
  transfer_vector(context, visit, report,
                  {load.pointer(), load.offset(), std::nullopt, load.memory_access(), AccessKind::Reads});
}
void check_store_vector(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto store = visit.as<OpCooperativeVectorStoreNV>();
  transfer_vector(context, visit, report,
                  {store.pointer(), store.offset(), store.object(), store.memory_access(), AccessKind::Writes});
}

// --- products and sums -----------------------------------------------------------------------------------------------

// Returns the type of a cooperative vector. For another type, reports a finding and returns nullptr.
const TypeRow* check_vector(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand operand,
                            std::string_view name) {
  const TypeRow& type = context.type_of(operand);
  if (type.is(TypeKind::LongVector)) return &type;
  TypeErrorReporter{context, visit, report}.operand(operand, name, "a cooperative vector");
  return nullptr;
}

// The instruction adds the outer product of two vectors to a matrix in memory and has no result. All integer operands
// are constants, except offset and stride.
void check_vector_outer_product(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto product = visit.as<OpCooperativeVectorOuterProductAccumulateNV>();
  if (check_cooperative_memory(context, visit, report, product.pointer(), CooperativeMemory::Arrays) == nullptr) return;
  check_offset(context, visit, report, product.offset(), "the offset");
  const TypeRow* a = check_vector(context, visit, report, product.a(), "operand 'A'");
  const TypeRow* b = check_vector(context, visit, report, product.b(), "operand 'B'");
  if (a != nullptr && b != nullptr && a->component != b->component) {
    TypeErrorReporter{context, visit, report}.relation(product.b(), "operand 'B'",
                                                       "the same component type as operand 'A'", a->id);
  }
  check_memory_layout(context, visit, report, product.memory_layout(), matrix_layouts);
  check_constant_int32_operand(context, visit, report, product.matrix_interpretation(), "the interpretation");
  if (const auto stride = product.matrix_stride()) {
    check_int32_operand(context, visit, report, *stride, "the stride");
  }
}

// The instruction adds a vector to a vector in memory. A vector needs no layout operands.
void check_reduce_sum(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto sum = visit.as<OpCooperativeVectorReduceSumAccumulateNV>();
  if (check_cooperative_memory(context, visit, report, sum.pointer(), CooperativeMemory::Arrays) == nullptr) return;
  check_offset(context, visit, report, sum.offset(), "the offset");
  check_vector(context, visit, report, sum.v(), "operand 'V'");
}

// M must equal the length of the result, and K the length of the input. All are ids of constants.
void check_product_sizes(const Context& context, const DecodedInstruction& visit, Report& report,
                         const TypeRow& result) {
  const TypeErrorReporter type_errors{context, visit, report};
  const AnyOperand m = visit.operand(OperandName::m), k = visit.operand(OperandName::k);
  if (!may_be_equal(context, result.length, m)) {
    type_errors.result_relation("as many components as M states rows", context.module.type_of(m));
  }
  const AnyOperand input = visit.operand(OperandName::input);
  const TypeRow& vector = context.type_of(input);
  const auto given = context.constants.as_u64(vector.length);
  const auto wanted = context.constants.as_u64(k);
  if (!given || !wanted) return;
  // The number of packed components in a word is implementation-defined.
  const AnyOperand interpretation = visit.operand(OperandName::input_interpretation);
  const auto is = [format = context.constants.as_u64(interpretation)](ComponentType type) {
    return format == static_cast<std::uint64_t>(type);
  };
  const bool is_packed = is(ComponentType::SignedInt8PackedNV) || is(ComponentType::UnsignedInt8PackedNV);
  if (!is_packed && *given != *wanted) {
    type_errors.relation(input, "the input", "as many components as K states columns", context.module.type_of(k));
  }
}

// The instruction computes matrix times input, plus an optional bias. Matrix and bias are in memory; the interpretation
// operands state their formats.
void check_matrix_product(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow& result = context.types.of(visit.type);
  if (!result.is(TypeKind::LongVector)) {
    type_errors.result("a cooperative vector");
    return;
  }
  const TypeRow& sum = context.types.row(result.component);
  if (!sum.is_int(32) && !(sum.is(TypeKind::Float) && (sum.width == 16 || sum.width == 32))) {
    type_errors.result("a cooperative vector of 32-bit integers, or of 16-bit or 32-bit floats");
    return;
  }
  const auto check_offset_of = [&](OperandName name, std::string_view text) {
    check_offset(context, visit, report, visit.operand(name), text);
  };
  const auto check_constant = [&](OperandName name, std::string_view text) {
    check_constant_int32_operand(context, visit, report, visit.operand(name), text);
  };
  const auto is_memory = [&](OperandName name) {
    return check_cooperative_memory(context, visit, report, visit.operand(name), CooperativeMemory::Arrays) != nullptr;
  };
  check_vector(context, visit, report, visit.operand(OperandName::input), "the input");
  check_constant(OperandName::input_interpretation, "the input interpretation");
  // A wrong pointer ends the check, because the operands that follow describe its memory.
  if (!is_memory(OperandName::matrix)) return;
  check_offset_of(OperandName::matrix_offset, "the matrix offset");
  check_constant(OperandName::matrix_interpretation, "the matrix interpretation");
  if (visit.op() == OpCooperativeVectorMatrixMulAddNV) {
    if (!is_memory(OperandName::bias)) return;
    check_offset_of(OperandName::bias_offset, "the bias offset");
    check_constant(OperandName::bias_interpretation, "the bias interpretation");
  }
  check_constant(OperandName::m, "operand 'M'");
  check_constant(OperandName::k, "operand 'K'");
  check_memory_layout(context, visit, report, visit.operand(OperandName::memory_layout), matrix_layouts);
  const AnyOperand transpose = visit.operand(OperandName::transpose);
  const TypeRow& type = context.type_of(transpose);
  if (!type.is(TypeKind::Bool)) {
    type_errors.operand(transpose, "operand 'Transpose'", "a boolean scalar");
  } else if (!context.is_constant(transpose)) {
    type_errors.not_constant(transpose, "operand 'Transpose'");
  }
  check_product_sizes(context, visit, report, result);
}

}  // namespace

std::span<const Check> cooperative_vector_checks() {
  static constexpr Check checks[] = {
      {{OpCooperativeVectorLoadNV}, check_load_vector},
      {{OpCooperativeVectorStoreNV}, check_store_vector},
      {{OpCooperativeVectorOuterProductAccumulateNV}, check_vector_outer_product},
      {{OpCooperativeVectorReduceSumAccumulateNV}, check_reduce_sum},
      {{OpCooperativeVectorMatrixMulNV, OpCooperativeVectorMatrixMulAddNV}, check_matrix_product},
  };
  return checks;
}

}  // namespace vireo::spirv
