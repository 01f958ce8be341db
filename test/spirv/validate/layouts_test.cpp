// SPDX-License-Identifier: Apache-2.0
//
// Layouts and locations of sizes that need generated modules: a type is checked once for all its uses, sizes do not
// overflow, and an array of any length is one interval.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spirv/validate/support/findings.h"

namespace vireo::spirv {
namespace {

std::vector<std::string> findings_in(const std::string& text, ValidateOptions options = {}) {
  options.environment = find_environment("vulkan1.1").value();
  return test::rules_and_messages_of(test::findings_of(text, options));
}

// A storage buffer of type %top, with annotations and with type declarations that use %f32.
std::string buffer(const std::string& annotations, const std::string& types) {
  return R"(; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %top Block
OpDecorate %v DescriptorSet 0
OpDecorate %v Binding 0
)" + annotations +
         R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%n2 = OpConstant %u32 2
%most = OpConstant %u32 4294967295
)" + types +
         R"(%ptr = OpTypePointer StorageBuffer %top
%v = OpVariable %ptr StorageBuffer
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
)";
}

// Structures that each contain the previous one twice: 2^28 floats in the last one.
std::string pairs_of_pairs(std::string_view second_of_first) {
  constexpr int links = 28;
  std::string annotations = "OpMemberDecorate %s0 0 Offset 0\nOpMemberDecorate %s0 1 Offset 4\n";
  std::string types = "%s0 = OpTypeStruct %f32 %f32\n";
  for (int i = 1; i < links; ++i) {
    const std::string name = "%s" + std::to_string(i), inner = "%s" + std::to_string(i - 1);
    const std::string second = i == 1 ? std::string(second_of_first) : std::to_string(4u << i);
    annotations += "OpMemberDecorate " + name + " 0 Offset 0\nOpMemberDecorate " + name + " 1 Offset " + second + '\n';
    types += name + " = OpTypeStruct " + inner + ' ' + inner + '\n';
  }
  return buffer(annotations + "OpMemberDecorate %top 0 Offset 0\n", types + "%top = OpTypeStruct %s27\n");
}

TEST(Layouts, a_type_is_checked_once) {
  EXPECT_THAT(findings_in(pairs_of_pairs("8")), testing::IsEmpty());
  EXPECT_THAT(findings_in(pairs_of_pairs("4")),
              testing::ElementsAre(
                  "member-overlap: member 1 of %5 at offset 4 overlaps member 0 of %5, which extends to offset 8"));
}

TEST(Layouts, nested_arrays_are_walked_once) {
  constexpr int depth = 20000;
  std::string annotations = "OpMemberDecorate %top 0 Offset 0\n", types;
  for (int i = 0; i < depth; ++i) {
    annotations += "OpDecorate %a" + std::to_string(i) + " ArrayStride 4\n";
    types += "%a" + std::to_string(i) + " = OpTypeArray " + (i == 0 ? "%f32" : "%a" + std::to_string(i - 1)) + " %n2\n";
  }
  types += "%top = OpTypeStruct %a" + std::to_string(depth - 1) + '\n';
  // %a0 is valid: a float every 4 bytes. %a1 has elements of 8 bytes with a stride of 4.
  const std::vector<std::string> messages = findings_in(buffer(annotations, types));
  ASSERT_FALSE(messages.empty());
  EXPECT_EQ(messages.front(),
            "array-stride-size: ArrayStride 4 of %5 is less than the 8 bytes of an element, array<f32, 2>");
}

TEST(Layouts, sizes_do_not_overflow) {
  const std::string annotations = R"(OpDecorate %a ArrayStride 4
OpDecorate %b ArrayStride 4294967292
OpMemberDecorate %top 0 Offset 0
OpMemberDecorate %top 1 Offset 16
)";
  const std::string types = R"(%a = OpTypeArray %f32 %most
%b = OpTypeArray %a %most
%top = OpTypeStruct %b %f32
)";
  // The size of an array with a wrong stride is not compared with the next member.
  EXPECT_THAT(findings_in(buffer(annotations, types)), testing::ElementsAre(testing::StartsWith("array-stride-size")));
  const std::string scalars = R"(%b = OpTypeArray %f32 %most
%top = OpTypeStruct %b %f32
)";
  const std::string strides = annotations.substr(annotations.find('\n') + 1);
  EXPECT_THAT(findings_in(buffer(strides, scalars)), testing::ElementsAre(testing::StartsWith("member-overlap")));
}

TEST(Layouts, descriptor_sizes_are_from_the_options) {
  const std::string text = R"(; Version: 1.4
OpCapability Shader
OpCapability UntypedPointersKHR
OpCapability DescriptorHeapEXT
OpExtension "SPV_KHR_untyped_pointers"
OpExtension "SPV_EXT_descriptor_heap"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %heap
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %heap BuiltIn SamplerHeapEXT
OpDecorate %a ArrayStride 16
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%u0 = OpConstant %u32 0
%sampler = OpTypeSampler
%a = OpTypeRuntimeArray %sampler
%handle = OpTypeUntypedPointerKHR UniformConstant
%heap = OpUntypedVariableKHR %handle UniformConstant
%main = OpFunction %void None %fn
%entry = OpLabel
%p = OpUntypedAccessChainKHR %handle %a %heap %u0
OpReturn
OpFunctionEnd
)";
  ValidateOptions options;
  const auto layout_rules = [&] {
    std::vector<std::string> rules;
    for (const std::string& message : findings_in(text, options)) {
      if (message.starts_with("array-stride")) rules.push_back(message);
    }
    return rules;
  };
  EXPECT_THAT(layout_rules(), testing::IsEmpty());
  options.sampler_descriptor = {16, 16};
  EXPECT_THAT(layout_rules(), testing::IsEmpty());
  options.sampler_descriptor = {32, 16};
  EXPECT_THAT(layout_rules(), testing::ElementsAre(testing::StartsWith("array-stride-size")));
  options.sampler_descriptor = {16, 32};
  EXPECT_THAT(layout_rules(), testing::ElementsAre(testing::StartsWith("array-stride-alignment")));
}

TEST(Locations, an_array_of_any_length_is_one_interval) {
  const std::string text = R"(; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %v %w
OpExecutionMode %main OriginUpperLeft
OpDecorate %v Location 1
OpDecorate %w Location 3000000000
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%most = OpConstant %u32 4294967295
%a = OpTypeArray %f32 %most
%aptr = OpTypePointer Output %a
%ptr = OpTypePointer Output %f32
%v = OpVariable %aptr Output
%w = OpVariable %ptr Output
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
)";
  EXPECT_THAT(
      findings_in(text),
      testing::ElementsAre("output-location-shared: %2 and %3 both have component 0 of output location 3000000000"));
}

}  // namespace
}  // namespace vireo::spirv
