// SPDX-License-Identifier: Apache-2.0
//
// Functions and calls (specification 3.42.9, 2.16.1).
//
// The one idea: a function's type says all of it, so OpFunction is looked at once with its parameters, and a call is
// compared with that type, wherever the function stands. Pointers that a call hands over obey the addressing model: a
// logical pointer is the name of a variable, not an address.
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_matching.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- declarations -------------------------------------------------------------------------------------------------------

// Every parameter of the type has its OpFunctionParameter, of that type and at that place.
// What is not a parameter, such as debug information, is not counted. The prologue is gone through once a function.
void check_parameters(const Context& context, const Visit& visit, Report& report, const TypeRow& type) {
  const Words expected = context.types.members(type);
  const FunctionRow& function = context.module.functions()[visit.function.index()];
  // Of a function that another one cuts short nobody knows what it would have had.
  if (function.is_declaration() && context.fragments.may_lack_body(visit.function)) return;
  std::vector<InstructionIndex> parameters;
  const InstructionRange prologue = function.prologue;
  const auto views = context.module.views(prologue);
  for (auto it = views.begin(); it != views.end(); ++it) {
    const InstructionView view = *it;
    if (view.opcode != OpFunctionParameter) continue;
    // One that stands there once more was told for its id.
    if (!is_repeated(context.module, it.index())) parameters.push_back(it.index());
  }
  // Which one is missing nobody knows, so types are not compared then.
  if (parameters.size() != expected.size()) {
    report.add(Rule::ParameterCount, visit.at(),
               {id_text(context, visit.result), std::to_string(parameters.size()), std::to_string(expected.size())});
    return;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Word found = context.module.type_of(context.module.instruction(parameters[i]));
    if (found == expected[i] || context.is_no_type(found) || context.is_no_type(expected[i])) continue;
    report.add(Rule::ParameterType, {parameters[i], 1},
               {std::to_string(i + 1), type_text(context, found), type_text(context, expected[i])});
  }
}

void check_function(const Context& context, const Visit& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.word(4));
  if (!type.is(TypeKind::Function)) {
    Complaint{context, visit, report}.part(4, "the function type", "OpTypeFunction");
    return;
  }
  if (type.element != visit.type) {
    Complaint{context, visit, report}.result_relation("the return type of its function type", type.element);
  }
  if (!visit.function.is_none()) check_parameters(context, visit, report, type);
}

// --- calls --------------------------------------------------------------------------------------------------------------

// Storage classes whose logical pointers are handed over, without or with a capability.
enum class ArgumentStorage : std::uint8_t { Fine, NeedsVariablePointers, Forbidden };
ArgumentStorage argument_storage(StorageClass storage) {
  switch (storage) {
    case StorageClass::UniformConstant:
    case StorageClass::Function:
    case StorageClass::Private:
    case StorageClass::Workgroup:
    case StorageClass::PhysicalStorageBuffer:
    case StorageClass::AtomicCounter:
    // The data that stages and shaders hand on are variables like others.
    case StorageClass::TaskPayloadWorkgroupEXT:
    case StorageClass::NodePayloadAMDX:
    case StorageClass::TileImageEXT: return ArgumentStorage::Fine;
    case StorageClass::StorageBuffer: return ArgumentStorage::NeedsVariablePointers;
    default: return ArgumentStorage::Forbidden;
  }
}

// A memory object declaration, as the specification calls it (2.2.1).
bool is_memory_object(Op op) { return is_variable(op) || op == OpFunctionParameter; }

// A logical pointer argument is a memory object declaration: no pointer into the middle of one.
void check_pointer_argument(const Context& context, const Visit& visit, Report& report, std::size_t word,
                            const TypeRow& pointer) {
  if (!context.is_logical || context.has(Feature::RelaxLogicalPointer)) return;
  // VariablePointers declares this one too.
  const bool has_variable_pointers = context.has(Capability::VariablePointersStorageBuffer);
  const Complaint complain{context, visit, report};
  const ArgumentStorage kind = argument_storage(pointer.storage);
  if (kind == ArgumentStorage::Forbidden ||
      (kind == ArgumentStorage::NeedsVariablePointers && !has_variable_pointers)) {
    report.add(Rule::ArgumentStorage, visit.at(word),
               {enumerant_text(context, pointer.storage),
                kind == ArgumentStorage::Forbidden ? "another storage class" : "the capability VariablePointers"});
    return;
  }
  if (is_memory_object(context.op_of(visit.word(word)))) return;
  // Handles are names wherever they lie; and what may be a variable pointer is no name any more.
  if (pointer.storage == StorageClass::UniformConstant || pointer.storage == StorageClass::PhysicalStorageBuffer)
    return;
  // StorageBuffer needs the smaller capability and Workgroup the larger: they are two.
  const bool may_vary = (pointer.storage == StorageClass::StorageBuffer && has_variable_pointers) ||
                        (pointer.storage == StorageClass::Workgroup && context.has(Capability::VariablePointers));
  if (may_vary || context.has(Feature::BeforeHlslLegalization)) return;
  report.add(Rule::ArgumentDeclaration, visit.at(word),
             {complain.named(word, "a pointer argument"), op_text(context, context.op_of(visit.word(word)))});
}

// What a function may return as a logical pointer.
// Judged at the call: until a function is called, its result type is a type like any other.
void check_returned_pointer(const Context& context, const Visit& visit, Report& report) {
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr || !result->is_pointer() || !context.is_logical || context.has(Feature::RelaxLogicalPointer))
    return;
  if (result->storage == StorageClass::PhysicalStorageBuffer) return;
  const std::string_view expected = missing_for_variable_pointer(context, result->storage);
  if (expected.empty()) return;
  report.add(Rule::ReturnedPointer, visit.at(1), {enumerant_text(context, result->storage), expected});
}

// Arguments of HLSL's front ends, which legalization corrects later, as long as pointees match part by part.
bool is_taken_before_legalization(const Context& context, const TypeRow& argument, Word parameter) {
  const TypeRow& expected = context.types.of(parameter);
  return context.has(Feature::BeforeHlslLegalization) && argument.is(TypeKind::Pointer) &&
         expected.is(TypeKind::Pointer) &&
         types_match(context, argument.element, expected.element, MatchLevel::Decorated);
}

// Whether a function's result type is one that values may have; if not, that was reported at OpFunction.
bool is_sound_result(const Context& context, InstructionView function) {
  return !context.types.of(context.module.type_of(function)).is(TypeKind::Function);
}

// What is enqueued, or asked about, is a function; which arguments it gets, is known only when it runs.
template <std::size_t word>
void check_enqueued(const Context& context, const Visit& visit, Report& report) {
  named_function(context, visit, word, report);
}

void check_call(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const std::optional<InstructionView> function = named_function(context, visit, 3, report);
  if (!function) return;
  const Word result = result_of_function(context, *function);
  if (result == 0) return;
  if (result != visit.type && is_sound_result(context, *function)) {
    complain.result_relation("the result of the function", result);
  }
  check_returned_pointer(context, visit, report);
  const TypeRow& type = context.types.of(function->word(4));
  if (!type.is(TypeKind::Function)) return;  // told at OpFunction
  const Words parameters = context.types.members(type);
  constexpr std::size_t first_argument = 4;
  const std::size_t given = visit.from(first_argument).size();
  // Which one is missing nobody knows, so types are not compared then.
  if (given != parameters.size()) {
    report.add(Rule::ArgumentCount, visit.at(),
               {std::to_string(given), id_text(context, visit.word(3)), std::to_string(parameters.size())});
    return;
  }
  for (std::size_t i = 0; i < given; ++i) {
    const std::size_t word = first_argument + i;
    const TypeRow* argument = context.type_of(visit.word(word));
    if (argument == nullptr) continue;
    if (argument->id != parameters[i] && !is_taken_before_legalization(context, *argument, parameters[i])) {
      complain.relation(word, fmt::format("argument {}", i + 1), "the parameter of the function", parameters[i]);
    } else if (argument->is_pointer()) {
      check_pointer_argument(context, visit, report, word, *argument);
    }
  }
}

}  // namespace

std::optional<InstructionView> named_function(const Context& context, const Visit& visit, AnyOperand function,
                                              Report& report) {
  const InstructionView named = context.module.find(function);
  if (named.opcode == OpFunction && named.word_count >= 5) return named;
  report.add(Rule::CallTarget, visit.at(function), {id_text(context, function), op_text(context, named.opcode)});
  return std::nullopt;
}

std::optional<InstructionView> named_function(const Context& context, const Visit& visit, std::size_t word,
                                              Report& report) {
  return named_function(context, visit, AnyOperand(visit.word(word), visit.at(word).word), report);
}

Word result_of_function(const Context& context, InstructionView function) {
  const TypeRow& type = context.types.of(function.word(4));
  const Word result = context.module.type_of(function);
  return type.is(TypeKind::Function) && type.element != result ? 0 : result;
}

std::span<const Check> function_checks() {
  static constexpr Check checks[] = {
      {{OpFunction}, check_function},
      {{OpFunctionCall}, check_call},
      {{OpEnqueueKernel}, check_enqueued<9>},
      {{OpGetKernelNDrangeSubGroupCount, OpGetKernelNDrangeMaxSubGroupSize, OpGetKernelLocalSizeForSubgroupCount},
       check_enqueued<4>},
      {{OpGetKernelWorkGroupSize, OpGetKernelPreferredWorkGroupSizeMultiple, OpGetKernelMaxNumSubgroups},
       check_enqueued<3>},
  };
  return checks;
}

}  // namespace vireo::spirv
