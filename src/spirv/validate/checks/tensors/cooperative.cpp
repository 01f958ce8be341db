// SPDX-License-Identifier: Apache-2.0
//
// Shapes of cooperative matrices, whose sizes may be specialization constants, and checks of operands (cooperative.h).
//
// Source: SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix2, SPV_NV_cooperative_vector.
#include "spirv/validate/checks/tensors/cooperative.h"

#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/function.h"
#include "vireo/spirv/views/type_declaration.h"

namespace vireo::spirv {

// --- shapes ----------------------------------------------------------------------------------------------------------

// Returns an empty shape for a truncated declaration. NV matrices have no Use operand.
CooperativeShape cooperative_shape(const Context& context, const TypeRow& type) {
  const InstructionView declaration = context.module.instruction(type.declaration);
  const auto is_whole = [&](const auto& matrix) { return matrix.columns().word < declaration.word_count; };
  const auto khr = as<Op::OpTypeCooperativeMatrixKHR>(declaration);
  if (khr && is_whole(*khr)) return {khr->scope(), khr->rows(), khr->columns(), khr->use()};
  const auto nv = as<Op::OpTypeCooperativeMatrixNV>(declaration);
  if (nv && is_whole(*nv)) return {nv->execution(), nv->rows(), nv->columns(), 0};
  return {};
}

// Returns true if a value is unknown until specialization: a finding must be valid for every specialization.
bool may_be_equal(const Context& context, Word a, Word b) {
  if (a == b) return true;
  const auto left = context.constants.as_u64(a), right = context.constants.as_u64(b);
  return !left || !right || *left == *right;
}

bool may_be_transposed(const Context& context, const CooperativeShape& a, const CooperativeShape& b) {
  return may_be_equal(context, a.scope, b.scope) && may_be_equal(context, a.rows, b.columns) &&
         may_be_equal(context, a.columns, b.rows);
}

bool may_have_same_size(const Context& context, const CooperativeShape& a, const CooperativeShape& b) {
  return may_be_equal(context, a.scope, b.scope) && may_be_equal(context, a.rows, b.rows) &&
         may_be_equal(context, a.columns, b.columns);
}

bool may_have_same_shape(const Context& context, const TypeRow& a, const TypeRow& b) {
  if (a.kind != b.kind) return false;
  const CooperativeShape x = cooperative_shape(context, a), y = cooperative_shape(context, b);
  return may_have_same_size(context, x, y) && may_be_equal(context, x.use, y.use);
}

std::optional<CooperativeMatrixUse> known_use(const Context& context, Word use) {
  const auto value = context.constants.as_u64(use);
  if (!value) return std::nullopt;
  return static_cast<CooperativeMatrixUse>(*value);
}

std::optional<std::string> unlisted_value(const Context& context, Word constant, std::string_view enumeration) {
  const auto value = context.constants.as_u64(constant);
  if (!value) {
    const auto negative = context.constants.as_i64(constant);
    return negative ? std::optional(std::to_string(*negative)) : std::nullopt;
  }
  const KindId kind = context.grammar().find_kind(enumeration);
  const bool is_word = *value <= 0xFFFFFFFF;
  if (is_word && context.grammar().find_value(kind, static_cast<Word>(*value)) != nullptr) return std::nullopt;
  return std::to_string(*value);
}

// SPV_NV_cooperative_matrix2 relaxes the conversions in one direction only. SPV_EXT_cooperative_matrix_maintenance1
// adds the other one.
bool may_change_use(const Context& context, const CooperativeShape& from, const CooperativeShape& to) {
  using enum CooperativeMatrixUse;
  // NV matrices have no use, and no conversion of the extension changes one.
  if (from.use == 0 || to.use == 0) return false;
  const auto a = known_use(context, from.use), b = known_use(context, to.use);
  const auto may_be_sum = [](const auto& use) { return !use || *use == MatrixAccumulatorKHR; };
  const auto may_be_factor = [](const auto& use) { return !use || *use == MatrixAKHR || *use == MatrixBKHR; };
  const bool has_ext = context.has(Capability::CooperativeMatrixConversionsEXT);
  if (may_be_sum(a) && may_be_factor(b) && (has_ext || context.has(Capability::CooperativeMatrixConversionsNV))) {
    return true;
  }
  return has_ext && may_be_factor(a) && may_be_sum(b);
}

bool check_matrix_transposition(const Context& context, const DecodedInstruction& visit, Report& report,
                                AnyOperand matrix) {
  using enum CooperativeMatrixUse;
  if (!context.decorations.has(visit.result, Decoration::CooperativeMatrixTransposeEXT)) return false;
  const TypeErrorReporter type_errors{context, visit, report};
  const CooperativeShape a = cooperative_shape(context, context.type_of(matrix)),
                         b = cooperative_shape(context, context.types.of(visit.type));
  const auto from = known_use(context, a.use), to = known_use(context, b.use);
  if (!may_be_transposed(context, a, b)) {
    type_errors.relation(matrix, "the matrix", "the result type with rows and columns exchanged", visit.type);
  } else if ((from && *from != MatrixAccumulatorKHR) || (to && *to != MatrixAKHR && *to != MatrixBKHR)) {
    type_errors.relation(matrix, "the matrix", "an accumulator to convert to a matrix A or B", visit.type);
  }
  return true;
}

// --- operands --------------------------------------------------------------------------------------------------------

bool check_int32_operand(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand operand,
                         std::string_view name) {
  const TypeRow& type = context.type_of(operand);
  if (type.is_int(32)) return true;
  TypeErrorReporter{context, visit, report}.operand(operand, name, "a 32-bit integer scalar");
  return false;
}

void check_constant_int32_operand(const Context& context, const DecodedInstruction& visit, Report& report,
                                  AnyOperand operand, std::string_view name) {
  if (!check_int32_operand(context, visit, report, operand, name)) return;
  // A specialization constant is allowed, because drivers compile the shader after specialization.
  if (!context.is_constant(operand)) TypeErrorReporter{context, visit, report}.not_constant(operand, name);
}

bool check_memory_layout(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand layout,
                         std::string_view enumeration) {
  check_constant_int32_operand(context, visit, report, layout, "the layout");
  const auto wrong = unlisted_value(context, layout, enumeration);
  if (wrong) report.add(Rule::MatrixLayout, visit.at(layout), {op_text(context, visit.op()), *wrong});
  return !wrong;
}

bool is_shared_memory(StorageClass storage) {
  return storage == StorageClass::Workgroup || storage == StorageClass::StorageBuffer ||
         storage == StorageClass::PhysicalStorageBuffer;
}

const TypeRow* check_cooperative_memory(const Context& context, const DecodedInstruction& visit, Report& report,
                                        AnyOperand pointer, CooperativeMemory memory) {
  if (!check_pointer_operand(context, visit, report, pointer, "the pointer")) return nullptr;
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow& type = context.type_of(pointer);
  // The KHR extension leaves the storage class to the client API, and Vulkan allows three. The NV extensions for
  // matrices and vectors state the same three.
  const bool wants_array = memory == CooperativeMemory::Arrays;
  if (!is_shared_memory(type.storage) && (context.is_vulkan() || visit.op() == Op::OpCooperativeMatrixLoadNV ||
                                          visit.op() == Op::OpCooperativeMatrixStoreNV || wants_array)) {
    type_errors.operand(pointer, "the pointer", "a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer");
    if (is_one_of({Op::OpCooperativeMatrixLoadKHR, Op::OpCooperativeMatrixStoreKHR}, visit.op())) {
      report.vuid(std::string(cooperative_pointer_vuid));
    }
    return nullptr;
  }
  // An untyped pointer has no pointee type; the other operands describe the memory.
  if (!type.is(TypeKind::Pointer)) return &type;
  const TypeRow& pointee = context.types.of(type.element);
  const TypeRow& element = wants_array ? context.types.of(pointee.element) : pointee;
  const bool is_number = element.is_numerical() || (element.is_vector() && !element.contains.has_any(TypeTrait::Bool));
  if (!is_number || (wants_array && !pointee.is_array())) {
    type_errors.operand(pointer, "the pointer",
                        wants_array ? "a pointer to an array of numerical scalars or vectors"
                                    : "a pointer to a numerical scalar or vector");
    return nullptr;
  }
  return &type;
}

const TypeRow* check_cooperative_object(const Context& context, const DecodedInstruction& visit, Report& report,
                                        std::optional<AnyOperand> object, TypeKind kind) {
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow& type = object ? context.type_of(*object) : context.types.of(visit.type);
  if (type.is(kind)) return &type;
  const std::string_view expected = kind == TypeKind::LongVector ? "a cooperative vector" : "a cooperative matrix";
  if (object) {
    type_errors.operand(*object, "the object", expected);
  } else {
    type_errors.result(expected);
  }
  return nullptr;
}

// --- callback functions over components ------------------------------------------------------------------------------

const TypeRow* check_callee(const Context& context, const DecodedInstruction& visit, Report& report,
                            AnyOperand function) {
  const std::optional<InstructionView> named = named_function(context, visit, function, report);
  return named ? context.types.find(View<Op::OpFunction>(*named).function_type()) : nullptr;
}

void wrong_callee(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand function,
                  std::string_view expected) {
  report.add(Rule::CallbackType, visit.at(function),
             {id_text(context, function), op_text(context, visit.op()), expected});
  report.note({context.module.definition(function), 0}, "function declared here");
}

}  // namespace vireo::spirv
