// SPDX-License-Identifier: Apache-2.0
//
// The work of the assembler for one line is bounded, whatever the line contains (docs/isa-assembler.md, "Bounds").
//
// The worst lines that we can construct, and descriptions that can read them in as many ways as possible.
// Each line is assembled twice, because cached results must not change the answer. The work is counted
// (AssembledLine::work) and compared with the documented bound; seconds would depend on the machine. The count does not
// include the length of a token: an unbounded search there would not end before the test's time limit.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assemble/assemblers.h"
#include "isa/support/random_words.h"
#include "outside.h"

namespace vireo::isa {
namespace {

constexpr std::size_t longest = 4096;

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

/// The work for a line; checks the documented bound.
std::uint64_t work_of(BothWays& both, std::string_view line) {
  constexpr std::uint64_t most = AssembledLine::most_work;
  constexpr std::uint64_t other_generations = 64;
  AssembledLine assembled;
  const bool is_found = both.assembler().assemble_line(line, assembled);
  EXPECT_LE(assembled.work, is_found ? most : most + most / 4 + other_generations * most)
      << std::string(line.substr(0, 80));
  return assembled.work;
}

/// The result for a line, which must be the same each time.
std::string ends(BothWays& both, std::string_view line) {
  const std::string first = both.word_of(line);
  work_of(both, line);
  EXPECT_EQ(both.word_of(line), first);
  return first;
}

// `levels` nested operands, each with two displays that read the same text, between flags with similar texts.
std::string ambiguous_description(int levels) {
  std::string text = R"(<isa><bitset name="#instruction" size="64">
      <display>{A}{B}{C}{D}{E}{F}{NAME} {X}{Y}{Z}</display>
      <field name="A" pos="0" type="bool" display="a"/> <field name="B" pos="1" type="bool" display="a"/>
      <field name="C" pos="2" type="bool" display="a"/> <field name="D" pos="3" type="bool" display="aa"/>
      <field name="E" pos="4" type="bool" display="aa"/> <field name="F" pos="5" type="bool" display="aaa"/>
      <field name="X" low="8" high="23" type="uint"/> <field name="Y" low="24" high="39" type="uint"/>
      <field name="Z" low="40" high="55" type="#n0"/> <pattern low="6" high="7">00</pattern>
      <pattern low="56" high="63">00000000</pattern>
    </bitset><bitset name="ab" extends="#instruction"/>)";
  for (int i = 0; i < levels; ++i) {
    const std::string type = i + 1 == levels ? "uint" : "#n" + std::to_string(i + 1);
    text += "<bitset name=\"#n" + std::to_string(i) + "\" size=\"16\"><override expr=\"#odd\"><display>{V}</display>" +
            "</override><display>{V}</display><field name=\"V\" low=\"0\" high=\"15\" type=\"" + type + "\"/></bitset>";
  }
  return text + "<expr name=\"#odd\">{V} &amp; 1</expr></isa>";
}

TEST(AssemblerBounds, hold_for_ambiguous_descriptions) {
  const std::string description = ambiguous_description(6);
  BothWays both(BothWays::Description{description}, 0);
  for (const std::size_t flags : {0u, 1u, 5u, 9u, 30u, 1000u}) {
    for (const std::size_t digits : {1u, 9u, 15u, 200u, 3000u}) {
      ends(both, repeated("a", flags) + "ab " + repeated("1", digits));
      ends(both, repeated("a ", flags) + " ab " + repeated("1 ", digits));
    }
  }
}

// Each flag can be read in two ways, and the line has more flags than the description.
TEST(AssemblerBounds, work_does_not_grow_with_ambiguous_flags) {
  const std::string description = ambiguous_description(2);
  BothWays both(BothWays::Description{description}, 0);
  for (std::size_t flags = 100; flags < 2000; flags *= 2) {
    const std::uint64_t once = work_of(both, repeated("a", flags) + "ab 1 1 1");
    const std::uint64_t twice = work_of(both, repeated("a", 2 * flags) + "ab 1 1 1");
    EXPECT_LE(twice, once) << flags;
  }
}

// Text that a description prints takes a small part of the bound. The highest count so far is 3,202, for etnaviv.
void check_printed(const std::filesystem::path& path, std::uint32_t gen, bool mesa_compat) {
  BothWays both(path, gen, mesa_compat);
  std::mt19937_64 random(11);
  std::uint64_t largest = 0;
  for (int i = 0; i < 400; ++i) {
    const std::optional<std::string> text = both.clean_text(random_word(both.decoder(), random));
    AssembledLine line;
    if (text && !text->empty() && both.assembler().assemble_line(*text, line)) largest = std::max(largest, line.work);
  }
  EXPECT_GT(largest, 0u) << path;
  EXPECT_LE(largest, AssembledLine::most_work / 50) << path << ", gen " << gen;
}

TEST(AssemblerBounds, exceed_the_work_for_printed_text_by_far) {
  for (const Described& isa : teaching_isas()) check_printed(isa.path, isa.gen, isa.mesa_compat);
}

TEST(AssemblerBounds, exceed_the_work_for_text_of_recorded_isas_by_far) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  for (const Recorded& row : recorded)
    check_printed(*shared / "isa/mesa" / (std::string(row.name) + ".xml"), row.gen, true);
}

TEST(AssemblerBounds, hold_for_lines_of_blanks) {
  BothWays both(outside::source_folder() / "data/isa/tiny16.xml", 0);
  const std::string word = ends(both, "add r3, #-8");
  EXPECT_EQ(ends(both, "add" + repeated(" ", longest - 11) + "r3, #-8"), word);
  EXPECT_EQ(ends(both, repeated("\t", 2000) + "add r3,\t#-8" + repeated(" ", 2000)), word);
  EXPECT_TRUE(ends(both, repeated(" ", longest)).starts_with("error: "));
  EXPECT_TRUE(ends(both, repeated(" ", longest + 1)).find("4096") != std::string::npos);
  EXPECT_TRUE(ends(both, "add r3, #" + repeated("9", longest - 9)).starts_with("error: "));
  EXPECT_TRUE(ends(both, repeated("add", longest / 3)).starts_with("error: "));
}

// Text fragments of a description, repeated up to the maximum length of a line.
void check_rows(BothWays& both) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 6; ++i) {
    const std::optional<std::string> text = both.clean_text(random_word(both.decoder(), random));
    if (!text || text->empty()) continue;
    const std::size_t half = text->size() / 2;
    ends(both, repeated(*text, longest / text->size()));
    ends(both, *text + repeated(text->substr(half), (longest - text->size()) / (text->size() - half)));
    ends(both, repeated(text->substr(0, half + 1), (longest - text->size()) / (half + 1)) + *text);
    ends(both, repeated(text->substr(0, 1), longest - text->size()) + *text);
  }
}

TEST(AssemblerBounds, hold_for_repeated_text_of_teaching_isas) {
  for (const Described& isa : teaching_isas()) {
    BothWays both(isa.path, isa.gen, isa.mesa_compat);
    check_rows(both);
  }
}

TEST(AssemblerBounds, hold_for_repeated_text_of_recorded_isas) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  for (const Recorded& row : {Recorded{"ir3", 600}, Recorded{"afuc", 7}, Recorded{"etnaviv", 0}}) {
    BothWays both(*shared / "isa/mesa" / (std::string(row.name) + ".xml"), row.gen, true);
    check_rows(both);
    ends(both, repeated("(sy)", longest / 4));
    ends(both, repeated("(sy)(ss)", 500) + "nop");
    ends(both, repeated("(neg)|", longest / 6));
  }
}

}  // namespace
}  // namespace vireo::isa
