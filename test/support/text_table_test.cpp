// SPDX-License-Identifier: Apache-2.0
//
// Tables of text: alignment, widths of UTF-8, trailing blanks.
#include "support/text_table.h"

#include <gtest/gtest.h>

namespace vireo {
namespace {

TEST(TextTable, aligns_columns) {
  TextTable table({{"name"}, {"count", true}, {"text"}});
  table.add({"é", "1", "a"});
  table.add({"longer", "123456", ""});
  std::string text = "before\n";
  table.append_to(text);
  EXPECT_EQ(text,
            "before\n"
            "name     count  text\n"
            "é            1  a\n"
            "longer  123456\n");
}

TEST(TextTable, has_headings_without_rows) {
  std::string text;
  TextTable({{"a"}, {"b"}}).append_to(text);
  EXPECT_EQ(text, "a  b\n");
}

TEST(TextTable, keeps_empty_lines_before_it) {
  TextTable table({{""}});
  table.add({""});
  std::string text = "a  \n";
  table.append_to(text);
  EXPECT_EQ(text, "a  \n\n\n");
}

}  // namespace
}  // namespace vireo
