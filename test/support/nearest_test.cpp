// SPDX-License-Identifier: Apache-2.0
//
// Suggestions for misspelt words.
#include "support/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vireo {
namespace {

TEST(nearest, counts_edits_up_to_a_limit) {
  struct Row { std::string_view a, b; std::size_t limit, distance; };
  constexpr Row rows[] = {
      {"", "", 3, 0}, {"abc", "abc", 3, 0}, {"abc", "ABC", 3, 0}, {"abc", "abd", 3, 1}, {"abc", "acb", 3, 1},
      {"abc", "ab", 3, 1}, {"ab", "abc", 3, 1}, {"kitten", "sitting", 5, 3}, {"kitten", "sitting", 2, 3},
      {"", "abcdef", 3, 4}, {"OpLaod", "OpLoad", 2, 1},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(edit_distance(row.a, row.b, row.limit), row.distance) << row.a << ' ' << row.b;
    EXPECT_EQ(edit_distance(row.b, row.a, row.limit), row.distance) << row.b << ' ' << row.a;
  }
  EXPECT_EQ(edit_distance(std::string(256, 'a'), std::string(256, 'a'), 3), 4u) << "long words are not compared";
}

TEST(nearest, suggests_what_is_meant_or_nothing) {
  const std::vector<std::string_view> names = {"OpLoad", "OpStore", "OpNop", "as", "dis", "--target-env"};
  struct Row { std::string_view word, best; };
  constexpr Row rows[] = {
      {"OpLaod", "OpLoad"}, {"opload", "OpLoad"}, {"OpStor", "OpStore"}, {"--taget-env", "--target-env"},
      {"sa", "as"}, {"xy", ""}, {"q", ""}, {"", ""}, {"OpEntryPoint", ""},
  };
  for (const Row& row : rows) {
    NearestNames nearest(row.word);
    for (const std::string_view name : names) nearest.offer(name);
    EXPECT_EQ(nearest.best(), row.best) << row.word;
  }
}

}  // namespace
}  // namespace vireo
