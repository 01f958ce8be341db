// SPDX-License-Identifier: Apache-2.0
//
// Compares the declarations of a module with the device profile.
//
// A device profile contains lists of supported items, and an absent list sets no limit. A listed
// capability also supports the capabilities that it implies.
//
// Source: specification 3.31 (capabilities and the ones they imply), 3.42.4 (OpExtension).
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

// Marks the capabilities that the device supports, by their rows in the grammar: the listed ones and those that they
// imply.
std::vector<bool> closure(const Grammar& grammar, const std::vector<Word>& listed) {
  std::vector<bool> has(grammar.enumerants.size());
  std::vector<std::size_t> waiting;
  const auto add = [&](std::size_t row) {
    if (!has[row]) waiting.push_back(row);
    has[row] = true;
  };
  for (const Word value : listed) {
    const EnumerantRow* row = grammar.find_value(grammar.capability_kind, value);
    if (row != nullptr) add(static_cast<std::size_t>(row - grammar.enumerants.data()));
  }
  while (!waiting.empty()) {
    const EnumerantRow& row = grammar.enumerants[waiting.back()];
    waiting.pop_back();
    for (const std::uint16_t implied : grammar.capabilities(row.capabilities)) add(implied);
  }
  return has;
}

void check_device_capabilities(const ModuleCheck& c, const std::vector<Word>& listed) {
  const Grammar& grammar = c.grammar();
  const std::vector<bool> has = closure(grammar, listed);
  for (const CapabilityRow& row : c.module_declarations.capabilities()) {
    const Word value = static_cast<Word>(row.capability);
    const EnumerantRow* enumerant = grammar.find_value(grammar.capability_kind, value);
    if (enumerant == nullptr || has[static_cast<std::size_t>(enumerant - grammar.enumerants.data())]) continue;
    c.report(Rule::DeviceCapability, place_of(c, row.instruction, OperandName::capability),
             {enumerant_text(c, "Capability", value)});
  }
}

}  // namespace

void check_device(const ModuleCheck& c) {
  const DeviceSupport* device = c.options.device;
  if (device == nullptr) return;
  const Version version = c.version();
  if (device->version && version > *device->version) {
    c.report(Rule::DeviceVersion, Place::header(1),
             {fmt::format("{}.{}", version.major, version.minor),
              fmt::format("{}.{}", device->version->major, device->version->minor)});
  }
  if (device->capabilities) check_device_capabilities(c, *device->capabilities);
  if (!device->extensions) return;
  for (const ExtensionRow& row : c.module_declarations.extensions()) {
    const auto& names = *device->extensions;
    if (std::find(names.begin(), names.end(), row.name) != names.end()) continue;
    c.report(Rule::DeviceExtension, place_of(c, row.instruction, OperandName::name), {row.name});
  }
}

}  // namespace vireo::spirv
