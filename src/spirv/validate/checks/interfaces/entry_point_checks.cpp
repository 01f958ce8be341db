// SPDX-License-Identifier: Apache-2.0
//
// Checks of the function of an entry point, and of the memory model.
//
// execution_modes.cpp checks execution modes; interface_variables.cpp checks interface variables.
//
// Source: specification 3.42.5 (mode-setting instructions), 2.16.1, 2.16.2.
#include <algorithm>

#include "spirv/validate/checks/interfaces/places.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "support/counted.h"
#include "vireo/spirv/views/function.h"

namespace vireo::spirv {
namespace {

using enum Op;

void check_function(const Context& context, const EntryPointRow& entry, Report& report) {
  if (context.module.definition(entry.function).is_none()) return;
  const Place place = function_place(context, entry);
  if (context.op_of(entry.function) != OpFunction) {
    report.add(Rule::EntryPointFunction, place,
               {id_text(context, entry.function), op_text(context, context.op_of(entry.function))});
    report.note({context.module.definition(entry.function), 0}, "defined here");
    return;
  }
  const View<OpFunction> function(context.module.find(entry.function));
  const InstructionIndex declaration = context.module.definition(entry.function);
  const TypeRow& type = context.types.of(function.function_type());
  if (!type.is(TypeKind::Function)) return;
  // Only kernels may have parameters.
  if (type.count != 0 && entry.model != ExecutionModel::Kernel) {
    report.add(Rule::EntryPointType, place,
               {id_text(context, entry.function), "has " + counted(type.count, "parameter") + "; expected none"});
    report.note({declaration, function.function_type().word}, "function declared here");
  }
  if (!context.is_invalid_type(type.element) && !context.types.of(type.element).is(TypeKind::Void)) {
    report.add(Rule::EntryPointType, place,
               {id_text(context, entry.function), "returns " + type_name(context, type.element) + "; expected void"});
    report.note({declaration, function.result_type().word}, "return type declared here");
  }
}

// --- the memory model ------------------------------------------------------------------------------------------------

void check_memory_model(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto addressing = visit.as<OpMemoryModel>().addressing_model();
  const auto memory = visit.as<OpMemoryModel>().memory_model();
  const auto text_of_addressing = [&] {
    return enumerant_text(context, "AddressingModel", static_cast<Word>(addressing.value));
  };
  const auto text_of_memory = [&] { return enumerant_text(context, "MemoryModel", static_cast<Word>(memory.value)); };
  if (context.has(Capability::VulkanMemoryModel) && memory != MemoryModel::Vulkan) {
    report.add(Rule::VulkanMemoryModel, visit.at(memory), {text_of_memory()});
    // If a module has many memory models, the search for the capability must not be repeated for each.
    const auto capabilities = context.module_declarations.capabilities();
    const auto row = report.has_room_for(Rule::VulkanMemoryModel)
                         ? std::ranges::find(capabilities, Capability::VulkanMemoryModel, &CapabilityRow::capability)
                         : capabilities.end();
    if (row != capabilities.end()) {
      report.note(place_of(context, row->instruction, OperandName::capability), "capability declared here");
    }
  }
  const bool is_physical = addressing == AddressingModel::Physical32 || addressing == AddressingModel::Physical64;
  if (context.is_opencl() && !is_physical) {
    report.add(Rule::OpenClAddressing, visit.at(addressing), {text_of_addressing()});
  }
  if (context.is_opencl() && memory != MemoryModel::OpenCL) {
    report.add(Rule::OpenClMemoryModel, visit.at(memory), {text_of_memory()});
  }
  if (context.is_vulkan() && addressing != AddressingModel::Logical &&
      addressing != AddressingModel::PhysicalStorageBuffer64) {
    report.add(Rule::VulkanAddressing, visit.at(addressing), {text_of_addressing()});
  }
}

void check_capability(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto capability = visit.as<OpCapability>().capability();
  if (capability != Capability::CooperativeMatrixKHR || !context.is_shader()) return;
  if (context.has(Capability::VulkanMemoryModel)) return;
  report.add_once(Rule::CooperativeMemoryModel, visit.at(capability),
                  enumerant_text(context, Capability::VulkanMemoryModel), {});
  hint_vulkan_memory_model(context, report);
}

}  // namespace

std::span<const Check> mode_checks() {
  static constexpr Check checks[] = {
      {{OpMemoryModel}, check_memory_model},
      {{OpCapability}, check_capability},
  };
  return checks;
}

void check_entry_points(const Context& context, Report& report) {
  for (const EntryPointRow& entry : context.module_declarations.entry_points()) check_function(context, entry, report);
}

}  // namespace vireo::spirv
