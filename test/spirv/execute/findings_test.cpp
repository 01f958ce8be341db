// SPDX-License-Identifier: Apache-2.0
//
// What findings of executions say. The examples of the rules are executed with those of all rules
// (validate/rule_texts_test.cpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spirv/execute/run_support.h"

namespace vireo::spirv {
namespace {

using test::run_text;
using test::RunOutcome;
using test::RunSetup;
using test::shader;
using testing::ElementsAre;
using testing::IsEmpty;

RunOutcome run_with(std::string_view text, std::vector<Word> words, RunOptions options = {}) {
  RunSetup setup;
  setup.options = options;
  setup.buffers = {{0, std::move(words)}};
  return run_text(text, setup);
}

TEST(RunFindings, state_an_invocation_the_values_and_a_count) {
  const RunOutcome outcome = run_with(shader("", R"(
%index = OpLoad %u32 %local
%p = OpAccessChain %to_u32 %data %c0 %index
%divisor = OpLoad %u32 %p
%quotient = OpUDiv %u32 %index %divisor
OpStore %p %quotient
)",
                                             "4 1 1"),
                                      {1, 0, 1, 0});
  EXPECT_THAT(outcome.texts, ElementsAre("%divisor is 0, so the result of OpUDiv is undefined; in invocation 1,0,0: "
                                         "%index = 1, %divisor = 0; found 2 times"));
  EXPECT_EQ(outcome.report.findings, 2u);
}

TEST(RunFindings, name_the_element_that_an_access_misses) {
  EXPECT_THAT(run_with(shader("", R"(
%p = OpAccessChain %to_u32 %data %c0 %c8
OpStore %p %c1
)"),
                       {0, 0})
                  .texts,
              ElementsAre("OpStore accesses data[0][8] (4 bytes at offset 32), outside %data, which has 8 bytes; in "
                          "invocation 0,0,0"));
}

// An undefined value may be copied. The finding is where the execution depends on it, and says where it came from.
TEST(RunFindings, follow_undefined_values_to_their_use) {
  const RunOutcome outcome = run_with(shader("", R"(
%variable = OpVariable %fn_u32 Function
%copy = OpVariable %fn_u32 Function
%value = OpLoad %u32 %variable
OpStore %copy %value
%again = OpLoad %u32 %copy
%sum = OpIAdd %u32 %again %c1
%p = OpAccessChain %to_u32 %data %c0 %c0
OpStore %p %sum
)"),
                                      {0}, {.undefined = UndefinedBytes::Zero});
  EXPECT_THAT(outcome.texts,
              ElementsAre("%sum is undefined, and the store makes it visible to others; in invocation 0,0,0: "
                          "%sum = 1; %value is undefined here"));
}

TEST(RunFindings, are_silent_about_undefined_values_that_nothing_uses) {
  EXPECT_THAT(run_with(shader("%undefined = OpUndef %u32\n", R"(
%true = OpIEqual %bool %c1 %c1
%chosen = OpSelect %u32 %true %c2 %undefined
%p = OpAccessChain %to_u32 %data %c0 %c0
OpStore %p %chosen
)"),
                       {0})
                  .rules,
              IsEmpty());
}

TEST(RunFindings, have_the_severities_that_the_user_chooses) {
  const std::string text = shader("", R"(
%p = OpAccessChain %to_u32 %data %c0 %c0
%divisor = OpLoad %u32 %p
%quotient = OpUDiv %u32 %c1 %divisor
)");
  const RuleChoice off[] = {{"zero-divisor", std::nullopt}};
  EXPECT_THAT(run_with(text, {0}, {.rules = off}).rules, IsEmpty());
  const RuleChoice group[] = {{"undefined-behavior", std::nullopt}};
  EXPECT_THAT(run_with(text, {0}, {.rules = group}).rules, IsEmpty());
  EXPECT_EQ(run_severity("zero-divisor"), Severity::Error);
  EXPECT_EQ(run_severity("undefined-output"), Severity::Warning);
  EXPECT_EQ(run_severity("unknown-opcode"), std::nullopt);
}

TEST(RunFindings, of_accesses_outside_buffers_are_warnings_with_robustness) {
  const std::string text = shader("", R"(
%p = OpAccessChain %to_u32 %data %c0 %c8
%value = OpLoad %u32 %p
%first = OpAccessChain %to_u32 %data %c0 %c0
OpStore %first %value
)");
  const RunOutcome outcome = run_with(text, {7}, {.robustness = Robustness::Robust2});
  EXPECT_THAT(outcome.rules, ElementsAre("out-of-bounds"));
  EXPECT_THAT(outcome.buffers[0].words, ElementsAre(0));
}

// One descriptor of the buffer is written, the other one is read.
TEST(RunFindings, see_one_buffer_behind_two_descriptors) {
  const std::string text = [] {
    std::string made = shader("%other = OpVariable %to_block StorageBuffer\n", R"(
%index = OpLoad %u32 %local
%flipped = OpBitwiseXor %u32 %index %c1
%p = OpAccessChain %to_u32 %data %c0 %index
OpStore %p %index
OpControlBarrier %c2 %c2 %semantics
%q = OpAccessChain %to_u32 %other %c0 %flipped
%value = OpLoad %u32 %q
)",
                              "2 1 1");
    made.insert(made.find("OpDecorate %words"), "OpDecorate %other DescriptorSet 0\nOpDecorate %other Binding 1\n");
    return made;
  }();
  RunSetup setup;
  setup.buffers = {{0, {0, 0}}, {1, {0, 0}}};
  EXPECT_THAT(run_text(text, setup).rules, IsEmpty());
  setup.buffers = {{0, {0, 0}}, {1, {}}};
  EXPECT_THAT(run_text(text, setup).rules, ElementsAre("alias-race"));
}

}  // namespace
}  // namespace vireo::spirv
