// SPDX-License-Identifier: Apache-2.0
//
// Reads modules: the accepted bytes, their byte order, and the checks of the header.
#include "vireo/spirv/binary/reader.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/rules.h"
#include "vireo/spirv/binary/instruction.h"

namespace vireo::spirv {
namespace {

const WordBuffer header_words = {magic_number, 0x00010300, 0x00070000, 9, 0};

std::string bytes(const WordBuffer& words) {
  std::string text(words.size() * sizeof(Word), '\0');
  std::memcpy(text.data(), words.data(), text.size());
  return text;
}

std::string swapped(std::string text) {
  for (std::size_t i = 0; i + 3 < text.size(); i += 4) {
    std::swap(text[i], text[i + 3]);
    std::swap(text[i + 1], text[i + 2]);
  }
  return text;
}

struct Read {
  WordBuffer words;
  ByteOrder order = ByteOrder::Little;
  bool borrowed = false;
  std::string_view rule;  // of the first error
};

Read read(std::string_view input) {
  Diagnostics diagnostics;
  Result<ModuleWords> module = read_module_words(input, diagnostics);
  if (!module) return {{}, {}, false, diagnostics.all().at(0).rule};
  const Words words = module->words();
  return {WordBuffer(words.begin(), words.end()), module->byte_order(), module->is_borrowed(), {}};
}

TEST(Reader, borrows_words_in_host_byte_order) {
  const std::string input = bytes(header_words);
  const Read got = read(input);
  EXPECT_EQ(got.words, header_words);
  EXPECT_TRUE(got.borrowed);
}

// A required operand past the end of a truncated instruction is returned as no id.
TEST(Reader, returns_no_id_past_the_end_of_an_instruction) {
  const Word words[] = {0x0002'0014, 7, 99};
  const InstructionView instruction{words, 0, 2, Op::OpTypeBool};
  EXPECT_EQ(instruction.word(1), 7u);
  EXPECT_EQ(instruction.word(2), 0u);
  EXPECT_EQ(instruction.word(100), 0u);
}

TEST(Reader, copies_words_that_are_not_aligned) {
  const std::string input = " " + bytes(header_words);
  const Read got = read(std::string_view(input).substr(1));
  EXPECT_EQ(got.words, header_words);
  EXPECT_FALSE(got.borrowed);
}

TEST(Reader, swaps_modules_of_the_other_byte_order) {
  const Read got = read(swapped(bytes(header_words)));
  EXPECT_EQ(got.words, header_words);
  EXPECT_EQ(got.order, ByteOrder::Big);
}

TEST(Reader, reads_every_format_of_hexadecimal_text) {
  const WordBuffer words = {magic_number, 0x00010000, 0, 1, 0};
  const std::string_view forms[] = {
      "0x07230203 0x00010000 0x00000000 0x00000001 0x00000000",
      "0X07230203, 0X10000, 0X0, 0x1, 0x0",
      "x07230203 x00010000 x00000000 x00000001 x00000000",
      "\n\t0x07230203\n0x00010000\n0x0\n0x1\n0x0\n",
      "07230203 00010000 00000000 00000001 00000000",
      "0723020300010000000000000000000100000000",
      "07230203,00010000,00000000,00000001,00000000",
      "0723 0203 0001 0000 0000 0000 0000 0001 0000 0000",
      "07 23 02 03 00 01 00 00 00 00 00 00 00 00 00 01 00 00 00 00",
      "03 02 23 07 00 00 01 00 00 00 00 00 01 00 00 00 00 00 00 00",
      "0x3 0x2 0x23 0x7 0x0 0x0 0x1 0x0 0x0 0x0 0x0 0x0 0x1 0x0 0x0 0x0 0x0 0x0 0x0 0x0",
      "0x07 0x23 0x02 0x03 0x00 0x01 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x01 0x00 0x00 0x00 0x00",
  };
  for (const std::string_view form : forms) {
    const Read got = read(form);
    EXPECT_EQ(got.words, words) << form << " " << got.rule;
  }
}

TEST(Reader, accepts_a_byte_order_mark_before_hexadecimal_text) {
  EXPECT_EQ(read("\uFEFF0x07230203 9").rule, rule::bad_hex_text);
  EXPECT_EQ(read("\uFEFF0x07230203 0x9").words, (WordBuffer{magic_number, 9}));
  EXPECT_FALSE(looks_like_hex_text("\uFEFFOpNop"));
  Diagnostics diagnostics;
  EXPECT_FALSE(read_module_words("\uFEFF07 2", diagnostics).ok());
  EXPECT_EQ(diagnostics.all().at(0).message, "invalid hexadecimal text at character 4; expected pairs of digits");
  EXPECT_EQ(diagnostics.all().at(0).where, Location::in_text(6, 7));
}

TEST(Reader, keeps_the_whole_words_of_a_truncated_input) {
  const std::string whole = bytes(header_words);
  const std::string hex = "03 02 23 07 00 03 01 00 00 00 07 00 09 00 00 00 00 00 00 00";
  for (const std::string& input : {whole, swapped(whole), hex}) {
    for (const std::string& rest : input == hex ? std::vector<std::string>{"", " 11", " 11 12"}
                                                : std::vector<std::string>{"", "\x11", "\x11\x12\x13"}) {
      Diagnostics diagnostics;
      const std::string all = input + rest;
      const Result<ModuleWords> module = read_whole_words(all, diagnostics);
      ASSERT_TRUE(module.ok());
      EXPECT_EQ(WordBuffer(module->words().begin(), module->words().end()), header_words);
      EXPECT_EQ(diagnostics.has_errors(), !rest.empty());
      EXPECT_EQ(read(all).rule, rest.empty() ? std::string_view() : rule::odd_size);
    }
  }
  for (const std::string_view input : {std::string_view(whole).substr(0, 19), std::string_view("03 02 23 07 00"),
                                       std::string_view("this is certainly no module")}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_whole_words(input, diagnostics).ok());
    EXPECT_EQ(diagnostics.error_count(), 1u);
  }
}

TEST(Reader, rejects_input_that_is_not_a_module) {
  const struct {
    std::string_view input;
    std::string_view rule;
  } cases[] = {
      {"", rule::empty_module},
      {"abc", rule::odd_size},
      {std::string_view("\x03\x02\x23\x07\x00", 5), rule::odd_size},
      {"0x07230203 0x00010000 3", rule::bad_hex_text},
      {"0x07230203 1", rule::bad_hex_text},
      {"0x3 0x223", rule::bad_hex_text},
      {"07 2", rule::bad_hex_text},
      {"07 23 02 03 00", rule::odd_size},
      {"0x", rule::bad_hex_text},
  };
  for (const auto& c : cases) EXPECT_EQ(read(c.input).rule, c.rule) << c.input;
}

TEST(Reader, checks_the_header) {
  const struct {
    WordBuffer words;
    std::string_view rule;
  } cases[] = {
      {{magic_number, 0x00010300, 0, 1, 0}, ""},
      {{magic_number, 0x00010600, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, ""},
      {{}, rule::empty_module},
      {{magic_number}, rule::truncated_header},
      {{magic_number, 0x00010300, 0, 1}, rule::truncated_header},
      {{0x07230204, 0x00010300, 0, 1, 0}, rule::bad_magic},
      {{magic_number, 0x01010300, 0, 1, 0}, rule::bad_version},
      {{magic_number, 0x00010301, 0, 1, 0}, rule::bad_version},
      {{magic_number, 0x00000000, 0, 1, 0}, rule::bad_version},
  };
  for (const auto& c : cases) {
    Diagnostics diagnostics;
    const Result<Header> header = read_header(c.words, diagnostics);
    EXPECT_EQ(header.ok(), c.rule.empty());
    if (!c.rule.empty()) {
      EXPECT_EQ(diagnostics.all().at(0).rule, c.rule);
    } else {
      EXPECT_EQ(header->version(), Version::from_word(c.words[1]));
    }
  }
}

TEST(Reader, warns_if_a_module_is_newer_than_the_grammar) {
  for (const auto& [minor, warnings] : {std::pair<Word, std::size_t>{0, 0}, {6, 0}, {7, 1}, {255, 1}}) {
    Diagnostics diagnostics;
    warn_of_newer_version({0x00010000 | minor << 8, 0, 1, 0}, builtin_grammar(), diagnostics);
    EXPECT_EQ(diagnostics.warning_count(), warnings) << minor;
    EXPECT_FALSE(diagnostics.has_errors());
  }
}

TEST(Instructions, steps_over_every_instruction) {
  WordBuffer words = header_words;
  words.insert(words.end(), {0x00020013, 1, 0x00010000, 0x0003FFFF, 7, 8});
  std::vector<Op> opcodes;
  for (const InstructionView instruction : Instructions(words)) opcodes.push_back(instruction.opcode);
  EXPECT_EQ(opcodes, (std::vector{Op::OpTypeVoid, Op::OpNop, static_cast<Op>(0xFFFF)}));
}

TEST(Instructions, stops_at_an_impossible_word_count) {
  const struct {
    WordBuffer tail;
    WalkEnd end;
    std::size_t offset;
  } cases[] = {
      {{}, WalkEnd::Complete, 5},
      {{0x00010000}, WalkEnd::Complete, 6},
      {{0x00010000, 0}, WalkEnd::ZeroWordCount, 6},
      {{0x00030000, 1}, WalkEnd::Truncated, 5},
      {{0xFFFF0000}, WalkEnd::Truncated, 5},
  };
  for (const auto& c : cases) {
    WordBuffer words = header_words;
    words.insert(words.end(), c.tail.begin(), c.tail.end());
    const Instructions instructions(words);
    auto it = instructions.begin();
    while (it != instructions.end()) ++it;
    EXPECT_EQ(it.walk_end(), c.end);
    EXPECT_EQ(it.offset(), c.offset);
  }
}

TEST(Instructions, is_empty_without_words_after_the_header) {
  const Instructions none(Words{header_words}.first(2));
  EXPECT_TRUE(none.begin() == none.end());
}

}  // namespace
}  // namespace vireo::spirv
