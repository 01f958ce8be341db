// SPDX-License-Identifier: Apache-2.0
//
// Parts of modules: what functions and entry points reach, how they are named, and the locations of their faults.
#include "vireo/spirv/inspect/module_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

using test::assembled;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view whole_text = R"(
OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
%20 = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %1 "first" %10
OpEntryPoint Fragment %2 "second" %11
OpEntryPoint Fragment %2 "third" %11
OpExecutionMode %2 OriginUpperLeft
%21 = OpString "a.glsl"
%22 = OpString "b.glsl"
OpSource GLSL 450
OpSource GLSL 450 %21
OpSourceContinued "text of a"
OpSource GLSL 450 %22
OpSourceContinued "text of b"
OpName %1 "main"
OpName %2 "main"
OpName %3 "helper(u1;"
OpName %10 "out"
OpDecorate %10 Location 0
OpDecorate %23 Location 1
%23 = OpDecorationGroup
OpGroupDecorate %23 %11 %12
%4 = OpTypeVoid
%5 = OpTypeFunction %4
%6 = OpTypeFloat 32
%7 = OpTypePointer Output %6
%8 = OpTypePointer Input %6
OpLine %22 5 0
%9 = OpConstant %6 1
OpNoLine
%10 = OpVariable %7 Output
%11 = OpVariable %7 Output
%12 = OpVariable %7 Output
%1 = OpFunction %4 None %5
%13 = OpLabel
OpLine %21 1 0
OpStore %10 %9
OpReturn
OpFunctionEnd
%2 = OpFunction %4 None %5
%14 = OpLabel
%15 = OpFunctionCall %4 %3
OpReturn
OpFunctionEnd
%3 = OpFunction %4 None %5
%16 = OpLabel
OpReturn
OpFunctionEnd
)";

class ModuleParts : public testing::Test {
 protected:
  std::string part(std::string_view name, RootKind kind, DisassembleOptions options = {}) {
    Diagnostics diagnostics;
    const auto roots = find_roots(module_, name, kind, diagnostics);
    if (!roots) return diagnostics.all().front().message + "; " + diagnostics.all().front().hint;
    options.header = options.indent = options.friendly_names = false;
    StringSink sink;
    EXPECT_TRUE(disassemble_part(module_, *roots, options, sink, diagnostics));
    return std::move(sink).text();
  }

  const WordBuffer words_ = assembled(whole_text);
  const Module module_ = Module::read(words_);
};

TEST_F(ModuleParts, contain_what_an_entry_point_reaches) {
  // Without the group, whose targets are not reached, and without unused types. The constant has a line in b.glsl.
  EXPECT_EQ(part("first", RootKind::EntryPoint), R"(OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
%20 = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %1 "first" %10
%21 = OpString "a.glsl"
%22 = OpString "b.glsl"
OpSource GLSL 450
OpSource GLSL 450 %21
OpSourceContinued "text of a"
OpSource GLSL 450 %22
OpSourceContinued "text of b"
OpName %1 "main"
OpName %10 "out"
OpDecorate %10 Location 0
%4 = OpTypeVoid
%5 = OpTypeFunction %4
%6 = OpTypeFloat 32
%7 = OpTypePointer Output %6
OpLine %22 5 0
%9 = OpConstant %6 1
OpNoLine
%10 = OpVariable %7 Output
%1 = OpFunction %4 None %5
%13 = OpLabel
OpLine %21 1 0
OpStore %10 %9
OpReturn
OpFunctionEnd
)");
}

TEST_F(ModuleParts, contain_one_of_two_entry_points_of_a_function) {
  const std::string text = part("third", RootKind::EntryPoint);
  EXPECT_THAT(text, HasSubstr("OpEntryPoint Fragment %2 \"third\" %11\nOpExecutionMode %2 OriginUpperLeft\n"));
  EXPECT_THAT(text, Not(HasSubstr("second")));
  // A group keeps only the targets in the part.
  EXPECT_THAT(text, HasSubstr("OpDecorate %23 Location 1\n%23 = OpDecorationGroup\nOpGroupDecorate %23 %11\n"));
  EXPECT_THAT(text, HasSubstr("%3 = OpFunction"));
  EXPECT_THAT(text, Not(HasSubstr("%1 = OpFunction")));
}

TEST_F(ModuleParts, of_functions_have_no_entry_point) {
  const std::string text = part("2", RootKind::Function);
  EXPECT_THAT(text, Not(HasSubstr("OpEntryPoint")));
  EXPECT_THAT(text, Not(HasSubstr("OpExecutionMode")));
  EXPECT_THAT(text, HasSubstr("%2 = OpFunction"));
  EXPECT_THAT(text, HasSubstr("OpName %3 \"helper(u1;\""));
  EXPECT_THAT(text, Not(HasSubstr("OpVariable")));
}

TEST_F(ModuleParts, are_found_by_every_kind_of_name) {
  const auto functions = [&](std::string_view name) {
    Diagnostics diagnostics;
    std::string ids;
    const auto roots = find_roots(module_, name, RootKind::Function, diagnostics);
    if (!roots) return std::string("none");
    for (const InstructionIndex root : *roots)
      ids += std::to_string(module_.result_of(module_.instruction(root))) + ' ';
    return ids;
  };
  EXPECT_EQ(functions("%3"), "3 ");
  EXPECT_EQ(functions("3"), "3 ");
  EXPECT_EQ(functions("helper(u1;"), "3 ");
  EXPECT_EQ(functions("%helper_u1_"), "3 ");
  EXPECT_EQ(functions("helper"), "3 ");
  EXPECT_EQ(functions("main"), "1 2 ");
  EXPECT_EQ(functions("%main_0"), "2 ");
  EXPECT_EQ(functions("third"), "2 ");
  EXPECT_EQ(functions("10"), "none");  // a variable
  EXPECT_EQ(functions("out"), "none");
  EXPECT_EQ(functions(""), "none");
  EXPECT_THAT(part("main", RootKind::EntryPoint), HasSubstr("OpEntryPoint Fragment %2 \"third\" %11\n"));
  EXPECT_THAT(part("%2", RootKind::EntryPoint), Not(HasSubstr("first")));
  EXPECT_THAT(part("mein", RootKind::Function),
              testing::MatchesRegex("the module has no function 'mein'; expected .*main.*; did you mean 'main'\\?"));
  EXPECT_THAT(part("helpre", RootKind::Function), HasSubstr("; did you mean 'helper'?"));
  EXPECT_EQ(part("thirt", RootKind::EntryPoint),
            "the module has no entry point 'thirt'; expected first, second or third; did you mean 'third'?");
}

TEST_F(ModuleParts, have_the_names_and_offsets_of_the_module) {
  Diagnostics diagnostics;
  const InstructionIndex root = module_.definition(2);
  StringSink sink;
  disassemble_part(module_, {&root, 1}, {.header = false, .indent = false, .offsets = true}, sink, diagnostics);
  char offset[40];
  std::snprintf(offset, sizeof offset, "; 0x%08x\n", module_.instruction(root).offset * 4u);
  EXPECT_THAT(sink.text(), HasSubstr("%main_0 = OpFunction %void None %5"));
  EXPECT_THAT(sink.text(), HasSubstr(offset));
}

TEST(ModulePartFaults, have_locations_in_the_module) {
  WordBuffer words = assembled(whole_text);
  const Module whole = Module::read(words);
  const InstructionView label = whole.find(14);
  words[label.offset + 1] = 0;  // the result of OpLabel in %2
  const Module module = Module::read(words);
  const InstructionIndex root = module.definition(2);
  StringSink sink;
  Diagnostics diagnostics;
  EXPECT_FALSE(disassemble_part(module, {&root, 1}, {}, sink, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  const Location where = diagnostics.all().front().where;
  EXPECT_EQ(where.begin, label.offset + 1u);
  EXPECT_EQ(where.instruction, whole.definition(14).raw + 1u);
}

TEST(ModulePartFaults, include_the_early_end_of_the_module) {
  WordBuffer words = assembled(whole_text);
  words.push_back(7u << 16);
  const Module module = Module::read(words);
  const InstructionIndex root = module.definition(2);
  StringSink sink;
  Diagnostics diagnostics;
  EXPECT_FALSE(disassemble_part(module, {&root, 1}, {}, sink, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all().front().rule, "truncated-instruction");
}

// What an instruction that cannot be decoded may refer to is kept.
TEST(ModulePartFaults, keep_the_operands_of_unknown_instructions) {
  WordBuffer words = assembled(R"(
OpCapability Linkage
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeBool
%4 = OpFunction %1 None %2
%5 = OpLabel
OpNop
OpNop
OpReturn
OpFunctionEnd
)");
  const Module whole = Module::read(words);
  const std::uint32_t nop = whole.find(5).offset + 2;
  words[nop] = 2u << 16 | 0xFFFE;
  words[nop + 1] = 3;
  const Module module = Module::read(words);
  const InstructionIndex root = module.definition(4);
  const std::vector<bool> reached = reachable_instructions(module, {&root, 1});
  EXPECT_TRUE(reached[module.definition(3).raw]);
}

}  // namespace
}  // namespace vireo::spirv
