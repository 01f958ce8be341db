// SPDX-License-Identifier: Apache-2.0
//
// explain, check and diff.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "spirv/grammar/documents.h"
#include "spirv/grammar/grammar_rules.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const Grammar& the_grammar = builtin_grammar();

struct ExplainRow {
  std::string_view name;
  std::string_view first_line;
  std::string_view somewhere;  ///< also in the text
};

constexpr ExplainRow explained[] = {
    {"OpImageSampleImplicitLod", "OpImageSampleImplicitLod  instruction 87 (0x57)",
     "capability    Shader (implies Matrix)"},
    {"61", "OpLoad  instruction 61 (0x3d)", "MemoryAccess?"},
    {"0x3D", "OpLoad  instruction 61 (0x3d)", "IdRef          Pointer"},
    {"OpDecorateStringGOOGLE", "OpDecorateString  instruction 5632 (0x1600)", "aliases       OpDecorateStringGOOGLE"},
    {"OpLessOrGreater", "OpLessOrGreater  instruction 161 (0xa1)", "version       1.0 to 1.5"},
    {"Geometry", "Geometry  value of ExecutionModel 3 (0x3)", "Geometry  value of Capability 2 (0x2)"},
    {"Capability.Geometry", "Geometry  value of Capability 2 (0x2)", "enables       OpEmitVertex"},
    {"Decoration Block", "Block  value of Decoration 2 (0x2)", "Shader (implies Matrix)"},
    {"Decoration.30", "Location  value of Decoration 30 (0x1e)", "LiteralInteger   Location"},
    {"GLSL.std.450 Sqrt", "Sqrt  instruction 31 of GLSL.std.450", "IdRef"},
    {"GLSL.std.450.31", "Sqrt  instruction 31 of GLSL.std.450", "x"},
    {"NonSemantic.Shader.DebugInfo.100",
     "NonSemantic.Shader.DebugInfo.  extended instruction set, non-semantic, a version follows", "DebugSource"},
    {"MemoryAccess", "MemoryAccess  operand kind, mask", "Aligned"},
    {"PairIdRefIdRef", "PairIdRefIdRef  operand kind, composite", "bases         IdRef"},
    {"SPV_KHR_ray_query", "SPV_KHR_ray_query  extension", "OpRayQueryProceedKHR"},
    {"grammar-unknown-kind", "grammar-unknown-kind  rule for grammar documents", "is defined"},
};

TEST(Explain, explains_each_kind_of_name) {
  for (const ExplainRow& row : explained) {
    const Explanation explanation = explain(the_grammar, row.name);
    EXPECT_THAT(explanation.text, StartsWith(std::string(row.first_line) + "\n")) << row.name;
    EXPECT_THAT(explanation.text, HasSubstr(row.somewhere)) << row.name;
    EXPECT_TRUE(explanation.nearest.empty());
  }
}

TEST(Explain, suggests_similar_names) {
  EXPECT_THAT(explain(the_grammar, "OpLaod").nearest, ElementsAre("OpLoad"));
  EXPECT_THAT(explain(the_grammar, "IAdd").nearest, ElementsAre("OpIAdd"));
  EXPECT_THAT(explain(the_grammar, "opstore").nearest, ElementsAre("OpStore"));
  EXPECT_THAT(explain(the_grammar, "SPV_KHR_ray_querry").nearest, ElementsAre("SPV_KHR_ray_query"));
  EXPECT_TRUE(explain(the_grammar, "complete nonsense").nearest.empty());
  EXPECT_FALSE(explain(the_grammar, "").found());
  EXPECT_FALSE(explain(the_grammar, ". ").found());
}

TEST(Explain, explains_every_name_of_the_grammar) {
  for (const NameEntry& entry : the_grammar.name_entries)
    EXPECT_TRUE(explain(the_grammar, the_grammar.text(entry.text)).found()) << the_grammar.text(entry.text);
}

TEST(Explain, prints_requirement_and_fix_of_each_rule) {
  for (const std::span<const RuleRow> rules :
       {std::span<const RuleRow>(rule_rows), std::span<const RuleRow>(grammar_rule_rows)}) {
    for (const RuleRow& row : rules) {
      EXPECT_TRUE(row.fix.ends_with('.')) << row.name;
      const std::string text = explain(the_grammar, row.name).text;
      EXPECT_THAT(text, StartsWith(std::string(row.name) + "  rule for "));
      EXPECT_THAT(text, HasSubstr("\n  requires      "));
      EXPECT_THAT(text, HasSubstr("\n  fix           " + std::string(row.fix.substr(0, 20)))) << row.name;
    }
  }
}

struct LintRow {
  std::string_view json;
  std::string_view expected;
};

constexpr LintRow lints[] = {
    {R"({"magic_number": "0x1", "major_version": 1, "minor_version": 0, "revision": 1, "instructions": []})",
     "$.magic_number: magic number 0x00000001; expected 0x07230203 [grammar-magic]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "class": "Poetry"}]})",
     "$.instructions[0]: class 'Poetry' of 'OpA' is not listed [grammar-unknown-class]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "version": "None"}]})",
     "$.instructions[0]: 'OpA' is in no version, and no extension or capability enables it [grammar-unreachable]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "version": "1.4", "lastVersion": "1.2"}]})",
     "$.instructions[0]: 'OpA' ends with version 1.2, before it begins with 1.4 [grammar-versions]\n"},
    {R"({"operand_kinds": [{"kind": "K", "category": "BitEnum", "enumerants": [
         {"enumerant": "None", "value": 0}, {"enumerant": "A", "value": "0x4"}, {"enumerant": "B", "value": "0x6"}]}]})",
     "$.operand_kinds[0].enumerants[2]: 'B' of the mask K has the value 0x6, which is more than one bit "
     "[grammar-mask-bits]\n"},
    {R"({"operand_kinds": [{"kind": "Capability", "category": "ValueEnum", "enumerants": [
         {"enumerant": "Hen", "value": 60000, "capabilities": ["Egg"]},
         {"enumerant": "Egg", "value": 60001, "capabilities": ["Hen"]}]}]})",
     "$.operand_kinds[0].enumerants[0]: capability 'Hen' implies itself [grammar-capability-cycle]\n"
     "$.operand_kinds[0].enumerants[1]: capability 'Egg' implies itself [grammar-capability-cycle]\n"},
};

TEST(CheckGrammar, warns_of_suspicious_but_valid_rows) {
  for (const LintRow& row : lints) {
    Diagnostics diagnostics;
    EXPECT_TRUE(check_grammar({"x.json", row.json, ""}, &the_grammar, diagnostics)) << row.json;
    EXPECT_EQ(summary(diagnostics), row.expected);
    EXPECT_EQ(diagnostics.error_count(), 0u);
  }
}

TEST(CheckGrammar, reports_loading_errors) {
  Diagnostics diagnostics;
  EXPECT_FALSE(check_grammar({"x.json", R"({"instructions": [{"opname": "OpA"}]})", ""}, &the_grammar, diagnostics));
  EXPECT_FALSE(check_grammar({"x.json", "{", ""}, &the_grammar, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 2u);
}

TEST(CheckGrammar, finds_nothing_in_the_invented_extension) {
  const std::string text = read_whole(data_folder() / "extinst.vivid.brush.grammar.json");
  const auto base = load_files({data_folder() / "vivid.grammar.json"}, &the_grammar);
  ASSERT_TRUE(base.has_value());
  Diagnostics diagnostics;
  EXPECT_TRUE(check_grammar({"brush", text, ""}, &base->grammar(), diagnostics));
  EXPECT_EQ(summary(diagnostics), "");
}

std::vector<std::string> lines_of(const std::vector<GrammarChange>& changes) {
  std::vector<std::string> lines;
  for (const GrammarChange& change : changes) lines.push_back(to_line(change));
  return lines;
}

TEST(DiffGrammars, compares_by_number_and_field) {
  constexpr std::string_view before = R"({
    "instructions": [
      {"opname": "OpGone", "opcode": 1},
      {"opname": "OpShineNV", "opcode": 2, "operands": [{"kind": "IdRef", "name": "Lamp"}]}],
    "operand_kinds": [{"kind": "IdRef", "category": "Id"},
      {"kind": "Hue", "category": "ValueEnum", "enumerants": [
        {"enumerant": "Red", "value": 0}, {"enumerant": "Gone", "value": 1}]}]})";
  constexpr std::string_view after = R"({
    "instructions": [
      {"opname": "OpShineKHR", "opcode": 2, "aliases": ["OpShineNV"], "version": "1.4", "extensions": ["SPV_KHR_shine"],
       "operands": [{"kind": "IdRef", "name": "Lamp"}, {"kind": "IdRef", "quantifier": "?"}]},
      {"opname": "OpNew", "opcode": 3}],
    "operand_kinds": [{"kind": "IdRef", "category": "Id"},
      {"kind": "Hue", "category": "ValueEnum", "enumerants": [{"enumerant": "Red", "value": 0, "aliases": ["Rouge"]}]}]})";
  Diagnostics diagnostics;
  const GrammarFile old_file{"a", before, ""};
  const GrammarFile new_file{"b", after, ""};
  const Result<GrammarData> a = load_grammar({&old_file, 1}, nullptr, diagnostics);
  const Result<GrammarData> b = load_grammar({&new_file, 1}, nullptr, diagnostics);
  ASSERT_TRUE(a.ok() && b.ok()) << summary(diagnostics);
  EXPECT_THAT(lines_of(diff_grammars(a->grammar(), b->grammar())),
              ElementsAre("- instruction OpGone (1)", "~ instruction OpShineKHR: name: OpShineNV -> OpShineKHR",
                          "~ instruction OpShineKHR: aliases: none -> OpShineNV",
                          "~ instruction OpShineKHR: operands: IdRef 'Lamp' -> IdRef 'Lamp', IdRef?",
                          "~ instruction OpShineKHR: extensions: none -> SPV_KHR_shine",
                          "~ instruction OpShineKHR: version: 1.0 -> 1.4", "+ instruction OpNew (3)",
                          "~ enumerant Hue Red: aliases: none -> Rouge", "- enumerant Hue Gone (1)"));
}

TEST(DiffGrammars, a_capability_with_another_name_is_one_change) {
  Diagnostics diagnostics;
  const GrammarFile file{"a", R"({"operand_kinds": [{"kind": "Capability", "category": "ValueEnum", "enumerants": [
    {"enumerant": "Shady", "value": 1, "capabilities": ["Matrix"]}]}]})",
                         ""};
  const Result<GrammarData> renamed = load_grammar({&file, 1}, &the_grammar, diagnostics);
  ASSERT_TRUE(renamed.ok()) << summary(diagnostics);
  EXPECT_THAT(lines_of(diff_grammars(the_grammar, renamed->grammar())),
              ElementsAre("~ enumerant Capability Shady: name: Shader -> Shady",
                          "~ enumerant Capability Shady: aliases: none -> Shader"));
}

TEST(DiffGrammars, a_grammar_does_not_differ_from_itself) {
  EXPECT_TRUE(diff_grammars(the_grammar, the_grammar).empty());
}

}  // namespace
}  // namespace vireo::spirv
