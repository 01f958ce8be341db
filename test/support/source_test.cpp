// SPDX-License-Identifier: Apache-2.0
//
// Lines and columns of byte offsets.
#include "vireo/support/source.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace vireo {
namespace {

struct PlaceRow {
  std::string_view text;
  std::uint64_t offset;
  LineColumn at;
  std::string_view line;  // the line of the offset
};

constexpr PlaceRow rows[] = {
    {"", 0, {1, 1}, ""},
    {"", 7, {1, 1}, ""},
    {"abc", 0, {1, 1}, "abc"},
    {"abc", 2, {1, 3}, "abc"},
    {"abc", 3, {1, 4}, "abc"},
    {"abc\n", 3, {1, 4}, "abc"},  // the line feed itself belongs to its line
    {"abc\n", 4, {2, 1}, ""},     // the position after the last byte
    {"abc\n", 99, {2, 1}, ""},
    {"a\nbc\n\nd", 2, {2, 1}, "bc"},
    {"a\nbc\n\nd", 5, {3, 1}, ""},
    {"a\nbc\n\nd", 6, {4, 1}, "d"},
    {"a\r\nbc\r\n", 1, {1, 2}, "a"},  // a carriage return is not part of the line shown
    {"a\r\nbc\r\n", 4, {2, 2}, "bc"},
    {"\t\"x\ny\" z", 5, {2, 2}, "y\" z"},  // inside a string that spans lines
    {"\uFEFF", 0, {1, 1}, ""},             // a byte order mark is not part of the first line
    {"\uFEFF", 3, {1, 1}, ""},
    {"\uFEFFab\nc", 1, {1, 1}, "ab"},
    {"\uFEFFab\nc", 4, {1, 2}, "ab"},
    {"\uFEFFab\nc", 6, {2, 1}, "c"},
    {"a\n\uFEFFb", 5, {2, 4}, "\uFEFFb"},  // but it is an ordinary character elsewhere
};

TEST(line_index, finds_the_line_and_column_of_every_offset) {
  for (const PlaceRow& row : rows) {
    const LineIndex lines(row.text);
    const LineColumn at = lines.locate(row.offset);
    EXPECT_EQ(at, row.at) << row.text << " at " << row.offset << ": " << at.line << ':' << at.column;
    EXPECT_EQ(lines.line(at.line), row.line);
  }
}

TEST(line_index, has_no_line_0_and_none_after_the_last) {
  const LineIndex lines("a\nb");
  EXPECT_EQ(lines.line_count(), 2u);
  EXPECT_EQ(lines.line(0), "");
  EXPECT_EQ(lines.line(3), "");
}

// Compares every offset and every line of a text with a count of bytes.
void check_by_counting(std::string_view text) {
  const LineIndex lines(text);
  LineColumn expected;
  std::string line;
  for (std::uint64_t offset = 0; offset <= text.size(); ++offset) {
    ASSERT_EQ(lines.locate(offset), expected) << offset;
    if (offset < text.size() && text[offset] != '\n') {
      line += text[offset];
      ++expected.column;
      continue;
    }
    ASSERT_EQ(lines.line(expected.line), line) << expected.line;
    line.clear();
    expected = {expected.line + 1, 1};
  }
  EXPECT_EQ(lines.line_count(), expected.line - 1);
}

TEST(line_index, agrees_with_counting) {
  check_by_counting("\n\nx\n\n\nlast");
  check_by_counting(std::string(9000, '\n'));
  for (const std::size_t length : {4094u, 4095u, 4096u, 4097u, 8191u, 8192u, 12288u}) {
    check_by_counting(std::string(length, 'x'));
    check_by_counting(std::string(length, 'x') + '\n');
    check_by_counting('\n' + std::string(length, 'x') + "\n\n" + std::string(length, 'y'));
  }
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::string text(random() % 30'000, 'x');
    const auto one_in = 1 + random() % 3000;
    for (char& byte : text) byte = random() % one_in == 0 ? '\n' : 'x';
    check_by_counting(text);
  }
}

}  // namespace
}  // namespace vireo
