// SPDX-License-Identifier: Apache-2.0
//
// The differences of two texts: a table of expected outputs, and the property that they turn one text into the other.
#include "support/line_diff.h"

#include <gtest/gtest.h>

#include <charconv>
#include <random>
#include <string>
#include <vector>

namespace vireo {
namespace {

struct Case {
  std::string_view name, before, after, expected;
};
constexpr Case cases[] = {
    {"equal", "a\nb\n", "a\nb\n", ""},
    {"empty", "", "", ""},
    {"from nothing", "", "a\n", "--- x\n+++ y\n@@ -0,0 +1 @@\n+a\n"},
    {"to nothing", "a\nb\n", "", "--- x\n+++ y\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
    {"changed line", "a\nb\nc\n", "a\nB\nc\n", "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
    {"last newline", "a\nb", "a\nb\n", "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
    {"three lines of context", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n6\n",
     "--- x\n+++ y\n@@ -3,3 +3,4 @@\n 3\n 4\n 5\n+6\n"},
    {"one hunk for near changes", "1\n2\n3\n4\n5\n6\n7\n8\n", "0\n1\n2\n3\n4\n5\n6\n7\n",
     "--- x\n+++ y\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -5,4 +6,3 @@\n 5\n 6\n 7\n-8\n"},
};

TEST(LineDiff, is_as_expected) {
  for (const Case& each : cases) {
    EXPECT_EQ(unified_diff(each.before, each.after, "x", "y"), each.expected) << each.name;
  }
}

// Applies hunks to a text; lines include their newlines.
std::string patched(std::string_view before, std::string_view diff) {
  const auto take_line = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    return line;
  };
  std::string after;
  std::size_t line_number = 1;
  while (!diff.empty()) {
    std::string_view line = take_line(diff);
    if (line.starts_with("---") || line.starts_with("+++") || line.starts_with('\\')) continue;
    const bool lacks_newline = diff.starts_with('\\');
    std::string_view content = line.substr(1, line.size() - 1 - (lacks_newline ? 1 : 0));
    if (line.starts_with("@@")) {
      std::size_t first = 0;
      std::from_chars(line.data() + 4, line.data() + line.size(), first);
      const bool is_empty = line.substr(4, line.find(' ', 4) - 4).ends_with(",0");
      for (; line_number < first + (is_empty ? 1 : 0); ++line_number) after += take_line(before);
    } else if (line[0] == '+') {
      after += content;
    } else {
      EXPECT_EQ(take_line(before), content);
      ++line_number;
      if (line[0] == ' ') after += content;
    }
  }
  return after += before;
}

TEST(LineDiff, turns_one_text_into_the_other) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 3000; ++round) {
    std::string before;
    for (std::size_t lines = below(30); lines > 0; --lines) before += std::string(1, "abc"[below(3)]) + '\n';
    if (!before.empty() && below(4) == 0) before.pop_back();
    std::string after = before;
    for (std::size_t edits = below(6); edits > 0; --edits) {
      if (after.empty() || below(2) == 0) after.insert(below(after.size() + 1), "x\n");
      else after.erase(below(after.size()), 1);
    }
    const std::string diff = unified_diff(before, after, "x", "y");
    ASSERT_EQ(diff.empty(), before == after);
    ASSERT_EQ(patched(before, diff), after) << diff;
  }
}

// Beyond the limit of edits, the differing part is shown as replaced.
TEST(LineDiff, is_bounded) {
  std::string before, after;
  for (int i = 0; i < 20'000; ++i) {
    before += "a" + std::to_string(i) + '\n';
    after += "b" + std::to_string(i) + '\n';
  }
  const std::string diff = unified_diff("same\n" + before, "same\n" + after, "x", "y");
  EXPECT_EQ(patched("same\n" + before, diff), "same\n" + after);
}

}  // namespace
}  // namespace vireo
