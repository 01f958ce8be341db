// SPDX-License-Identifier: Apache-2.0
//
// `isa check --assembler`: the round-trip report of each leaf, with words that demonstrate it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/model/rules.h"
#include "outside.h"
#include "vireo/isa/assemble.h"
#include "vireo/isa/check.h"
#include "vireo/isa/isa.h"

namespace vireo::isa {
namespace {

using RoundTrip = LeafRoundTrip::RoundTrip;

CheckReport round_trip_report(const LoadedModel& loaded) {
  CheckOptions options;
  options.checks_round_trips = true;
  return check(loaded, options);
}

LoadedModel teaching_model(std::string_view name) {
  return load_model((outside::source_folder() / "data/isa" / (std::string(name) + ".xml")).string());
}

std::string names_of(const Model& model, const LeafRoundTrip& row) {
  std::string text;
  for (const LeafRoundTrip::Lost& lost : row.lost)
    text += std::string(model.text(model[lost.field].name)) + (lost.has_default ? "= " : " ");
  return text;
}

std::vector<std::string> rules_of(const CheckReport& report) {
  std::vector<std::string> rules;
  for (const Diagnostic& found : report.files.front().all()) {
    if (found.rule != rule::bad_size && found.rule != rule::ambiguous_display) rules.emplace_back(found.rule);
  }
  return rules;
}

TEST(RoundTripReport, reports_the_round_trip_of_each_leaf) {
  const LoadedModel loaded = teaching_model("spellings");
  const CheckReport report = round_trip_report(loaded);
  ASSERT_TRUE(report.assembly.has_value());
  const struct {
    std::string_view leaf;
    RoundTrip round_trip;
    std::string_view lost;
  } rows[] = {
      {"add", RoundTrip::Text, "MODE= "}, {"jr", RoundTrip::Exact, ""},       {"push", RoundTrip::Exact, ""},
      {"#inc-old", RoundTrip::Text, ""},  {"inc", RoundTrip::Exact, ""},      {"wait", RoundTrip::Exact, ""},
      {"halt", RoundTrip::Never, ""},     {"mul", RoundTrip::Text, "BIAS= "}, {"b", RoundTrip::Exact, ""},
      {"get", RoundTrip::Exact, ""},      {"cmp", RoundTrip::Exact, ""},
  };
  ASSERT_EQ(report.assembly->leaves.size(), std::size(rows));
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const LeafRoundTrip& found = report.assembly->leaves[i];
    EXPECT_EQ(loaded.model.text(loaded.model[found.leaf].name), rows[i].leaf);
    EXPECT_EQ(found.round_trip, rows[i].round_trip) << rows[i].leaf;
    EXPECT_EQ(names_of(loaded.model, found), rows[i].lost) << rows[i].leaf;
    EXPECT_EQ(found.words > 1, found.round_trip != RoundTrip::Never) << rows[i].leaf;
  }
  // The description declares all these losses, so no finding is reported.
  EXPECT_TRUE(rules_of(report).empty());
  ASSERT_EQ(report.assembly->pairs.size(), 2u);
  for (const EqualTexts& pair : report.assembly->pairs) EXPECT_TRUE(pair.is_settled) << pair.text;
}

// Each report has words that demonstrate it: they decode to the same text.
void expect_proofs(const Model& model, const RoundTripReport& found, std::uint32_t gen) {
  const Decoder decoder(model, {.gen = gen});
  Printer printer(decoder, {});
  const auto text_of = [&](const Bits& word) {
    std::string text;
    printer.print_word(word.words(), word.width(), text);
    return text;
  };
  for (const LeafRoundTrip& row : found.leaves) {
    for (const LeafRoundTrip::Lost& lost : row.lost) {
      EXPECT_EQ(text_of(lost.word), text_of(lost.assembled));
      EXPECT_NE(lost.word, lost.assembled);
    }
  }
  for (const EqualTexts& pair : found.pairs) {
    EXPECT_EQ(text_of(pair.chosen), pair.text);
    EXPECT_EQ(text_of(pair.other), pair.text);
  }
}

TEST(RoundTripReport, reports_bits_that_the_text_does_not_determine) {
  constexpr std::string_view begin = R"(<isa><bitset name="#instruction" size="32"/>)";
  constexpr std::string_view rest = R"(<pattern low="8" high="31">000000000000000000000000</pattern></bitset>)";
  const struct {
    std::string_view rule;
    std::string_view leaves;
  } rows[] = {
      {rule::lossy_text, R"(<bitset name="a" extends="#instruction"><display>a {X}</display>
          <field name="X" low="0" high="3" type="uint"/><field name="Y" low="4" high="7" type="uint"/>)"},
      {"", R"(<bitset name="a" extends="#instruction"><display>a {X}</display>
          <field name="X" low="0" high="3" type="uint"/><field name="Y" low="4" high="7" type="uint" vireo-default="9"/>)"},
      {"", R"(<bitset name="a" extends="#instruction"><display>a {X}</display>
          <field name="X" low="0" high="3" type="uint"/><field name="Y" low="4" high="7" type="uint"/>
          <encode><map name="Y" force="true">3</map></encode>)"},
      // A flag of two bits is shown, but not how many.
      {rule::lossy_text, R"(<bitset name="a" extends="#instruction"><display>a{F} {X}</display>
          <field name="X" low="0" high="5" type="uint"/><field name="F" low="6" high="7" type="bool" display=".f"/>)"},
      {rule::equal_texts,
       R"(<bitset name="a" extends="#instruction"><override><expr>{F}</expr><display>a {X}</display></override>
          <display>a {X}</display>
          <field name="X" low="0" high="6" type="uint"/><field name="F" pos="7" type="bool"/>)"},
      {"", R"(<bitset name="a" extends="#instruction">
          <override vireo-assembly="canonical"><expr>{F}</expr><display>a {X}</display></override><display>a {X}</display>
          <field name="X" low="0" high="6" type="uint"/><field name="F" pos="7" type="bool"/>)"},
  };
  for (const auto& row : rows) {
    const LoadedModel loaded =
        load_model_text("test.xml", std::string(begin).append(row.leaves).append(rest) + "</isa>");
    ASSERT_TRUE(loaded.ok()) << row.leaves;
    const CheckReport report = round_trip_report(loaded);
    std::vector<std::string> wanted;
    if (!row.rule.empty()) wanted.emplace_back(row.rule);
    EXPECT_EQ(rules_of(report), wanted) << row.leaves;
    ASSERT_TRUE(report.assembly.has_value());
    expect_proofs(loaded.model, *report.assembly, 0);
  }
}

// 31 bits of which only a hash is shown: the values 0 and 1 can be found, others not in bounded time.
TEST(RoundTripReport, reports_text_that_the_assembler_cannot_read) {
  const LoadedModel loaded = load_model_text("test.xml", R"(<isa><bitset name="#instruction" size="32"/>
    <bitset name="a" extends="#instruction"><display>a {R}</display>
      <derived name="R" type="hex"><expr>(({A} * {A} >> 9) ^ {A} * 40503) % 1000003</expr></derived>
      <field name="A" low="0" high="30" type="uint"/><pattern pos="31">0</pattern></bitset></isa>)");
  const CheckReport report = round_trip_report(loaded);
  ASSERT_TRUE(report.assembly.has_value());
  const LeafRoundTrip& row = report.assembly->leaves.front();
  EXPECT_EQ(row.round_trip, RoundTrip::Broken);
  EXPECT_GT(row.refused, 0u);
  EXPECT_LT(row.refused, row.words);
  EXPECT_EQ(rules_of(report), std::vector<std::string>{std::string(rule::unread_text)});
  const Decoder decoder(loaded.model, {});
  AssembledLine line;
  std::string text;
  Printer(decoder, {}).print_word(row.refused_word.words(), 32, text);
  EXPECT_FALSE(Assembler(decoder, {}).assemble_line(text, line));
}

// The work is linear in the number of leaves: a thousand similar leaves take about as long as assembling them.
TEST(RoundTripReport, is_bounded_for_similar_leaves) {
  std::string text = R"(<isa><bitset name="#instruction" size="32"/>)";
  for (int i = 0; i < 1000; ++i) {
    std::string bits;
    for (int bit = 11; bit >= 0; --bit) bits += (i >> bit & 1) != 0 ? '1' : '0';
    text += "<bitset name=\"a" + std::to_string(i) +
            R"(" displayname="a" extends="#instruction"><display>{NAME} {X}</display>
      <field name="X" low="0" high="19" type="uint"/><pattern low="20" high="31">)" +
            bits + "</pattern></bitset>";
  }
  const LoadedModel loaded = load_model_text("test.xml", text + "</isa>");
  const CheckReport report = round_trip_report(loaded);
  ASSERT_TRUE(report.assembly.has_value());
  EXPECT_EQ(report.assembly->leaves.size(), 1000u);
  EXPECT_LE(report.assembly->pairs.size(), 1000u);
  expect_proofs(loaded.model, *report.assembly, 0);
}

TEST(RoundTripReport, is_made_only_on_request_and_for_valid_descriptions) {
  EXPECT_FALSE(check(teaching_model("spellings")).assembly.has_value());
  const CheckReport report = round_trip_report(load_model_text("test.xml", "<isa/>"));
  EXPECT_TRUE(!report.assembly.has_value() || report.assembly->leaves.empty());
}

}  // namespace
}  // namespace vireo::isa
