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

void check_counts(const ModuleCheck& c, const EntryPointRow& entry) {
  const bool is_geometry = entry.model == ExecutionModel::Geometry;
  if (is_geometry) check_count(c, entry, ExecutionMode::Invocations, 715);
  if (is_geometry || entry.model == ExecutionModel::TessellationControl ||
      entry.model == ExecutionModel::TessellationEvaluation) {
    check_count(c, entry, ExecutionMode::OutputVertices, is_geometry ? 714 : 713);
  }
}

// Whether an entry point has one of the modes.
bool has_mode(const ModuleCheck& c, const EntryPointRow& entry, std::initializer_list<ExecutionMode> modes) {
  return std::ranges::any_of(modes,
                             [&](ExecutionMode mode) { return c.module_declarations.mode(entry.function, mode); });
}

/// The modes of tessellation. A pipeline takes them from either shader, but a shader object has only its own. A module
/// with both stages is made for pipelines.
class TessellationModes {
 public:
  explicit TessellationModes(const ModuleCheck& c) : c_(c) {
    for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
      is_counted_ |= entry.model == ExecutionModel::TessellationEvaluation && has_mode(c, entry, counts);
      is_shaped_ |= entry.model == ExecutionModel::TessellationControl && has_mode(c, entry, shapes);
    }
  }

  void check_control(const EntryPointRow& entry) const {
    if (!is_counted_ && !has_mode(c_, entry, counts)) report(entry, "OutputVertices", 12226);
  }
  void check_evaluation(const EntryPointRow& entry) const {
    if (!is_shaped_ && !has_mode(c_, entry, shapes)) report(entry, "Triangles, Quads or Isolines", 8872);
  }

 private:
  static constexpr std::initializer_list<ExecutionMode> counts = {ExecutionMode::OutputVertices};
  static constexpr std::initializer_list<ExecutionMode> shapes = {ExecutionMode::Triangles, ExecutionMode::Quads,
                                                                  ExecutionMode::Isolines};

  void report(const EntryPointRow& entry, std::string_view modes, std::uint16_t vuid) const {
    c_.report(Rule::StageModeMissing, function_place(c_, entry),
              {entry.name, modes, "a shader object of " + enumerant_text(c_, entry.model)});
    c_.vuid(vuid);
  }

  const ModuleCheck& c_;
  bool is_counted_ = false;  // an evaluation shader has OutputVertices
  bool is_shaped_ = false;   // a control shader has Triangles, Quads or Isolines
};

void check_modes(const ModuleCheck& c, const EntryPointRow& entry, const TessellationModes& tessellation) {
  switch (entry.model) {
    case ExecutionModel::TessellationControl: return tessellation.check_control(entry);
    case ExecutionModel::TessellationEvaluation: return tessellation.check_evaluation(entry);
    case ExecutionModel::Geometry:
      if (has_mode(c, entry, {ExecutionMode::OutputVertices})) return;
      c.report(Rule::StageModeMissing, function_place(c, entry), {entry.name, "OutputVertices", "a geometry shader"});
      c.vuid(714);
      hint_execution_mode(c, ExecutionMode::OutputVertices, entry.function);
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
  // An instruction with an error may be the mode that is missing. Instructions are checked before the module.
  const bool has_errors = c.findings.has_errors();
  const TessellationModes tessellation(c);
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    check_function(c, entry);
    if (!c.is_vulkan()) continue;
    check_counts(c, entry);
    if (!has_errors) check_modes(c, entry, tessellation);
  }
}

}  // namespace vireo::spirv
