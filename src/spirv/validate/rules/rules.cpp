// SPDX-License-Identifier: Apache-2.0
//
// The tables behind rules.h, read from rules.def.
#include "spirv/validate/rules/rules.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "vireo/spirv/validate/option_rows.h"

namespace vireo::spirv {
namespace {

constexpr auto stanzas = [] {
  using enum Severity;
  using enum Unsound;
  return std::to_array<RuleStanza>({
#define RULE(identifier, name_, section_, ...) \
  {.rule = Rule::identifier, .name = name_, .section = section_, __VA_ARGS__},
#include "spirv/validate/rules/rules.def"
#undef RULE
  });
}();

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

// The feature among the conditions that lift a rule: "capability Int8; feature relax-block-layout".
std::optional<Feature> lifting_feature(std::string_view conditions) {
  constexpr std::string_view kind = "feature ";
  const std::size_t at = conditions.find(kind);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = conditions.substr(at + kind.size());
  const std::string_view name = rest.substr(0, rest.find(';'));
  for (const FeatureRow& row : feature_rows) {
    if (row.name == name) return row.feature;
  }
  return std::nullopt;
}

std::array<ValidationRule, std::size(stanzas)> read_rows() {
  std::array<ValidationRule, std::size(stanzas)> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const RuleStanza& stanza = stanzas[i];
    table[i] = {stanza.name.text,
                stanza.severity,
                stanza.section.text,
                stanza.vuids.text,
                lifting_feature(stanza.lifted_by.text),
                stanza.requirement.text,
                stanza.is_off};
  }
  return table;
}

}  // namespace

// Computed on the first call and constant afterwards: a table at compile time would double the size of the stanzas.
std::span<const ValidationRule> validation_rules() {
  static const auto rows = read_rows();
  return rows;
}

const ValidationRule* find_validation_rule(std::string_view name) {
  const std::span<const ValidationRule> rows = validation_rules();
  const auto found = std::ranges::find(rows, name, &ValidationRule::name);
  return found == rows.end() ? nullptr : &*found;
}

std::span<const RenamedRule> renamed_rules() { return renamed_rows; }

std::span<const GroupedRule> grouped_rules() { return group_rows; }

bool is_named(std::string_view rule, std::string_view name) {
  const auto is_old_name = [&](const RenamedRule& row) { return row.old_name == name && row.name == rule; };
  const auto is_group = [&](const GroupedRule& row) { return row.group == name && row.name == rule; };
  return rule == name || std::ranges::any_of(renamed_rows, is_old_name) || std::ranges::any_of(group_rows, is_group);
}

bool is_of_pipelines(const ValidationRule& rule) {
  return stanzas[static_cast<std::size_t>(&rule - validation_rules().data())].options.text.starts_with("--pipeline");
}

bool is_of_runs(const ValidationRule& rule) {
  return stanzas[static_cast<std::size_t>(&rule - validation_rules().data())].options.text.starts_with("run");
}

const ValidationRule& row_of(Rule rule) { return validation_rules()[static_cast<std::size_t>(rule)]; }

std::span<const RuleStanza> rule_stanzas() { return stanzas; }

const RuleStanza& stanza_of(Rule rule) { return stanzas[static_cast<std::size_t>(rule)]; }

std::span<const LimitRow> limits() { return limit_rows; }

std::span<const FeatureRow> features() { return feature_rows; }

}  // namespace vireo::spirv
