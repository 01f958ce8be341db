// SPDX-License-Identifier: Apache-2.0
//
// Maps of ids: no choice of ids makes all of them collide in the table, and a copy finds its entries.
#include "vireo/support/id_map.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace vireo {
namespace {

// Ids chosen for a known table size could collide.
TEST(IdMap, distributes_multiples_of_its_size) {
  constexpr std::uint32_t count = 20000;
  IdMap<std::uint32_t> map;
  map.reserve(count);
  const auto buckets = static_cast<std::uint32_t>(map.bucket_count());
  for (std::uint32_t i = 1; i <= count; ++i) map[i * buckets] = i;
  ASSERT_EQ(map.bucket_count(), buckets);
  std::size_t longest = 0;
  for (std::size_t b = 0; b < buckets; ++b) longest = std::max(longest, map.bucket_size(b));
  EXPECT_LT(longest, 32u);
  EXPECT_EQ(map.at(count * buckets), count);
}

// A copy finds the entries of the original: the seed is copied as well.
TEST(IdMap, can_be_copied) {
  IdMap<int> map;
  for (std::uint32_t i = 0; i < 1000; ++i) map[i * 4099] = static_cast<int>(i);
  const IdMap<int> copy = map;
  map.clear();
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(copy.at(i * 4099), static_cast<int>(i));
}

}  // namespace
}  // namespace vireo
