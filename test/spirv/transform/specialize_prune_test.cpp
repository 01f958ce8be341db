// SPDX-License-Identifier: Apache-2.0
//
// Specializer with SpecializeOptions::prune: branches with a known condition, and what is unused then. Each row is a
// function or a module before and after.
//
// Source: specification 2.11 (structured control flow), 3.42.17 (OpSwitch, OpPhi), 2.9 (entry points).
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/transform/spec_constants_rows.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv::spec_constants_test {
namespace {

// Specializes and validates. Constants without a value are frozen, so that `after` has no specialization constant.
std::string pruned(std::string_view name, const std::string& before, std::span<const Specialization> values,
                   bool freeze_rest = true) {
  const WordBuffer words = words_of(before);
  Diagnostics diagnostics;
  EXPECT_TRUE(validate(words, {}, diagnostics)) << name << ": " << diagnostics.all()[0].message;
  const Result<Specializer> specializer = Specializer::read(words, {}, diagnostics);
  SpecializerMemory memory;
  WordBuffer result, again;
  const SpecializeOptions options = {.freeze_rest = freeze_rest, .prune = true};
  if (!specializer || specializer->specialize(values, options, memory, result, diagnostics)) {
    ADD_FAILURE() << name << ": " << diagnostics.all()[0].message;
    return {};
  }
  EXPECT_FALSE(specializer->specialize(values, options, memory, again, diagnostics)) << name;
  EXPECT_EQ(again, result) << name;
  EXPECT_TRUE(diagnostics.all().empty()) << name << ": " << diagnostics.all()[0].message;
  EXPECT_TRUE(validate(result, {}, diagnostics)) << name << ": " << diagnostics.all()[0].message;
  return text_of(result);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// --- switches --------------------------------------------------------------------------------------------------------

struct SwitchRow {
  std::string_view type, literal;  ///< the type of the selector, and the literal of a case
  std::uint64_t bits;              ///< of this literal
};

constexpr SwitchRow switch_rows[] = {
    {"8 0", "200", 200},
    {"8 1", "-3", 0xFD},
    {"16 0", "60000", 60000},
    {"16 1", "-32768", 0x8000},
    {"32 0", "4000000000", 4000000000},
    {"32 1", "-2147483648", 0x80000000},
    {"64 0", "0x1234567890ABCDEF", 0x1234567890ABCDEF},
    {"64 1", "-9223372036854775808", std::uint64_t{1} << 63},
};

// The blocks of the cases 7 and the literal, and of the default, store different constants.
std::string switch_module(const SwitchRow& row) {
  return R"(
OpCapability Shader
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %40 "main" %30
OpExecutionMode %40 OriginUpperLeft
OpDecorate %20 SpecId 1
OpDecorate %30 Location 0
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%4 = OpTypeInt )" +
         std::string(row.type) + R"(
%5 = OpTypeFloat 32
%20 = OpSpecConstant %4 1
%6 = OpTypePointer Output %5
%21 = OpConstant %5 1
%22 = OpConstant %5 2
%23 = OpConstant %5 3
%30 = OpVariable %6 Output
%40 = OpFunction %1 None %2
%41 = OpLabel
OpSelectionMerge %45 None
OpSwitch %20 %42 7 %43 )" +
         std::string(row.literal) + R"( %44
%42 = OpLabel
OpStore %30 %21
OpBranch %45
%43 = OpLabel
OpStore %30 %22
OpBranch %45
%44 = OpLabel
OpStore %30 %23
OpBranch %45
%45 = OpLabel
OpReturn
OpFunctionEnd
)";
}

TEST(SpecializePrunes, switches_with_selectors_of_all_widths) {
  for (const SwitchRow& row : switch_rows) {
    struct Case {
      std::uint64_t selector;
      std::string_view stored;
    };
    const Case cases[] = {{row.bits, "%23"}, {7, "%22"}, {8, "%21"}, {row.bits ^ 1, "%21"}};
    for (const Case& each : cases) {
      const Specialization values[] = {{1, each.selector}};
      const std::string text = pruned(row.type, switch_module(row), values);
      for (const std::string_view stored : {"%21", "%22", "%23"}) {
        EXPECT_EQ(contains(text, "OpStore %30 " + std::string(stored)), stored == each.stored)
            << row.type << " " << each.selector << "\n"
            << text;
      }
      EXPECT_FALSE(contains(text, "OpSwitch")) << text;
    }
  }
}

// --- functions -------------------------------------------------------------------------------------------------------

constexpr std::string_view function_head = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %40 "main" %30
OpExecutionMode %40 OriginUpperLeft
OpDecorate %30 Location 0
OpDecorate %20 SpecId 1
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeBool
%4 = OpTypeInt 32 0
%5 = OpTypePointer Output %4
%20 = OpSpecConstantTrue %3
%21 = OpConstant %4 1
%22 = OpConstant %4 2
%30 = OpVariable %5 Output
%40 = OpFunction %1 None %2
)";

constexpr std::string_view phi_blocks = R"(
%41 = OpLabel
OpSelectionMerge %44 None
OpBranchConditional %20 %42 %43
%42 = OpLabel
%50 = OpIAdd %4 %21 %21
OpBranch %44
%43 = OpLabel
%51 = OpIAdd %4 %22 %22
OpBranch %44
%44 = OpLabel
%52 = OpPhi %4 %50 %42 %51 %43
OpStore %30 %52
OpReturn
OpFunctionEnd
)";

constexpr std::string_view loop_blocks = R"(
%41 = OpLabel
OpBranch %42
%42 = OpLabel
%50 = OpPhi %4 %21 %41 %51 %44
OpLoopMerge %45 %44 None
OpBranchConditional %20 %43 %45
%43 = OpLabel
OpStore %30 %50
OpBranch %44
%44 = OpLabel
%51 = OpIAdd %4 %50 %21
OpBranch %42
%45 = OpLabel
OpStore %30 %50
OpReturn
OpFunctionEnd
)";

TEST(SpecializePrunes, phis_to_the_values_of_the_remaining_predecessors) {
  for (const bool value : {true, false}) {
    const Specialization values[] = {{1, value}};
    const std::string text = pruned("phi", std::string(function_head) + std::string(phi_blocks), values);
    EXPECT_EQ(contains(text, "%50 = OpIAdd"), value) << text;
    EXPECT_EQ(contains(text, "%51 = OpIAdd"), !value) << text;
    EXPECT_FALSE(contains(text, "OpBranchConditional")) << text;
    // The phi has one value, or was replaced by it.
    const std::string remaining = value ? "%50" : "%51", other = value ? "%51" : "%50";
    EXPECT_TRUE(contains(text, "OpStore %30 " + remaining) || contains(text, "OpPhi %4 " + remaining)) << text;
    EXPECT_FALSE(contains(text, other)) << text;
  }
}

TEST(SpecializePrunes, loops_whose_first_exit_is_taken) {
  const Specialization taken[] = {{1, 0}};
  const std::string text = pruned("loop", std::string(function_head) + std::string(loop_blocks), taken);
  EXPECT_FALSE(contains(text, "%51 = OpIAdd")) << text;
  EXPECT_FALSE(contains(text, "OpBranchConditional")) << text;
  EXPECT_TRUE(contains(text, "OpStore %30 ")) << text;
  EXPECT_EQ(text.find("OpStore"), text.rfind("OpStore")) << text;  // that of the body is gone
}

TEST(SpecializePrunes, keep_loops_whose_first_exit_is_not_taken) {
  const Specialization not_taken[] = {{1, 1}};
  const std::string text = pruned("loop", std::string(function_head) + std::string(loop_blocks), not_taken);
  EXPECT_TRUE(contains(text, "OpLoopMerge")) << text;
  EXPECT_TRUE(contains(text, "%51 = OpIAdd")) << text;
}

// --- modules ---------------------------------------------------------------------------------------------------------

// The function %60 is called, and the inputs %31 and %32 are read, only if SpecId 1 is true. The output %33 is never
// written; SpecId 2 decides nothing.
constexpr std::string_view calling_module = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %40 "main" %30 %31 %32 %33 %34
OpExecutionMode %40 OriginUpperLeft
OpName %60 "helper"
OpName %31 "used if"
OpDecorate %20 SpecId 1
OpDecorate %21 SpecId 2
OpDecorate %30 Location 0
OpDecorate %33 Location 1
OpDecorate %31 Location 0
OpDecorate %31 Flat
OpDecorate %32 Location 1
OpDecorate %32 Flat
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeBool
%4 = OpTypeInt 32 0
%5 = OpTypePointer Output %4
%6 = OpTypePointer Input %4
%7 = OpTypePointer Private %4
%8 = OpTypeFunction %4
%20 = OpSpecConstantTrue %3
%21 = OpSpecConstant %4 5
%22 = OpConstant %4 2
%30 = OpVariable %5 Output
%31 = OpVariable %6 Input
%32 = OpVariable %6 Input
%33 = OpVariable %5 Output
%34 = OpVariable %7 Private
%40 = OpFunction %1 None %2
%41 = OpLabel
OpStore %30 %22
OpSelectionMerge %43 None
OpBranchConditional %20 %42 %43
%42 = OpLabel
%50 = OpLoad %4 %31
%51 = OpFunctionCall %4 %60
%52 = OpIAdd %4 %50 %51
OpStore %30 %52
OpBranch %43
%43 = OpLabel
OpReturn
OpFunctionEnd
%60 = OpFunction %4 None %8
%61 = OpLabel
%62 = OpLoad %4 %32
%63 = OpLoad %4 %34
%64 = OpIAdd %4 %62 %63
OpReturnValue %64
OpFunctionEnd
)";

TEST(SpecializePrunes, functions_and_interfaces_without_uses) {
  const Specialization off[] = {{1, 0}};
  EXPECT_EQ(pruned("unused", std::string(calling_module), off, false), text_of(words_of(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %40 "main" %30 %33
OpExecutionMode %40 OriginUpperLeft
OpDecorate %21 SpecId 2
OpDecorate %30 Location 0
OpDecorate %33 Location 1
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%4 = OpTypeInt 32 0
%5 = OpTypePointer Output %4
%21 = OpSpecConstant %4 5
%22 = OpConstant %4 2
%30 = OpVariable %5 Output
%33 = OpVariable %5 Output
%40 = OpFunction %1 None %2
%41 = OpLabel
OpStore %30 %22
OpBranch %43
%43 = OpLabel
OpReturn
OpFunctionEnd
)")));
}

TEST(SpecializePrunes, nothing_that_is_used) {
  const Specialization on[] = {{1, 1}};
  const std::string text = pruned("used", std::string(calling_module), on, false);
  for (const std::string_view part :
       {"%60 = OpFunction %4", "OpEntryPoint Fragment %40 \"main\" %30 %31 %32 %33 %34", "OpName %31",
        "OpDecorate %32 Flat", "%34 = OpVariable", "%21 = OpSpecConstant"}) {
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  }
  EXPECT_FALSE(contains(text, "OpBranchConditional")) << text;
}

// Without a value for SpecId 1 nothing is decided.
TEST(SpecializePrunes, no_branch_on_a_constant_without_a_value) {
  const Specialization other[] = {{2, 1}};
  const std::string text = pruned("open", std::string(calling_module), other, false);
  EXPECT_TRUE(contains(text, "OpBranchConditional %20 %42 %43")) << text;
  EXPECT_TRUE(contains(text, "%20 = OpSpecConstantTrue")) << text;
  EXPECT_TRUE(contains(text, "%60 = OpFunction %4")) << text;
}

}  // namespace
}  // namespace vireo::spirv::spec_constants_test
