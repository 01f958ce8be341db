// SPDX-License-Identifier: Apache-2.0
//
// Rows sorted by a number, against the standard library.
#include "support/sort_stably.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace vireo {
namespace {

struct Row {
  std::uint32_t key = 0;
  std::string text;
  friend bool operator==(const Row&, const Row&) = default;
};

std::vector<Row> random_rows(std::mt19937& dice, std::size_t count, std::uint32_t keys) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i)
    rows.push_back({static_cast<std::uint32_t>(dice() % keys), std::to_string(i)});
  return rows;
}

TEST(SortStably, does_what_the_standard_library_does) {
  std::mt19937 dice(20261123);
  for (const std::size_t count : {0, 1, 2, 3, 15, 16, 17, 40, 1000}) {
    for (const std::uint32_t keys : {1u, 2u, 7u, 0xFFFF'FFFFu}) {
      std::vector<Row> ours = random_rows(dice, count, keys), theirs = ours;
      sort_stably(ours, &Row::key);
      std::stable_sort(theirs.begin(), theirs.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
      EXPECT_EQ(ours, theirs) << count << " rows, " << keys << " keys";
    }
  }
}

TEST(SortStably, sorts_a_part_and_leaves_the_rest) {
  std::vector<std::uint64_t> rows{9, 3, ~std::uint64_t{0}, 1, 2, 0};
  sort_stably(std::span(rows).subspan(1, 3), [](std::uint64_t row) { return row; });
  EXPECT_EQ(rows, (std::vector<std::uint64_t>{9, 1, 3, ~std::uint64_t{0}, 2, 0}));
}

// Counts how often it is moved.
struct Watched {
  Watched(std::uint32_t of, int& count) : key(of), moves(&count) {}
  Watched(Watched&& other) noexcept : key(other.key), moves(other.moves) { ++*moves; }
  Watched& operator=(Watched&& other) noexcept {
    key = other.key;
    ++*moves;
    return *this;
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() = default;

  std::uint32_t key;
  int* moves;
};

TEST(SortStably, moves_no_row_when_they_are_sorted) {
  for (const bool is_sorted : {true, false}) {
    int moves = 0;
    std::vector<Watched> rows;
    rows.reserve(3);
    for (const std::uint32_t key : {1u, is_sorted ? 1u : 3u, 2u}) rows.emplace_back(key, moves);
    sort_stably(rows, &Watched::key);
    EXPECT_EQ(moves, is_sorted ? 0 : 6);
    EXPECT_TRUE(std::ranges::is_sorted(rows, {}, &Watched::key));
  }
}

}  // namespace
}  // namespace vireo
