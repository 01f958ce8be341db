// SPDX-License-Identifier: Apache-2.0
//
// Cooperative vectors (SPV_NV_cooperative_vector): loads, stores, products with matrices that lie in memory.
//
// The one idea: vectors and the matrices beside them go through arrays, from an offset in bytes on; so pointers are to
// arrays, not to elements, and all that says how a matrix lies there is a list of numbers with a demand each.
#include <optional>

#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Offsets into arrays are bytes, and buffers may be larger than 32 bits can say; all other numbers are 32 bits wide.
void check_offset(const Context& context, const Visit& visit, Report& report, std::size_t word, std::string_view name) {
  const TypeRow* type = context.type_of(visit.word(word));
  if (type == nullptr || type->is_int(32) || type->is_int(64)) return;
  Complaint{context, visit, report}.operand(word, name, "an integer scalar of 32 or 64 bits");
}

// --- loads and stores ---------------------------------------------------------------------------------------------------

/// Where the operands of a load or store stand, as words.
struct VectorWords {
  std::size_t pointer, object, offset, mask;
  AccessKind kind;
};

void transfer_vector(const Context& context, const Visit& visit, Report& report, VectorWords words) {
  const TypeRow* vector = check_cooperative_object(context, visit, report, words.object, TypeKind::LongVector);
  const TypeRow* pointer =
      vector == nullptr ? nullptr
                        : check_cooperative_memory(context, visit, report, words.pointer, CooperativeMemory::Arrays);
  if (pointer == nullptr) return;
  check_offset(context, visit, report, words.offset, "the offset");
  check_memory_access(context, visit, report, {pointer, nullptr, words.pointer, words.mask, words.kind});
}
void check_load_vector(const Context& context, const Visit& visit, Report& report) {
  transfer_vector(context, visit, report, {3, 0, 4, 5, AccessKind::Reads});
}
void check_store_vector(const Context& context, const Visit& visit, Report& report) {
  transfer_vector(context, visit, report, {1, 3, 2, 4, AccessKind::Writes});
}

// --- products and sums --------------------------------------------------------------------------------------------------

// Component types are compared by those who have two vectors; lengths are ids, and may be specialized.
const TypeRow* check_vector(const Context& context, const Visit& visit, Report& report, std::size_t word,
                            std::string_view name) {
  const TypeRow* type = context.type_of(visit.word(word));
  if (type == nullptr || type->is(TypeKind::LongVector)) return type;
  Complaint{context, visit, report}.operand(word, name, "a cooperative vector");
  return nullptr;
}

// The product of two vectors is added to a matrix in memory: no result, and each number that says how the matrix lies
// there is a constant but offset and stride.
void check_vector_outer_product(const Context& context, const Visit& visit, Report& report) {
  if (check_cooperative_memory(context, visit, report, 1, CooperativeMemory::Arrays) == nullptr) return;
  check_offset(context, visit, report, 2, "the offset");
  const TypeRow* a = check_vector(context, visit, report, 3, "A");
  const TypeRow* b = check_vector(context, visit, report, 4, "B");
  if (a != nullptr && b != nullptr && a->component != b->component) {
    Complaint{context, visit, report}.relation(4, "B", "the component type of A", a->id);
  }
  check_constant_int32_operand(context, visit, report, 5, "the layout");
  check_constant_int32_operand(context, visit, report, 6, "the interpretation");
  check_int32_operand(context, visit, report, 7, "the stride");
}

// The same for a vector in memory, which needs no layout.
void check_reduce_sum(const Context& context, const Visit& visit, Report& report) {
  if (check_cooperative_memory(context, visit, report, 1, CooperativeMemory::Arrays) == nullptr) return;
  check_offset(context, visit, report, 2, "the offset");
  check_vector(context, visit, report, 3, "V");
}

// M is the length of the result, K that of the input; all are ids of constants. `rows` is the word of M, in front of K.
void check_product_sizes(const Context& context, const Visit& visit, Report& report, std::size_t rows,
                         const TypeRow& result) {
  const Complaint complain{context, visit, report};
  if (!may_be_equal(context, result.length, visit.word(rows))) {
    complain.result_relation("the number of rows, M", context.module.type_of(visit.word(rows)));
  }
  const TypeRow* input = context.type_of(visit.word(3));
  const auto given = input == nullptr ? std::nullopt : context.constants.as_u64(input->length);
  const auto wanted = context.constants.as_u64(visit.word(rows + 1));
  if (!given || !wanted) return;
  // How many packed components a word has, the implementation says.
  const auto is = [format = context.constants.as_u64(visit.word(4))](ComponentType type) {
    return format == static_cast<std::uint64_t>(type);
  };
  const bool is_packed = is(ComponentType::SignedInt8PackedNV) || is(ComponentType::UnsignedInt8PackedNV);
  if (!is_packed && *given != *wanted) {
    complain.relation(3, "the input", "the number of columns, K", context.module.type_of(visit.word(rows + 1)));
  }
}

// Input times matrix, plus a bias where there is one. Matrix and bias lie in memory in a form that `interpretation`
// names.
void check_matrix_product(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr) return;
  if (!result->is(TypeKind::LongVector)) {
    complain.result("a cooperative vector");
    return;
  }
  const TypeRow& sum = context.types.row(result->component);
  if (!sum.is_int(32) && !(sum.is(TypeKind::Float) && (sum.width == 16 || sum.width == 32))) {
    complain.result("a cooperative vector of 32-bit integers, or of 16- or 32-bit floats");
    return;
  }
  // All words behind the matrix depend on it.
  const bool has_bias = visit.op() == OpCooperativeVectorMatrixMulAddNV;
  check_vector(context, visit, report, 3, "the input");
  check_constant_int32_operand(context, visit, report, 4, "the input interpretation");
  // A wrong pointer ends the check: what follows describes the memory behind it.
  if (check_cooperative_memory(context, visit, report, 5, CooperativeMemory::Arrays) == nullptr) return;
  check_offset(context, visit, report, 6, "the matrix offset");
  check_constant_int32_operand(context, visit, report, 7, "the matrix interpretation");
  if (has_bias) {
    if (check_cooperative_memory(context, visit, report, 8, CooperativeMemory::Arrays) == nullptr) return;
    check_offset(context, visit, report, 9, "the bias offset");
    check_constant_int32_operand(context, visit, report, 10, "the bias interpretation");
  }
  // What both instructions have stands behind the three operands of the bias, where there is one.
  const std::size_t rows = has_bias ? 11 : 8;
  check_constant_int32_operand(context, visit, report, rows, "M");
  check_constant_int32_operand(context, visit, report, rows + 1, "K");
  check_constant_int32_operand(context, visit, report, rows + 2, "the layout");
  const TypeRow* transposed = context.type_of(visit.word(rows + 3));
  if (transposed != nullptr && !transposed->is(TypeKind::Bool)) {
    complain.operand(rows + 3, "transpose", "a boolean scalar");
  } else if (!context.is_constant(visit.word(rows + 3))) {
    complain.not_constant(rows + 3, "transpose");
  }
  check_product_sizes(context, visit, report, rows, *result);
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
