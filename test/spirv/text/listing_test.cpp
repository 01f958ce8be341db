// SPDX-License-Identifier: Apache-2.0
//
// Listings: an excerpt is the whole disassembly with most lines empty, and has the names of the whole.
#include "vireo/spirv/text/listing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>

#include "spirv/text/modules.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

// Strings with line feeds, a type that a later literal needs, a long line, an unknown opcode.
constexpr std::string_view listed =
    "OpCapability Shader\n"
    "OpCapability Int64\n"
    "OpCapability Linkage\n"
    "OpMemoryModel Logical GLSL450\n"
    "%file = OpString \"two\n\nlines\"\n"
    "OpSource GLSL 450 %file \"first\nsecond\"\n"
    "OpName %half \"half\"\n"
    "%long = OpTypeInt 64 1\n"
    "%half = OpConstant %long -5000000000\n"
    "%float = OpTypeFloat 32\n"
    "%vector = OpTypeVector %float 4\n"
    "%quarter = OpConstant %float 0.25\n"
    "%all = OpConstantComposite %vector %quarter %quarter %quarter %quarter\n"
    "OpUnknown(60000, 3) 1 2\n";

struct Whole {
  std::string text;
  SourceMap map;

  explicit Whole(Words words) {
    DisassembleOptions options;
    options.handle_unknown = true;
    StringSink sink;
    Diagnostics ignored;
    disassemble(words, options, sink, ignored, &map);
    text = std::move(sink).text();
  }
};

/// One finding for each word of an instruction.
Diagnostics findings_in(InstructionView instruction, std::uint64_t ordinal) {
  Diagnostics found;
  for (std::uint64_t word = 0; word < instruction.word_count; ++word) {
    const std::uint64_t at = instruction.offset + word;
    found.error("test", Location::in_words(at, at + 1, ordinal), "x");
  }
  return found;
}

// An excerpt shows an instruction at the same position, on the same line and with the same text as the whole.
void expect_same_places(Words words) {
  const Whole whole(words);
  const LineIndex lines(whole.text);
  Listing listing(words);
  std::uint64_t ordinal = 0;
  for (const InstructionView instruction : Instructions(words)) {
    const Diagnostics found = findings_in(instruction, ++ordinal);
    const Diagnostics shown = listing.point_into_text(found);
    const Diagnostics expected = point_into_text(found, words, whole.map);
    const LineIndex excerpt(listing.text());
    ASSERT_EQ(excerpt.line_count(), lines.line_count());
    for (std::size_t i = 0; i < shown.all().size(); ++i) {
      const Location& a = shown.all()[i].where;
      const Location& b = expected.all()[i].where;
      ASSERT_EQ(a.kind, b.kind) << ordinal << ", " << i;
      if (a.kind == Location::Kind::None) continue;
      ASSERT_EQ(excerpt.locate(a.begin), lines.locate(b.begin)) << ordinal << ", " << i;
      ASSERT_EQ(excerpt.locate(a.end), lines.locate(b.end)) << ordinal << ", " << i;
      const std::uint64_t line = lines.locate(b.begin).line;
      ASSERT_EQ(excerpt.line(line), lines.line(line));
    }
  }
}

TEST(Listing, excerpt_has_the_lines_of_the_whole) { expect_same_places(module_of(listed)); }

TEST(Listing, excerpt_of_a_corrupted_module_has_the_lines_of_the_whole) {
  const WordBuffer words = module_of(listed);
  for_each_broken_module(words, 7, [](const WordBuffer& broken, int round) {
    if (round % 10 == 0) expect_same_places(broken);
  });
}

TEST(Listing, omits_instructions_without_findings) {
  const WordBuffer words = module_of(listed);
  Diagnostics found;
  found.error("test", Location::in_words(5, 7, 1), "x");
  Listing listing(words);
  EXPECT_TRUE(listing.text().empty());
  static_cast<void>(listing.point_into_text(found));
  EXPECT_NE(listing.text().find("OpCapability Shader"), std::string_view::npos);
  EXPECT_EQ(listing.text().find("OpCapability Int64"), std::string_view::npos);
  EXPECT_EQ(listing.text().find("OpConstant"), std::string_view::npos);
}

TEST(Listing, findings_outside_instructions_have_no_line) {
  const WordBuffer words = module_of(listed);
  Diagnostics found;
  found.error("test", Location::in_words(3, 4, 0), "of the bound");
  found.error("test", Location::in_words(1000, 1001, 1000), "of no instruction");
  found.note(Location::in_words(5, 7, 1), "of the first");
  Listing listing(words);
  const Diagnostics shown = listing.point_into_text(found);
  ASSERT_EQ(shown.all().size(), 2u);
  EXPECT_EQ(shown.all()[0].where, Location::none());
  EXPECT_EQ(shown.all()[1].where, found.all()[1].where);  // a truncated instruction has only a word offset
  EXPECT_EQ(shown.all()[1].notes[0].where.kind, Location::Kind::Text);
}

TEST(Listing, a_module_without_a_header_has_no_lines) {
  const std::array<Word, 3> words = {0x07230203, 0x00010600, 0};
  Diagnostics found;
  found.error("test", Location::in_words(0, 1, 0), "x");
  Listing listing(words);
  EXPECT_EQ(listing.point_into_text(found).all()[0].where, Location::none());
  EXPECT_TRUE(listing.text().empty());
  EXPECT_EQ(listing.name_of(7), "%7");
}

TEST(Listing, names_are_those_of_the_disassembly) {
  const WordBuffer words = module_of(listed);
  const Whole whole(words);
  const Listing listing(words);
  std::array<std::string, 4> names;
  std::array<std::thread, 4> threads;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&, i] {
      for (Word id = 1; id < words[3]; ++id) names[i] += listing.name_of(id) + ' ';
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_NE(names[0].find("%half "), std::string::npos);
  EXPECT_NE(names[0].find("%v4float "), std::string::npos);
  for (const std::string& name : names) EXPECT_EQ(name, names[0]);
}

TEST(Listing, validator_messages_use_its_names) {
  const WordBuffer words = module_of(
      "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
      "%int = OpTypeInt 32 0\n%number = OpConstant %int 7\n%same = OpTypeInt 32 0\n%vector = OpTypeVector %number 4\n");
  Listing listing(words);
  ValidateOptions options;
  options.name_of_id = [&](Word id) { return listing.name_of(id); };
  Diagnostics found;
  EXPECT_FALSE(validate(words, options, found));
  const auto speaks_of = [&](std::string_view name) {
    return std::ranges::any_of(found.all(),
                               [&](const Diagnostic& d) { return d.message.find(name) != std::string::npos; });
  };
  EXPECT_TRUE(speaks_of("%uint_7"));
  const Diagnostics shown = listing.point_into_text(found);
  EXPECT_TRUE(
      std::ranges::all_of(shown.all(), [](const Diagnostic& d) { return d.where.kind == Location::Kind::Text; }));
}

}  // namespace
}  // namespace vireo::spirv
