// SPDX-License-Identifier: Apache-2.0
//
// The tables behind typing_rules.h, read from typing_families.def.
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
#define RESULT_TYPE(identifier, prefix, section, description, source) {source, Rule::identifier##ResultType},
#include "spirv/validate/rules/typing_families.def"
};
constexpr FamilyRule operand_type_rules[] = {
#define OPERAND_TYPE(identifier, prefix, section, description, source) {source, Rule::identifier##OperandType},
#include "spirv/validate/rules/typing_families.def"
};
constexpr FamilyRule type_match_rules[] = {
#define TYPE_MATCH(identifier, prefix, section, description, source) {source, Rule::identifier##TypeMatch},
#include "spirv/validate/rules/typing_families.def"
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
