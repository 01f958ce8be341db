// SPDX-License-Identifier: Apache-2.0
//
// The names of the rules for instruction set descriptions, for all of src/isa.
//
// A rule is a row of rules.def. Scripts match its name; `vireo explain RULE` prints the row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace vireo::isa {

enum class RuleSeverity : std::uint8_t {
  Error,
  // A separate severity, so that users can migrate a description from Mesa's tools: all faults are reported, but none
  // stops the tool.
  Fault,  ///< an error that Mesa's tools accept; a warning under mesa_compat
  Warning,
};

struct RuleRow {
  std::string_view name;
  RuleSeverity severity;
  std::string_view requirement;  ///< the requirement, as a statement about a valid input
  std::string_view fix;          ///< sentences that say how to meet it
};

namespace rule {
#define RULE(identifier, name, severity, requirement, fix) inline constexpr std::string_view identifier = name;
#include "isa/model/rules.def"
#undef RULE
}  // namespace rule

inline constexpr RuleRow rule_rows[] = {
#define RULE(identifier, name, severity, requirement, fix) {name, RuleSeverity::severity, requirement, fix},
#include "isa/model/rules.def"
#undef RULE
};

/// Returns the row of a rule, or null.
constexpr const RuleRow* find_rule(std::string_view name) {
  const auto* row = std::find_if(std::begin(rule_rows), std::end(rule_rows),
                                 [&](const RuleRow& candidate) { return candidate.name == name; });
  return row == std::end(rule_rows) ? nullptr : row;
}

}  // namespace vireo::isa
