// SPDX-License-Identifier: Apache-2.0
//
// The validator reports exactly the rules of each case.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
