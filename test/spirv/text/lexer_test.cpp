// SPDX-License-Identifier: Apache-2.0
//
// The lexer compared with a bytewise implementation of its rules, on random text at every distance from the end.
#include "spirv/text/lexer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace vireo::spirv::text {
namespace {

std::size_t plain_skip(std::string_view text, std::size_t i) {
  while (i < text.size()) {
    if (text[i] == ';') {
      i = text.find('\n', i);
      if (i == std::string_view::npos) return text.size();
    } else if (class_of(text[i]) == ByteClass::Blank) {
      ++i;
    } else {
      break;
    }
  }
  return i;
}

std::size_t plain_word_end(std::string_view text, std::size_t i) {
  bool is_quoted = false;
  for (; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && ends_word(text[i])) {
      return i;
    }
  }
  return text.size();
}

TEST(Lexer, agrees_with_a_bytewise_implementation) {
  constexpr std::string_view bytes = "aZ9_%!=+-.|;(),\"\\ \t\r\n\v\x01\x80\xFFOOppxx      \n\n";
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::vector<char> text(random() % 40);
    for (char& c : text) c = bytes[random() % bytes.size()];
    const std::string_view view(text.data(), text.size());
    const Lexer lexer(view);
    for (std::size_t i = 0; i <= text.size(); ++i) {
      ASSERT_EQ(lexer.offset_of(lexer.skip(lexer.begin() + i)), plain_skip(view, i)) << std::string(view) << i;
      if (i < text.size()) {
        ASSERT_EQ(lexer.offset_of(lexer.word_end(lexer.begin() + i)), plain_word_end(view, i))
            << std::string(view) << i;
      }
      const IdToken name = lexer.name(lexer.begin() + i);
      ASSERT_EQ(name.length, plain_word_end(view, i) - i) << std::string(view) << i;
      for (std::size_t k = 0; k < 8; ++k) {
        const auto expected = k < name.length ? static_cast<unsigned char>(view[i + k]) : 0;
        ASSERT_EQ(name.head >> (8 * k) & 0xFF, expected);
      }
    }
  }
}

// Offsets count from the start of the text with its byte order mark, because diagnostics refer to that text.
TEST(Lexer, a_byte_order_mark_is_skipped_but_counts_in_offsets) {
  const Lexer lexer("\uFEFFOpNop");
  const Piece word = lexer.piece(lexer.skip(lexer.begin()));
  EXPECT_EQ(word.text(), "OpNop");
  EXPECT_EQ(lexer.offset_of(word.begin), 3u);
  EXPECT_TRUE(lexer.is_first_in_line(word.begin));
  const Lexer twice("\uFEFF\uFEFF");
  EXPECT_EQ(twice.size(), 3u);
}

TEST(Lexer, a_nul_ends_the_text) {
  const Lexer lexer(std::string_view("ab\0cd", 5));
  EXPECT_EQ(lexer.size(), 2u);
}

}  // namespace
}  // namespace vireo::spirv::text
