// SPDX-License-Identifier: Apache-2.0
//
// Cooperative vectors (SPV_NV_cooperative_vector): loads, stores, and products with matrices in memory.
//
// Vectors and matrices are accessed in arrays, at an offset in bytes. So pointers point to arrays, not to
// elements. Several integer operands state the layout of a matrix, and each has a requirement.
#include <optional>

#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The enumeration of the layouts of matrices in memory.
constexpr std::string_view matrix_layouts = "CooperativeVectorMatrixLayout";

// Offsets are in bytes and may have 64 bits, because buffers may exceed 4 GiB. All other numbers have 32 bits.
void check_offset(const InstructionCheck& c, AnyOperand offset, std::string_view name) {
  const TypeRow& type = c.type_of(offset);
  if (type.is_int(32) || type.is_int(64)) return;
  c.wrong_operand(offset, name, "a 32-bit or 64-bit integer scalar");
}

// --- loads and stores ------------------------------------------------------------------------------------------------

/// The operands of a load or store.
struct VectorTransfer {
  AnyOperand pointer, offset;
  std::optional<AnyOperand> object;  ///< the stored value; none for loads
  MemoryAccessView memory_access;
  AccessKind kind;
};

void transfer_vector(const InstructionCheck& c, const VectorTransfer& transfer) {
  const TypeRow* vector = check_cooperative_object(c, transfer.object, TypeKind::LongVector);
  const TypeRow* pointer =
      vector == nullptr ? nullptr : check_cooperative_memory(c, transfer.pointer, CooperativeMemory::Arrays);
  if (pointer == nullptr) return;
  check_offset(c, transfer.offset, "the offset");
  check_memory_access(c, {pointer, nullptr, transfer.memory_access, transfer.kind});
}
void check_load_vector(const InstructionCheck& c) {
  const auto load = c.as<OpCooperativeVectorLoadNV>();
  transfer_vector(c, {load.pointer(), load.offset(), std::nullopt, load.memory_access(), AccessKind::Reads});
}
void check_store_vector(const InstructionCheck& c) {
  const auto store = c.as<OpCooperativeVectorStoreNV>();
  transfer_vector(c, {store.pointer(), store.offset(), store.object(), store.memory_access(), AccessKind::Writes});
}

// --- products and sums -----------------------------------------------------------------------------------------------

// Returns the type of a cooperative vector. For another type, reports a finding and returns nullptr.
const TypeRow* check_vector(const InstructionCheck& c, AnyOperand operand, std::string_view name) {
  const TypeRow& type = c.type_of(operand);
  if (type.is(TypeKind::LongVector)) return &type;
  c.wrong_operand(operand, name, "a cooperative vector");
  return nullptr;
}

// The instruction adds the outer product of two vectors to a matrix in memory and has no result. All integer operands
// are constants, except offset and stride.
void check_vector_outer_product(const InstructionCheck& c) {
  const auto product = c.as<OpCooperativeVectorOuterProductAccumulateNV>();
  if (check_cooperative_memory(c, product.pointer(), CooperativeMemory::Arrays) == nullptr) return;
  check_offset(c, product.offset(), "the offset");
  const TypeRow* a = check_vector(c, product.a(), "operand 'A'");
  const TypeRow* b = check_vector(c, product.b(), "operand 'B'");
  if (a != nullptr && b != nullptr && a->component_row != b->component_row) {
    c.mismatch(product.b(), "operand 'B'", "the same component type as operand 'A'", a->id);
  }
  check_memory_layout(c, product.memory_layout(), matrix_layouts);
  check_constant_int32_operand(c, product.matrix_interpretation(), "the interpretation");
  if (const auto stride = product.matrix_stride()) { check_int32_operand(c, *stride, "the stride"); }
}

// The instruction adds a vector to a vector in memory. A vector needs no layout operands.
void check_reduce_sum(const InstructionCheck& c) {
  const auto sum = c.as<OpCooperativeVectorReduceSumAccumulateNV>();
  if (check_cooperative_memory(c, sum.pointer(), CooperativeMemory::Arrays) == nullptr) return;
  check_offset(c, sum.offset(), "the offset");
  check_vector(c, sum.v(), "operand 'V'");
}

// M must equal the length of the result, and K the length of the input. All are ids of constants.
void check_product_sizes(const InstructionCheck& c, const TypeRow& result) {
  const AnyOperand m = c.operand(OperandName::m), k = c.operand(OperandName::k);
  if (!may_be_equal(c, result.length, m)) {
    c.result_mismatch("as many components as M states rows", c.module.type_of(m));
  }
  const AnyOperand input = c.operand(OperandName::input);
  const TypeRow& vector = c.type_of(input);
  const auto given = c.constants.as_u64(vector.length);
  const auto wanted = c.constants.as_u64(k);
  if (!given || !wanted) return;
  // The number of packed components in a word is implementation-defined.
  const AnyOperand interpretation = c.operand(OperandName::input_interpretation);
  const auto is = [format = c.constants.as_u64(interpretation)](ComponentType type) {
    return format == static_cast<std::uint64_t>(type);
  };
  const bool is_packed = is(ComponentType::SignedInt8PackedNV) || is(ComponentType::UnsignedInt8PackedNV);
  if (!is_packed && *given != *wanted) {
    c.mismatch(input, "the input", "as many components as K states columns", c.module.type_of(k));
  }
}

// The instruction computes matrix times input, plus an optional bias. Matrix and bias are in memory; the interpretation
// operands state their formats.
void check_matrix_product(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  if (!result.is(TypeKind::LongVector)) {
    c.wrong_result("a cooperative vector");
    return;
  }
  const TypeRow& sum = result.component();
  if (!sum.is_int(32) && !(sum.is(TypeKind::Float) && (sum.width == 16 || sum.width == 32))) {
    c.wrong_result("a cooperative vector of 32-bit integers, or of 16-bit or 32-bit floats");
    return;
  }
  const auto check_offset_of = [&](OperandName name, std::string_view text) { check_offset(c, c.operand(name), text); };
  const auto check_constant = [&](OperandName name, std::string_view text) {
    check_constant_int32_operand(c, c.operand(name), text);
  };
  const auto is_memory = [&](OperandName name) {
    return check_cooperative_memory(c, c.operand(name), CooperativeMemory::Arrays) != nullptr;
  };
  check_vector(c, c.operand(OperandName::input), "the input");
  check_constant(OperandName::input_interpretation, "the input interpretation");
  // A wrong pointer ends the check, because the operands that follow describe its memory.
  if (!is_memory(OperandName::matrix)) return;
  check_offset_of(OperandName::matrix_offset, "the matrix offset");
  check_constant(OperandName::matrix_interpretation, "the matrix interpretation");
  if (c.op() == OpCooperativeVectorMatrixMulAddNV) {
    if (!is_memory(OperandName::bias)) return;
    check_offset_of(OperandName::bias_offset, "the bias offset");
    check_constant(OperandName::bias_interpretation, "the bias interpretation");
  }
  check_constant(OperandName::m, "operand 'M'");
  check_constant(OperandName::k, "operand 'K'");
  check_memory_layout(c, c.operand(OperandName::memory_layout), matrix_layouts);
  const AnyOperand transpose = c.operand(OperandName::transpose);
  const TypeRow& type = c.type_of(transpose);
  if (!type.is(TypeKind::Bool)) {
    c.wrong_operand(transpose, "operand 'Transpose'", "a boolean scalar");
  } else if (!c.is_constant(transpose)) {
    c.not_constant(transpose, "operand 'Transpose'");
  }
  check_product_sizes(c, result);
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
