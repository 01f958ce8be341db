// SPDX-License-Identifier: Apache-2.0
//
// Module: the instruction range of every section, function and block, definitions, and layout violations.
#include "vireo/spirv/module/module.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {
namespace {

using LayoutViolationKind = LayoutViolation::Kind;
using test::assembled;

std::vector<LayoutViolationKind> layout_violations_of(const Module& module) {
  std::vector<LayoutViolationKind> kinds;
  for (const LayoutViolation& violation : module.layout_violations()) kinds.push_back(violation.kind);
  return kinds;
}

constexpr std::string_view kernel = R"(
OpCapability Addresses
OpCapability Kernel
OpExtension "SPV_KHR_expect_assume"
%1 = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %2 "run"
OpExecutionMode %2 LocalSize 1 1 1
%3 = OpString "a.cl"
OpName %2 "run"
OpModuleProcessed "nothing"
OpDecorate %5 Alignment 4
%4 = OpTypeVoid
%6 = OpTypeBool
%7 = OpTypeFunction %4 %6
%2 = OpFunction %4 None %7
OpLine %3 1 1
%8 = OpFunctionParameter %6
%9 = OpLabel
OpSelectionMerge %11 None
OpBranchConditional %8 %10 %11
%10 = OpLabel
OpNop
OpBranch %11
%11 = OpLabel
OpReturn
OpFunctionEnd
%12 = OpFunction %4 None %7
%13 = OpFunctionParameter %6
OpFunctionEnd
)";

TEST(ModuleTest, returns_each_instruction_with_its_index) {
  const WordBuffer words = assembled(kernel);
  const Module module = Module::read(words);
  std::uint32_t count = 0;
  for (const auto [index, instruction] : module.instructions()) {
    EXPECT_EQ(index, InstructionIndex(count++));
    EXPECT_EQ(instruction.offset, module.instruction(index).offset);
  }
  EXPECT_EQ(count, module.instruction_count());
  for (const auto [index, instruction] : module.instructions(Section::Imports)) {
    EXPECT_EQ(index, InstructionIndex(3u));
    EXPECT_EQ(instruction.opcode, Op::OpExtInstImport);
  }
  EXPECT_EQ(module.instructions(module.functions()[1].all).size(), 3u);
}

// Diagnostics count instructions from 1, and words from the start of the module.
TEST(ModuleTest, locates_an_instruction_or_one_word_of_it) {
  const WordBuffer words = {magic_number, 0x00010000, 0, 1, 0, 0x00020011, 1, 0x0003000E, 0, 1};
  const Module module = Module::read(words);
  const InstructionIndex second(std::size_t{1});
  EXPECT_EQ(module.location_of(second), Location::in_words(7, 10, 2));
  EXPECT_EQ(module.location_of(second, 2), Location::in_words(9, 10, 2));
  EXPECT_EQ(module.location_of(second, 3), Location::in_words(7, 10, 2)) << "the instruction has no word 3";
  EXPECT_EQ(module.location_of(InstructionIndex(std::size_t{2})), Location::none());
}

TEST(ModuleTest, reports_which_opcodes_occur) {
  const WordBuffer words = assembled(kernel);
  const Module module = Module::read(words);
  for (const Op there : {Op::OpNop, Op::OpLine, Op::OpFunctionEnd, Op::OpModuleProcessed})
    EXPECT_TRUE(module.has(there));
  for (const Op absent : {Op::OpNoLine, Op::OpStore, static_cast<Op>(0xFFFF)}) EXPECT_FALSE(module.has(absent));
}

TEST(ModuleTest, finds_the_range_of_every_section) {
  const WordBuffer words = assembled(kernel);
  const Module module = Module::read(words);
  const std::uint32_t sizes[section_count] = {2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 15, 0};
  std::uint32_t at = 0;
  for (std::size_t s = 0; s < section_count; ++s) {
    const InstructionRange range = module.section(static_cast<Section>(s));
    EXPECT_EQ(range.first, at) << name_of(static_cast<Section>(s));
    EXPECT_EQ(range.size(), sizes[s]) << name_of(static_cast<Section>(s));
    at = range.end;
  }
  EXPECT_EQ(at, module.instruction_count());
  EXPECT_TRUE(module.layout_violations().empty());
}

TEST(ModuleTest, lists_functions_and_their_blocks) {
  const WordBuffer words = assembled(kernel);
  const Module module = Module::read(words);
  ASSERT_EQ(module.functions().size(), 2u);
  const FunctionRow& run = module.functions()[0];
  EXPECT_EQ(run.id, 2u);
  EXPECT_EQ(run.prologue.size(), 2u);
  EXPECT_EQ(run.all.size(), 12u);
  ASSERT_EQ(module.blocks(run).size(), 3u);
  EXPECT_EQ(module.blocks(run)[0].label, 9u);
  EXPECT_EQ(module.instruction(module.blocks(run)[0].merge).opcode, Op::OpSelectionMerge);
  EXPECT_EQ(module.instruction(module.blocks(run)[1].terminator).opcode, Op::OpBranch);
  EXPECT_TRUE(module.blocks(run)[1].merge.is_none());
  EXPECT_EQ(module.blocks(run)[1].all.size(), 3u);
  EXPECT_TRUE(module.functions()[1].is_declaration());
  EXPECT_EQ(module.functions()[1].prologue.size(), 1u);
}

TEST(ModuleTest, finds_the_definition_of_an_id) {
  const WordBuffer words = assembled(kernel);
  const Module module = Module::read(words);
  EXPECT_EQ(module.find(6).opcode, Op::OpTypeBool);
  EXPECT_EQ(module.type_of(8), 6u);
  EXPECT_EQ(module.type_of(6), 0u);
  EXPECT_TRUE(module.definition(5).is_none());  // decorated, never defined
  EXPECT_EQ(module.find(5).word_count, 0);
  EXPECT_TRUE(module.find(5).words().empty());
  EXPECT_TRUE(module.find(5).operands().empty());
  EXPECT_TRUE(module.definition(0xFFFFFFFF).is_none());
  EXPECT_EQ(module.function_of(12).raw, 1u);
  EXPECT_TRUE(module.function_of(9).is_none());
  EXPECT_EQ(module.block_of(11).raw, 2u);
  EXPECT_TRUE(module.block_of(2).is_none());
  EXPECT_EQ(module.defined_bound(), 14u);
}

TEST(ModuleTest, finds_the_instruction_at_any_word) {
  const WordBuffer words = assembled(kernel);
  const Module module = Module::read(words);
  std::uint32_t next = 0;
  for (std::uint32_t word = 0; word < words.size(); ++word) {
    if (next < module.instruction_count() && module.instruction(InstructionIndex(next)).offset == word) ++next;
    EXPECT_EQ(module.at_word(word), next == 0 ? InstructionIndex::none() : InstructionIndex(next - 1)) << word;
  }
  EXPECT_TRUE(module.at_word(static_cast<std::uint32_t>(words.size())).is_none());
}

TEST(ModuleTest, lists_layout_violations) {
  const struct {
    std::string_view text;
    std::vector<LayoutViolationKind> expected;
  } rows[] = {
      {"%1 = OpTypeVoid\n!0x20014 %1", {LayoutViolationKind::DefinedTwice}},
      {"%1 = OpTypeVoid\nOpCapability Shader", {LayoutViolationKind::OutOfSection}},
      {"OpReturn", {LayoutViolationKind::OutsideOfBlocks}},
      {"%1 = OpLabel", {LayoutViolationKind::LabelOutside}},
      {"OpFunctionEnd", {LayoutViolationKind::EndOutside}},
      {"%3 = OpFunctionParameter %1", {LayoutViolationKind::ParameterOutside}},
      {"%3 = OpFunction %1 None %2", {LayoutViolationKind::NoFunctionEnd}},
      {"%3 = OpFunction %1 None %2\n%4 = OpFunction %1 None %2\nOpFunctionEnd", {LayoutViolationKind::NestedFunction}},
      {"%3 = OpFunction %1 None %2\n%4 = OpLabel\nOpFunctionEnd", {LayoutViolationKind::NoTerminator}},
      {"%3 = OpFunction %1 None %2\n%4 = OpLabel\n%5 = OpLabel\nOpReturn\nOpFunctionEnd",
       {LayoutViolationKind::NoTerminator}},
      {"%3 = OpFunction %1 None %2\n%4 = OpLabel\nOpReturn\nOpReturn\nOpFunctionEnd",
       {LayoutViolationKind::OutsideOfBlocks}},
      {"%3 = OpFunction %1 None %2\n%4 = OpLabel\n%5 = OpFunctionParameter %1\nOpReturn\nOpFunctionEnd",
       {LayoutViolationKind::ParameterOutside}},
      {"%3 = OpFunction %1 None %2\nOpFunctionEnd\n%4 = OpVariable %1 Private", {LayoutViolationKind::OutOfSection}},
      {"%5 = OpExtInstImport \"NonSemantic.A\"\n%3 = OpFunction %1 None %2\nOpFunctionEnd\n%4 = OpExtInst %1 %5 77 %3",
       {}},
      {"%3 = OpFunction %1 None %2\n%4 = OpLabel\n%5 = OpVariable %1 Function\nOpReturn\nOpFunctionEnd", {}},
      {"%1 = OpUndef %2", {}},
  };
  for (const auto& row : rows) {
    const WordBuffer words = assembled(row.text);
    EXPECT_EQ(layout_violations_of(Module::read(words)), row.expected) << row.text;
  }
}

TEST(ModuleTest, reads_words_that_are_not_a_module) {
  constexpr Word magic = magic_number;
  const struct {
    WordBuffer words;
    std::vector<LayoutViolationKind> expected;
    std::uint32_t instructions;
  } rows[] = {
      {{}, {}, 0},
      {{magic, 0x10600, 0, 5}, {}, 0},
      {{magic, 0x10600, 0, 5, 0, 0x00000013}, {LayoutViolationKind::ZeroWordCount}, 0},
      {{magic, 0x10600, 0, 5, 0, 0x00020013, 1, 0x00030013}, {LayoutViolationKind::Truncated}, 1},
      {{magic, 0x10600, 0, 5, 0, 0x00010013}, {LayoutViolationKind::NoResult}, 1},
      {{magic, 0x10600, 0, 5, 0, 0x00020013, 0}, {LayoutViolationKind::ZeroId}, 1},
      {{magic, 0x10600, 0, 5, 0, 0x00020013, 0xFFFFFFF0}, {LayoutViolationKind::BeyondBound}, 1},
      {{magic, 0x10600, 0, 0xFFFFFFFF, 0, 0x00020013, 7, 0x00020014, 0xF0000000}, {}, 2},
      {{magic, 0x10600, 0, 5, 0, 0x0001FFFF}, {}, 1},
  };
  for (const auto& row : rows) {
    const Module module = Module::read(row.words);
    EXPECT_EQ(layout_violations_of(module), row.expected);
    EXPECT_EQ(module.instruction_count(), row.instructions);
  }
  const Module far = Module::read(rows[7].words);
  EXPECT_EQ(far.find(0xF0000000).opcode, Op::OpTypeBool);
}

}  // namespace
}  // namespace vireo::spirv
