// SPDX-License-Identifier: Apache-2.0
//
// Loading: every fault at its JSON path, all faults in one run, and both schemas.
#include <gtest/gtest.h>

#include "spirv/grammar/documents.h"
#include "vireo/spirv/grammar/grammar_loader.h"

namespace vireo::spirv {
namespace {

struct FaultRow {
  std::string_view json;      ///< of the document
  std::string_view expected;  ///< path: message [rule], one line for each fault
};

// On top of the built-in grammar.
constexpr FaultRow faults[] = {
    {R"([])", "$: expected an object, found an array [grammar-wrong-type]\n"},
    {R"({})", "$.instructions: missing key 'instructions'; expected an array [grammar-missing-key]\n"},
    {R"({"instructions": 3})", "$.instructions: expected an array, found an integer [grammar-wrong-type]\n"},
    {R"({"instructions": [1.5]})", "$.instructions[0]: expected an object, found a number [grammar-wrong-type]\n"},
    {R"({"instructions": [{"opname": "OpA"}]})",
     "$.instructions[0].opcode: missing key 'opcode'; expected an integer [grammar-missing-key]\n"},
    {R"({"instructions": [{"opcode": 7000}]})",
     "$.instructions[0].opname: missing key 'opname'; expected a string [grammar-missing-key]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": -1}]})",
     "$.instructions[0].opcode: -1 is out of range; expected 0 to 4294967295 [grammar-bad-value]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 70000}]})",
     "$.instructions[0].opcode: opcode 70000 is above 65535 [grammar-limit]\n"},
    // Each of several errors, and other errors of the same rows.
    {R"({"instructions": [{"opname": "OpA", "opcode": 70000, "operands": [{"kind": "Foo"}]},
         {"opname": "OpB", "opcode": 70001}, {"opname": "OpB", "opcode": 70002}]})",
     "$.instructions[0].opcode: opcode 70000 is above 65535 [grammar-limit]\n"
     "$.instructions[0].operands[0].kind: unknown operand kind 'Foo' [grammar-unknown-kind]\n"
     "$.instructions[1].opcode: opcode 70001 is above 65535 [grammar-limit]\n"
     "$.instructions[2].opcode: opcode 70002 is above 65535 [grammar-limit]\n"
     "$.instructions[2]: duplicate name 'OpB' [grammar-duplicate-name]\n"},
    {R"({"instructions": [{"opname": "Op A", "opcode": 7000}, {"opname": "OpB", "opcode": 7001, "aliases": ["OpB;"]},
         {"opname": "OpÄ-1.5%", "opcode": 7003}]})",
     "$.instructions[0].opname: invalid name 'Op A'; expected letters, digits and underscores "
     "[grammar-bad-value]\n"
     "$.instructions[1].aliases[0]: invalid name 'OpB;'; expected letters, digits and underscores "
     "[grammar-bad-value]\n"},
    {R"({"operand_kinds": [{"kind": "My Kind", "category": "BitEnum", "enumerants":
         [{"enumerant": "A|B", "value": 1}, {"enumerant": "%B", "value": 2}, {"enumerant": "C", "value": "x"}]}]})",
     "$.operand_kinds[0].kind: invalid name 'My Kind'; expected letters, digits and underscores "
     "[grammar-bad-value]\n"
     "$.operand_kinds[0].enumerants[0].enumerant: invalid name 'A|B'; expected letters, digits and underscores "
     "[grammar-bad-value]\n"
     "$.operand_kinds[0].enumerants[1].enumerant: invalid name '%B'; expected letters, digits and underscores "
     "[grammar-bad-value]\n"
     "$.operand_kinds[0].enumerants[2].value: 'x' is not a number [grammar-bad-value]\n"},
    // An unknown literal kind does not hide the errors of instructions.
    {R"({"instructions": [{"opname": "OpA", "opcode": 70000, "operands": [{"kind": "LiteralMatrix"}]}],
         "operand_kinds": [{"kind": "LiteralMatrix", "category": "Literal"}]})",
     "$.operand_kinds[0]: unknown literal kind 'LiteralMatrix', so its number of words is unknown "
     "[grammar-unknown-kind]\n"
     "$.instructions[0].opcode: opcode 70000 is above 65535 [grammar-limit]\n"},
    // An instruction without a number or a name makes no row; the rest of it is checked nevertheless.
    {R"({"instructions": [{"opname": "OpA", "opcode": "91xx", "operands": [{"kind": "IdReff"}],
         "capabilities": ["Rainbow"]}, {"opcode": 7000, "operands": [{"kind": "Foo"}]}]})",
     "$.instructions[0].opcode: '91xx' is not a number [grammar-bad-value]\n"
     "$.instructions[1].opname: missing key 'opname'; expected a string [grammar-missing-key]\n"
     "$.instructions[0].operands[0].kind: unknown operand kind 'IdReff' [grammar-unknown-kind]\n"
     "$.instructions[0].capabilities: unknown capability 'Rainbow' [grammar-unknown-capability]\n"
     "$.instructions[1].operands[0].kind: unknown operand kind 'Foo' [grammar-unknown-kind]\n"},
    {R"({"name": "S", "instructions": [{"opname": "A", "opcode": "x", "operands": [{"kind": "Foo"}]},
         {"opname": "B", "opcode": 1}]})",
     "$.instructions[0].opcode: 'x' is not a number [grammar-bad-value]\n"
     "$.instructions[0].operands[0].kind: unknown operand kind 'Foo' [grammar-unknown-kind]\n"},
    // The same for enumerants; references to them, and to kinds of an unknown category, are not at fault.
    {R"({"operand_kinds": [
         {"kind": "Capability", "category": "ValueEnum", "enumerants":
          [{"enumerant": "New", "value": "x", "parameters": [{"kind": "Foo"}]}]},
         {"kind": "K", "category": "Fruit", "enumerants": [{"enumerant": "A", "value": "y"}]}],
         "instructions": [{"opname": "OpA", "opcode": 7000, "operands": [{"kind": "K"}], "capabilities": ["New"]}]})",
     "$.operand_kinds[0].enumerants[0].value: 'x' is not a number [grammar-bad-value]\n"
     "$.operand_kinds[1].category: unknown category 'Fruit' [grammar-bad-value]\n"
     "$.operand_kinds[1].enumerants[0].value: 'y' is not a number [grammar-bad-value]\n"
     "$.operand_kinds[0].enumerants[0].parameters[0].kind: unknown operand kind 'Foo' [grammar-unknown-kind]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": "0xZZ"}]})",
     "$.instructions[0].opcode: '0xZZ' is not a number [grammar-bad-value]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "operands": [{"kind": "Foo"}]}]})",
     "$.instructions[0].operands[0].kind: unknown operand kind 'Foo' [grammar-unknown-kind]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "operands": [{"name": "x"}]}]})",
     "$.instructions[0].operands[0].kind: missing key 'kind'; expected a string [grammar-missing-key]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "operands": [{"kind": "IdRef", "quantifier": "+"}]}]})",
     "$.instructions[0].operands[0].quantifier: unknown quantifier '+'; expected '?' or '*' [grammar-bad-value]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "operands":
         [{"kind": "IdRef", "quantifier": "*"}, {"kind": "IdRef", "quantifier": "?"}]}]})",
     "$.instructions[0].operands[1]: an operand follows an operand with quantifier '*' [grammar-operand-order]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "operands":
         [{"kind": "IdRef", "quantifier": "?"}, {"kind": "IdRef"}]}]})",
     "$.instructions[0].operands[1]: a required operand follows an optional operand [grammar-operand-order]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "operands": [{"kind": "IdRef"}, {"kind": "IdResult"}]}]})",
     "$.instructions[0].operands[1]: a result must be required, and the first operand or the second after its type "
     "[grammar-result-place]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "operands": [{"kind": "IdResultType"}]}]})",
     "$.instructions[0].operands[0]: a result type must be the first operand, required, and followed by the result "
     "[grammar-result-place]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "capabilities": ["Rainbow"]}]})",
     "$.instructions[0].capabilities: unknown capability 'Rainbow' [grammar-unknown-capability]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000, "version": "one"}]})",
     "$.instructions[0].version: 'one' is not a version; expected '1.3' or 'None' [grammar-bad-value]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000}, {"opname": "OpA", "opcode": 7000}]})",
     "$.instructions[1].opcode: 'OpA' has the same number 7000 as 'OpA' at $.instructions[0], but that is the same "
     "name "
     "[grammar-duplicate-opcode]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000},
         {"opname": "OpB", "opcode": 7000, "operands": [{"kind": "IdRef"}]}]})",
     "$.instructions[1].opcode: 'OpB' has the same number 7000 as 'OpA' at $.instructions[0], but other operands "
     "[grammar-duplicate-opcode]\n"},
    {R"({"instructions": [{"opname": "OpA", "opcode": 7000}, {"opname": "OpA", "opcode": 7001}]})",
     "$.instructions[1]: duplicate name 'OpA' [grammar-duplicate-name]\n"},
    {R"({"operand_kinds": [{"kind": "K", "category": "Fruit"}]})",
     "$.operand_kinds[0].category: unknown category 'Fruit' [grammar-bad-value]\n"},
    {R"({"operand_kinds": [{"kind": "K", "category": "ValueEnum"}]})",
     "$.operand_kinds[0].enumerants: missing key 'enumerants'; expected an array [grammar-missing-key]\n"},
    {R"({"operand_kinds": [{"kind": "K", "category": "Composite", "bases": []}]})",
     "$.operand_kinds[0].bases: a composite kind has at least one base [grammar-bad-value]\n"},
    {R"({"operand_kinds": [{"kind": "K", "category": "Composite", "bases": ["IdRef", "Fig"]}]})",
     "$.operand_kinds[0].bases[1]: unknown operand kind 'Fig' [grammar-unknown-kind]\n"},
    {R"({"operand_kinds": [{"kind": "LiteralMatrix", "category": "Literal"}]})",
     "$.operand_kinds[0]: unknown literal kind 'LiteralMatrix', so its number of words is unknown "
     "[grammar-unknown-kind]\n"},
    {R"({"operand_kinds": [{"kind": "K", "category": "ValueEnum", "enumerants": []}, {"kind": "K", "category": "Id"}]})",
     "$.operand_kinds[1]: operand kind 'K' is defined twice [grammar-duplicate-kind]\n"},
    {R"({"operand_kinds": [{"kind": "K", "category": "ValueEnum",
         "enumerants": [{"enumerant": "A", "value": 0, "parameters": [{"kind": "K"}]}]}]})",
     "$.operand_kinds[0]: parameters of kind 'K' contain it or nest more than 8 levels [grammar-kind-nesting]\n"},
    {R"({"operand_kinds": [{"kind": "K", "category": "ValueEnum",
         "enumerants": [{"enumerant": "A", "value": 0, "parameters": [{"kind": "IdResult"}]}]}]})",
     "$.operand_kinds[0].enumerants[0].parameters[0]: kind 'IdResult' can only be an operand of an instruction "
     "[grammar-result-place]\n"},
    {R"({"instructions": [{"opname": "Dab", "opcode": 1}]})",
     "$.name: nothing says under which name the set is imported [grammar-missing-key]\n"},
};

TEST(LoadGrammar, reports_each_fault_at_its_path) {
  for (const FaultRow& row : faults) {
    Diagnostics diagnostics;
    const GrammarFile file{"test.json", row.json, ""};
    const Result<GrammarData> data = load_grammar({&file, 1}, &builtin_grammar(), diagnostics);
    EXPECT_EQ(summary(diagnostics), row.expected) << row.json;
    EXPECT_EQ(data.ok(), row.expected.empty()) << row.json;
  }
}

TEST(LoadGrammar, reports_all_faults_of_all_documents_in_one_run) {
  const GrammarFile files[] = {{"a.json", R"({"instructions": [{"opname": "OpA"}, {"opcode": 1}]})", ""},
                               {"b.json", R"({"instructions": [{"opname": "OpB", "opcode": "x"}]})", ""}};
  Diagnostics diagnostics;
  EXPECT_FALSE(load_grammar(files, &builtin_grammar(), diagnostics).ok());
  EXPECT_EQ(diagnostics.error_count(), 3u);
  EXPECT_EQ(diagnostics.all()[2].message, "b.json: 'x' is not a number");
}

TEST(LoadGrammar, reports_the_byte_where_json_ends) {
  Diagnostics diagnostics;
  const GrammarFile file{"a.json", "{\n  \"instructions\": [,]\n}", ""};
  EXPECT_FALSE(load_grammar({&file, 1}, nullptr, diagnostics).ok());
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].rule, "grammar-json-syntax");
  EXPECT_EQ(diagnostics.all()[0].where, Location::in_text(21, 22));
}

TEST(LoadGrammar, reads_the_schema_of_2016) {
  // Values as numbers and as strings, aliases as entries of their own, quoted names, no versions.
  constexpr std::string_view core = R"({
    "magic_number": "0x07230203", "major_version": 1, "minor_version": 0, "revision": 12,
    "instructions": [
      {"opname": "OpNop", "opcode": 0},
      {"opname": "OpCapability", "opcode": 17, "operands": [{"kind": "Capability", "name": "'Capability'"}]},
      {"opname": "OpShineNV", "opcode": 5000, "operands": [{"kind": "IdRef", "name": "'Lamp'"}]},
      {"opname": "OpShineKHR", "opcode": 5000, "operands": [{"kind": "IdRef", "name": "'Lamp'"}]}],
    "operand_kinds": [
      {"category": "Id", "kind": "IdRef", "doc": "Reference"},
      {"category": "ValueEnum", "kind": "Capability", "enumerants": [
        {"enumerant": "Shader", "value": 1, "capabilities": ["Matrix"]},
        {"enumerant": "Matrix", "value": "0"},
        {"enumerant": "LightNV", "value": 5001}, {"enumerant": "LightKHR", "value": "0x1389"}]}]})";
  Diagnostics diagnostics;
  const GrammarFile file{"core.json", core, ""};
  const Result<GrammarData> data = load_grammar({&file, 1}, nullptr, diagnostics);
  ASSERT_EQ(summary(diagnostics), "");
  const Grammar& g = data->grammar();
  EXPECT_EQ(g.minor_version, 0);
  EXPECT_EQ(g.revision, 12);
  const InstructionRow* shine = g.find_instruction("OpShineKHR");
  ASSERT_NE(shine, nullptr);
  EXPECT_EQ(g.text(shine->name), "OpShineNV");
  EXPECT_EQ(g.text(g.operands(shine->operands)[0].name), "Lamp");
  EXPECT_EQ(shine->since, (Version{1, 0}));
  const auto capabilities = g.enumerants_of(g.kind(g.capability_kind));
  ASSERT_EQ(capabilities.size(), 3u);
  EXPECT_EQ(g.text(capabilities[0].name), "Matrix");
  EXPECT_EQ(g.find_enumerant(g.capability_kind, "LightKHR"), &capabilities[2]);
}

TEST(LoadGrammar, searches_the_name_of_a_set_in_order) {
  constexpr std::string_view unnamed = R"({"instructions": [{"opname": "Dab", "opcode": 1}]})";
  constexpr std::string_view named = R"({"name": "Inner", "instructions": [{"opname": "Dab", "opcode": 1}]})";
  const struct {
    GrammarFile file;
    std::string_view import_name;
  } rows[] = {
      {{"x/extinst.dab.grammar.json", unnamed, ""}, "dab"},
      {{"extinst.glsl.std.450.grammar.json", unnamed, ""}, "GLSL.std.450"},
      {{"extinst.dab.grammar.json", named, ""}, "Inner"},
      {{"extinst.dab.grammar.json", named, "Outer"}, "Outer"},
      {{"any.json", unnamed, "NonSemantic.Dab."}, "NonSemantic.Dab.12"},
  };
  for (const auto& row : rows) {
    Diagnostics diagnostics;
    const Result<GrammarData> data = load_grammar({&row.file, 1}, &builtin_grammar(), diagnostics);
    ASSERT_TRUE(data.ok()) << summary(diagnostics);
    const Grammar& g = data->grammar();
    EXPECT_NE(g.find_ext_inst(g.find_set(row.import_name), "Dab"), nullptr) << row.import_name;
  }
}

TEST(LoadGrammar, an_empty_overlay_equals_the_built_in_grammar) {
  Diagnostics diagnostics;
  const Result<GrammarData> data = load_grammar({}, &builtin_grammar(), diagnostics);
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(data->grammar().instructions.size(), builtin_grammar().instructions.size());
  EXPECT_EQ(data->grammar().name_entries.size(), builtin_grammar().name_entries.size());
}

TEST(LoadGrammar, deep_nesting_uses_no_stack) {
  std::string text = R"({"instructions": [], "extra": )";
  text.append(1'000'000, '[').append(1'000'000, ']').append("}");
  Diagnostics diagnostics;
  const GrammarFile file{"deep.json", text, ""};
  EXPECT_TRUE(load_grammar({&file, 1}, &builtin_grammar(), diagnostics).ok());
}

}  // namespace
}  // namespace vireo::spirv
