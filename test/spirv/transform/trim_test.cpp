// SPDX-License-Identifier: Apache-2.0
//
// trim() keeps the capabilities that a module uses in a way that neither the grammar nor the validator states.
//
// Source: specification 3.31 (capabilities).
#include "vireo/spirv/transform/trim.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spirv/module/assembled.h"
#include "spirv/transform/trim_cases.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/module_declarations.h"

namespace vireo::spirv {
namespace {

// The declared capabilities except Shader, which most others imply, each followed by a blank.
std::string capabilities_of(Words words) {
  const Module module = Module::read(words);
  const ModuleDeclarations declarations = ModuleDeclarations::read(module);
  std::string names;
  for (const CapabilityRow& row : declarations.capabilities()) {
    if (row.capability != Capability::Shader) names += to_string(row.capability) + ' ';
  }
  return names;
}

std::string trimmed_capabilities(std::string_view text) {
  const WordBuffer words = test::assembled(text);
  Diagnostics diagnostics;
  const Result<WordBuffer> trimmed = trim(words, {}, diagnostics);
  if (!trimmed) return "cannot be trimmed";
  const Result<WordBuffer> again = trim(*trimmed, {}, diagnostics);
  EXPECT_TRUE(again && *again == *trimmed) << text;
  return capabilities_of(*trimmed);
}

TEST(Trim, keeps_the_capabilities_that_a_module_uses) {
  for (const test::TrimCase& each : test::trim_cases) {
    const std::string text = test::text_of(each);
    EXPECT_EQ(trimmed_capabilities(text), each.kept) << text;
  }
}

// An image type in a kernel that declares capabilities.
std::string trimmed_kernel(std::string_view capabilities, std::string_view globals) {
  std::string text = "OpCapability Kernel\nOpCapability Addresses\n";
  text.append(capabilities)
      .append(
          "OpMemoryModel Physical64 OpenCL\n"
          "OpEntryPoint Kernel %main \"main\"\n"
          "%void = OpTypeVoid\n"
          "%function = OpTypeFunction %void\n")
      .append(globals)
      .append("%main = OpFunction %void None %function\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n");
  return trimmed_capabilities(text);
}

TEST(Trim, keeps_the_image_capabilities_of_kernels) {
  constexpr std::string_view read_only = "%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n";
  constexpr std::string_view read_write = "%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite\n";
  constexpr std::string_view declared = "OpCapability ImageBasic\nOpCapability ImageReadWrite\n";
  EXPECT_EQ(trimmed_kernel(declared, ""), "Kernel Addresses ");
  // ImageReadWrite implies ImageBasic, which implies Kernel.
  EXPECT_EQ(trimmed_kernel(declared, read_only), "Addresses ImageBasic ");
  EXPECT_EQ(trimmed_kernel(declared, read_write), "Addresses ImageBasic ImageReadWrite ");
  EXPECT_EQ(trimmed_kernel("OpCapability ImageMipmap\n", read_only), "Addresses ImageMipmap ");
}

// Vulkan 1.0 allows the scope Subgroup only with one of two capabilities, which no instruction requires.
TEST(Trim, keeps_what_a_scope_needs_in_vulkan_1_0) {
  std::string text = R"(; Version: 1.0
OpCapability Shader
OpCapability SubgroupVoteKHR
OpExtension "SPV_KHR_subgroup_vote"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%c0 = OpConstant %u32 0
%c3 = OpConstant %u32 3
%main = OpFunction %void None %function
%entry = OpLabel
OpControlBarrier %c3 %c3 %c0
OpReturn
OpFunctionEnd
)";
  EXPECT_EQ(trimmed_capabilities(text), "SubgroupVoteKHR ");
  text.replace(text.find("%c3 %c3"), 7, "%c2 %c2");
  text.replace(text.find("%c3 = OpConstant %u32 3"), 23, "%c2 = OpConstant %u32 2");
  EXPECT_EQ(trimmed_capabilities(text), "");
}

}  // namespace
}  // namespace vireo::spirv
