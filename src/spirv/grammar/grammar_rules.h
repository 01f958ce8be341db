// SPDX-License-Identifier: Apache-2.0
//
// The names of the rules for grammar documents; the rules for modules and text are in spirv/rules.h.
//
// A rule is a row of grammar_rules.def. Loading reports errors; the lints are warnings of `vireo grammar check`.
#pragma once

#include <string_view>

#include "spirv/rules.h"

namespace vireo::spirv {

namespace rule {
#define RULE(identifier, name, subject, requirement, fix) inline constexpr std::string_view identifier = name;
#include "spirv/grammar/grammar_rules.def"
#undef RULE
}  // namespace rule

inline constexpr RuleRow grammar_rule_rows[] = {
#define RULE(identifier, name, subject, requirement, fix) {name, RuleSubject::subject, requirement, fix},
#include "spirv/grammar/grammar_rules.def"
#undef RULE
};

}  // namespace vireo::spirv
