// SPDX-License-Identifier: Apache-2.0
//
// The table behind rules.h, read from rules.def.
#include "spirv/validate/rules/rules.h"

#include <algorithm>
#include <iterator>

#include "vireo/spirv/validate/option_rows.h"

namespace vireo::spirv {
namespace {

// What rules.def writes in its column "lifted by": one feature, or none.
using Lift = std::optional<Feature>;
constexpr Lift none = std::nullopt;
[[maybe_unused]] constexpr auto lifted(Feature feature) { return Lift(feature); }

using enum Severity;

constexpr ValidationRule rows[] = {
#define RULE(identifier, name, severity, section, vuid, lifted_by, unsound, requirement, message) \
  {name, severity, section, vuid, lifted_by, requirement},
#include "spirv/validate/rules/rules.def"
#undef RULE
};

constexpr std::string_view messages[] = {
#define RULE(identifier, name, severity, section, vuid, lifted_by, unsound, requirement, message) message,
#include "spirv/validate/rules/rules.def"
#undef RULE
};

constexpr Unsound unsound_rows[] = {
#define RULE(identifier, name, severity, section, vuid, lifted_by, unsound, requirement, message) Unsound::unsound,
#include "spirv/validate/rules/rules.def"
#undef RULE
};

constexpr RenamedRule renamed_rows[] = {
#define RENAMED(old_name, name) {old_name, name},
#include "spirv/validate/rules/renamed.def"
#undef RENAMED
};

constexpr GroupedRule group_rows[] = {
#define RULE_GROUP(group, name) {group, name},
#include "spirv/validate/rules/groups.def"
#undef RULE_GROUP
};

}  // namespace

std::span<const ValidationRule> validation_rules() { return rows; }

const ValidationRule* find_validation_rule(std::string_view name) {
  const auto found = std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

std::span<const RenamedRule> renamed_rules() { return renamed_rows; }

std::span<const GroupedRule> grouped_rules() { return group_rows; }

bool is_named(std::string_view rule, std::string_view name) {
  const auto is_old_name = [&](const RenamedRule& row) { return row.old_name == name && row.name == rule; };
  const auto is_group = [&](const GroupedRule& row) { return row.group == name && row.name == rule; };
  return rule == name || std::ranges::any_of(renamed_rows, is_old_name) || std::ranges::any_of(group_rows, is_group);
}

const ValidationRule& row_of(Rule rule) { return rows[static_cast<std::size_t>(rule)]; }

std::string_view message_of(Rule rule) { return messages[static_cast<std::size_t>(rule)]; }

Unsound unsound_after(Rule rule) { return unsound_rows[static_cast<std::size_t>(rule)]; }

std::span<const LimitRow> limits() { return limit_rows; }

std::span<const FeatureRow> features() { return feature_rows; }

}  // namespace vireo::spirv
