// SPDX-License-Identifier: Apache-2.0
//
// Uniformity of values and blocks: scopes by stage, bounds on hostile input.
#include "vireo/spirv/module/uniformity.h"

#include <gtest/gtest.h>

#include <string>

#include "spirv/module/analyzed.h"

namespace vireo::spirv {
namespace {

using test::Analyzed;

// %20 loads the input %10 in one stage.
std::string load_of(const std::string& entry, const std::string& decoration) {
  return "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" + entry + "\nOpDecorate %10 " + decoration + R"(
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeInt 32 0
%4 = OpTypePointer Input %3
%10 = OpVariable %4 Input
%5 = OpFunction %1 None %2
%6 = OpLabel
%20 = OpLoad %3 %10
OpReturn
OpFunctionEnd
)";
}

TEST(Uniformity, of_inputs_depends_on_the_stage) {
  const std::string fragment = "OpEntryPoint Fragment %5 \"main\" %10\nOpExecutionMode %5 OriginUpperLeft";
  const std::string compute = "OpEntryPoint GLCompute %5 \"main\" %10\nOpExecutionMode %5 LocalSize 64 1 1";
  const std::string single = "OpEntryPoint GLCompute %5 \"main\" %10\nOpExecutionMode %5 LocalSize 1 1 1";
  const auto uniform_in = [](const std::string& text) {
    const Divergence found = Analyzed(text).of(20);
    std::string scopes;
    if (found.is_uniform(UniformityScope::Quad)) scopes += 'q';
    if (found.is_uniform(UniformityScope::Primitive)) scopes += 'p';
    if (found.is_uniform(UniformityScope::Subgroup)) scopes += 's';
    if (found.is_uniform(UniformityScope::Group)) scopes += 'g';
    return scopes;
  };
  EXPECT_EQ(uniform_in(load_of(compute, "BuiltIn LocalInvocationIndex")), "");
  EXPECT_EQ(uniform_in(load_of(single, "BuiltIn LocalInvocationIndex")), "qpsg");
  EXPECT_EQ(uniform_in(load_of(compute, "BuiltIn SubgroupId")), "qs");
  EXPECT_EQ(uniform_in(load_of(compute, "BuiltIn WorkgroupId")), "qpsg");
  EXPECT_EQ(uniform_in(load_of(fragment, "Flat")), "qp");
  EXPECT_EQ(uniform_in(load_of(fragment, "Location 0")), "");
  EXPECT_EQ(uniform_in(load_of(fragment, "BuiltIn PrimitiveId")), "qp");
  // The view differs in the command, but not certainly.
  EXPECT_EQ(uniform_in(load_of(fragment, "BuiltIn ViewIndex")), "qp");
  EXPECT_FALSE(Analyzed(load_of(fragment, "BuiltIn ViewIndex")).of(20).is_certain(UniformityScope::Group));
  EXPECT_TRUE(Analyzed(load_of(fragment, "Flat")).of(20).is_certain(UniformityScope::Group));
  // So may the shading rate. A subgroup is executed by one multiprocessor.
  EXPECT_EQ(uniform_in(load_of(fragment, "BuiltIn ShadingRateKHR")), "");
  EXPECT_FALSE(Analyzed(load_of(fragment, "BuiltIn ShadingRateKHR")).of(20).is_certain(UniformityScope::Group));
  EXPECT_EQ(uniform_in(load_of(compute, "BuiltIn SMIDNV")), "qs");
}

// Selections nested in each other, each with a return: the analysis must stop, and call nothing uniform that is not.
TEST(Uniformity, is_bounded_for_deep_nesting) {
  std::string text = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %5 "main" %10
OpExecutionMode %5 LocalSize 64 1 1
OpDecorate %10 BuiltIn LocalInvocationIndex
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeInt 32 0
%4 = OpTypePointer Input %3
%7 = OpTypeBool
%8 = OpConstant %3 7
%10 = OpVariable %4 Input
%5 = OpFunction %1 None %2
%6 = OpLabel
%20 = OpLoad %3 %10
%21 = OpULessThan %7 %20 %8
)";
  constexpr int depth = 20000;
  std::string ends;
  for (int i = 0; i < depth; ++i) {
    const std::string inner = std::to_string(1000 + 3 * i), out = std::to_string(1001 + 3 * i),
                      merge = std::to_string(1002 + 3 * i);
    text += "OpSelectionMerge %" + merge + " None\nOpBranchConditional %21 %" + inner + " %" + out + "\n%" + out +
            " = OpLabel\nOpReturn\n%" + inner + " = OpLabel\n";
    ends.insert(0, "OpBranch %" + merge + "\n%" + merge + " = OpLabel\n");
  }
  const Analyzed deep(text + ends + "OpReturn\nOpFunctionEnd\n");
  const BlockIndex last(deep.module.blocks().size() - 1);
  EXPECT_FALSE(deep.uniformity.of(last).is_uniform(UniformityScope::Group));
  EXPECT_FALSE(deep.of(21).is_uniform(UniformityScope::Group));
}

// Functions that call each other, and blocks without structure, are accepted.
TEST(Uniformity, accepts_recursion_and_irreducible_loops) {
  const Analyzed odd(R"(
OpCapability Kernel
OpMemoryModel Physical64 OpenCL
%1 = OpTypeVoid
%3 = OpTypeInt 32 0
%2 = OpTypeFunction %3 %3
%7 = OpTypeBool
%8 = OpConstantTrue %7
%5 = OpFunction %3 None %2
%9 = OpFunctionParameter %3
%6 = OpLabel
OpBranchConditional %8 %10 %11
%10 = OpLabel
%12 = OpFunctionCall %3 %5 %9
OpBranch %11
%11 = OpLabel
OpBranch %10
OpFunctionEnd
)");
  EXPECT_FALSE(odd.of(12).is_uniform(UniformityScope::Group));
}

}  // namespace
}  // namespace vireo::spirv
