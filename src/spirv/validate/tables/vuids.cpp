// SPDX-License-Identifier: Apache-2.0
//
// The VUIDs of Vulkan with the rules that check them: those of the rules' own rows, and those of the rows of built-ins.
//
// Source: "Valid Usage" of the Vulkan specification. The VUID of a built-in contains its name twice.
#include <fmt/format.h>

#include <algorithm>

#include "spirv/validate/rules/rules.h"
#include "spirv/validate/tables/built_in_rows.h"
#include "spirv/validate/tables/device_rows.h"
#include "spirv/validate/tables/vuid_rows.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/validate/rule_texts.h"

namespace vireo::spirv {
namespace {

constexpr OtherVuid other_rows[] = {
#define CHECKED(vuid, how) {vuid, true, how},
#define UNCHECKED(vuid, reason) {vuid, false, reason},
#include "spirv/validate/tables/other_vuids.def"
#undef CHECKED
#undef UNCHECKED
};

void add_of_rules(std::vector<VuidRow>& rows) {
  for (const ValidationRule& rule : validation_rules()) {
    for (std::string_view rest = rule.vuids; !rest.empty();) {
      const std::string_view vuid = rest.substr(0, rest.find(' '));
      rows.push_back({std::string(vuid), &rule});
      rest.remove_prefix(std::min(rest.size(), vuid.size() + 1));
    }
  }
}

// "a,b" → "a or b".
std::string alternatives(std::string_view list) {
  std::string text;
  for_each_name(list, [&](std::string_view name) { text.append(text.empty() ? "" : " or ").append(name); });
  return text;
}

void add_of_devices(std::vector<VuidRow>& rows) {
  const auto add = [&](std::string_view vuid, Rule rule, std::string_view kind, std::string_view names) {
    rows.push_back({runtime_vuid(vuid), &row_of(rule), fmt::format("{} {}", kind, alternatives(names))});
  };
  for (const DeviceNeed& row : device_needs()) add(row.vuid, Rule::DeviceFeature, "feature", row.one_of);
  for (const DeviceBound& row : device_bounds())
    add(row.vuid, row.is_of_entry_point ? Rule::DeviceLimit : Rule::DeviceBound, "limit", row.limits);
  for (const DeviceStages& row : device_stages()) add(row.vuid, Rule::DeviceStage, "property", row.property);
}

void add_of_built_ins(std::vector<VuidRow>& rows) {
  const auto add = [&](BuiltIn built_in, std::uint16_t number, Rule rule) {
    if (number == 0) return;
    const std::string_view name = name_of(built_in);
    rows.push_back({vuid_of(name, number), &row_of(rule), fmt::format("built-in {}", name)});
  };
  for (const BuiltInRow& row : built_in_rows()) {
    if (row.models == 0) rows.push_back({std::string(unlisted_built_in_vuid), &row_of(Rule::BuiltInModel)});
    add(row.built_in, row.model_rule, Rule::BuiltInModel);
    add(row.built_in, row.storage_rule, Rule::BuiltInStorage);
    add(row.built_in, row.type_rule, Rule::BuiltInType);
    if (row.shape.arrays != 0 && row.arrayed != 0) add(row.built_in, row.type_rule, Rule::BuiltInVertexArray);
  }
  for (const BuiltInAliasRow& row : built_in_alias_rows()) {
    const auto add_alias = [&](std::uint16_t number, Rule rule) {
      rows.push_back({vuid_of(row.name, number), &row_of(rule), fmt::format("built-in {}", row.name)});
    };
    add_alias(row.model_rule, Rule::BuiltInModel);
    add_alias(row.storage_rule, Rule::BuiltInStorage);
    add_alias(row.type_rule, Rule::BuiltInType);
  }
  for (const BuiltInStageRow& row : built_in_stage_rows()) {
    add(row.built_in, row.rule, row.direction == 0 ? Rule::BuiltInStorage : Rule::BuiltInModel);
  }
  for (const BuiltInCapabilityRow& row : built_in_capability_rows()) {
    add(row.built_in, row.rule, Rule::BuiltInCapability);
  }
  for (const BuiltInCompanionRow& row : built_in_companion_rows()) add(row.built_in, row.rule, Rule::BuiltInDecoration);
  for (const BuiltInElementRow& row : built_in_element_rows()) {
    add(row.built_in, row.length_rule, Rule::BuiltInArraySize);
    add(row.built_in, row.constant_rule, Rule::BuiltInIndex);
    add(row.built_in, row.primitive_rule, Rule::PrimitiveIndexRange);
    add(row.built_in, row.vertex_rule, Rule::VertexIndexRange);
  }
  for (const BuiltInModeRow& row : built_in_mode_rows()) {
    add(row.built_in, row.mode_rule, Rule::BuiltInMode);
    add(row.built_in, row.size_rule, Rule::BuiltInArraySize);
  }
  for (const BuiltInPrimitiveRow& row : built_in_primitive_rows()) {
    add(row.built_in, row.decoration_rule, Rule::BuiltInPerPrimitive);
    add(row.built_in, row.array_rule, Rule::BuiltInType);
    add(row.built_in, row.size_rule, Rule::BuiltInArraySize);
    add(row.built_in, row.block_size_rule, Rule::BuiltInArraySize);
  }
}

}  // namespace

std::string vuid_of(std::string_view built_in, std::uint16_t number) {
  // A VUID names the built-in twice, except for a few rules about a stage or a mode of it.
  constexpr std::pair<std::uint16_t, std::string_view> others[] = {
      {4333, "Fragment"}, {4342, "OutputPoints"}, {4343, "OutputLinesNV"}, {4344, "OutputTrianglesNV"}};
  const auto other = std::ranges::find(others, number, &std::pair<std::uint16_t, std::string_view>::first);
  return fmt::format("VUID-{}-{}-{:05}", built_in, other == std::end(others) ? built_in : other->second, number);
}

std::vector<VuidRow> validation_vuids() {
  std::vector<VuidRow> rows;
  add_of_rules(rows);
  rows.push_back({std::string(cooperative_pointer_vuid), &row_of(Rule::MemoryOperandType)});
  for (const CapabilityVuidRow& row : capability_vuid_rows) {
    rows.push_back({std::string(row.vuid), &row_of(Rule::MissingCapability)});
  }
  add_of_built_ins(rows);
  add_of_devices(rows);
  const auto key = [](const VuidRow& row) { return std::pair(std::string_view(row.vuid), row.rule->name); };
  std::ranges::sort(rows, {}, key);
  // Rows with the same key become one, with the subjects of all.
  std::vector<VuidRow> merged;
  for (VuidRow& row : rows) {
    if (merged.empty() || key(merged.back()) != key(row)) {
      merged.push_back(std::move(row));
    } else if (std::string& subject = merged.back().subject; subject.find(row.subject) == std::string::npos) {
      subject.append(subject.empty() ? "" : ", ").append(row.subject);
    }
  }
  return merged;
}

std::span<const OtherVuid> other_vuids() { return other_rows; }

}  // namespace vireo::spirv
