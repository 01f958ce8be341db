// SPDX-License-Identifier: Apache-2.0
//
// Instructions that are nearly like one that was found right: what makes them wrong is not overlooked.
//
// The one idea: validation remembers what was found right (alike.h), so a wrong instruction is put behind a right one that
// differs from it in one thing only: a literal, a type, which constant it takes or function it calls, what made its pointer,
// which variable that leads to. Both stand in one module, and the wrong one is told, each time it comes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/validate/findings.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view surroundings = R"(; Version: 1.3
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block Block
OpDecorate %buffer_block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %buffer_block 0 Offset 0
OpDecorate %uniform DescriptorSet 0
OpDecorate %uniform Binding 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %u32 2
%pair = OpTypeStruct %u32 %f32
%block = OpTypeStruct %u32
%buffer_block = OpTypeStruct %u32
%pair_ptr = OpTypePointer Function %pair
%u32_ptr = OpTypePointer Function %u32
%block_ptr = OpTypePointer Uniform %block
%buffer_ptr = OpTypePointer Uniform %buffer_block
%member_ptr = OpTypePointer Uniform %u32
%uniform = OpVariable %block_ptr Uniform
%buffer = OpVariable %buffer_ptr Uniform
%true = OpConstantTrue %bool
%zero = OpConstant %u32 0
%one = OpConstant %u32 1
%two = OpConstant %u32 2
%half = OpConstant %f32 0.5
%both = OpConstantComposite %v2 %one %one
%mixed = OpConstantComposite %pair %one %half
%takes_u32 = OpTypeFunction %u32 %u32
%takes_f32 = OpTypeFunction %u32 %f32
%takes_ptr = OpTypeFunction %u32 %u32_ptr
%of_u32 = OpFunction %u32 None %takes_u32
%p1 = OpFunctionParameter %u32
%b1 = OpLabel
OpReturnValue %p1
OpFunctionEnd
%of_f32 = OpFunction %u32 None %takes_f32
%p2 = OpFunctionParameter %f32
%b2 = OpLabel
OpReturnValue %one
OpFunctionEnd
%of_ptr = OpFunction %u32 None %takes_ptr
%p3 = OpFunctionParameter %u32_ptr
%b3 = OpLabel
OpReturnValue %one
OpFunctionEnd
%main = OpFunction %void None %fn
%entry = OpLabel
%var = OpVariable %pair_ptr Function
%number = OpVariable %u32_ptr Function
%made_by_nothing = OpUndef %u32_ptr
%in_var = OpAccessChain %u32_ptr %var %zero
%in_buffer = OpAccessChain %member_ptr %buffer %zero
%in_uniform = OpAccessChain %member_ptr %uniform %zero
)";

struct NearlyAlike {
  std::string_view what;  // the two lines differ in
  std::string_view right, wrong;
  std::string_view rule;
};
constexpr NearlyAlike nearly_alike[] = {
    {"the type of an operand", "OpIAdd %u32 %one %one", "OpIAdd %u32 %one %half", "operand-shape"},
    {"the type of the result", "OpIAdd %u32 %one %one", "OpIAdd %f32 %one %one", "result-shape"},
    {"a literal", "OpCompositeExtract %u32 %mixed 0", "OpCompositeExtract %u32 %mixed 2", "index-bounds"},
    {"the last literal of some", "OpVectorShuffle %v2 %both %both 0 3", "OpVectorShuffle %v2 %both %both 0 4",
     "index-bounds"},
    {"a memory operand", "OpLoad %u32 %number Aligned 4", "OpLoad %u32 %number Aligned 3", "alignment-power"},
    {"which constant", "OpAccessChain %u32_ptr %var %zero", "OpAccessChain %u32_ptr %var %two", "index-bounds"},
    {"a number of an extended instruction", "OpExtInst %f32 %glsl FMax %half %half",
     "OpExtInst %f32 %glsl SMax %half %half", "result-shape"},
    {"what made a pointer", "OpLoad %u32 %number", "OpLoad %u32 %made_by_nothing", "logical-pointer"},
    {"which function", "OpFunctionCall %u32 %of_u32 %one", "OpFunctionCall %u32 %of_f32 %one", "operand-relation"},
    {"what made a pointer argument", "OpFunctionCall %u32 %of_ptr %number", "OpFunctionCall %u32 %of_ptr %in_var",
     "argument-declaration"},
    {"where a pointer leads", "OpStore %in_buffer %one", "OpStore %in_uniform %one", "uniform-block-store"},
};

// As a line of its own, with a result where there is one.
std::string as_line(std::string_view instruction, int number) {
  const bool has_result = !instruction.starts_with("OpStore");
  return (has_result ? "%r" + std::to_string(number) + " = " : std::string()) + std::string(instruction) + '\n';
}

std::vector<std::string> rules_told_of(const std::string& lines) {
  ValidateOptions options;
  options.environment = find_environment("vulkan1.1");
  return test::rules_of(test::findings_of(std::string(surroundings) + lines + "OpReturn\nOpFunctionEnd\n", options));
}

class Alike : public testing::TestWithParam<NearlyAlike> {};

TEST_P(Alike, right_ones_hide_no_wrong_one) {
  const NearlyAlike& row = GetParam();
  const std::string twice_right = as_line(row.right, 1) + as_line(row.right, 2);
  EXPECT_THAT(rules_told_of(twice_right), testing::IsEmpty());
  const std::string rule(row.rule);
  EXPECT_THAT(rules_told_of(twice_right + as_line(row.wrong, 3)), testing::ElementsAre(rule));
  // What is wrong is told each time, and what is right in between stays right.
  EXPECT_THAT(rules_told_of(as_line(row.wrong, 1) + as_line(row.right, 2) + as_line(row.wrong, 3)),
              testing::ElementsAre(rule, rule));
}

INSTANTIATE_TEST_SUITE_P(Rows, Alike, testing::ValuesIn(nearly_alike), [](const auto& info) {
  std::string name(info.param.what);
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace vireo::spirv
