// SPDX-License-Identifier: Apache-2.0
//
// Shapes that specialization may still change, and demands on operands, each with its sentence (cooperative.h).
//
// Source: SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix2, SPV_NV_cooperative_vector.
#include "spirv/validate/checks/tensors/cooperative.h"

#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {

// --- shapes -------------------------------------------------------------------------------------------------------------

// Words of the declaration: component type, scope, rows, columns and, in KHR's matrices alone, use. A word that is
// missing is id 0, of which nothing is known.
CooperativeShape cooperative_shape(const Context& context, const TypeRow& type) {
  const InstructionView view = context.module.instruction(type.declaration);
  if (!type.is_cooperative_matrix() || view.word_count < 6) return {};
  return {view.word(3), view.word(4), view.word(5), view.word_count > 6 ? view.word(6) : 0};
}

// Specialization may still change what is not known, so the answer then is yes: a finding has to hold for each way in
// which a module may be specialized.
bool may_be_equal(const Context& context, Word a, Word b) {
  if (a == b) return true;
  const auto left = context.constants.as_u64(a), right = context.constants.as_u64(b);
  return !left || !right || *left == *right;
}

bool may_be_transposed(const Context& context, const CooperativeShape& a, const CooperativeShape& b) {
  return may_be_equal(context, a.scope, b.scope) && may_be_equal(context, a.rows, b.columns) &&
         may_be_equal(context, a.columns, b.rows);
}

// Conversions change components and leave everything else. The use stays as well, but for accumulators, which an
// extension lets become operands of the next product.
bool may_convert(const Context& context, const TypeRow& from, const TypeRow& to) {
  if (from.kind != to.kind) return false;
  const CooperativeShape a = cooperative_shape(context, from), b = cooperative_shape(context, to);
  if (!may_be_equal(context, a.scope, b.scope) || !may_be_equal(context, a.rows, b.rows) ||
      !may_be_equal(context, a.columns, b.columns)) {
    return false;
  }
  using enum CooperativeMatrixUse;
  const auto from_use = context.constants.as_u64(a.use), to_use = context.constants.as_u64(b.use);
  const bool is_accumulator = from_use == static_cast<std::uint64_t>(MatrixAccumulatorKHR);
  const bool is_factor =
      !to_use || *to_use == static_cast<std::uint64_t>(MatrixAKHR) || *to_use == static_cast<std::uint64_t>(MatrixBKHR);
  return (is_accumulator && is_factor && context.has(Capability::CooperativeMatrixConversionsNV)) ||
         may_be_equal(context, a.use, b.use);
}

// --- operands -----------------------------------------------------------------------------------------------------------

bool check_int32_operand(const Context& context, const Visit& visit, Report& report, std::size_t word,
                         std::string_view name) {
  if (!visit.has_word(word)) return false;
  const TypeRow* type = context.type_of(visit.word(word));
  if (type == nullptr) return false;
  if (type->is_int(32)) return true;
  Complaint{context, visit, report}.operand(word, name, "a 32-bit integer scalar");
  return false;
}

void check_constant_int32_operand(const Context& context, const Visit& visit, Report& report, std::size_t word,
                                  std::string_view name) {
  if (!check_int32_operand(context, visit, report, word, name)) return;
  // A constant of specialization will do: what drivers need is a number by the time when they compile.
  if (!context.is_constant(visit.word(word))) { Complaint{context, visit, report}.not_constant(word, name); }
}

bool is_shared_memory(StorageClass storage) {
  return storage == StorageClass::Workgroup || storage == StorageClass::StorageBuffer ||
         storage == StorageClass::PhysicalStorageBuffer;
}

const TypeRow* check_cooperative_memory(const Context& context, const Visit& visit, Report& report, std::size_t word,
                                        CooperativeMemory memory) {
  if (!check_pointer_operand(context, visit, report, word, "the pointer")) return nullptr;
  const Complaint complain{context, visit, report};
  const TypeRow* pointer = context.type_of(visit.word(word));
  // The KHR extension leaves the storage class to the client, and Vulkan names three; NV's matrices and vectors demand
  // them by their own text.
  const bool wants_array = memory == CooperativeMemory::Arrays;
  if (!is_shared_memory(pointer->storage) && (context.is_vulkan() || visit.op() == Op::OpCooperativeMatrixLoadNV ||
                                              visit.op() == Op::OpCooperativeMatrixStoreNV || wants_array)) {
    complain.operand(word, "the pointer", "one to Workgroup, StorageBuffer or PhysicalStorageBuffer");
    return nullptr;
  }
  // An untyped pointer says nothing of what lies behind it: bytes, which the other operands describe.
  if (!pointer->is(TypeKind::Pointer)) return pointer;
  const TypeRow& pointee = context.types.of(pointer->element);
  const TypeRow& element = wants_array ? context.types.of(pointee.element) : pointee;
  const bool is_number = element.is_numerical() || (element.is_vector() && !element.contains.has_any(TypeTrait::Bool));
  if (!is_number || (wants_array && !pointee.is_array())) {
    complain.operand(word, "the pointer",
                     wants_array ? "one to an array of scalars or vectors" : "one to a scalar or vector");
    return nullptr;
  }
  return pointer;
}

const TypeRow* check_cooperative_object(const Context& context, const Visit& visit, Report& report, std::size_t object,
                                        TypeKind kind) {
  const Complaint complain{context, visit, report};
  // Word 0 is the opcode: a load has no object, it makes one.
  const TypeRow* type = object == 0 ? context.types.find(visit.type) : context.type_of(visit.word(object));
  if (type == nullptr || type->is(kind)) return type;
  const std::string_view expected = kind == TypeKind::LongVector ? "a cooperative vector" : "a cooperative matrix";
  if (object == 0) {
    complain.result(expected);
  } else {
    complain.operand(object, "the object", expected);
  }
  return nullptr;
}

// --- functions that instructions call for components --------------------------------------------------------------------

// OpFunction has its type behind type, result and control, in word 4.
const TypeRow* check_callee(const Context& context, const Visit& visit, Report& report, std::size_t word) {
  const std::optional<InstructionView> function = named_function(context, visit, word, report);
  return function ? context.types.find(function->word(4)) : nullptr;
}

void wrong_callee(const Context& context, const Visit& visit, Report& report, std::size_t word,
                  std::string_view expected) {
  report.add(Rule::CallbackType, visit.at(word),
             {id_text(context, visit.word(word)), op_text(context, visit.op()), expected});
}

}  // namespace vireo::spirv
