// SPDX-License-Identifier: Apache-2.0
//
// Unused members: which members are removed, and how the module changes.
//
// A case is the difference between the module and its result. Lines with `-` are only in the module, lines
// with `+` only in the result, other lines are in both.
#include "spirv/transform/clean/members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "spirv/build/building.h"
#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

struct UnusedMemberCase {
  std::string_view name;
  std::string_view annotations;
  std::string_view globals;
  std::string_view body;            // of %3
  std::string_view functions = "";  // after %3
  std::string_view declarations = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
)";
};

// Uses the ids below 20.
constexpr std::string_view member_globals = R"(
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%4 = OpTypeInt 32 0
%5 = OpTypeFloat 32
%6 = OpConstant %4 0
%7 = OpConstant %4 1
%8 = OpConstant %4 2
%9 = OpConstant %5 1
%10 = OpTypePointer Uniform %5
%11 = OpTypePointer Function %5
%12 = OpTypePointer StorageBuffer %5
)";

constexpr UnusedMemberCase unused_member_cases[] = {
    // --- memory with explicit offsets ---
    {"a chain selects members by existing constants", R"(
 OpName %20 "Block"
 OpMemberName %20 0 "x"
-OpMemberName %20 1 "y"
-OpMemberName %20 2 "z"
+OpMemberName %20 1 "z"
 OpDecorate %20 Block
 OpMemberDecorate %20 0 Offset 0
-OpMemberDecorate %20 1 Offset 4
-OpMemberDecorate %20 2 Offset 8
+OpMemberDecorate %20 1 Offset 8
)",
     R"(
-%20 = OpTypeStruct %5 %5 %5
+%20 = OpTypeStruct %5 %5
 %21 = OpTypePointer Uniform %20
 %22 = OpVariable %21 Uniform
)",
     R"(
 %30 = OpAccessChain %10 %22 %6
-%31 = OpInBoundsAccessChain %10 %22 %8
+%31 = OpInBoundsAccessChain %10 %22 %7
)"},
    {"a new constant has the type of the index", R"(
)",
     R"(
 %20 = OpTypeInt 64 1
+%36 = OpConstant %20 3
 %21 = OpConstant %20 4
-%22 = OpTypeStruct %5 %5 %5 %5 %5
+%22 = OpTypeStruct %5 %5 %5 %5
 %23 = OpTypePointer Function %22
)",
     R"(
 %30 = OpVariable %23 Function
 %31 = OpAccessChain %11 %30 %6
 %32 = OpAccessChain %11 %30 %7
 %33 = OpAccessChain %11 %30 %8
-%34 = OpAccessChain %11 %30 %21
-%35 = OpAccessChain %11 %30 %21
+%34 = OpAccessChain %11 %30 %36
+%35 = OpAccessChain %11 %30 %36
)"},
    {"the first index of OpPtrAccessChain selects no member", R"(
-OpMemberDecorate %20 0 Offset 0
-OpMemberDecorate %20 1 Offset 4
+OpMemberDecorate %20 0 Offset 4
)",
     R"(
-%20 = OpTypeStruct %5 %5
+%20 = OpTypeStruct %5
 %21 = OpTypePointer StorageBuffer %20
 %22 = OpVariable %21 StorageBuffer
)",
     R"(
-%30 = OpPtrAccessChain %12 %22 %6 %7
-%31 = OpInBoundsPtrAccessChain %12 %22 %6 %7
+%30 = OpPtrAccessChain %12 %22 %6 %6
+%31 = OpInBoundsPtrAccessChain %12 %22 %6 %6
)"},
    {"nested structures, arrays and matrices", R"(
-OpMemberDecorate %25 0 Offset 0
-OpMemberDecorate %25 1 Offset 16
-OpMemberDecorate %25 1 ColMajor
-OpMemberDecorate %25 1 MatrixStride 16
-OpMemberDecorate %27 0 Offset 0
-OpMemberDecorate %27 1 Offset 16
+OpMemberDecorate %25 0 Offset 16
+OpMemberDecorate %25 0 ColMajor
+OpMemberDecorate %25 0 MatrixStride 16
+OpMemberDecorate %27 0 Offset 16
)",
     R"(
 %20 = OpTypeVector %5 4
 %21 = OpTypeMatrix %20 2
-%25 = OpTypeStruct %5 %21
+%25 = OpTypeStruct %21
 %26 = OpTypeArray %25 %8
-%27 = OpTypeStruct %20 %26
+%27 = OpTypeStruct %26
 %28 = OpTypePointer Uniform %27
 %29 = OpVariable %28 Uniform
)",
     R"(
-%30 = OpAccessChain %10 %29 %7 %7 %7 %7 %8
+%30 = OpAccessChain %10 %29 %6 %7 %6 %7 %8
)"},
    {"the length of a runtime array", R"(
-OpMemberDecorate %21 0 Offset 0
-OpMemberDecorate %21 1 Offset 4
+OpMemberDecorate %21 0 Offset 4
)",
     R"(
 %20 = OpTypeRuntimeArray %5
-%21 = OpTypeStruct %5 %20
+%21 = OpTypeStruct %20
 %22 = OpTypePointer StorageBuffer %21
 %23 = OpVariable %22 StorageBuffer
)",
     R"(
-%30 = OpArrayLength %4 %23 1
+%30 = OpArrayLength %4 %23 0
)"},
    {"a runtime array that is not used", R"(
 OpMemberDecorate %21 0 Offset 0
-OpMemberDecorate %21 1 Offset 4
)",
     R"(
 %20 = OpTypeRuntimeArray %5
-%21 = OpTypeStruct %5 %20
+%21 = OpTypeStruct %5
 %22 = OpTypePointer StorageBuffer %21
 %23 = OpVariable %22 StorageBuffer
)",
     ""},
    {"untyped pointers", R"(
-OpMemberDecorate %21 0 Offset 0
-OpMemberDecorate %21 1 Offset 4
-OpMemberDecorate %21 2 Offset 8
+OpMemberDecorate %21 0 Offset 4
+OpMemberDecorate %21 1 Offset 8
)",
     R"(
 %20 = OpTypeRuntimeArray %5
-%21 = OpTypeStruct %5 %5 %20
+%21 = OpTypeStruct %5 %20
 %22 = OpTypeUntypedPointerKHR StorageBuffer
 %23 = OpUntypedVariableKHR %22 StorageBuffer %21
)",
     R"(
-%30 = OpUntypedAccessChainKHR %22 %21 %23 %7
-%31 = OpUntypedInBoundsPtrAccessChainKHR %22 %21 %23 %6 %8 %6
-%32 = OpUntypedArrayLengthKHR %4 %21 %23 2
+%30 = OpUntypedAccessChainKHR %22 %21 %23 %6
+%31 = OpUntypedInBoundsPtrAccessChainKHR %22 %21 %23 %6 %7 %6
+%32 = OpUntypedArrayLengthKHR %4 %21 %23 1
)"},
    {"decorations by groups and strings", R"(
 OpDecorate %40 RelaxedPrecision
 %40 = OpDecorationGroup
-OpGroupMemberDecorate %40 %20 0 %20 2 %21 0
-OpMemberDecorateString %20 0 UserSemantic "a"
-OpMemberDecorateString %20 2 UserSemantic "c"
+OpGroupMemberDecorate %40 %20 1 %21 0
+OpMemberDecorateString %20 1 UserSemantic "c"
)",
     R"(
-%20 = OpTypeStruct %5 %5 %5
+%20 = OpTypeStruct %5 %5
 %21 = OpTypeStruct %5
 %22 = OpTypePointer Private %20
 %23 = OpVariable %22 Private
 %24 = OpTypePointer Private %5
)",
     R"(
-%30 = OpAccessChain %24 %23 %7
-%31 = OpAccessChain %24 %23 %8
+%30 = OpAccessChain %24 %23 %6
+%31 = OpAccessChain %24 %23 %7
)"},

    // --- values ---
    {"a load, an insertion and an extraction", R"(
-OpMemberDecorate %20 0 Offset 0
-OpMemberDecorate %20 1 Offset 4
+OpMemberDecorate %20 0 Offset 4
)",
     R"(
-%20 = OpTypeStruct %5 %5
+%20 = OpTypeStruct %5
 %21 = OpTypePointer Uniform %20
 %22 = OpVariable %21 Uniform
)",
     R"(
 %30 = OpLoad %20 %22
-%31 = OpCompositeExtract %5 %30 1
-%32 = OpCompositeInsert %20 %31 %30 1
+%31 = OpCompositeExtract %5 %30 0
+%32 = OpCompositeInsert %20 %31 %30 0
)"},
    {"constants and constructions lose constituents", R"(
 OpDecorate %21 SpecId 0
)",
     R"(
-%20 = OpTypeStruct %4 %5 %4
+%20 = OpTypeStruct %5 %4
 %21 = OpSpecConstant %4 7
 %22 = OpConstantNull %20
-%23 = OpConstantComposite %20 %6 %9 %7
-%24 = OpSpecConstantComposite %20 %21 %9 %21
-%25 = OpSpecConstantOp %20 CompositeInsert %7 %24 2
-%26 = OpSpecConstantOp %4 CompositeExtract %25 2
+%23 = OpConstantComposite %20 %9 %7
+%24 = OpSpecConstantComposite %20 %9 %21
+%25 = OpSpecConstantOp %20 CompositeInsert %7 %24 1
+%26 = OpSpecConstantOp %4 CompositeExtract %25 1
)",
     R"(
-%30 = OpCompositeConstruct %20 %6 %9 %7
-%31 = OpCompositeExtract %5 %30 1
+%30 = OpCompositeConstruct %20 %9 %7
+%31 = OpCompositeExtract %5 %30 0
)"},
    {"copies within memory that only the module sees", "",
     R"(
-%20 = OpTypeStruct %5 %5
+%20 = OpTypeStruct %5
 %21 = OpTypePointer Function %20
 %22 = OpConstantNull %20
)",
     R"(
 %30 = OpVariable %21 Function %22
 %31 = OpVariable %21 Function
 %32 = OpLoad %20 %30
 %33 = OpCopyObject %20 %32
 OpStore %31 %33
 OpCopyMemory %31 %30
-%34 = OpAccessChain %11 %31 %7
+%34 = OpAccessChain %11 %31 %6
)"},
    {"parameters and results of functions", "",
     R"(
-%20 = OpTypeStruct %5 %5
+%20 = OpTypeStruct %5
 %21 = OpTypeFunction %20 %20
 %22 = OpConstantNull %20
)",
     R"(
 %30 = OpFunctionCall %20 %40 %22
-%31 = OpCompositeExtract %5 %30 1
+%31 = OpCompositeExtract %5 %30 0
)",
     R"(
 %40 = OpFunction %20 None %21
 %41 = OpFunctionParameter %20
 %42 = OpLabel
 OpReturnValue %41
 OpFunctionEnd
)"},
    {"a structure without used members keeps the first", "",
     R"(
-%20 = OpTypeStruct %5 %4
+%20 = OpTypeStruct %5
 %21 = OpTypeStruct
)",
     ""},
    {"debug information observes nothing", "",
     R"(
-%20 = OpTypeStruct %5 %4
+%20 = OpTypeStruct %5
 %21 = OpConstantNull %20
 %22 = OpExtInst %1 %16 99 %21
)",
     "", "", R"(
 OpCapability Shader
 OpExtension "SPV_KHR_non_semantic_info"
 %16 = OpExtInstImport "NonSemantic.Unknown"
 OpMemoryModel Logical GLSL450
)"},

    // --- modules that do not change ---
    {"a store to a buffer", R"(
 OpMemberDecorate %20 0 Offset 0
 OpMemberDecorate %20 1 Offset 4
)",
     R"(
 %20 = OpTypeStruct %5 %5
 %21 = OpTypePointer StorageBuffer %20
 %22 = OpVariable %21 StorageBuffer
 %23 = OpConstantNull %20
)",
     " OpStore %22 %23\n"},
    {"a copy to a buffer", R"(
 OpMemberDecorate %20 0 Offset 0
 OpMemberDecorate %20 1 Offset 4
)",
     R"(
 %20 = OpTypeStruct %5 %5
 %21 = OpTypePointer StorageBuffer %20
 %22 = OpVariable %21 StorageBuffer
)",
     " OpCopyMemory %22 %22\n"},
    {"a store to workgroup memory with explicit layout", R"(
 OpMemberDecorate %20 0 Offset 0
 OpMemberDecorate %20 1 Offset 4
)",
     R"(
 %20 = OpTypeStruct %5 %5
 %21 = OpTypePointer Workgroup %20
 %22 = OpVariable %21 Workgroup
 %23 = OpConstantNull %20
)",
     " OpStore %22 %23\n", "", R"(
 OpCapability WorkgroupMemoryExplicitLayoutKHR
 OpMemoryModel Logical GLSL450
)"},
    {"a volatile access", "",
     R"(
 %20 = OpTypeStruct %5 %5
 %21 = OpTypePointer Function %20
)",
     R"(
 %30 = OpVariable %21 Function
 %31 = OpLoad %20 %30 Volatile
)"},
    {"an input", "",
     R"(
 %20 = OpTypeStruct %5 %5
 %21 = OpTypeStruct %5 %20
 %22 = OpTypePointer Input %21
)",
     ""},
    {"a block of built-ins", R"(
 OpMemberDecorate %20 0 BuiltIn Position
 OpMemberDecorate %20 1 BuiltIn PointSize
)",
     R"(
 %20 = OpTypeStruct %5 %5
)",
     ""},
    {"an offset that is an id", R"(
 OpMemberDecorateIdEXT %20 0 OffsetIdEXT %6
 OpMemberDecorateIdEXT %20 1 OffsetIdEXT %7
)",
     " %20 = OpTypeStruct %5 %5\n", ""},
    {"a nested structure without offsets", R"(
 OpMemberDecorate %21 0 Offset 0
 OpMemberDecorate %21 1 Offset 16
)",
     R"(
 %20 = OpTypeStruct %5 %5
 %21 = OpTypeStruct %5 %20
 %22 = OpTypePointer Uniform %21
)",
     ""},
    {"an exported function", R"(
 OpDecorate %40 LinkageAttributes "f" Import
)",
     R"(
 %20 = OpTypeStruct %5 %5
 %21 = OpTypePointer Function %20
 %22 = OpTypeFunction %1 %21
)",
     "", R"(
 %40 = OpFunction %1 None %22
 %41 = OpFunctionParameter %21
 OpFunctionEnd
)"},
    {"a result that an instruction defines", "",
     R"(
 %20 = OpTypeStruct %4 %4
 %21 = OpTypeStruct %5 %5
)",
     R"(
 %30 = OpIAddCarry %20 %6 %7
 %31 = OpExtInst %21 %16 ModfStruct %9
)",
     "", R"(
 OpCapability Shader
 %16 = OpExtInstImport "GLSL.std.450"
 OpMemoryModel Logical GLSL450
)"},
    {"a copy to another type", "",
     R"(
 %20 = OpTypeStruct %4 %4
 %21 = OpTypeStruct %4 %4
 %22 = OpConstantNull %20
)",
     " %30 = OpCopyLogical %21 %22\n"},
    {"an index that is no constant, and one out of range", "",
     R"(
 %20 = OpTypeStruct %5 %5
 %21 = OpTypeStruct %5 %5
 %22 = OpTypePointer Function %20
 %23 = OpTypePointer Function %21
 %24 = OpSpecConstant %4 0
)",
     R"(
 %30 = OpVariable %22 Function
 %31 = OpVariable %23 Function
 %32 = OpAccessChain %11 %30 %24
 %33 = OpAccessChain %11 %31 %8
)"},
    {"a module for the capability Kernel", "", " %20 = OpTypeStruct %5 %5\n", "", "", R"(
 OpCapability Kernel
 OpMemoryModel Logical OpenCL
)"},
    {"a physical addressing model", "", " %20 = OpTypeStruct %5 %5\n", "", "", R"(
 OpCapability Shader
 OpMemoryModel Physical64 GLSL450
)"},
    {"a structure with more members than an instruction", "", R"(
 %20 = OpTypeStruct %5 %5
 OpTypeStructContinuedINTEL %5
)",
     ""},
};

/// The lines of a difference that are in the module (`side` is '-') or in the result (`side` is '+').
std::string side_of_difference(std::string_view difference, char side) {
  std::string text;
  while (!difference.empty()) {
    const std::string_view line = difference.substr(0, difference.find('\n'));
    difference.remove_prefix(std::min(line.size() + 1, difference.size()));
    if (line.empty()) continue;
    const bool is_marked = line[0] == '-' || line[0] == '+';
    if (!is_marked || line[0] == side) text += std::string(line.substr(is_marked ? 1 : 0)) + '\n';
  }
  return text;
}

WordBuffer module_on_side(const UnusedMemberCase& each, char side) {
  std::string text;
  for (const std::string_view part : {each.declarations, each.annotations, member_globals, each.globals}) {
    text += side_of_difference(part, side);
  }
  text +=
      "%3 = OpFunction %1 None %2\n%13 = OpLabel\n" + side_of_difference(each.body, side) + "OpReturn\nOpFunctionEnd\n";
  return test::assembled(text + side_of_difference(each.functions, side));
}

TEST(UnusedMembers, are_removed_once) {
  for (const UnusedMemberCase& each : unused_member_cases) {
    SCOPED_TRACE(each.name);
    Diagnostics diagnostics;
    const Result<WordBuffer> result = remove_unused_members(module_on_side(each, '-'), diagnostics);
    ASSERT_TRUE(bool(result)) << diagnostics.all().front().message;
    EXPECT_EQ(text_of(*result), text_of(module_on_side(each, '+')));
    const Result<WordBuffer> again = remove_unused_members(*result, diagnostics);
    EXPECT_TRUE(again && *again == *result) << "a second application changes the module";
  }
}

TEST(UnusedMembers, cannot_be_found_in_instructions_that_cannot_be_decoded) {
  WordBuffer words = module_on_side(unused_member_cases[0], '-');
  words.push_back(0x0001FFFF);
  Diagnostics diagnostics;
  EXPECT_FALSE(bool(remove_unused_members(words, diagnostics)));
  EXPECT_THAT(rules_of(diagnostics), testing::ElementsAre("unknown-opcode"));
  words.back() = 0x0002FFFF;
  Diagnostics of_truncated;
  EXPECT_FALSE(bool(remove_unused_members(words, of_truncated)));
  EXPECT_THAT(rules_of(of_truncated), testing::ElementsAre("truncated-instruction"));
}

// A changed word makes most modules invalid: each gives a result or a diagnostic.
TEST(UnusedMembers, of_damaged_modules_are_removed_or_reported) {
  std::mt19937 random(1);
  for (const UnusedMemberCase& each : unused_member_cases) {
    const WordBuffer words = module_on_side(each, '-');
    for (int i = 0; i < 200; ++i) {
      WordBuffer damaged = words;
      const std::size_t at = header_word_count + random() % (words.size() - header_word_count);
      const auto value = static_cast<Word>(random());
      damaged[at] = i % 2 == 0 ? value % 50 : damaged[at] ^ (Word{1} << value % 32);
      Diagnostics diagnostics;
      const Result<WordBuffer> result = remove_unused_members(damaged, diagnostics);
      EXPECT_NE(bool(result), diagnostics.has_errors()) << each.name;
    }
  }
}

}  // namespace
}  // namespace vireo::spirv
