// SPDX-License-Identifier: Apache-2.0
//
// Lines and columns out of byte offsets.
#include "vireo/support/source.h"

#include <gtest/gtest.h>

namespace vireo {
namespace {

struct Row {
  std::string_view text;
  std::uint64_t offset;
  LineColumn at;
  std::string_view line;  // the line that the offset lies in
};

constexpr Row rows[] = {
    {"", 0, {1, 1}, ""},
    {"", 7, {1, 1}, ""},
    {"abc", 0, {1, 1}, "abc"},
    {"abc", 2, {1, 3}, "abc"},
    {"abc", 3, {1, 4}, "abc"},
    {"abc\n", 3, {1, 4}, "abc"},       // the line feed itself belongs to its line
    {"abc\n", 4, {2, 1}, ""},          // the place behind the last byte
    {"abc\n", 99, {2, 1}, ""},
    {"a\nbc\n\nd", 2, {2, 1}, "bc"},
    {"a\nbc\n\nd", 5, {3, 1}, ""},
    {"a\nbc\n\nd", 6, {4, 1}, "d"},
    {"a\r\nbc\r\n", 1, {1, 2}, "a"},   // a carriage return is not part of the line shown
    {"a\r\nbc\r\n", 4, {2, 2}, "bc"},
    {"\t\"x\ny\" z", 5, {2, 2}, "y\" z"},  // inside a string that spans lines
};

TEST(line_index, finds_the_line_and_column_of_every_offset) {
  for (const Row& row : rows) {
    const LineIndex lines(row.text);
    const LineColumn at = lines.locate(row.offset);
    EXPECT_EQ(at, row.at) << row.text << " at " << row.offset << ": " << at.line << ':' << at.column;
    EXPECT_EQ(lines.line(at.line), row.line);
  }
}

TEST(line_index, has_no_line_zero_and_none_behind_the_last) {
  const LineIndex lines("a\nb");
  EXPECT_EQ(lines.line_count(), 2u);
  EXPECT_EQ(lines.line(0), "");
  EXPECT_EQ(lines.line(3), "");
}

TEST(line_index, agrees_with_counting) {
  const std::string_view text = "\n\nx\r\n\r\r\nlast";
  const LineIndex lines(text);
  LineColumn expected;
  for (std::uint64_t offset = 0; offset <= text.size(); ++offset) {
    EXPECT_EQ(lines.locate(offset), expected) << offset;
    if (offset < text.size() && text[offset] == '\n') expected = {expected.line + 1, 1};
    else ++expected.column;
  }
}

}  // namespace
}  // namespace vireo
