// SPDX-License-Identifier: Apache-2.0
//
// ModuleDeclarations and Lines: the module declarations, and the source lines of instructions.
#include "vireo/spirv/module/module_declarations.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"
#include "vireo/spirv/grammar/grammar_tools.h"
#include "vireo/spirv/module/lines.h"

namespace vireo::spirv {
namespace {

using test::assembled;

TEST(ModuleDeclarationsTest, lists_the_module_declarations) {
  const WordBuffer words = assembled(R"(
OpCapability Geometry
OpCapability !60001
OpConditionalCapabilityINTEL %9 Int64
OpExtension "SPV_KHR_a"
%1 = OpExtInstImport "GLSL.std.450"
%2 = OpExtInstImport "NonSemantic.Unheard"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %3 "main" %4 %5
OpEntryPoint Fragment %6 "four"
OpConditionalEntryPointINTEL %9 Fragment %3 "maybe" %4
OpExecutionMode %6 OriginUpperLeft
OpExecutionMode %3 Invocations 2
OpExecutionModeId %6 LocalSizeId %7 %8 %8
)");
  const Module module = Module::read(words);
  const ModuleDeclarations module_declarations = ModuleDeclarations::read(module);

  ASSERT_EQ(module_declarations.capabilities().size(), 3u);
  EXPECT_EQ(module_declarations.capabilities()[2].condition, 9u);
  for (const Capability known : {Capability::Geometry, Capability::Shader, Capability::Matrix, Capability::Int64}) {
    EXPECT_TRUE(module_declarations.has(known)) << static_cast<int>(known);
  }
  EXPECT_TRUE(module_declarations.has(static_cast<Capability>(60001)));
  EXPECT_FALSE(module_declarations.has(static_cast<Capability>(60002)));
  EXPECT_FALSE(module_declarations.has(Capability::Tessellation));
  EXPECT_TRUE(module_declarations.has_extension("SPV_KHR_a"));
  EXPECT_FALSE(module_declarations.has_extension("SPV_KHR_"));

  ASSERT_NE(module_declarations.import_of(1), nullptr);
  EXPECT_EQ(module_declarations.import_of(1)->name, "GLSL.std.450");
  EXPECT_EQ(module_declarations.import_of(1)->set, builtin_grammar().find_set("GLSL.std.450"));
  EXPECT_TRUE(module_declarations.import_of(2)->set.is_none());
  EXPECT_EQ(module_declarations.import_of(3), nullptr);
  EXPECT_EQ(module_declarations.addressing_model(), AddressingModel::Logical);
  EXPECT_EQ(module_declarations.memory_model(), MemoryModel::GLSL450);

  ASSERT_EQ(module_declarations.entry_points().size(), 3u);
  const EntryPointRow& vertex = module_declarations.entry_points()[0];
  EXPECT_EQ(vertex.model, ExecutionModel::Vertex);
  EXPECT_EQ(vertex.function, 3u);
  EXPECT_EQ(vertex.name, "main");
  EXPECT_EQ(std::vector<Word>(vertex.interface_.begin(), vertex.interface_.end()), (std::vector<Word>{4, 5}));
  EXPECT_TRUE(module_declarations.entry_points()[1].interface_.empty());
  EXPECT_EQ(module_declarations.entry_points()[2].name, "maybe");
  EXPECT_EQ(module_declarations.entry_points()[2].condition, 9u);
  EXPECT_EQ(module_declarations.entry_points()[2].interface_.size(), 1u);

  ASSERT_EQ(module_declarations.modes_of(6).size(), 2u);
  EXPECT_EQ(module_declarations.modes_of(6)[0].mode, ExecutionMode::OriginUpperLeft);
  EXPECT_TRUE(module_declarations.modes_of(6)[1].has_ids);
  EXPECT_EQ(module_declarations.modes_of(6)[1].operands.size(), 3u);
  ASSERT_NE(module_declarations.mode(3, ExecutionMode::Invocations), nullptr);
  EXPECT_EQ(module_declarations.mode(3, ExecutionMode::Invocations)->operands[0], 2u);
  EXPECT_EQ(module_declarations.mode(3, ExecutionMode::LocalSize), nullptr);
  EXPECT_TRUE(module_declarations.modes_of(99).empty());
}

// Each capability alone, compared with the list that the grammar component computes independently.
TEST(ModuleDeclarationsTest, implied_capabilities_match_the_grammar) {
  const Grammar& grammar = builtin_grammar();
  const KindRow& kind = grammar.kind(grammar.capability_kind);
  for (std::uint16_t i = 0; i < kind.enumerants.count; ++i) {
    const auto enumerant = static_cast<std::uint16_t>(kind.enumerants.first + i);
    const Word words[] = {magic_number, 0x10600, 0, 1, 0, 0x00020011, grammar.enumerants[enumerant].value};
    const Module module = Module::read(words);
    const ModuleDeclarations module_declarations = ModuleDeclarations::read(module);
    std::vector<std::uint16_t> expected = implied_capabilities(grammar, enumerant);
    expected.push_back(enumerant);
    std::size_t count = 0;
    for (std::size_t other = 0; other < grammar.enumerants.size(); ++other)
      count += module_declarations.has_enumerant(other);
    EXPECT_EQ(count, expected.size()) << grammar.text(grammar.enumerants[enumerant].name);
    for (const std::uint16_t implied : expected) EXPECT_TRUE(module_declarations.has_enumerant(implied)) << implied;
  }
}

TEST(ModuleDeclarationsTest, finds_extensions_and_imports_in_any_order) {
  const WordBuffer words = assembled(R"(
OpExtension "SPV_b"
OpExtension "SPV_c"
OpExtension "SPV_a"
OpExtension "SPV_b"
%9 = OpExtInstImport "NonSemantic.Nine"
%3 = OpExtInstImport "NonSemantic.Three"
%5 = OpExtInstImport "NonSemantic.Five"
)");
  const Module module = Module::read(words);
  const ModuleDeclarations module_declarations = ModuleDeclarations::read(module);
  EXPECT_EQ(module_declarations.extensions()[2].name, "SPV_a");  // sorted by the order of the words
  for (const char* name : {"SPV_a", "SPV_b", "SPV_c"}) EXPECT_TRUE(module_declarations.has_extension(name)) << name;
  for (const char* name : {"", "SPV_", "SPV_bb", "SPV_d"})
    EXPECT_FALSE(module_declarations.has_extension(name)) << name;
  for (const auto& [id, name] :
       {std::pair<Word, std::string_view>{3, "NonSemantic.Three"}, {5, "NonSemantic.Five"}, {9, "NonSemantic.Nine"}}) {
    ASSERT_NE(module_declarations.import_of(id), nullptr) << id;
    EXPECT_EQ(module_declarations.import_of(id)->name, name);
  }
  for (const Word id : {0u, 1u, 4u, 10u}) EXPECT_EQ(module_declarations.import_of(id), nullptr) << id;
}

TEST(ModuleDeclarationsTest, invalid_modules_are_read_as_far_as_possible) {
  const WordBuffer words = assembled(R"(
%1 = OpTypeVoid
OpCapability Kernel
OpEntryPoint Kernel %2 "late"
!0x1000F
!0x10011
!0x1000E
!0x20010 %2
)");
  const Module module = Module::read(words);
  const ModuleDeclarations module_declarations = ModuleDeclarations::read(module);
  EXPECT_TRUE(module_declarations.has(Capability::Kernel));
  ASSERT_EQ(module_declarations.entry_points().size(), 1u);
  EXPECT_EQ(module_declarations.entry_points()[0].name, "late");
  EXPECT_EQ(module_declarations.memory_model(), std::nullopt);
  EXPECT_TRUE(module_declarations.execution_modes().empty());
  const WordBuffer nothing;
  const Module empty = Module::read(nothing);
  EXPECT_TRUE(ModuleDeclarations::read(empty).capabilities().empty());
}

TEST(LinesTest, a_line_ends_at_the_next_line_or_the_end_of_the_block) {
  const WordBuffer words = assembled(R"(
%1 = OpString "a.comp"
%2 = OpTypeVoid
OpLine %1 1 2
%3 = OpTypeFunction %2
OpNoLine
%4 = OpTypeBool
%5 = OpFunction %2 None %3
%6 = OpLabel
OpLine %1 10 1
%7 = OpUndef %4
OpLine %1 11 1
OpBranch %8
%8 = OpLabel
%9 = OpUndef %4
OpLine %77 12 1
OpReturn
OpFunctionEnd
)");
  const Module module = Module::read(words);
  const Lines lines = Lines::read(module);
  // One entry for each instruction; 0: none.
  const std::uint32_t expected[] = {0, 0, 1, 1, 0, 0, 0, 0, 10, 10, 11, 11, 0, 0, 12, 12, 0};
  ASSERT_EQ(module.instruction_count(), std::size(expected));
  for (std::uint32_t i = 0; i < std::size(expected); ++i) {
    const std::optional<SourceLine> line = lines.of(InstructionIndex(i));
    EXPECT_EQ(line ? line->line : 0, expected[i]) << i;
  }
  const std::optional<SourceLine> place = lines.of(InstructionIndex(9u));
  ASSERT_TRUE(place);
  EXPECT_EQ(place->name, "a.comp");
  EXPECT_EQ(place->column, 1u);
  EXPECT_EQ(place->instruction.raw, 8u);
  EXPECT_EQ(lines.of(InstructionIndex(15u))->name, "");
  EXPECT_EQ(lines.of(InstructionIndex::none()), std::nullopt);
}

// The same lines as shader debug information: the source as a DebugSource, numbers as constants.
TEST(LinesTest, debug_lines_have_the_same_scope) {
  const WordBuffer words = assembled(R"(
%1 = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%2 = OpExtInstImport "NonSemantic.Another"
%21 = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%3 = OpString "b.comp"
%4 = OpTypeVoid
%5 = OpTypeInt 32 0
%6 = OpConstant %5 6
%7 = OpConstant %5 7
%8 = OpConstant %5 8
%9 = OpConstant %5 9
%10 = OpExtInst %4 %1 DebugSource %3
%11 = OpTypeFunction %4
%12 = OpFunction %4 None %11
%13 = OpLabel
%14 = OpExtInst %4 %1 DebugLine %10 %6 %7 %8 %9
%15 = OpUndef %5
%16 = OpExtInst %4 %1 DebugNoLine
%17 = OpUndef %5
%18 = OpExtInst %4 %2 103 %10 %6 %7 %8 %9
OpLine %3 70 1
%19 = OpExtInst %4 %1 DebugLine %99 %5 %7 %8 %9
OpBranch %20
%20 = OpLabel
OpReturn
OpFunctionEnd
)");
  const Module module = Module::read(words);
  const Lines lines = Lines::read(module);
  EXPECT_TRUE(lines.has_any());
  const std::optional<SourceLine> place = lines.of(module.definition(15));
  ASSERT_TRUE(place);
  EXPECT_EQ(place->file, 3u);
  EXPECT_EQ(place->name, "b.comp");
  EXPECT_EQ(place->line, 6u);
  EXPECT_EQ(place->end_line, 7u);
  EXPECT_EQ(place->column, 8u);
  EXPECT_EQ(place->end_column, 9u);
  EXPECT_EQ(place->instruction, module.definition(14));
  EXPECT_FALSE(lines.of(module.definition(13)));  // before any line
  EXPECT_FALSE(lines.of(module.definition(17)));  // the line has ended
  EXPECT_FALSE(lines.of(module.definition(18)));  // the same instruction number in another set
  EXPECT_FALSE(lines.of(module.definition(20)));  // another block
  const auto branch = InstructionIndex(module.definition(20).raw - 1u);
  EXPECT_EQ(module.instruction(branch).opcode, Op::OpBranch);
  const std::optional<SourceLine> broken = lines.of(branch);  // invalid source, line not constant; later one applies
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->instruction, module.definition(19));
  EXPECT_EQ(broken->file, 0u);
  EXPECT_EQ(broken->name, "");
  EXPECT_EQ(broken->line, 0u);
  EXPECT_EQ(broken->end_column, 9u);
}

TEST(LinesTest, a_module_without_lines_has_none) {
  const WordBuffer words = assembled("%1 = OpTypeVoid\nOpNoLine");
  const Module module = Module::read(words);
  const Lines lines = Lines::read(module);
  EXPECT_FALSE(lines.has_any());
  EXPECT_EQ(lines.of(InstructionIndex(0u)), std::nullopt);
}

}  // namespace
}  // namespace vireo::spirv
