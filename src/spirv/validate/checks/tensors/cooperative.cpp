// SPDX-License-Identifier: Apache-2.0
//
// Shapes of cooperative matrices, whose sizes may be specialization constants, and checks of operands (cooperative.h).
//
// Source: SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix2, SPV_NV_cooperative_vector.
#include "spirv/validate/checks/tensors/cooperative.h"

#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/tables/built_in_rows.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {

// --- shapes ----------------------------------------------------------------------------------------------------------

// Returns an empty shape for a truncated declaration. NV matrices have no Use operand.
CooperativeShape cooperative_shape(const ModuleCheck& c, const TypeRow& type) {
  const InstructionView declaration = c.module.instruction(type.declaration);
  const auto is_whole = [&](const auto& matrix) { return matrix.columns().word < declaration.word_count; };
  const auto khr = as<Op::OpTypeCooperativeMatrixKHR>(declaration);
  if (khr && is_whole(*khr)) return {khr->scope(), khr->rows(), khr->columns(), khr->use()};
  const auto nv = as<Op::OpTypeCooperativeMatrixNV>(declaration);
  if (nv && is_whole(*nv)) return {nv->execution(), nv->rows(), nv->columns(), 0};
  return {};
}

// Returns true if a value is unknown until specialization: a finding must be valid for every specialization.
bool may_be_equal(const ModuleCheck& c, Word a, Word b) {
  if (a == b) return true;
  const auto left = c.constants.as_u64(a), right = c.constants.as_u64(b);
  return !left || !right || *left == *right;
}

bool may_be_transposed(const ModuleCheck& c, const CooperativeShape& a, const CooperativeShape& b) {
  return may_be_equal(c, a.scope, b.scope) && may_be_equal(c, a.rows, b.columns) && may_be_equal(c, a.columns, b.rows);
}

bool may_have_same_size(const ModuleCheck& c, const CooperativeShape& a, const CooperativeShape& b) {
  return may_be_equal(c, a.scope, b.scope) && may_be_equal(c, a.rows, b.rows) && may_be_equal(c, a.columns, b.columns);
}

bool may_have_same_shape(const ModuleCheck& c, const TypeRow& a, const TypeRow& b) {
  if (a.kind != b.kind) return false;
  const CooperativeShape x = cooperative_shape(c, a), y = cooperative_shape(c, b);
  return may_have_same_size(c, x, y) && may_be_equal(c, x.use, y.use);
}

std::optional<CooperativeMatrixUse> known_use(const ModuleCheck& c, Word use) {
  const auto value = c.constants.as_u64(use);
  if (!value) return std::nullopt;
  return static_cast<CooperativeMatrixUse>(*value);
}

std::optional<std::string> unlisted_value(const ModuleCheck& c, Word constant, std::string_view enumeration) {
  const auto value = c.constants.as_u64(constant);
  if (!value) {
    const auto negative = c.constants.as_i64(constant);
    return negative ? std::optional(std::to_string(*negative)) : std::nullopt;
  }
  const KindId kind = c.grammar().find_kind(enumeration);
  const bool is_word = *value <= 0xFFFFFFFF;
  if (is_word && c.grammar().find_value(kind, static_cast<Word>(*value)) != nullptr) return std::nullopt;
  return std::to_string(*value);
}

// SPV_NV_cooperative_matrix2 relaxes the conversions in one direction only. SPV_EXT_cooperative_matrix_maintenance1
// adds the other one.
bool may_change_use(const ModuleCheck& c, const CooperativeShape& from, const CooperativeShape& to) {
  using enum CooperativeMatrixUse;
  // NV matrices have no use, and no conversion of the extension changes one.
  if (from.use == 0 || to.use == 0) return false;
  const auto a = known_use(c, from.use), b = known_use(c, to.use);
  const auto may_be_sum = [](const auto& use) { return !use || *use == MatrixAccumulatorKHR; };
  const auto may_be_factor = [](const auto& use) { return !use || *use == MatrixAKHR || *use == MatrixBKHR; };
  const bool has_ext = c.has(Capability::CooperativeMatrixConversionsEXT);
  if (may_be_sum(a) && may_be_factor(b) && (has_ext || c.has(Capability::CooperativeMatrixConversionsNV))) {
    return true;
  }
  return has_ext && may_be_factor(a) && may_be_sum(b);
}

bool check_matrix_transposition(const InstructionCheck& c, AnyOperand matrix) {
  using enum CooperativeMatrixUse;
  if (!c.decorations.has(c.result, Decoration::CooperativeMatrixTransposeEXT)) return false;
  const CooperativeShape a = cooperative_shape(c, c.type_of(matrix)), b = cooperative_shape(c, c.types.of(c.type));
  const auto from = known_use(c, a.use), to = known_use(c, b.use);
  if (!may_be_transposed(c, a, b)) {
    c.mismatch(matrix, "the matrix", "the result type with rows and columns exchanged", c.type);
  } else if ((from && *from != MatrixAccumulatorKHR) || (to && *to != MatrixAKHR && *to != MatrixBKHR)) {
    c.mismatch(matrix, "the matrix", "an accumulator to convert to a matrix A or B", c.type);
  }
  return true;
}

// --- operands --------------------------------------------------------------------------------------------------------

bool check_int32_operand(const InstructionCheck& c, AnyOperand operand, std::string_view name) {
  const TypeRow& type = c.type_of(operand);
  if (type.is_int(32)) return true;
  c.wrong_operand(operand, name, "a 32-bit integer scalar");
  return false;
}

void check_constant_int32_operand(const InstructionCheck& c, AnyOperand operand, std::string_view name) {
  if (!check_int32_operand(c, operand, name)) return;
  // A specialization constant is allowed, because drivers compile the shader after specialization.
  if (!c.is_constant(operand)) c.not_constant(operand, name);
}

bool check_memory_layout(const InstructionCheck& c, AnyOperand layout, std::string_view enumeration) {
  check_constant_int32_operand(c, layout, "the layout");
  const auto wrong = unlisted_value(c, layout, enumeration);
  if (wrong) c.report(Rule::MatrixLayout, c.at(layout), {c.op(), *wrong});
  return !wrong;
}

bool is_shared_memory(StorageClass storage) {
  return storage == StorageClass::Workgroup || storage == StorageClass::StorageBuffer ||
         storage == StorageClass::PhysicalStorageBuffer;
}

const TypeRow* check_cooperative_memory(const InstructionCheck& c, AnyOperand pointer, CooperativeMemory memory) {
  if (!check_pointer_operand(c, pointer, "the pointer")) return nullptr;
  const TypeRow& type = c.type_of(pointer);
  // The KHR extension leaves the storage class to the client API, and Vulkan allows three. The NV extensions for
  // matrices and vectors state the same three.
  const bool wants_array = memory == CooperativeMemory::Arrays;
  if (!is_shared_memory(type.storage) && (c.is_vulkan() || c.op() == Op::OpCooperativeMatrixLoadNV ||
                                          c.op() == Op::OpCooperativeMatrixStoreNV || wants_array)) {
    c.wrong_operand(pointer, "the pointer", "a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer");
    if (is_one_of({Op::OpCooperativeMatrixLoadKHR, Op::OpCooperativeMatrixStoreKHR}, c.op())) {
      c.vuid(std::string(cooperative_pointer_vuid));
    }
    return nullptr;
  }
  // An untyped pointer has no pointee type; the other operands describe the memory.
  if (!type.is(TypeKind::Pointer)) return &type;
  const TypeRow& pointee = type.pointee();
  const TypeRow& element = wants_array ? pointee.element_type() : pointee;
  const bool is_number = element.is_numerical() || (element.is_vector() && !element.contains.has_any(TypeTrait::Bool));
  if (!is_number || (wants_array && !pointee.is_array())) {
    c.wrong_operand(pointer, "the pointer",
                    wants_array ? "a pointer to an array of numerical scalars or vectors"
                                : "a pointer to a numerical scalar or vector");
    return nullptr;
  }
  return &type;
}

const TypeRow* check_cooperative_object(const InstructionCheck& c, std::optional<AnyOperand> object, TypeKind kind) {
  const TypeRow& type = object ? c.type_of(*object) : c.types.of(c.type);
  if (type.is(kind)) return &type;
  const std::string_view expected = kind == TypeKind::LongVector ? "a cooperative vector" : "a cooperative matrix";
  if (object) {
    c.wrong_operand(*object, "the object", expected);
  } else {
    c.wrong_result(expected);
  }
  return nullptr;
}

// --- callback functions over components ------------------------------------------------------------------------------

const TypeRow* check_callee(const InstructionCheck& c, AnyOperand function) {
  const std::optional<InstructionView> named = named_function(c, function);
  if (!named) return nullptr;
  const Word type = View<Op::OpFunction>(*named).function_type();
  return c.soundness.is_sound_type(type) ? c.types.find(type) : nullptr;
}

void wrong_callee(const InstructionCheck& c, AnyOperand function, std::string_view expected) {
  c.report(Rule::CallbackType, c.at(function), {function, c.op(), expected});
  c.note({c.module.definition(function), 0}, "function declared here");
}

}  // namespace vireo::spirv
