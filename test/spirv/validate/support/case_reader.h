// SPDX-License-Identifier: Apache-2.0
//
// Cases of the validator: small modules as text, with the rules that each violates.
//
// Two modules that differ in one respect test a rule. So the cases of a rule form a group, and each case
// is a few lines. Common beginnings of shaders are macros. A file of cases:
//
//   === vector_components               a group; its name is a fact or a subject
//   --- valid                           a module that breaks no rule
//   @shader
//   %v = OpTypeVector %f32 4
//   --- component-count                 one that breaks exactly this rule, and once
//   @shader
//   %v = OpTypeVector %f32 5
//   --- component-count type-constituent | vulkan1.2 --scalar-block-layout
//
// Several rules, or one rule several times, are in the order of the findings. The target environment and features
// follow the bar, and `+name` for a rule or group that is off by default. `@name` is replaced by the lines of that macro
// (macros.cases, between `@@ name` and the next) or of that prelude (rules/preludes.def). `@variables` after an
// OpEntryPoint is replaced by the variables of the case that an entry point of its version lists.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv::test {

struct ValidatorCase {
  std::string file, group;
  std::size_t line = 0;            ///< of the `---`
  std::vector<std::string> rules;  ///< in the order of the findings; empty: valid
  std::string environment;         ///< empty: universal
  std::vector<std::string> features;
  std::vector<std::string> more_rules;  ///< rules and groups that are off by default
  std::string text;                     ///< macros expanded
};

/// All cases of the folder test/spirv/validate/cases, by file and line.
std::vector<ValidatorCase> validator_cases();

/// A case, ready to validate.
struct ReadCase {
  WordBuffer words;
  ValidateOptions options;
};
/// Empty, after a failure of the test, if the text or an option is invalid.
std::optional<ReadCase> read_case(const ValidatorCase& the_case);

/// The rules that the validator reports for a case, in order.
std::vector<std::string> rules_broken_by(const ValidatorCase& the_case);

}  // namespace vireo::spirv::test
