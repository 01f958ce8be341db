// SPDX-License-Identifier: Apache-2.0
//
// largest_subset: each member that is accepted by itself is found, and the number of attempts is bounded.
#include "support/largest_subset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace vireo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Members = std::vector<std::size_t>;

TEST(LargestSubset, finds_all_members_that_no_other_one_affects) {
  for (std::size_t count = 0; count < 20; ++count) {
    for (std::size_t bad = 0; bad <= count; ++bad) {
      const Members found = largest_subset(
          count, 100, [&](const Members& members) { return std::ranges::find(members, bad) == members.end(); });
      EXPECT_EQ(found.size(), count - (bad < count ? 1 : 0));
      EXPECT_TRUE(std::ranges::is_sorted(found));
      EXPECT_EQ(std::ranges::find(found, bad), found.end());
    }
  }
}

TEST(LargestSubset, keeps_the_first_of_members_that_exclude_each_other) {
  const auto at_most_two = [](const Members& members) { return members.size() <= 2; };
  EXPECT_THAT(largest_subset(5, 100, at_most_two), ElementsAre(0, 1));
}

TEST(LargestSubset, is_bounded) {
  std::size_t attempts = 0;
  const auto none = [&](const Members&) { return ++attempts, false; };
  EXPECT_THAT(largest_subset(1000, 10, none), IsEmpty());
  EXPECT_EQ(attempts, 10u);
}

}  // namespace
}  // namespace vireo
