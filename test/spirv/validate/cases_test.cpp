// SPDX-License-Identifier: Apache-2.0
//
// The validator reports exactly the rules of each case, and every rule has its cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

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

// Rules that need a module which no text can express, with the reason.
const std::map<std::string_view, std::string_view> without_cases = {
    {"id-bound", "the assembler states a true bound; validate_test.cpp has the words"},
    {"id-bound-limit", "the same"},
    {"work-limit", "large modules; growth_test.cpp makes them"},
    {"universal-limit", "long lists; validate_test.cpp has other limits"},
    {"nesting-depth", "a thousand constructs; validate_test.cpp makes them"},
    {"unused-allow", "words have no comments; one_call/allow_comments_test.cpp has texts"},
    {"device-version", "a case has no profile; profile_test.cpp has them"},
    {"device-capability", "the same"},
    {"device-extension", "the same"},
    {"device-texel-offset", "the same"},
    {"device-limit", "a case has no profile; tables/device_limit_rows_test.cpp has modules for each limit"},
};

TEST(ValidatorCases, every_rule_has_an_invalid_and_a_valid_case) {
  std::set<std::string> kept_groups;
  const auto cases = test::validator_cases();
  for (const ValidatorCase& the_case : cases) {
    if (the_case.rules.empty()) kept_groups.insert(the_case.file + the_case.group);
  }
  std::set<std::string> covered;
  for (const ValidatorCase& the_case : cases) {
    EXPECT_TRUE(kept_groups.contains(the_case.file + the_case.group))
        << the_case.file << ':' << the_case.line << ": the group " << the_case.group << " has no valid case";
    covered.insert(the_case.rules.begin(), the_case.rules.end());
  }
  for (const ValidationRule& rule : validation_rules()) {
    EXPECT_TRUE(covered.contains(std::string(rule.name)) || without_cases.contains(rule.name))
        << "no case breaks " << rule.name;
  }
}

}  // namespace
}  // namespace vireo::spirv
