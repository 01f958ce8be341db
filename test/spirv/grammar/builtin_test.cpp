// SPDX-License-Identifier: Apache-2.0
//
// The built-in grammar and lookups in it.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "spirv/grammar/documents.h"
#include "spirv/grammar/emit/emit_tables.h"
#include "spirv/grammar/emit/emit_views.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv {
namespace {

const Grammar& g = builtin_grammar();

TEST(BuiltinGrammar, every_spelling_is_found_in_its_scope) {
  for (const NameEntry& entry : g.name_entries)
    EXPECT_EQ(g.find_name(entry.scope, g.text(entry.text)), &entry) << g.text(entry.text);
}

TEST(BuiltinGrammar, every_row_is_found_by_its_number) {
  for (const InstructionRow& row : g.instructions) EXPECT_EQ(g.find_opcode(row.opcode), &row);
  for (std::size_t k = 0; k < g.kinds.size(); ++k) {
    for (const EnumerantRow& row : g.enumerants_of(g.kinds[k])) EXPECT_EQ(g.find_value(KindId{k}, row.value), &row);
  }
  for (std::size_t s = 0; s < g.sets.size(); ++s) {
    for (const ExtInstRow& row : g.instructions_of(g.sets[s]))
      EXPECT_EQ(g.find_ext_inst(ExtInstSetId{s}, row.number), &row);
  }
}

TEST(BuiltinGrammar, unknown_names_and_numbers_are_not_found) {
  EXPECT_EQ(g.find_opcode(9), nullptr);
  EXPECT_EQ(g.find_opcode(0xFFFFFFFF), nullptr);
  EXPECT_EQ(g.find_instruction("opload"), nullptr);
  EXPECT_EQ(g.find_instruction(""), nullptr);
  EXPECT_EQ(g.find_instruction("Shader"), nullptr);
  EXPECT_TRUE(g.find_kind("Colour").is_none());
  EXPECT_EQ(g.find_enumerant(KindId::none(), "Shader"), nullptr);
  EXPECT_EQ(g.find_value(g.find_kind("Dim"), 7), nullptr);
  EXPECT_EQ(g.find_ext_inst(ExtInstSetId::none(), "Sqrt"), nullptr);
  EXPECT_EQ(g.find_ext_inst(g.find_set("GLSL.std.450"), 0u), nullptr);
}

TEST(BuiltinGrammar, an_instruction_has_the_fields_of_the_document) {
  const InstructionRow* load = g.find_instruction("OpLoad");
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(load->opcode, Op::OpLoad);
  EXPECT_EQ(load->flags, HasResultType | HasResult);
  EXPECT_EQ(g.text(g.printing_classes[load->printing_class]), "Memory");
  const auto operands = g.operands(load->operands);
  ASSERT_EQ(operands.size(), 4u);
  EXPECT_EQ(operands[2].shape, OperandShape::IdRef);
  EXPECT_EQ(g.text(operands[2].name), "Pointer");
  EXPECT_EQ(operands[3].shape, OperandShape::BitEnum);
  EXPECT_EQ(operands[3].quantifier, Quantifier::Optional);
  EXPECT_EQ(g.text(g.kind(operands[3].kind).name), "MemoryAccess");
}

TEST(BuiltinGrammar, an_alias_finds_the_row_of_its_primary_name) {
  EXPECT_EQ(g.find_instruction("OpDecorateStringGOOGLE"), g.find_instruction("OpDecorateString"));
  EXPECT_EQ(g.find_enumerant(g.find_kind("MemorySemantics"), "None"), g.find_value(g.find_kind("MemorySemantics"), 0));
}

TEST(BuiltinGrammar, a_set_has_its_own_kinds_before_those_of_the_core) {
  const ExtInstSetId shader = g.find_set("NonSemantic.Shader.DebugInfo.100");
  const ExtInstSetId opencl = g.find_set("OpenCL.DebugInfo.100");
  EXPECT_NE(g.find_kind("DebugOperation", shader), g.find_kind("DebugOperation", opencl));
  EXPECT_EQ(g.find_kind("StorageClass", shader), g.find_kind("StorageClass"));
  EXPECT_TRUE(g.find_kind("DebugOperation").is_none());
}

struct ImportRow {
  std::string_view import_name;
  std::string_view set;  // empty: none
};

// Recorded from the reference's programs.
constexpr ImportRow imports[] = {
    {"GLSL.std.450", "GLSL.std.450"},
    {"GLSL.std.450x", ""},
    {"GLSL.std.45", ""},
    {"OpenCL.std", "OpenCL.std"},
    {"NonSemantic.Shader.DebugInfo.100", "NonSemantic.Shader.DebugInfo."},
    {"NonSemantic.Shader.DebugInfo.999", "NonSemantic.Shader.DebugInfo."},
    {"NonSemantic.Shader.DebugInfo.", "NonSemantic.Shader.DebugInfo."},
    {"NonSemantic.Shader.DebugInfo", ""},
    {"NonSemantic.ClspvReflection.5", "NonSemantic.ClspvReflection."},
    {"NonSemantic.DebugPrintf", "NonSemantic.DebugPrintf"},
    {"NonSemantic.DebugPrintf.1", ""},
    {"Arm.ExperimentalMLOperations.7", "Arm.ExperimentalMLOperations."},
    {"TOSA.001000.1", "TOSA.001000.1"},
    {"", ""},
};

TEST(BuiltinGrammar, imports_select_sets_exactly_or_by_prefix) {
  for (const ImportRow& row : imports) {
    const ExtInstSetId set = g.find_set(row.import_name);
    EXPECT_EQ(set.is_none() ? "" : g.text(g.sets[set.index()].name), row.set) << row.import_name;
  }
}

TEST(BuiltinGrammar, the_newer_debug_info_set_is_used_for_every_version) {
  EXPECT_NE(g.find_ext_inst(g.find_set("NonSemantic.Shader.DebugInfo.100"), "DebugTypeVectorIdEXT"), nullptr);
}

TEST(BuiltinGrammar, only_DebugBreak_prints_numbers) {
  for (const ExtInstSetRow& set : g.sets) {
    EXPECT_EQ(set.prints_numbers, g.text(set.name) == "NonSemantic.DebugBreak") << g.text(set.name);
    EXPECT_EQ(set.is_non_semantic, g.text(set.name).starts_with("NonSemantic.")) << g.text(set.name);
  }
}

TEST(BuiltinGrammar, names_collide_rarely_in_the_hash_table) {
  std::size_t probes = 0;
  const std::size_t mask = g.name_slots.size() - 1;
  for (const NameEntry& entry : g.name_entries) {
    const std::uint32_t hash = hash_name(entry.scope, g.text(entry.text));
    for (std::size_t i = hash & mask; &g.name_entries[(g.name_slots[i] & 0xFFFF) - 1] != &entry; i = (i + 1) & mask)
      ++probes;
    ++probes;
  }
  EXPECT_LT(probes, g.name_entries.size() * 3 / 2);
}

TEST(BuiltinGrammar, committed_files_match_the_printed_rows) {
  const std::string scalars = read_whole(outside::source_folder() / "src/spirv/grammar/generated/scalars.inc");
  const std::size_t begin = scalars.find("// From ") + 8;
  const std::string source = scalars.substr(begin, scalars.find(".\n", begin) - begin);
  std::vector<GeneratedFile> files = emit_tables(g, {source});
  files.push_back(emit_enums(g, {source}));
  files.push_back(emit_enum_names(g, {source}));
  for (GeneratedFile& file : emit_views(g, {source})) files.push_back(std::move(file));
  for (const GeneratedFile& file : files) {
    EXPECT_TRUE(read_whole(outside::source_folder() / file.path) == file.text)
        << file.path << " is stale, see docs/tables.md";
  }
}

TEST(BuiltinGrammar, implied_capabilities_are_transitive) {
  const auto row_of = [](std::string_view name) {
    return static_cast<std::uint16_t>(g.find_enumerant(g.capability_kind, name) - g.enumerants.data());
  };
  std::set<std::string_view> implied;
  for (const std::uint16_t row : implied_capabilities(g, row_of("GeometryPointSize")))
    implied.insert(g.text(g.enumerants[row].name));
  EXPECT_EQ(implied, (std::set<std::string_view>{"Geometry", "Shader", "Matrix"}));
  EXPECT_TRUE(implied_capabilities(g, row_of("Matrix")).empty());
}

static_assert(static_cast<int>(Op::OpLoad) == 61);
static_assert(Op::OpDecorateStringGOOGLE == Op::OpDecorateString);
static_assert(static_cast<int>(Dim::Dim2D) == 1 && static_cast<int>(Dim::Cube) == 3);
static_assert((MemoryAccess::Volatile | MemoryAccess::Aligned) == static_cast<MemoryAccess>(3));
static_assert(is_mask_enum<FunctionControl> && !is_mask_enum<StorageClass>);

}  // namespace
}  // namespace vireo::spirv
