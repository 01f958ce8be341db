// SPDX-License-Identifier: Apache-2.0
//
// The notes of findings about uniformity lead from the source of divergence to the place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/validate/support/case_reader.h"

namespace vireo::spirv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view shader_of_notes = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" @variables
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %lane_input BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u4 = OpConstant %u32 4
%workgroup = OpConstant %u32 2
%acqrel = OpConstant %u32 264
%in_u32 = OpTypePointer Input %u32
%function_u32 = OpTypePointer Function %u32
%private_u32 = OpTypePointer Private %u32
%taker = OpTypeFunction %void %function_u32
%lane_input = OpVariable %in_u32 Input
%private = OpVariable %private_u32 Private
%main = OpFunction %void None %fn
%entry = OpLabel
%variable = OpVariable %function_u32 Function
%lane = OpLoad %u32 %lane_input
)";

// The notes of all findings.
std::vector<std::string> notes_of(const std::string& body) {
  test::ValidatorCase the_case;
  the_case.environment = "vulkan1.3";
  the_case.file = "notes";
  the_case.text = std::string(shader_of_notes) + body;
  const auto read = test::read_case(the_case);
  if (!read) return {"no module"};
  Diagnostics found;
  validate(read->words, read->options, found);
  std::vector<std::string> notes;
  for (const Diagnostic& each : found.all()) {
    for (const Note& note : each.notes) notes.push_back(note.message);
  }
  return notes;
}

constexpr std::string_view barrier_if_low = R"(%condition = OpULessThan %bool %value %u4
OpSelectionMerge %done None
OpBranchConditional %condition %then %done
%then = OpLabel
OpControlBarrier %workgroup %workgroup %acqrel
OpBranch %done
%done = OpLabel
)";
constexpr std::string_view end_of_function = "OpReturn\nOpFunctionEnd\n";

TEST(UniformityNotes, name_a_call_that_writes) {
  const std::string helper =
      "%helper = OpFunction %void None %taker\n%target = OpFunctionParameter %function_u32\n%begin = OpLabel\n"
      "%again = OpLoad %u32 %lane_input\nOpStore %target %again\n";
  EXPECT_THAT(
      notes_of("OpStore %variable %u4\n%call = OpFunctionCall %void %helper %variable\n"
               "%value = OpLoad %u32 %variable\n" +
               std::string(barrier_if_low) + std::string(end_of_function) + helper + std::string(end_of_function)),
      ElementsAre(HasSubstr("may write different values"), HasSubstr("may differ"), HasSubstr("branches")));
}

TEST(UniformityNotes, name_the_private_variable_of_a_call) {
  const std::string helper = "%helper = OpFunction %void None %fn\n%begin = OpLabel\n%value = OpLoad %u32 %private\n" +
                             std::string(barrier_if_low);
  EXPECT_THAT(notes_of("OpStore %private %lane\n%call = OpFunctionCall %void %helper\n" + std::string(end_of_function) +
                       helper + std::string(end_of_function)),
              ElementsAre(HasSubstr("LocalInvocationIndex"), HasSubstr("it is in variable"), HasSubstr("may differ"),
                          HasSubstr("branches")));
}

TEST(UniformityNotes, name_the_return_of_some_invocations) {
  EXPECT_THAT(notes_of("%low = OpULessThan %bool %lane %u4\nOpSelectionMerge %rest None\n"
                       "OpBranchConditional %low %early %rest\n%early = OpLabel\nOpReturn\n%rest = OpLabel\n"
                       "OpControlBarrier %workgroup %workgroup %acqrel\n" +
                       std::string(end_of_function)),
              ElementsAre(HasSubstr("LocalInvocationIndex"), HasSubstr("may differ"), HasSubstr("branches"),
                          HasSubstr("leave by OpReturn")));
}

}  // namespace
}  // namespace vireo::spirv
