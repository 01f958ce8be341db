// SPDX-License-Identifier: Apache-2.0
//
// Lines and programs that the assembler rejects or warns about: each fault with its rule, place and severity.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "isa/assemble/assemblers.h"
#include "isa/model/rules.h"

namespace vireo::isa {
namespace {

// A short instruction `s` and a long one `w`; the byte of `s` followed by another byte is a `w`. The jump `j` is short
// if its target is 2 and long if it is 1, and the label after it is always at the other distance. `sum` counts from 1.
// `canonical_type` has two words.
constexpr std::string_view odd_sizes = R"(<isa>
  <encoding unit="8">
    <root name="#wide"><pattern low="0" high="0">1</pattern></root>
    <root name="#short"/>
  </encoding>
  <bitset name="#wide" size="16"/>
  <bitset name="#short" size="8"/>
  <bitset name="s" extends="#short"><display>{NAME}</display><pattern low="0" high="7">00000001</pattern></bitset>
  <bitset name="z" extends="#short"><display>{NAME}</display><pattern low="0" high="7">00000000</pattern></bitset>
  <bitset name="#near" displayname="j" extends="#short">
    <display>{NAME} {T}</display>
    <derived name="T" type="absbranch" width="8"><expr>2</expr></derived>
    <pattern low="0" high="7">00000010</pattern>
  </bitset>
  <bitset name="#far" displayname="j" extends="#wide">
    <display>{NAME} {T}</display>
    <derived name="T" type="absbranch" width="8"><expr>1</expr></derived>
    <pattern low="0" high="15">0000000000000011</pattern>
  </bitset>
  <bitset name="w" extends="#wide">
    <display>{NAME} {X}</display>
    <pattern low="0" high="1">01</pattern>
    <field name="X" low="2" high="15" type="uint"/>
  </bitset>
  <bitset name="sum" extends="#wide">
    <display>{NAME} {COUNT}</display>
    <derived name="COUNT" type="uint"><expr>{N} + 1</expr></derived>
    <pattern low="0" high="3">0111</pattern>
    <field name="N" low="4" high="15" type="uint"/>
  </bitset>
  <bitset name="canonical_type" extends="#short">
    <override><expr>{HIDDEN}</expr><display>{NAME}</display></override>
    <display>{NAME}</display>
    <field name="HIDDEN" pos="2" type="bool"/>
    <pattern low="0" high="1">00</pattern><pattern low="3" high="7">10000</pattern>
  </bitset>
</isa>)";

struct FaultRow {
  std::string_view rule;
  std::string_view source;
  std::string_view place;  // LINE:COLUMN; empty: none
};

// Each diagnostic that the assembler reports for programs, with one fault in each.
constexpr FaultRow program_rows[] = {
    {rule::unknown_instruction, "z\nq", "2:1"},
    {rule::malformed_instruction, "w y", "1:3"},
    {rule::no_encoding, "sum 0", "1:1"},
    {rule::malformed_word, "no match: xyz", "1:1"},
    {rule::duplicate_label, "a: z\na:", "2:1"},
    {rule::unknown_label, "[#a]", "1:1"},
    {rule::malformed_directive, ".align", "1:1"},
    {rule::malformed_directive, "z\n.section", "2:1"},
    {rule::ambiguous_text, "canonical_type", "1:1"},
    {rule::missing_entry, "a: z\n.table", "2:1"},
    {rule::unsettled_sizes, "j end\nend:", ""},
    {rule::runs_together, "s\nz", "1:1"},
};

std::string place_in(std::string_view source, const Location& where) {
  if (where.kind != Location::Kind::Text) return {};
  const std::string_view before = source.substr(0, where.begin);
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  return std::to_string(line + 1) + ":" + std::to_string(before.size() - (before.rfind('\n') + 1) + 1);
}

TEST(AssemblerFaults, are_reported_once_with_rule_and_place) {
  const LoadedModel loaded = load_model_text("test.xml", std::string(odd_sizes));
  ASSERT_TRUE(loaded.ok());
  const Decoder decoder(loaded.model, {});
  AssembleOptions options;
  options.reports_ambiguity = true;
  options.tables = {{".table", {{"a"}, {"b"}}, "a"}};
  Assembler assembler(decoder, std::move(options));
  for (const FaultRow& row : program_rows) {
    Diagnostics diagnostics;
    const AssembledProgram program = assembler.assemble(row.source, diagnostics);
    std::string places;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      EXPECT_EQ(diagnostic.rule, row.rule) << row.source;
      places += place_in(row.source, diagnostic.where);
    }
    EXPECT_EQ(places, row.place) << row.source;
    EXPECT_EQ(diagnostics.all().size(), 1u) << row.source;
    // The row determines the severity, and so whether there is a program.
    const RuleRow* rule = find_rule(row.rule);
    ASSERT_NE(rule, nullptr) << row.rule;
    EXPECT_EQ(diagnostics.has_errors(), rule->severity == RuleSeverity::Error) << row.source;
    EXPECT_EQ(program.bytes.empty(), diagnostics.has_errors()) << row.source;
  }
}

TEST(AssemblerFaults, of_single_lines_have_rules) {
  BothWays both(BothWays::Description{odd_sizes}, 0);
  const std::string long_line(5000, 'z');
  const struct {
    std::string_view rule;
    std::string_view line;
  } rows[] = {{rule::no_instruction, ""}, {rule::no_instruction, "  ; a comment"}, {rule::line_too_long, long_line}};
  for (const auto& row : rows) {
    AssembledLine line;
    EXPECT_FALSE(both.assembler().assemble_line(row.line, line));
    EXPECT_EQ(line.fault.rule, row.rule) << row.line;
    EXPECT_NE(find_rule(row.rule), nullptr) << row.rule;
  }
}

}  // namespace
}  // namespace vireo::isa
