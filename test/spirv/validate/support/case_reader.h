// SPDX-License-Identifier: Apache-2.0
//
// Cases of the validator: small modules as text, and the rules that each breaks.
//
// The one idea: a rule is tested by two modules that differ in one thing, so the cases of a rule stand together as a
// group, and each case is a few lines. What all shaders begin with is a macro. A file of cases:
//
//   === vector_components               a group; its name is a fact or a subject
//   --- valid                           a module that breaks no rule
//   @shader
//   %v = OpTypeVector %f32 4
//   --- component-count                 one that breaks exactly this rule, and once
//   @shader
//   %v = OpTypeVector %f32 5
//   --- component-count type-part | vulkan1.2 --scalar-block-layout
//
// Several rules, or one rule several times, stand in the order in which they are reported. Behind the bar: the target
// environment, and features. `@name` stands for the lines of that macro (macros.cases, between `@@ name` and the next).
// `@variables` behind an OpEntryPoint stands for the variables of the case that an entry point of its version lists.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/validate.h"

namespace vireo::spirv::test {

struct ValidatorCase {
  std::string file, group;
  std::size_t line = 0;            ///< of the `---`
  std::vector<std::string> rules;  ///< what is reported, in order; empty: valid
  std::string environment;         ///< empty: universal
  std::vector<std::string> features;
  std::string text;  ///< macros expanded
};

/// All cases of the folder test/spirv/validate/cases, by file and line.
std::vector<ValidatorCase> validator_cases();

/// A case as what is validated.
struct ReadCase {
  WordBuffer words;
  ValidateOptions options;
};
/// Nothing, after a failure, when the text is none, or an option.
std::optional<ReadCase> read_case(const ValidatorCase& the_case);

/// The names of what the validator reports of a case, in order.
std::vector<std::string> rules_broken_by(const ValidatorCase& the_case);

}  // namespace vireo::spirv::test
