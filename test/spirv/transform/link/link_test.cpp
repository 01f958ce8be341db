// SPDX-License-Identifier: Apache-2.0
//
// link(): what becomes one, what stays, and what is left out, for small modules. Each result is valid.
#include "vireo/spirv/transform/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

using test::assembled;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kernel_head =
    "; Version: 1.2\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\n"
    "OpMemoryModel Physical64 OpenCL\n";
constexpr std::string_view newer_kernel_head =
    "; Version: 1.4\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\n"
    "OpMemoryModel Physical64 OpenCL\n";
constexpr std::string_view shader_head =
    "; Version: 1.4\nOpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";

struct LinkRow {
  std::string_view what;
  std::string_view head;
  std::vector<std::string_view> modules;  // after the head
  LinkOptions options;
  std::vector<std::string_view> has, lacks;  // lines of the result
};

std::string lines_of(Words words) {
  StringSink sink;
  Diagnostics diagnostics;
  DisassembleOptions options;
  options.header = false;
  options.indent = 0;
  disassemble(words, options, sink, diagnostics);
  return std::move(sink).text();
}

// clang-format off
const LinkRow rows[] = {
    {"structures with other names are one type for a symbol, and the first name stays", kernel_head,
     {R"(OpName %s "one"
         OpDecorate %v LinkageAttributes "v" Import
         %u = OpTypeInt 32 0
         %s = OpTypeStruct %u %u
         %p = OpTypePointer CrossWorkgroup %s
         %v = OpVariable %p CrossWorkgroup)",
      R"(OpName %s "two"
         OpDecorate %v LinkageAttributes "v" Export
         %u = OpTypeInt 32 0
         %s = OpTypeStruct %u %u
         %p = OpTypePointer CrossWorkgroup %s
         %n = OpConstantNull %s
         %v = OpVariable %p CrossWorkgroup %n)"},
     {}, {"%one = OpTypeStruct %uint %uint"}, {"two", "LinkageAttributes"}},
    {"structures with other names stay separate otherwise", kernel_head,
     {"OpName %s \"one\"\n%u = OpTypeInt 32 0\n%s = OpTypeStruct %u %u",
      "OpName %s \"two\"\n%u = OpTypeInt 32 0\n%s = OpTypeStruct %u %u",
      "OpName %s \"one\"\n%u = OpTypeInt 32 0\n%s = OpTypeStruct %u %u"},
     {}, {"%one = OpTypeStruct %uint %uint", "%two = OpTypeStruct %uint %uint"}, {"%one_0"}},
    {"decorations separate structures, in any order", kernel_head,
     {"OpDecorate %s CPacked\nOpDecorate %s Alignment 4\n%u = OpTypeInt 32 0\n%s = OpTypeStruct %u %u",
      "OpDecorate %s Alignment 4\nOpDecorate %s CPacked\n%u = OpTypeInt 32 0\n%s = OpTypeStruct %u %u",
      "OpDecorate %s Alignment 8\n%u = OpTypeInt 32 0\n%s = OpTypeStruct %u %u"},
     {}, {"%_struct_1 = ", "%_struct_2 = "}, {"%_struct_3 ="}},
    {"operands of OpCopyLogical stay two types", shader_head,
     {R"(OpDecorate %f LinkageAttributes "f" Export
         %v = OpTypeVoid
         %u = OpTypeInt 32 0
         %a = OpTypeStruct %u
         %b = OpTypeStruct %u
         %t = OpTypeFunction %b %a
         %f = OpFunction %b None %t
         %x = OpFunctionParameter %a
         %l = OpLabel
         %c = OpCopyLogical %b %x
         OpReturnValue %c
         OpFunctionEnd)",
      "%u = OpTypeInt 32 0\n%s = OpTypeStruct %u"},
     {.library = true}, {"OpCopyLogical"}, {}},
    {"operands of OpCopyLogical stay two types also in a cycle", newer_kernel_head,
     {R"(OpDecorate %f LinkageAttributes "f" Export
         OpTypeForwardPointer %p CrossWorkgroup
         %s = OpTypeStruct %p
         %p = OpTypePointer CrossWorkgroup %s
         %outside = OpTypeStruct %p
         %t = OpTypeFunction %outside %s
         %f = OpFunction %outside None %t
         %x = OpFunctionParameter %s
         %l = OpLabel
         %c = OpCopyLogical %outside %x
         OpReturnValue %c
         OpFunctionEnd)",
      "%u = OpTypeInt 32 0"},
     {.library = true, .use_highest_version = true}, {"OpCopyLogical"}, {}},
    {"types in a cycle, which another module declares in another order", kernel_head,
     {R"(OpDecorate %v LinkageAttributes "v" Import
         OpTypeForwardPointer %p CrossWorkgroup
         %u = OpTypeInt 32 0
         %s = OpTypeStruct %p %u
         %p = OpTypePointer CrossWorkgroup %s
         %v = OpVariable %p CrossWorkgroup)",
      R"(OpDecorate %v LinkageAttributes "v" Export
         %u = OpTypeInt 32 0
         OpTypeForwardPointer %p CrossWorkgroup
         %s = OpTypeStruct %p %u
         %outside = OpTypeStruct %p %u
         %p = OpTypePointer CrossWorkgroup %s
         %n = OpConstantNull %s
         %v = OpVariable %p CrossWorkgroup %n)"},
     {}, {"OpTypeForwardPointer %_ptr_CrossWorkgroup__struct_3 CrossWorkgroup"}, {"%_struct_4", "_struct_5"}},
    {"a constant keeps its first name; equal constants become one", kernel_head,
     {"OpName %a \"width\"\n%u = OpTypeInt 32 0\n%a = OpConstant %u 7",
      "OpName %a \"height\"\n%u = OpTypeInt 32 0\n%a = OpConstant %u 7\n%b = OpConstant %u 8"},
     {}, {"OpName %width \"width\"", "%uint_8 = OpConstant %uint 8"}, {"height"}},
    {"targets of decoration groups", kernel_head,
     {R"(OpDecorate %f LinkageAttributes "f" Import
         OpDecorate %g FuncParamAttr Zext
         %g = OpDecorationGroup
         OpGroupDecorate %g %p
         OpDecorate %h FuncParamAttr Sext
         %h = OpDecorationGroup
         OpGroupDecorate %h %p %q
         %u = OpTypeInt 32 0
         %t = OpTypeFunction %u %u
         %f = OpFunction %u None %t
         %p = OpFunctionParameter %u
         OpFunctionEnd
         %k = OpFunction %u None %t
         %q = OpFunctionParameter %u
         %l = OpLabel
         OpReturnValue %q
         OpFunctionEnd)",
      R"(OpDecorate %f LinkageAttributes "f" Export
         %u = OpTypeInt 32 0
         %t = OpTypeFunction %u %u
         %f = OpFunction %u None %t
         %p = OpFunctionParameter %u
         %l = OpLabel
         OpReturnValue %p
         OpFunctionEnd)"},
     {}, {"FuncParamAttr Sext", "OpGroupDecorate %1 %2\n"}, {"Zext"}},
    {"declarations precede definitions", kernel_head,
     {R"(OpDecorate %f LinkageAttributes "f" Export
         %v = OpTypeVoid
         %t = OpTypeFunction %v
         %f = OpFunction %v None %t
         %l = OpLabel
         OpReturn
         OpFunctionEnd)",
      R"(OpDecorate %g LinkageAttributes "g" Import
         %v = OpTypeVoid
         %t = OpTypeFunction %v
         %g = OpFunction %v None %t
         OpFunctionEnd)",
      R"(OpDecorate %h LinkageAttributes "g" Import
         %v = OpTypeVoid
         %t = OpTypeFunction %v
         %h = OpFunction %v None %t
         OpFunctionEnd)"},
     {.library = true, .partial = true}, {"OpFunctionEnd\n%1 = OpFunction"}, {"OpFunctionEnd\n%2 = OpFunction"}},
    {"line information does not leave its module", kernel_head,
     {"%file = OpString \"a.cl\"\nOpLine %file 3 1\n%u = OpTypeInt 32 0",
      "%f = OpTypeFloat 32\n%u = OpTypeInt 32 0",
      "%file = OpString \"c.cl\"\n%u = OpTypeInt 32 0\nOpLine %file 5 1\n%b = OpTypeBool"},
     {}, {"OpLine %1 3 1\n%uint = OpTypeInt 32 0\nOpNoLine\n%float = OpTypeFloat 32\nOpLine %2 5 1\n%bool = OpTypeBool"}, {}},
    {"functions keep their line information", kernel_head,
     {R"(%file = OpString "a.cl"
         OpDecorate %f LinkageAttributes "f" Import
         OpLine %file 1 1
         %v = OpTypeVoid
         OpNoLine
         %t = OpTypeFunction %v
         OpLine %file 2 1
         %f = OpFunction %v None %t
         OpFunctionEnd
         OpLine %file 3 1
         %g = OpFunction %v None %t
         OpLine %file 4 1
         %l = OpLabel
         OpReturn
         OpFunctionEnd)",
      R"(OpDecorate %f LinkageAttributes "f" Export
         %v = OpTypeVoid
         %t = OpTypeFunction %v
         %f = OpFunction %v None %t
         %l = OpLabel
         OpReturn
         OpFunctionEnd)"},
     {}, {"OpLine %1 1 1\n%void = OpTypeVoid\nOpNoLine\n%3 = OpTypeFunction %void\nOpLine %1 3 1\n%4 = OpFunction",
          "OpFunctionEnd\n%6 = OpFunction"}, {"OpLine %1 2 1"}},
    {"interfaces list the variables of linked functions, each once", shader_head,
     {R"(OpEntryPoint GLCompute %main "main" %in
         OpExecutionMode %main LocalSize 1 1 1
         OpDecorate %f LinkageAttributes "f" Import
         OpDecorate %in BuiltIn LocalInvocationIndex
         %v = OpTypeVoid
         %u = OpTypeInt 32 0
         %pu = OpTypePointer Input %u
         %t = OpTypeFunction %v
         %in = OpVariable %pu Input
         %f = OpFunction %v None %t
         OpFunctionEnd
         %main = OpFunction %v None %t
         %l = OpLabel
         %x = OpLoad %u %in
         %c = OpFunctionCall %v %f
         OpReturn
         OpFunctionEnd)",
      R"(OpDecorate %f LinkageAttributes "f" Export
         OpDecorate %in BuiltIn LocalInvocationIndex
         %v = OpTypeVoid
         %u = OpTypeInt 32 0
         %pu = OpTypePointer Input %u
         %pp = OpTypePointer Private %u
         %t = OpTypeFunction %v
         %in = OpVariable %pu Input
         %own = OpVariable %pp Private
         %f = OpFunction %v None %t
         %l = OpLabel
         %x = OpLoad %u %in
         OpStore %own %x
         OpReturn
         OpFunctionEnd)"},
     {}, {"OpEntryPoint GLCompute %1 \"main\" %gl_LocalInvocationIndex %3\n"}, {"OpCapability Linkage"}},
    {"a module with an entry point and without linkage attributes needs no capability", shader_head,
     {R"(OpEntryPoint GLCompute %f "main"
         OpExecutionMode %f LocalSize 1 1 1
         %v = OpTypeVoid
         %t = OpTypeFunction %v
         %f = OpFunction %v None %t
         %l = OpLabel
         OpReturn
         OpFunctionEnd)"},
     {}, {"OpEntryPoint"}, {"OpCapability Linkage"}},
    {"a library keeps a capability that its module declares for nothing", shader_head,
     {R"(OpEntryPoint GLCompute %f "main"
         OpExecutionMode %f LocalSize 1 1 1
         %v = OpTypeVoid
         %t = OpTypeFunction %v
         %f = OpFunction %v None %t
         %l = OpLabel
         OpReturn
         OpFunctionEnd)"},
     {.library = true}, {"OpCapability Linkage"}, {}},
    {"a library keeps the capability for its exports", shader_head,
     {R"(OpEntryPoint GLCompute %f "main"
         OpExecutionMode %f LocalSize 1 1 1
         OpDecorate %g LinkageAttributes "g" Export
         %v = OpTypeVoid
         %t = OpTypeFunction %v
         %f = OpFunction %v None %t
         %l = OpLabel
         OpReturn
         OpFunctionEnd
         %g = OpFunction %v None %t
         %m = OpLabel
         OpReturn
         OpFunctionEnd)"},
     {.library = true}, {"OpCapability Linkage", "\"g\" Export"}, {}},
    {"equal interface variables of one module stay separate", shader_head,
     {R"(OpDecorate %a DescriptorSet 0
         OpDecorate %a Binding 1
         OpDecorate %b DescriptorSet 0
         OpDecorate %b Binding 1
         %s = OpTypeSampler
         %p = OpTypePointer UniformConstant %s
         %a = OpVariable %p UniformConstant
         %b = OpVariable %p UniformConstant)",
      R"(OpDecorate %a DescriptorSet 0
         OpDecorate %a Binding 1
         %s = OpTypeSampler
         %p = OpTypePointer UniformConstant %s
         %a = OpVariable %p UniformConstant)"},
     {}, {"%1 = OpVariable", "%2 = OpVariable"}, {"%3 = OpVariable"}},
    {"a built-in variable stays an import, once", kernel_head,
     {R"(OpDecorate %v LinkageAttributes "__spirv_BuiltInWorkDim" Import
         OpDecorate %v BuiltIn WorkDim
         %u = OpTypeInt 32 0
         %p = OpTypePointer Input %u
         %v = OpVariable %p Input)",
      R"(OpDecorate %v LinkageAttributes "__spirv_BuiltInWorkDim" Import
         OpDecorate %v BuiltIn WorkDim
         %u = OpTypeInt 32 0
         %p = OpTypePointer Input %u
         %v = OpVariable %p Input)"},
     {}, {"%WorkDim = OpVariable", "\"__spirv_BuiltInWorkDim\" Import"}, {"%WorkDim_0"}},
    {"a library gives way, and what only its unneeded parts import needs no export", kernel_head,
     {R"(OpDecorate %f LinkageAttributes "f" Export
         OpDecorate %g LinkageAttributes "g" Import
         %u = OpTypeInt 32 0
         %one = OpConstant %u 1
         %t = OpTypeFunction %u
         %g = OpFunction %u None %t
         OpFunctionEnd
         %f = OpFunction %u None %t
         %l = OpLabel
         %c = OpFunctionCall %u %g
         OpReturnValue %one
         OpFunctionEnd)",
      R"(OpDecorate %f LinkageAttributes "f" Export
         OpDecorate %g LinkageAttributes "g" Export
         OpDecorate %h LinkageAttributes "h" Export
         OpDecorate %missing LinkageAttributes "missing" Import
         %u = OpTypeInt 32 0
         %two = OpConstant %u 2
         %four = OpConstant %u 4
         %t = OpTypeFunction %u
         %missing = OpFunction %u None %t
         OpFunctionEnd
         %f = OpFunction %u None %t
         %l1 = OpLabel
         OpReturnValue %two
         OpFunctionEnd
         %g = OpFunction %u None %t
         %l2 = OpLabel
         %c2 = OpFunctionCall %u %f
         OpReturnValue %four
         OpFunctionEnd
         %h = OpFunction %u None %t
         %l3 = OpLabel
         %c3 = OpFunctionCall %u %missing
         OpReturnValue %c3
         OpFunctionEnd)"},
     {.library = true, .only_needed = true},
     {"%uint_1 = ", "%uint_4 = ", "LinkageAttributes \"f\" Export"}, {"%uint_2", "missing", "\"g\"", "\"h\""}},
    {"equal untyped variables of one binding are one", "",
     {R"(OpCapability Shader
         OpCapability UntypedPointersKHR
         OpCapability Linkage
         OpExtension "SPV_KHR_untyped_pointers"
         OpMemoryModel Logical GLSL450
         OpDecorate %a DescriptorSet 0
         OpDecorate %a Binding 1
         %s = OpTypeSampler
         %p = OpTypeUntypedPointerKHR UniformConstant
         %a = OpUntypedVariableKHR %p UniformConstant %s)",
      R"(OpCapability Shader
         OpCapability UntypedPointersKHR
         OpCapability Linkage
         OpExtension "SPV_KHR_untyped_pointers"
         OpMemoryModel Logical GLSL450
         OpDecorate %a DescriptorSet 0
         OpDecorate %a Binding 1
         OpDecorate %b DescriptorSet 0
         OpDecorate %b Binding 1
         %s = OpTypeSampler
         %p = OpTypeUntypedPointerKHR UniformConstant
         %a = OpUntypedVariableKHR %p UniformConstant %s
         %b = OpUntypedVariableKHR %p UniformConstant %s)"},
     {}, {"%1 = OpUntypedVariableKHR", "%2 = OpUntypedVariableKHR"}, {"%3 = OpUntypedVariableKHR"}},
    {"a library keeps the conditions of capabilities and extensions", "",
     {R"(OpCapability Kernel
         OpCapability Addresses
         OpCapability Linkage
         OpMemoryModel Physical64 OpenCL
         %u = OpTypeInt 32 0)",
      R"(OpCapability Kernel
         OpCapability Addresses
         OpCapability Linkage
         OpCapability SpecConditionalINTEL
         OpConditionalCapabilityINTEL %c Float64
         OpExtension "SPV_INTEL_function_variants"
         OpConditionalExtensionINTEL %d "SPV_KHR_linkonce_odr"
         OpMemoryModel Physical64 OpenCL
         %b = OpTypeBool
         %c = OpSpecConstantTrue %b
         %d = OpSpecConstantFalse %b
         %unneeded = OpConstantTrue %b)"},
     {.only_needed = true}, {"OpSpecConstantTrue", "OpSpecConstantFalse"}, {"OpConstantTrue"}},
    {"a library keeps descriptions of what is needed", "",
     {R"(OpCapability Shader
         OpCapability Linkage
         OpMemoryModel Logical GLSL450
         OpDecorate %f LinkageAttributes "f" Import
         OpDecorate %g LinkageAttributes "g" Export
         %v = OpTypeVoid
         %t = OpTypeFunction %v
         %f = OpFunction %v None %t
         OpFunctionEnd
         %g = OpFunction %v None %t
         %l = OpLabel
         %c = OpFunctionCall %v %f
         OpReturn
         OpFunctionEnd)",
      R"(OpCapability Shader
         OpCapability Linkage
         OpExtension "SPV_KHR_non_semantic_info"
         %r = OpExtInstImport "NonSemantic.Needed.1"
         %s = OpExtInstImport "NonSemantic.Unneeded.1"
         OpMemoryModel Logical GLSL450
         OpDecorate %f LinkageAttributes "f" Export
         OpDecorate %h LinkageAttributes "h" Export
         %v = OpTypeVoid
         %u32 = OpTypeInt 32 0
         %u1 = OpConstant %u32 1
         %u2 = OpConstant %u32 2
         %t = OpTypeFunction %v
         %f = OpFunction %v None %t
         %l1 = OpLabel
         OpReturn
         OpFunctionEnd
         %a = OpExtInst %v %r 7 %f %u1
         %b = OpExtInst %v %s 7 %h %u2
         %h = OpFunction %v None %t
         %l2 = OpLabel
         OpReturn
         OpFunctionEnd
         %d = OpExtInst %v %r 8 %a
         %e = OpExtInst %v %s 8 %b
         %x = OpExtInst %v %s 9 %u2)"},
     {.only_needed = true}, {"NonSemantic.Needed", "%uint_1", " 7 ", " 8 "}, {"NonSemantic.Unneeded", "%uint_2", " 9 "}},
    {"a module with a graph is no library", "",
     {R"(OpCapability Shader
         OpCapability VulkanMemoryModel
         OpCapability GraphARM
         OpCapability TensorsARM
         OpExtension "SPV_ARM_graph"
         OpExtension "SPV_ARM_tensors"
         OpMemoryModel Logical Vulkan)", R"(OpCapability Shader
         OpCapability VulkanMemoryModel
         OpCapability GraphARM
         OpCapability TensorsARM
         OpExtension "SPV_ARM_graph"
         OpExtension "SPV_ARM_tensors"
         OpMemoryModel Logical Vulkan
         OpDecorate %p DescriptorSet 0
         OpDecorate %p Binding 0
         %u32 = OpTypeInt 32 0
         %u0 = OpConstant %u32 0
         %u1 = OpConstant %u32 1
         %tensor = OpTypeTensorARM %u32 %u1
         %pp = OpTypePointer UniformConstant %tensor
         %p = OpVariable %pp UniformConstant
         %graph = OpTypeGraphARM 1 %tensor %tensor
         OpGraphEntryPointARM %main "main" %p %p
         %main = OpGraphARM %graph
         %a = OpGraphInputARM %tensor %u0
         OpGraphSetOutputARM %a %u0
         OpGraphEndARM)"},
     {.only_needed = true}, {"OpGraphEntryPointARM", "OpTypeGraphARM"}, {}},
    {"declared sets and extensions are merged, an unneeded set is left out", kernel_head,
     {"%u = OpTypeInt 32 0", "%u = OpTypeInt 32 0\n%f = OpTypeFloat 32"},
     {.only_needed = true}, {"OpTypeInt"}, {"OpTypeFloat"}},
};
// clang-format on

TEST(Link, joins_modules) {
  for (const LinkRow& row : rows) {
    SCOPED_TRACE(row.what);
    std::vector<WordBuffer> modules;
    modules.reserve(row.modules.size());
    std::vector<LinkInput> inputs;
    for (const std::string_view text : row.modules) {
      modules.push_back(assembled(std::string(row.head) + std::string(text)));
      inputs.push_back({modules.back()});
    }
    Diagnostics diagnostics;
    const Result<WordBuffer> result = link(inputs, row.options, diagnostics);
    for (const Diagnostic& each : diagnostics.all()) {
      if (each.severity != Severity::Note) ADD_FAILURE() << each.message;
    }
    ASSERT_TRUE(result);
    const std::string text = lines_of(*result);
    Diagnostics findings;
    EXPECT_TRUE(validate(*result, {}, findings)) << findings.all().front().message << '\n' << text;
    for (const std::string_view line : row.has) EXPECT_THAT(text, HasSubstr(std::string(line)));
    for (const std::string_view line : row.lacks) EXPECT_THAT(text, Not(HasSubstr(std::string(line))));
  }
}

// Members of a chain of cycles are compared from each forward pointer, which would be quadratic.
TEST(Link, bounds_the_comparison_of_types_in_cycles) {
  std::string text(kernel_head);
  constexpr int count = 3000;
  for (int i = 0; i < count; ++i) text += "OpTypeForwardPointer %p" + std::to_string(i) + " CrossWorkgroup\n";
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "%s" + n + " = OpTypeStruct %p" + std::to_string((i + 1) % count) + "\n%p" + n +
            " = OpTypePointer CrossWorkgroup %s" + n + '\n';
  }
  const WordBuffer words = assembled(text);
  const LinkInput inputs[] = {{words}, {words}};
  Diagnostics diagnostics;
  const Result<WordBuffer> result = link(inputs, {}, diagnostics);
  ASSERT_TRUE(result);
  EXPECT_TRUE(validate(*result, {}, diagnostics));
  EXPECT_GT(result->size(), words.size());  // they stay separate
}

TEST(Link, refuses_groups_with_too_many_targets) {
  std::string text(shader_head);
  for (int i = 0; i < 3000; ++i) text += "OpDecorate %g Location 1\n";
  text += "%g = OpDecorationGroup\n";
  for (int i = 0; i < 20; ++i) text += "OpGroupDecorate %g %u %u %u %u %u %u %u %u\n";
  const WordBuffer words = assembled(text + "%u = OpTypeInt 32 0\n");
  const LinkInput inputs[] = {{words, "a.spv"}};
  Diagnostics diagnostics;
  EXPECT_FALSE(link(inputs, {}, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].rule, "link-limit");
}

}  // namespace
}  // namespace vireo::spirv
