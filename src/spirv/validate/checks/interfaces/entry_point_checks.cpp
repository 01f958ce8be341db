// SPDX-License-Identifier: Apache-2.0
//
// Entry points: what an entry point is, and the memory model that all of them share.
//
// What their modes are is in execution_modes.cpp, what they list in listed_variables.cpp.
//
// Source: specification 3.42.5 (mode-setting instructions), 2.16.1, 2.16.2.
#include "spirv/validate/engine/checks.h"

namespace vireo::spirv {
namespace {

using enum Op;

void check_function(const Context& context, const EntryPointRow& entry, Report& report) {
  if (context.module.definition(entry.function).is_none()) return;
  const Place place{entry.instruction, 2};
  if (context.op_of(entry.function) != OpFunction) {
    report.add(Rule::EntryPointFunction, place,
               {id_text(context, entry.function), op_text(context, context.op_of(entry.function))});
    return;
  }
  const TypeRow& type = context.types.of(context.module.find(entry.function).word(4));
  if (!type.is(TypeKind::Function)) return;
  // A kernel's parameters are its arguments.
  if (type.count != 0 && entry.model != ExecutionModel::Kernel) {
    report.add(Rule::EntryPointType, place, {id_text(context, entry.function), "parameters, expected none"});
  }
  if (!context.is_no_type(type.element) && !context.types.of(type.element).is(TypeKind::Void)) {
    report.add(
        Rule::EntryPointType, place,
        {id_text(context, entry.function), "the return type " + type_text(context, type.element) + ", expected void"});
  }
}

// --- the memory model ---------------------------------------------------------------------------------------------------

void check_memory_model(const Context& context, const Visit& visit, Report& report) {
  const auto addressing = static_cast<AddressingModel>(visit.word(1));
  const auto memory = static_cast<MemoryModel>(visit.word(2));
  if (context.has(Capability::VulkanMemoryModel) && memory != MemoryModel::Vulkan) {
    report.add(Rule::VulkanMemoryModel, visit.at(2), {enumerant_text(context, "MemoryModel", visit.word(2))});
  }
  const bool is_physical = addressing == AddressingModel::Physical32 || addressing == AddressingModel::Physical64;
  if (context.is_opencl() && !is_physical) {
    report.add(Rule::OpenClAddressing, visit.at(1), {enumerant_text(context, "AddressingModel", visit.word(1))});
  }
  if (context.is_opencl() && memory != MemoryModel::OpenCL) {
    report.add(Rule::OpenClMemoryModel, visit.at(2), {enumerant_text(context, "MemoryModel", visit.word(2))});
  }
  if (context.is_vulkan() && addressing != AddressingModel::Logical &&
      addressing != AddressingModel::PhysicalStorageBuffer64) {
    report.add(Rule::VulkanAddressing, visit.at(1), {enumerant_text(context, "AddressingModel", visit.word(1))});
  }
}

void check_capability(const Context& context, const Visit& visit, Report& report) {
  if (static_cast<Capability>(visit.word(1)) != Capability::CooperativeMatrixKHR || !context.is_shader()) return;
  if (!context.has(Capability::VulkanMemoryModel)) report.add(Rule::CooperativeMemoryModel, visit.at(1));
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
  for (const EntryPointRow& entry : context.preamble.entry_points()) check_function(context, entry, report);
}

}  // namespace vireo::spirv
