// SPDX-License-Identifier: Apache-2.0
//
// Transforms of modules whose declarations have orders and equalities that are easily broken: targets of decoration
// groups, workgroup sizes and types that follow them, declarations of aliasing, continued lists.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "spirv/transform/order_modules.h"
#include "spirv/transform/transform_list.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/transform/canonical_ids.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

std::string text_of(Words words) {
  StringSink sink;
  Diagnostics diagnostics;
  (void)disassemble(words, {}, sink, diagnostics);
  return sink.text();
}

// The first finding; empty if the module is valid.
std::string fault_of(Words words) {
  Diagnostics findings;
  if (validate(words, {}, findings)) return {};
  for (const Diagnostic& each : findings.all()) {
    if (each.severity == Severity::Error) return each.message;
  }
  return "invalid";
}

constexpr std::uint64_t module_count = 300;

TEST(DeclarationOrder, remains_valid_in_all_transforms) {
  for (std::uint64_t seed = 0; seed < module_count; ++seed) {
    const WordBuffer words = test::OrderModule(seed).run();
    ASSERT_EQ(fault_of(words), "") << seed << '\n' << text_of(words);
    for (const test::Transform& transform : test::transforms()) {
      Diagnostics diagnostics;
      TransformReport report;
      const Result<WordBuffer> result = transform.apply(words, diagnostics, report);
      ASSERT_TRUE(result) << seed << ": " << transform.name << ": " << diagnostics.all().front().message;
      ASSERT_EQ(fault_of(*result), "") << seed << ": " << transform.name << '\n' << text_of(words) << text_of(*result);
      const Result<WordBuffer> again = transform.apply(*result, diagnostics, report);
      if (transform.is_idempotent) {
        ASSERT_TRUE(again && *again == *result) << seed << ": " << transform.name << '\n' << text_of(*result);
      }
    }
  }
}

TEST(DeclarationOrder, is_the_same_for_all_legal_orders) {
  for (std::uint64_t seed = 0; seed < module_count; ++seed) {
    const WordBuffer words = test::OrderModule(seed).run();
    Diagnostics diagnostics;
    const Result<WordBuffer> result = canonical_ids(words, diagnostics);
    ASSERT_TRUE(result);
    const Result<WordBuffer> again = canonical_ids(test::LegalShuffle(words, seed + 1).run(), diagnostics);
    ASSERT_TRUE(again && *again == *result) << seed << '\n' << text_of(words) << text_of(*result) << text_of(*again);
  }
}

// The lines that contain a text.
std::string lines_with(std::string_view part, Words words) {
  const std::string text = text_of(words);
  std::string lines;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    line.erase(0, line.find_first_not_of(' '));
    if (line.find(part) != std::string::npos) lines += line + '\n';
  }
  return lines;
}

WordBuffer cleaned(Words words, const CleanOptions& options) {
  Diagnostics diagnostics;
  Result<WordBuffer> result = clean(words, options, diagnostics);
  return result ? std::move(result).value() : WordBuffer{};
}

// Groups and their targets. The constants, and the structures, become one each.
constexpr std::string_view merged = R"(
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %a "a"
OpName %b "b"
OpDecorate %g RelaxedPrecision
OpDecorate %m Offset 0
OpDecorate %n Offset 4
%g = OpDecorationGroup
%m = OpDecorationGroup
%n = OpDecorationGroup
OpGroupDecorate %g %a %x
OpGroupDecorate %g %b
OpGroupMemberDecorate %m %s 0 %t 0
OpGroupMemberDecorate %n %t 1 %s 1
OpDecorateId %x UniformId %scope
OpDecorateId %x UniformId %equal
%f32 = OpTypeFloat 32
%u32 = OpTypeInt 32 0
%scope = OpConstant %u32 3
%equal = OpConstant %u32 3
%a = OpConstant %f32 1
%b = OpConstant %f32 1
%s = OpTypeStruct %f32 %f32
%t = OpTypeStruct %f32 %f32
%void = OpTypeVoid
%fn = OpTypeFunction %void
%ps = OpTypePointer Private %s
%pt = OpTypePointer Private %t
%vs = OpVariable %ps Private
%vt = OpVariable %pt Private
%f = OpFunction %void None %fn
%l = OpLabel
%x = OpFAdd %f32 %a %b
OpReturn
OpFunctionEnd
)";

TEST(DeclarationOrder, merges_targets_of_groups) {
  CleanOptions options = no_clean_options;
  options.duplicate_constants = true;
  options.duplicate_types = true;
  const WordBuffer result = cleaned(test::assembled(merged), options);
  EXPECT_EQ(lines_with("OpGroup", result),
            "OpGroupDecorate %3 %a %6\nOpGroupMemberDecorate %4 %_struct_7 0\nOpGroupMemberDecorate %5 %_struct_7 1\n");
  // Two decorations that differed only in merged ids.
  EXPECT_EQ(lines_with("UniformId", result), "OpDecorateId %6 UniformId %uint_3\n");
  EXPECT_EQ(lines_with("OpConstant ", result), "%uint_3 = OpConstant %uint 3\n%a = OpConstant %float 1\n");
}

// A group on one of two equal constants keeps them apart, and so do two groups that decorate alike.
TEST(DeclarationOrder, keeps_constants_of_different_groups_apart) {
  std::string text(merged);
  text.replace(text.find("OpGroupDecorate %g %b"), 21, "OpGroupDecorate %h %b");
  text.replace(text.find("%g = OpDecorationGroup"), 22,
               "OpDecorate %h RelaxedPrecision\n%g = OpDecorationGroup\n%h = OpDecorationGroup");
  CleanOptions options = no_clean_options;
  options.duplicate_constants = true;
  const WordBuffer result = cleaned(test::assembled(text), options);
  EXPECT_EQ(lines_with("OpConstant %float", result), "%a = OpConstant %float 1\n%b = OpConstant %float 1\n");
  EXPECT_EQ(fault_of(result), "");
}

// A matrix of scope Workgroup; `size` states the size, `constants` are after the matrix.
std::string matrix_module(std::string_view name, std::string_view size, std::string_view before,
                          std::string_view after) {
  return fmt::format(R"(
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixKHR
OpExtension "SPV_KHR_cooperative_matrix"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main "{}"
{}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%c0 = OpConstant %u32 0
%c2 = OpConstant %u32 2
%c16 = OpConstant %u32 16
{}
%main = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
)",
                     name, size, fmt::format("{}\n{}", before, after));
}
constexpr std::string_view matrix = "%matrix = OpTypeCooperativeMatrixKHR %f32 %c2 %c16 %c16 %c0";

// The size of one module is a constant that the other declares after its matrix.
TEST(DeclarationOrder, links_sizes_before_matrices) {
  const WordBuffer with_matrix =
      test::assembled(matrix_module("a", "OpExecutionMode %main LocalSize 8 1 1", matrix, "%c64 = OpConstant %u32 64"));
  const WordBuffer with_ids =
      test::assembled(matrix_module("b", "OpExecutionModeId %main LocalSizeId %x %y %c2", "%x = OpConstant %u32 64",
                                    "%y = OpSpecConstantOp %u32 IAdd %x %c2"));
  for (const bool is_first : {true, false}) {
    const LinkInput inputs[] = {{.words = is_first ? with_matrix : with_ids},
                                {.words = is_first ? with_ids : with_matrix}};
    Diagnostics diagnostics;
    const Result<WordBuffer> result = link(inputs, {}, diagnostics);
    ASSERT_TRUE(result) << diagnostics.all().front().message;
    EXPECT_EQ(fault_of(*result), "") << text_of(*result);
  }
}

TEST(DeclarationOrder, remains_valid_in_linked_modules) {
  for (std::uint64_t seed = 0; seed < module_count; ++seed) {
    const WordBuffer first = test::OrderModule(2 * seed).run(), second = test::OrderModule(2 * seed + 1).run();
    const LinkInput inputs[] = {{.words = first}, {.words = second}};
    Diagnostics diagnostics;
    const Result<WordBuffer> result = link(inputs, {}, diagnostics);
    ASSERT_TRUE(result) << seed << ": " << diagnostics.all().front().message;
    ASSERT_EQ(fault_of(*result), "") << seed << '\n' << text_of(first) << text_of(second) << text_of(*result);
  }
}

// Types other than aggregates are declared once, so matrices become one with the constants of their sizes.
TEST(DeclarationOrder, merges_types_with_their_constants) {
  const WordBuffer words =
      test::assembled(matrix_module("a", "OpExecutionMode %main LocalSize 8 1 1", matrix,
                                    "%equal = OpConstant %u32 16\n"
                                    "%second = OpTypeCooperativeMatrixKHR %f32 %c2 %equal %c16 %c0\n"
                                    "%none = OpConstantNull %second"));
  ASSERT_EQ(fault_of(words), "");
  CleanOptions options = no_clean_options;
  options.duplicate_constants = true;
  const WordBuffer result = cleaned(words, options);
  EXPECT_EQ(fault_of(result), "") << text_of(result);
  EXPECT_EQ(std::ranges::count(lines_with("OpTypeCooperativeMatrixKHR", result), '\n'), 1);
}

// The reference reads capabilities in order.
TEST(DeclarationOrder, puts_conditional_declarations_last) {
  const WordBuffer words = test::assembled(R"(
OpCapability Shader
OpCapability SpecConditionalINTEL
OpConditionalCapabilityINTEL %yes Int8
OpCapability Linkage
OpConditionalExtensionINTEL %yes "SPV_KHR_8bit_storage"
OpExtension "SPV_INTEL_function_variants"
OpMemoryModel Logical GLSL450
%bool = OpTypeBool
%yes = OpSpecConstantTrue %bool
)");
  Diagnostics diagnostics;
  const Result<WordBuffer> result = canonical_ids(words, diagnostics);
  ASSERT_TRUE(result);
  const std::string lines = lines_with("Capability", *result) + lines_with("Extension", *result);
  EXPECT_LT(lines.find("OpCapability SpecConditionalINTEL"), lines.find("OpConditionalCapabilityINTEL"));
  EXPECT_LT(lines.find("OpExtension"), lines.find("OpConditionalExtensionINTEL"));
}

// An unreachable block branches into a selection without an effect.
TEST(DeclarationOrder, keeps_constructs_that_unreachable_blocks_enter) {
  const WordBuffer words = test::assembled(R"(
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%yes = OpConstantTrue %bool
%f = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpBranchConditional %yes %then %end
%then = OpLabel
OpBranch %inside
%inside = OpLabel
OpBranch %end
%nowhere = OpLabel
OpBranch %inside
%end = OpLabel
OpReturn
OpFunctionEnd
)");
  ASSERT_EQ(fault_of(words), "");
  CleanOptions options = no_clean_options;
  options.code = true;
  EXPECT_EQ(fault_of(cleaned(words, options)), "");
}

// An array with ArrayStrideIdEXT contains a descriptor.
TEST(DeclarationOrder, keeps_members_that_a_stride_needs) {
  const WordBuffer words = test::assembled(R"(
OpCapability Shader
OpCapability DescriptorHeapEXT
OpExtension "SPV_EXT_descriptor_heap"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorateId %array ArrayStrideIdEXT %c16
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%c16 = OpConstant %u32 16
%buffer = OpTypeBufferEXT StorageBuffer
%both = OpTypeStruct %u32 %buffer
%array = OpTypeRuntimeArray %both
%main = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
)");
  CleanOptions options = no_clean_options;
  options.members = true;
  EXPECT_EQ(lines_with("OpTypeStruct", cleaned(words, options)), lines_with("OpTypeStruct", words));
}

// A size that is computed from a matrix, which may get the scope Workgroup, cannot precede the matrix.
TEST(DeclarationOrder, keeps_sizes_that_need_a_matrix) {
  std::string text = matrix_module("a", "OpExecutionModeId %main LocalSizeId %length %z %c2",
                                   "%scope = OpSpecConstant %u32 3\n"
                                   "%matrix = OpTypeCooperativeMatrixKHR %f32 %scope %c16 %c16 %c0",
                                   "%length = OpSpecConstantOp %u32 CooperativeMatrixLengthKHR %matrix\n"
                                   "%z = OpConstant %u32 5\n"
                                   "%other = OpTypeCooperativeMatrixKHR %f32 %scope %c16 %c16 %c2");
  const WordBuffer words = test::assembled(text);
  ASSERT_EQ(fault_of(words), "");
  Diagnostics diagnostics;
  const Result<WordBuffer> result = canonical_ids(words, diagnostics);
  ASSERT_TRUE(result);
  EXPECT_EQ(fault_of(*result), "") << text_of(*result);
  const Result<WordBuffer> again = canonical_ids(*result, diagnostics);
  EXPECT_TRUE(again && *again == *result);
}

// The alias declarations of all modules precede the annotations of all modules.
TEST(DeclarationOrder, links_alias_declarations_before_annotations) {
  const std::string text = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability MemoryAccessAliasingINTEL
OpExtension "SPV_INTEL_memory_access_aliasing"
OpMemoryModel Physical64 OpenCL
%domain = OpAliasDomainDeclINTEL
%scope = OpAliasScopeDeclINTEL %domain
%list = OpAliasScopeListDeclINTEL %scope
OpDecorateId %call AliasScopeINTEL %list
%void = OpTypeVoid
%fn = OpTypeFunction %void
%callee = OpFunction %void None %fn
%in_callee = OpLabel
%call = OpFunctionCall %void %callee
OpReturn
OpFunctionEnd
)";
  const WordBuffer words = test::assembled(text);
  const LinkInput inputs[] = {{.words = words}, {.words = words}};
  Diagnostics diagnostics;
  const Result<WordBuffer> result = link(inputs, {.library = true}, diagnostics);
  ASSERT_TRUE(result) << diagnostics.all().front().message;
  EXPECT_EQ(fault_of(*result), "") << text_of(*result);
}

}  // namespace
}  // namespace vireo::spirv
