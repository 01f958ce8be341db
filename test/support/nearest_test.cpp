// SPDX-License-Identifier: Apache-2.0
//
// Edit distance with a bound, and the nearest names.
#include "support/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace vireo {
namespace {

using testing::ElementsAre;

TEST(EditDistance, counts_edits_up_to_the_bound) {
  const struct {
    std::string_view a, b;
    std::size_t bound, distance;
  } rows[] = {
      {"OpLoad", "OpLoad", 3, 0},
      {"OpLaod", "OpLoad", 3, 1},
      {"oplOAD", "OpLoad", 3, 0},
      {"OpLoa", "OpLoad", 3, 1},
      {"OpLoads", "OpLoad", 3, 1},
      {"OpRoad", "OpLoad", 3, 1},
      {"kitten", "sitting", 3, 3},
      {"kitten", "sitting", 2, 3},
      {"", "", 0, 0},
      {"", "ab", 2, 2},
      {"", "abc", 2, 3},
      {"abcdef", "fedcba", 4, 5},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(edit_distance(row.a, row.b, row.bound), row.distance) << row.a << ' ' << row.b;
    EXPECT_EQ(edit_distance(row.b, row.a, row.bound), row.distance) << row.b << ' ' << row.a;
  }
}

/// The full table, without band or bound.
std::size_t slow_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

TEST(EditDistance, agrees_with_the_full_table) {
  std::mt19937 random(7);
  const auto word = [&] {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::string a = word();
    const std::string b = word();
    const std::size_t bound = random() % 6;
    ASSERT_EQ(edit_distance(a, b, bound), std::min(slow_distance(a, b), bound + 1)) << a << ' ' << b << ' ' << bound;
  }
}

TEST(NearestNames, keeps_the_nearest_in_a_fixed_order) {
  for (const auto& order : {std::vector<std::string_view>{"OpLoad", "OpRoad", "OpToad", "OpGoad", "OpStore"},
                            std::vector<std::string_view>{"OpStore", "OpToad", "OpGoad", "OpRoad", "OpLoad"}}) {
    NearestNames nearest("OpBoad");
    for (const std::string_view name : order) nearest.offer(name);
    EXPECT_THAT(nearest.names(), ElementsAre("OpGoad", "OpLoad", "OpRoad"));
    EXPECT_EQ(nearest.best(), "OpGoad");
  }
}

TEST(NearestNames, does_not_suggest_distant_names) {
  NearestNames nearest("Op");
  nearest.offer("OpLoad");
  nearest.offer("x");
  nearest.offer("");
  EXPECT_TRUE(nearest.names().empty());
  EXPECT_EQ(nearest.best(), "");
}

TEST(NearestNames, falls_back_to_names_with_the_prefix) {
  const struct {
    std::string_view wanted;
    std::vector<std::string_view> names;
  } rows[] = {
      {"raw", {"raw-id"}},                                    // three edits, one too many
      {"OpImage", {"OpImageSample", "OpImageTexelPointer"}},  // case is ignored, and so are duplicates
      {"no", {}},                                             // too many names begin with two letters
      {"stri", {}},                                           // four names are too many
      {"opimagesampl", {"OpImageSample"}},                    // nearest first
  };
  for (const auto& row : rows) {
    NearestNames nearest(row.wanted);
    for (const std::string_view name : {"raw-id", "OpImageSample", "OpImageTexelPointer", "OpImageSample", "no-header",
                                        "strip-names", "strip-lines", "strip-debug", "strip-unused"}) {
      nearest.offer(name);
    }
    EXPECT_EQ(nearest.names(), row.names) << row.wanted;
  }
}

}  // namespace
}  // namespace vireo
