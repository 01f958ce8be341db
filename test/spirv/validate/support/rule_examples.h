// SPDX-License-Identifier: Apache-2.0
//
// Validates the examples of rules (vireo/spirv/validate/rule_texts.h) under their options.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/text/source_map.h"
#include "vireo/spirv/validate/profile.h"
#include "vireo/spirv/validate/rule_texts.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv::test {

/// The options of an example, as ValidateOptions.
struct ExampleOptions {
  explicit ExampleOptions(std::string_view options);
  ExampleOptions(const ExampleOptions&) = delete;

  std::string document;  ///< the profile with the same settings
  std::optional<Profile> profile;
  ValidateOptions options;
};

/// The words of an example, with the newest version of the environment unless the text states one. Empty, after a
/// failure of the test, if the text is wrong.
WordBuffer words_of_example(const RuleText& text, const ExampleOptions& options, std::string_view module,
                            SourceMap* map = nullptr);

/// The rules that the validator reports for a module of an example, in order.
std::vector<std::string> rules_broken_by_example(const RuleText& text, std::string_view module,
                                                 std::optional<RuleChoice> choice = std::nullopt);

/// The VUIDs of the findings for a module of an example, in order; empty texts for findings without one.
std::vector<std::string> vuids_of_example(const RuleText& text, std::string_view module);

}  // namespace vireo::spirv::test
