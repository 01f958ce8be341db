// SPDX-License-Identifier: Apache-2.0
//
// The lines that expand_example() adds to the example of a rule.
#include "spirv/validate/rules/rule_examples.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace vireo::spirv {
namespace {

TEST(RuleExamples, without_a_prelude_stay_as_they_are) {
  constexpr std::string_view complete = " OpCapability Shader\n-%a = OpTypeVoid\n";
  EXPECT_EQ(expand_example(complete), complete);
  EXPECT_EQ(expand_example(""), "");
}

TEST(RuleExamples, get_a_header_declarations_and_an_entry_point) {
  EXPECT_EQ(expand_example("@shader\n-%v = OpTypeVector %f32 5\n+%v = OpTypeVector %f32 4\n"),
            " OpCapability Shader\n"
            " OpMemoryModel Logical GLSL450\n"
            " OpEntryPoint GLCompute %main \"main\"\n"
            " OpExecutionMode %main LocalSize 1 1 1\n"
            " %void = OpTypeVoid\n"
            " %fn = OpTypeFunction %void\n"
            " %f32 = OpTypeFloat 32\n"
            "-%v = OpTypeVector %f32 5\n"
            "+%v = OpTypeVector %f32 4\n"
            " %main = OpFunction %void None %fn\n"
            " %entry = OpLabel\n"
            " OpReturn\n"
            " OpFunctionEnd\n");
}

TEST(RuleExamples, keep_their_own_declarations_modes_and_marks) {
  const std::string text = expand_example(
      "@shader\n"
      "+OpCapability Int64\n"
      "-OpExecutionMode %main LocalSize 0 1 1\n"
      " %one = OpConstant %u64 1\n"
      "@main\n");
  EXPECT_EQ(text.find("LocalSize 1 1 1"), std::string::npos);
  EXPECT_NE(text.find("+OpCapability Int64\n OpMemoryModel"), std::string::npos) << text;
  EXPECT_NE(text.find(" %u64 = OpTypeInt 64 0\n %one = OpConstant %u64 1\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(" %entry = OpLabel\n OpReturn\n OpFunctionEnd\n")) << text;
}

TEST(RuleExamples, list_variables_and_declare_extensions) {
  const std::string text = expand_example(
      "@shader\n"
      " OpCapability UntypedPointersKHR\n"
      " %counter = OpVariable %workgroup_u32 Workgroup\n"
      "@main\n"
      " %local = OpVariable %function_u32 Function\n");
  EXPECT_NE(text.find("\"main\" %counter\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" OpExtension \"SPV_KHR_untyped_pointers\"\n OpMemoryModel"), std::string::npos) << text;
  const std::string own =
      expand_example("@shader\n OpCapability UntypedPointersKHR\n+OpExtension \"SPV_KHR_untyped_pointers\"\n");
  EXPECT_EQ(own.find(" OpExtension"), std::string::npos) << own;
}

TEST(RuleExamples, show_unknown_preludes) {
  EXPECT_NE(expand_example("@no_such_prelude\n").find("@no_such_prelude"), std::string::npos);
}

}  // namespace
}  // namespace vireo::spirv
