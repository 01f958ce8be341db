// SPDX-License-Identifier: Apache-2.0
//
// The tables behind typing_rules.h, read from the stanzas of typing rules.
#include "spirv/validate/rules/typing_rules.h"

#include <algorithm>
#include <span>

namespace vireo::spirv {
namespace {

struct FamilyRule {
  std::string_view class_or_set;
  Rule rule;
};

constexpr FamilyRule result_type_rules[] = {
#define RULE(...)
#define RESULT_TYPE(identifier, prefix, section, description, source, ...) {source, Rule::identifier##ResultType},
#include "spirv/validate/rules/rules.def"
#undef RULE
};
constexpr FamilyRule operand_type_rules[] = {
#define RULE(...)
#define OPERAND_TYPE(identifier, prefix, section, description, source, ...) {source, Rule::identifier##OperandType},
#include "spirv/validate/rules/rules.def"
#undef RULE
};
constexpr FamilyRule type_match_rules[] = {
#define RULE(...)
#define TYPE_MATCH(identifier, prefix, section, description, source, ...) {source, Rule::identifier##TypeMatch},
#include "spirv/validate/rules/rules.def"
#undef RULE
};

// The last row is the family of extensions.
Rule find(std::span<const FamilyRule> rules, std::string_view class_or_set) {
  const auto found = std::ranges::find(rules, class_or_set, &FamilyRule::class_or_set);
  return found == rules.end() ? rules.back().rule : found->rule;
}

}  // namespace

TypingRules typing_rules(std::string_view class_or_set) {
  return {find(result_type_rules, class_or_set), find(operand_type_rules, class_or_set),
          find(type_match_rules, class_or_set)};
}

}  // namespace vireo::spirv
