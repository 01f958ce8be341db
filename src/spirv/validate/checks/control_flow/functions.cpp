// SPDX-License-Identifier: Apache-2.0
//
// Functions and calls (specification 3.42.9, 2.16.1).
//
// OpFunction and its parameters are compared with the function type once. A call is compared only with
// the function type, so it may precede the function. In the logical addressing model, a pointer argument must be a
// memory object declaration.
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_matching.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/function.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- declarations -------------------------------------------------------------------------------------------------------

// Each parameter of the function type must have an OpFunctionParameter of the same type at the same position. Other
// instructions between them, such as debug information, are skipped.
void check_parameters(const InstructionCheck& c, const TypeRow& type) {
  const Words expected = c.types.members(type);
  const FunctionRow& function = c.module.functions()[c.function.index()];
  // If OpFunctionEnd or the labels of the blocks are missing, parameters may be missing too, so they are not counted.
  if (function.is_declaration() && c.fragments.may_lack_body(c.function)) return;
  std::vector<InstructionIndex> parameters;
  const InstructionRange prologue = function.prologue;
  const auto views = c.module.views(prologue);
  for (auto it = views.begin(); it != views.end(); ++it) {
    const InstructionView view = *it;
    if (view.opcode != OpFunctionParameter) continue;
    // A repeated OpFunctionParameter is reported as a second definition of its id.
    if (!is_repeated(c.module, it.index())) parameters.push_back(it.index());
  }
  // If the numbers differ, the positions do not correspond, so the types are not compared.
  if (parameters.size() != expected.size()) {
    c.report(Rule::ParameterCount, c.at(), {c.result, parameters.size(), type.id, expected.size()});
    c.note({type.declaration, 0}, "function type declared here");
    return;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const View<OpFunctionParameter> parameter(c.module.instruction(parameters[i]));
    const auto found = parameter.result_type();
    if (found == expected[i] || c.is_invalid_type(found) || c.is_invalid_type(expected[i])) continue;
    if (c.types.of(found).is(TypeKind::Function)) continue;  // ids.cpp reports it
    const auto [found_name, expected_name] = type_names(c, found, expected[i]);
    c.report(Rule::ParameterType, {parameters[i], found.word}, {i + 1, parameter.result(), found_name, expected_name});
    constexpr std::size_t first = 3;  // word of OpTypeFunction
    c.note({type.declaration, static_cast<std::uint16_t>(first + i)}, "parameter type stated here");
  }
}

// A function that is not optimized is not inlined either (SPV_EXT_optnone).
void check_control(const InstructionCheck& c) {
  const auto control = c.as<OpFunction>().function_control();
  constexpr auto both = FunctionControl::OptNoneEXT | FunctionControl::Inline;
  if ((control.value & both) != both) return;
  c.report(Rule::FunctionControls, c.at(control), {"Inline", "OptNoneEXT"});
}

void check_function(const InstructionCheck& c) {
  check_control(c);
  const auto function_type = c.as<OpFunction>().function_type();
  const TypeRow& type = c.types.of(function_type);
  if (!type.is(TypeKind::Function)) {
    c.wrong_part(function_type, "the function type", "OpTypeFunction");
    return;
  }
  if (type.element != c.type) { c.result_mismatch("the return type of its function type", type.element); }
  if (!c.function.is_none()) check_parameters(c, type);
}

// --- calls --------------------------------------------------------------------------------------------------------------

// Whether logical pointers of a storage class may be arguments: always, only with variable pointers, or never.
enum class ArgumentStorage : std::uint8_t { Fine, NeedsVariablePointers, Forbidden };
ArgumentStorage argument_storage(StorageClass storage) {
  switch (storage) {
    case StorageClass::UniformConstant:
    case StorageClass::Function:
    case StorageClass::Private:
    case StorageClass::Workgroup:
    case StorageClass::PhysicalStorageBuffer:
    case StorageClass::AtomicCounter:
    // Storage classes that extensions add.
    case StorageClass::TaskPayloadWorkgroupEXT:
    case StorageClass::NodePayloadAMDX:
    case StorageClass::TileImageEXT: return ArgumentStorage::Fine;
    case StorageClass::StorageBuffer: return ArgumentStorage::NeedsVariablePointers;
    default: return ArgumentStorage::Forbidden;
  }
}

// Whether the opcode declares a memory object (2.2.1).
bool is_memory_object(Op op) { return is_variable(op) || op == OpFunctionParameter; }

// A logical pointer argument must be a memory object declaration, not the result of an access chain.
void check_pointer_argument(const InstructionCheck& c, AnyOperand argument, const TypeRow& pointer) {
  if (!c.is_logical || c.has(Feature::RelaxLogicalPointer)) return;
  // VariablePointers implies this capability.
  const bool has_variable_pointers = c.has(Capability::VariablePointersStorageBuffer);
  const ArgumentStorage kind = argument_storage(pointer.storage);
  if (kind == ArgumentStorage::Forbidden ||
      (kind == ArgumentStorage::NeedsVariablePointers && !has_variable_pointers)) {
    const bool is_forbidden = kind == ArgumentStorage::Forbidden;
    c.report(Rule::ArgumentStorage, c.at(argument),
             {pointer.id, is_forbidden ? std::string(" in the logical addressing model")
                                       : variable_pointer_text(c, pointer.storage)});
    if (!is_forbidden) hint_variable_pointers(c, pointer.storage);
    return;
  }
  if (is_memory_object(c.op_of(argument))) return;
  // A pointer in UniformConstant or PhysicalStorageBuffer need not be a memory object declaration.
  if (pointer.storage == StorageClass::UniformConstant || pointer.storage == StorageClass::PhysicalStorageBuffer)
    return;
  // StorageBuffer needs VariablePointersStorageBuffer; Workgroup needs VariablePointers.
  const bool may_vary = (pointer.storage == StorageClass::StorageBuffer && has_variable_pointers) ||
                        (pointer.storage == StorageClass::Workgroup && c.has(Capability::VariablePointers));
  if (may_vary || c.has(Feature::BeforeHlslLegalization)) return;
  c.report(Rule::ArgumentDeclaration, c.at(argument), {argument, c.op_of(argument)});
  c.note({c.module.definition(argument), 0}, "pointer computed here");
}

// A returned logical pointer must be a valid variable pointer. Each call is checked, because the result type of an
// uncalled function is not restricted.
void check_returned_pointer(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  if (!result.is_pointer() || !c.is_logical || c.has(Feature::RelaxLogicalPointer)) return;
  if (result.storage == StorageClass::PhysicalStorageBuffer) return;
  if (!missing_for_variable_pointer(c, result.storage)) return;
  c.report(Rule::CallResultPointer, c.at_type(), {c.type, variable_pointer_text(c, result.storage)});
  hint_variable_pointers(c, result.storage);
}

// Whether an argument is accepted before HLSL legalization: its pointee type matches that of the parameter in structure
// and decorations, but has another id. A pointer type is decorated as well: with ArrayStride.
bool is_taken_before_legalization(const ModuleCheck& c, const TypeRow& argument, Word parameter) {
  const TypeRow& expected = c.types.of(parameter);
  return c.has(Feature::BeforeHlslLegalization) && argument.is(TypeKind::Pointer) && expected.is(TypeKind::Pointer) &&
         has_decorations_of(c, argument.id, parameter) &&
         types_match(c, argument.element, expected.element, MatchLevel::Decorated);
}

// False if the result type of a function is an OpTypeFunction, which the check of OpFunction reports.
bool is_sound_result(const ModuleCheck& c, InstructionView function) {
  return !c.types.of(c.module.type_of(function)).is(TypeKind::Function);
}

// Checks that the Invoke operand of an instruction that enqueues or queries a kernel is a function. The arguments are
// not checked, because they are known only at run time.
void check_enqueued(const InstructionCheck& c) { named_function(c, c.operand(OperandName::invoke)); }

void check_call(const InstructionCheck& c) {
  const auto call = c.as<OpFunctionCall>();
  const std::optional<InstructionView> function = named_function(c, call.function());
  if (!function) return;
  const Word result = result_of_function(c, *function);
  if (result == 0) return;
  if (result != c.type && is_sound_result(c, *function)) { c.result_mismatch("the result of the function", result); }
  check_returned_pointer(c);
  const TypeRow& type = c.types.of(View<OpFunction>(*function).function_type());
  if (!type.is(TypeKind::Function)) return;  // the check of OpFunction reports it
  const Words parameters = c.types.members(type);
  const auto arguments = call.arguments();
  // If the numbers differ, the positions do not correspond, so the types are not compared.
  if (arguments.size() != parameters.size()) {
    c.report(Rule::ArgumentCount, c.at(), {arguments.size(), call.function(), parameters.size()});
    c.note({c.module.definition(call.function()), 0}, "function declared here");
    return;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const AnyOperand argument = arguments[i];
    const TypeRow& argument_type = c.type_of(argument);
    if (argument_type.id != parameters[i] && !is_taken_before_legalization(c, argument_type, parameters[i])) {
      c.mismatch(argument, fmt::format("argument {}", i + 1), "the parameter of the function", parameters[i]);
    } else if (argument_type.is_pointer()) {
      check_pointer_argument(c, argument, argument_type);
    }
  }
}

}  // namespace

std::optional<InstructionView> named_function(const InstructionCheck& c, AnyOperand operand) {
  const InstructionView function = c.module.find(operand);
  const bool is_complete = View<OpFunction>(function).function_type().word < function.word_count;
  if (function.opcode == OpFunction && is_complete) return function;
  if (function.opcode == OpDecorationGroup) return std::nullopt;  // check_group_uses() reports it
  c.report(Rule::CallTarget, c.at(operand), {operand, function.opcode});
  c.note({c.module.definition(operand), 0}, "defined here");
  return std::nullopt;
}

Word result_of_function(const ModuleCheck& c, InstructionView function) {
  const TypeRow& type = c.types.of(View<OpFunction>(function).function_type());
  const Word result = c.module.type_of(function);
  return type.is(TypeKind::Function) && type.element != result ? 0 : result;
}

std::span<const Check> function_checks() {
  static constexpr Check checks[] = {
      {{OpFunction}, check_function},
      {{OpFunctionCall}, check_call},
      {{OpEnqueueKernel, OpGetKernelNDrangeSubGroupCount, OpGetKernelNDrangeMaxSubGroupSize,
        OpGetKernelLocalSizeForSubgroupCount, OpGetKernelWorkGroupSize, OpGetKernelPreferredWorkGroupSizeMultiple,
        OpGetKernelMaxNumSubgroups},
       check_enqueued},
  };
  return checks;
}

}  // namespace vireo::spirv
