// SPDX-License-Identifier: Apache-2.0
//
// DeviceCheck (device_check.h): lookup of rows, and their findings.
#include "spirv/validate/checks/device/device_check.h"

#include <algorithm>
#include <vector>

#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

Models model_bit(const ModuleCheck&, const EntryPointRow& entry) { return bit_of(entry.model); }

// Calls `use` for each name of a list that is separated by commas.
template <typename Use>
void for_each_name(std::string_view list, Use use) {
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    use(name);
    list.remove_prefix(std::min(list.size(), name.size() + 1));
  }
}

// The sentence with a text in place of "{}".
std::string completed(std::string_view sentence, std::string_view text) {
  std::string complete(sentence);
  if (const std::size_t at = complete.find("{}"); at != std::string::npos) complete.replace(at, 2, text);
  return complete;
}

// "shaderInt64", or "one of shaderInt64, shaderInt16 and shaderInt8".
std::string wanted_text(std::string_view one_of) {
  std::vector<std::string> names;
  for_each_name(one_of, [&](std::string_view name) { names.emplace_back(name); });
  return names.size() == 1 ? names[0] : "one of " + list_text(names, "and");
}

}  // namespace

DeviceValues::DeviceValues(const DeviceSupport& device) {
  for (const DeviceLimit& limit : device.limits) values_.emplace(limit.name, limit.value);
}

std::optional<std::int64_t> DeviceValues::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

bool DeviceValues::lacks_all(std::string_view names) const {
  bool is_stated = false, is_on = false;
  for_each_name(names, [&](std::string_view name) {
    const auto value = find(name);
    is_stated |= value.has_value();
    is_on |= value.value_or(0) != 0;
  });
  return is_stated && !is_on;
}

DeviceCheck::DeviceCheck(const ModuleCheck& check)
    : c(check), values(*check.options.device), reach_(check, model_bit) {}

bool DeviceCheck::need(DeviceUse use, Place place, Models models, std::string_view name) const {
  for (const DeviceNeed& row : device_needs()) {
    if (row.use != use || (row.models != any_model && (row.models & models) == 0)) continue;
    if (!row.only_with.empty() && !values.is_on(row.only_with)) continue;
    if (!values.lacks_all(row.one_of)) continue;
    c.report(Rule::DeviceFeature, place, {completed(row.subject, name), wanted_text(row.one_of)});
    c.vuid(runtime_vuid(row.vuid));
    return true;
  }
  return false;
}

bool DeviceCheck::bound(DeviceNumber number, std::uint64_t value, Place place) const {
  for (const DeviceBound& row : device_bounds()) {
    if (row.number != number || (!row.only_with.empty() && !values.is_on(row.only_with))) continue;
    const auto limit = values.find(row.limit);
    if (!limit || *limit < 0) continue;
    const auto most = static_cast<std::uint64_t>(*limit);
    const bool is_fine = row.comparison == Comparison::AtMost  ? value <= most
                         : row.comparison == Comparison::Below ? value < most
                                                               : most == 0 || value % most == 0;
    if (is_fine) continue;
    const std::string_view expected = row.comparison == Comparison::AtMost  ? "at most"
                                      : row.comparison == Comparison::Below ? "less than"
                                                                            : "a multiple of";
    c.report(Rule::DeviceBound, place, {completed(row.meaning, std::to_string(value)), expected, row.limit, *limit});
    c.vuid(runtime_vuid(row.vuid));
    return true;
  }
  return false;
}

bool DeviceCheck::staged(StagedUse use, Place place, Models models, std::string_view name) const {
  for (const DeviceStages& row : device_stages()) {
    const auto supported = values.find(row.property);
    if (row.use != use || !supported) continue;
    for (const ExecutionModel model : known_models) {
      const std::uint32_t bit = stage_bit(model);
      if (!contains(models, model) || bit == 0 || (static_cast<std::uint64_t>(*supported) & bit) != 0) continue;
      c.report(Rule::DeviceStage, place, {completed(row.subject, name), model, row.property});
      c.vuid(runtime_vuid(row.vuid));
      return true;
    }
  }
  return false;
}

void check_device_memory_scope(const InstructionCheck& c, Place place, Scope scope) {
  if (scope != Scope::Device && scope != Scope::QueueFamily) return;
  const DeviceUse use = scope == Scope::Device ? DeviceUse::DeviceMemoryScope : DeviceUse::QueueFamilyMemoryScope;
  const DeviceValues values(*c.options.device);
  for (const DeviceNeed& row : device_needs()) {
    if (row.use != use || (!row.only_with.empty() && !values.is_on(row.only_with)) || !values.lacks_all(row.one_of))
      continue;
    c.report_once(Rule::DeviceFeature, place, row.vuid,
                  {completed(row.subject, op_text(c, c.op())), wanted_text(row.one_of)});
    c.vuid(runtime_vuid(row.vuid));
  }
}

void check_device_needs(const ModuleCheck& c) {
  if (c.options.device == nullptr || !c.is_vulkan() || c.options.device->limits.empty()) return;
  const DeviceCheck device(c);
  check_instruction_needs(device);
  check_declaration_needs(device);
  check_entry_needs(device);
}

}  // namespace vireo::spirv
