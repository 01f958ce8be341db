// SPDX-License-Identifier: Apache-2.0
//
// DeviceCheck (device_check.h): lookup of rows, and their findings.
#include "spirv/validate/checks/device/device_check.h"

#include <string>
#include <vector>

#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

Models model_bit(const ModuleCheck&, const EntryPointRow& entry) { return bit_of(entry.model); }

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

// The first row whose features the device lacks; nullptr if it has them, or if they are unknown.
const DeviceNeed* find_missing(const DeviceValues& values, DeviceUse use, Models models) {
  for (const DeviceNeed& row : device_needs()) {
    if (row.use != use || (row.models != any_model && (row.models & models) == 0)) continue;
    if ((row.only_with.empty() || values.is_on(row.only_with)) && values.lacks_all(row.one_of)) return &row;
  }
  return nullptr;
}

// The limit that applies, and its name; the larger one of two.
struct Limit {
  std::string_view name;
  std::uint64_t value = 0;
};
std::optional<Limit> find_limit(const DeviceValues& values, const DeviceBound& row) {
  std::optional<Limit> limit;
  bool is_first = true;
  for_each_name(row.limits, [&](std::string_view name) {
    const auto value = values.find(name);
    const bool is_used =
        value && *value >= 0 && (is_first || (limit && static_cast<std::uint64_t>(*value) > limit->value));
    if (is_used) limit = Limit{name, static_cast<std::uint64_t>(*value)};
    is_first = false;
  });
  return limit;
}

bool is_within(std::uint64_t value, Comparison comparison, std::uint64_t limit) {
  switch (comparison) {
    case Comparison::AtMost: return value <= limit;
    case Comparison::Below: return value < limit;
    case Comparison::MultipleOf: return limit == 0 || value % limit == 0;
  }
  return true;
}

std::string_view text_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::AtMost: return "at most";
    case Comparison::Below: return "less than";
    case Comparison::MultipleOf: return "a multiple of";
  }
  return {};
}

}  // namespace

bool check_device_number(const ModuleCheck& c, DeviceNumber number, std::uint64_t value, Place place,
                         const EntryPointRow* entry) {
  bool is_reported = false;
  for (const DeviceBound& row : device_bounds()) {
    if (row.number != number || (entry != nullptr && !contains(row.models, entry->model))) continue;
    const auto limit = find_limit(*c.device, row);
    if (!limit || is_within(value, row.comparison, limit->value)) continue;
    if (!row.only_with.empty() && !c.device->is_on(row.only_with)) continue;
    const std::string text = completed(row.meaning, std::to_string(value));
    if (entry != nullptr) c.report(Rule::DeviceLimit, place, {entry->name, text, limit->name, limit->value});
    else c.report(Rule::DeviceBound, place, {text, text_of(row.comparison), limit->name, limit->value});
    c.vuid(runtime_vuid(row.vuid));
    is_reported = true;
  }
  return is_reported;
}

DeviceCheck::DeviceCheck(const ModuleCheck& check) : c(check), values(*check.device), reach_(check, model_bit) {}

bool DeviceCheck::need(DeviceUse use, Place place, Models models, std::string_view name) const {
  const DeviceNeed* row = find_missing(values, use, models);
  if (row == nullptr) return false;
  c.report(Rule::DeviceFeature, place, {completed(row->subject, name), wanted_text(row->one_of)});
  c.vuid(runtime_vuid(row->vuid));
  return true;
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
  if (c.device == nullptr || (scope != Scope::Device && scope != Scope::QueueFamily)) return;
  const DeviceUse use = scope == Scope::Device ? DeviceUse::DeviceMemoryScope : DeviceUse::QueueFamilyMemoryScope;
  const DeviceNeed* row = find_missing(*c.device, use, any_model);
  if (row == nullptr) return;
  c.report_once(Rule::DeviceFeature, place, row->vuid,
                {completed(row->subject, op_text(c, c.op())), wanted_text(row->one_of)});
  c.vuid(runtime_vuid(row->vuid));
}

void check_device_needs(const ModuleCheck& c) {
  if (c.device == nullptr) return;
  const DeviceCheck device(c);
  check_instruction_needs(device);
  check_declaration_needs(device);
  check_heap_offsets(device);
  check_entry_needs(device);
}

}  // namespace vireo::spirv
