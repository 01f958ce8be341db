// SPDX-License-Identifier: Apache-2.0
//
// Checks of the function of an entry point, and of the memory model.
//
// execution_modes.cpp checks execution modes; interface_variables.cpp checks interface variables.
//
// Source: specification 3.42.5 (mode-setting instructions), 2.16.1, 2.16.2.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/checks/checks.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/function.h"

namespace vireo::spirv {
namespace {

using enum Op;

void check_function(const ModuleCheck& c, const EntryPointRow& entry) {
  if (c.module.definition(entry.function).is_none()) return;
  const Place place = function_place(c, entry);
  if (c.op_of(entry.function) != OpFunction) {
    c.report(Rule::EntryPointFunction, place, {entry.function, c.op_of(entry.function)});
    c.note({c.module.definition(entry.function), 0}, "defined here");
    return;
  }
  const View<OpFunction> function(c.module.find(entry.function));
  const InstructionIndex declaration = c.module.definition(entry.function);
  const TypeRow& type = c.types.of(function.function_type());
  if (!type.is(TypeKind::Function)) return;
  // Only kernels may have parameters.
  if (type.count != 0 && entry.model != ExecutionModel::Kernel) {
    c.report(Rule::EntryPointType, place,
             {entry.function, "has " + counted(type.count, "parameter") + "; expected none"});
    c.note({declaration, function.function_type().word}, "function declared here");
  }
  if (!c.is_invalid_type(type.element) && !type.element_type().is(TypeKind::Void)) {
    c.report(Rule::EntryPointType, place,
             {entry.function, "returns " + type_name(c, type.element) + "; expected void"});
    c.note({declaration, function.result_type().word}, "return type declared here");
  }
}

// --- modes with a number ---------------------------------------------------------------------------------------------

// In Vulkan a stage has at least one vertex and one invocation.
void check_count(const ModuleCheck& c, const EntryPointRow& entry, ExecutionMode mode, std::uint16_t vuid) {
  const ExecutionModeRow* row = c.module_declarations.mode(entry.function, mode);
  if (row == nullptr || row->operands.empty() || row->operands[0] != 0) return;
  c.report(Rule::StageCount, parameter_place(*row, 0), {entry.name, enumerant_text(c, mode)});
  c.vuid(vuid);
}

// Whether a function has one of the modes.
bool has_mode(const ModuleCheck& c, Word function, std::initializer_list<ExecutionMode> modes) {
  return std::ranges::any_of(modes, [&](ExecutionMode mode) { return c.module_declarations.mode(function, mode); });
}

// A pipeline takes the modes of tessellation from either shader, but a shader object has only its own. A module with both
// stages is made for pipelines.
void check_tessellation(const ModuleCheck& c, const EntryPointRow& entry, ExecutionModel partner,
                        std::initializer_list<ExecutionMode> modes, std::string_view expected, std::uint16_t vuid) {
  const auto has_modes = [&](const EntryPointRow& each) {
    return each.model == partner && has_mode(c, each.function, modes);
  };
  if (has_mode(c, entry.function, modes) || std::ranges::any_of(c.module_declarations.entry_points(), has_modes))
    return;
  c.report(Rule::StageModeMissing, function_place(c, entry),
           {entry.name, expected, "a shader object of " + enumerant_text(c, entry.model)});
  c.vuid(vuid);
}

void check_counts(const ModuleCheck& c, const EntryPointRow& entry) {
  using enum ExecutionMode;
  switch (entry.model) {
    case ExecutionModel::TessellationControl:
      check_count(c, entry, OutputVertices, 713);
      return check_tessellation(c, entry, ExecutionModel::TessellationEvaluation, {OutputVertices}, "OutputVertices",
                                12226);
    case ExecutionModel::TessellationEvaluation:
      check_count(c, entry, OutputVertices, 713);
      return check_tessellation(c, entry, ExecutionModel::TessellationControl, {Triangles, Quads, Isolines},
                                "Triangles, Quads or Isolines", 8872);
    case ExecutionModel::Geometry:
      check_count(c, entry, OutputVertices, 714);
      check_count(c, entry, Invocations, 715);
      if (has_mode(c, entry.function, {OutputVertices})) return;
      c.report(Rule::StageModeMissing, function_place(c, entry), {entry.name, "OutputVertices", "a geometry shader"});
      c.vuid(714);
      hint_execution_mode(c, OutputVertices, entry.function);
      return;
    default: return;
  }
}

// --- the memory model ------------------------------------------------------------------------------------------------

void check_memory_model(const InstructionCheck& c) {
  const auto addressing = c.as<OpMemoryModel>().addressing_model();
  const auto memory = c.as<OpMemoryModel>().memory_model();
  const auto text_of_addressing = [&] {
    return enumerant_text(c, "AddressingModel", static_cast<Word>(addressing.value));
  };
  const auto text_of_memory = [&] { return enumerant_text(c, "MemoryModel", static_cast<Word>(memory.value)); };
  if (c.has(Capability::VulkanMemoryModel) && memory != MemoryModel::Vulkan) {
    c.report(Rule::VulkanMemoryModel, c.at(memory), {text_of_memory()});
    // If a module has many memory models, the search for the capability must not be repeated for each.
    const auto capabilities = c.module_declarations.capabilities();
    const auto row = c.has_room_for(Rule::VulkanMemoryModel)
                         ? std::ranges::find(capabilities, Capability::VulkanMemoryModel, &CapabilityRow::capability)
                         : capabilities.end();
    if (row != capabilities.end()) {
      c.note(place_of(c, row->instruction, OperandName::capability), "capability declared here");
    }
  }
  const bool is_physical = addressing == AddressingModel::Physical32 || addressing == AddressingModel::Physical64;
  if (c.is_opencl() && !is_physical) { c.report(Rule::OpenClAddressing, c.at(addressing), {text_of_addressing()}); }
  if (c.is_opencl() && memory != MemoryModel::OpenCL) {
    c.report(Rule::OpenClMemoryModel, c.at(memory), {text_of_memory()});
  }
  if (c.is_vulkan() && addressing != AddressingModel::Logical &&
      addressing != AddressingModel::PhysicalStorageBuffer64) {
    c.report(Rule::VulkanAddressing, c.at(addressing), {text_of_addressing()});
  }
}

void check_capability(const InstructionCheck& c) {
  const auto capability = c.as<OpCapability>().capability();
  if (capability != Capability::CooperativeMatrixKHR || !c.is_shader()) return;
  if (c.has(Capability::VulkanMemoryModel)) return;
  c.report_once(Rule::CooperativeMemoryModel, c.at(capability), enumerant_text(c, Capability::VulkanMemoryModel), {});
  hint_vulkan_memory_model(c);
}

}  // namespace

std::span<const Check> mode_checks() {
  static constexpr Check checks[] = {
      {{OpMemoryModel}, check_memory_model},
      {{OpCapability}, check_capability},
  };
  return checks;
}

void check_entry_points(const ModuleCheck& c) {
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    check_function(c, entry);
    if (c.is_vulkan()) check_counts(c, entry);
  }
}

}  // namespace vireo::spirv
