// SPDX-License-Identifier: Apache-2.0
//
// The validator reports exactly the rules of each case.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "spirv/validate/support/case_reader.h"

namespace vireo::spirv {
namespace {

using test::ValidatorCase;

TEST(ValidatorCases, report_exactly_their_rules) {
  const auto cases = test::validator_cases();
  ASSERT_FALSE(cases.empty());
  for (const ValidatorCase& the_case : cases) {
    EXPECT_THAT(test::rules_broken_by(the_case), testing::ElementsAreArray(the_case.rules))
        << the_case.file << ':' << the_case.line << " in group " << the_case.group;
  }
}

// A rule that is lowered to a warning hides no error, so the errors are those without the rule. The same holds for VUIDs.
TEST(ValidatorCases, have_the_errors_behind_lowered_rules) {
  std::size_t choices = 0;
  for (const ValidatorCase& the_case : test::validator_cases()) {
    if (the_case.rules.empty()) continue;
    const auto read = test::read_case(the_case);
    ASSERT_TRUE(read);
    const auto found_with = [&](const std::vector<RuleChoice>& rules) {
      ValidateOptions options = read->options;
      options.rules = rules;
      Diagnostics found;
      validate(read->words, options, found);
      return found;
    };
    std::set<std::string> names;
    const Diagnostics all = found_with({});
    for (const Diagnostic& each : all.all()) {
      if (each.severity != Severity::Error) continue;
      names.emplace(each.rule);
      if (!each.requirement.empty()) names.emplace(each.requirement);
    }
    const auto errors_with = [&](const std::string& name, std::optional<Severity> severity) {
      std::vector<std::string> errors;
      const Diagnostics found = found_with({{name, severity}});
      for (const Diagnostic& each : found.all()) {
        if (each.severity == Severity::Error) errors.push_back(std::string(each.rule) + ": " + each.message);
      }
      return errors;
    };
    for (const std::string& name : names) {
      EXPECT_EQ(errors_with(name, Severity::Warning), errors_with(name, std::nullopt))
          << the_case.file << ':' << the_case.line << " with " << name << " as a warning";
      ++choices;
    }
  }
  EXPECT_GE(choices, 1'500u);
}

// rule_texts_test.cpp checks that each rule has an example, a module that breaks it and one that does not.
TEST(ValidatorCases, are_in_groups_with_a_valid_case) {
  std::set<std::string> valid_groups;
  const auto cases = test::validator_cases();
  for (const ValidatorCase& the_case : cases) {
    if (the_case.rules.empty()) valid_groups.insert(the_case.file + the_case.group);
  }
  for (const ValidatorCase& the_case : cases) {
    EXPECT_TRUE(valid_groups.contains(the_case.file + the_case.group))
        << the_case.file << ':' << the_case.line << ": the group " << the_case.group << " has no valid case";
  }
}

}  // namespace
}  // namespace vireo::spirv
