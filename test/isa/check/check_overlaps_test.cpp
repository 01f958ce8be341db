// SPDX-License-Identifier: Apache-2.0
//
// Overlapping leaves, compared with a naive search: all pairs, all words, all generations.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "isa/check/overlaps.h"
#include "vireo/isa/check.h"
#include "vireo/isa/decode.h"

namespace vireo::isa {
namespace {

struct RandomLeaf {
  std::string bits;  // leftmost = highest; '.': a bit of a field
  GenRange gens;
  Bits care;
  Bits match;
};

// Few variants of bits, so that overlaps are neither rare nor frequent.
RandomLeaf random_leaf(std::mt19937& random, std::uint32_t width, std::uint32_t fixed_of_eight) {
  RandomLeaf leaf;
  leaf.care = leaf.match = Bits(width);
  for (std::uint32_t bit = width; bit-- > 0;) {
    const bool is_fixed = random() % 8 < fixed_of_eight;
    const bool is_one = random() % 2 == 0;
    leaf.bits.push_back(!is_fixed ? (is_one ? 'x' : '.') : is_one ? '1' : '0');
    if (is_fixed) leaf.care.set(bit);
    if (is_fixed && is_one) leaf.match.set(bit);
  }
  leaf.gens.min = random() % 4;
  leaf.gens.max = leaf.gens.min + random() % 4;
  return leaf;
}

std::vector<RandomLeaf> random_leaves(std::mt19937& random, std::size_t count, std::uint32_t width,
                                      std::uint32_t fixed_of_eight) {
  std::vector<RandomLeaf> leaves;
  for (std::size_t i = 0; i < count; ++i) leaves.push_back(random_leaf(random, width, fixed_of_eight));
  return leaves;
}

std::vector<Cube> cubes_of(const std::vector<RandomLeaf>& leaves) {
  std::vector<Cube> cubes;
  for (const RandomLeaf& leaf : leaves) cubes.push_back({&leaf.care, &leaf.match, leaf.gens});
  return cubes;
}

bool is_match(const RandomLeaf& leaf, const Bits& word) { return ((word ^ leaf.match) & leaf.care).is_zero(); }

std::vector<CubePair> naive_pairs(const std::vector<RandomLeaf>& leaves) {
  std::vector<CubePair> pairs;
  for (std::uint32_t a = 0; a < leaves.size(); ++a) {
    for (std::uint32_t b = a + 1; b < leaves.size(); ++b) {
      const bool differ = ((leaves[a].match ^ leaves[b].match) & leaves[a].care & leaves[b].care).any();
      if (!differ && !intersect(leaves[a].gens, leaves[b].gens).is_empty()) pairs.push_back({a, b});
    }
  }
  return pairs;
}

TEST(CheckOverlaps, pairs_equal_the_naive_comparison) {
  std::mt19937 random(1);
  const struct {
    std::size_t count;
    std::uint32_t width;
    std::uint32_t fixed_of_eight;
  } shapes[] = {{2, 1, 4},    {40, 8, 4},    {200, 16, 5},   {300, 64, 1},
                {300, 64, 7}, {200, 100, 2}, {100, 4096, 1}, {0, 8, 4}};
  for (const auto& shape : shapes) {
    for (int round = 0; round < 8; ++round) {
      const std::vector<RandomLeaf> leaves = random_leaves(random, shape.count, shape.width, shape.fixed_of_eight);
      const CubePairs found = find_intersecting_cubes(cubes_of(leaves), leaves.size() * leaves.size() + 1);
      EXPECT_TRUE(found.is_complete);
      EXPECT_EQ(found.pairs, naive_pairs(leaves)) << shape.count << " of " << shape.width;
    }
  }
}

TEST(CheckOverlaps, a_cube_is_covered_when_each_of_its_words_is) {
  std::mt19937 random(2);
  constexpr std::uint32_t width = 7;
  std::size_t covered = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::vector<RandomLeaf> leaves = random_leaves(random, 2 + random() % 8, width, 1 + random() % 4);
    const std::vector<Cube> cubes = cubes_of(leaves);
    bool is_whole = true;
    for (BitWord word = 0; word < 1u << width; ++word) {
      const Bits value(width, word);
      is_whole &= !is_match(leaves[0], value) || std::any_of(leaves.begin() + 1, leaves.end(),
                                                             [&](const RandomLeaf& l) { return is_match(l, value); });
    }
    covered += is_whole;
    std::size_t budget = 4096;
    const std::span<const Cube> others = std::span(cubes).subspan(1);
    EXPECT_EQ(is_covered(cubes.front(), others, budget), is_whole ? Covered::Yes : Covered::No);
    budget = 0;
    EXPECT_EQ(is_covered(cubes.front(), others, budget), Covered::Unknown);
  }
  EXPECT_GT(covered, 300u);  // both results must occur
  EXPECT_LT(covered, 2700u);
}

// --- whole descriptions -------------------------------------------------------------------------------------------------

std::string description_of(const std::vector<RandomLeaf>& leaves) {
  std::string text = "<isa><bitset name=\"#instruction\" size=\"" + std::to_string(leaves.front().bits.size()) + "\"/>";
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::string& bits = leaves[i].bits;
    text += "<bitset name=\"l" + std::to_string(i) + "\" extends=\"#instruction\"><display>l" + std::to_string(i) +
            "</display><gen min=\"" + std::to_string(leaves[i].gens.min) + "\" max=\"" +
            std::to_string(leaves[i].gens.max) + "\"/>";
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const std::string pos = std::to_string(bits.size() - 1 - k);
      if (bits[k] == '.') text += "<field name=\"F" + pos + "\" pos=\"" + pos + "\" type=\"uint\"/>";
      else text += "<pattern pos=\"" + pos + "\">" + bits[k] + "</pattern>";
    }
    text += "</bitset>";
  }
  return text + "</isa>";
}

// For every word in every generation: the leaves that match it, and whether the decoder finds one.
TEST(CheckOverlaps, reports_agree_with_all_words_of_small_descriptions) {
  std::mt19937 random(3);
  constexpr std::uint32_t width = 8;
  for (int round = 0; round < 60; ++round) {
    const std::vector<RandomLeaf> leaves = random_leaves(random, 2 + random() % 10, width, 3 + random() % 4);
    const LoadedModel loaded = load_model_text("x", description_of(leaves));
    const CheckReport report = check(loaded);
    std::vector<std::vector<bool>> meet(leaves.size(), std::vector<bool>(leaves.size()));
    std::vector<bool> is_chosen(leaves.size());
    for (std::uint32_t gen = 0; gen < 8; ++gen) {
      const Decoder decoder(loaded.model, {.gen = gen});
      for (BitWord word = 0; word < 1u << width; ++word) {
        std::vector<std::size_t> matching;
        for (std::size_t i = 0; i < leaves.size(); ++i) {
          if (leaves[i].gens.contains(gen) && is_match(leaves[i], Bits(width, word))) matching.push_back(i);
        }
        for (const std::size_t a : matching) {
          for (const std::size_t b : matching) meet[a][b] = true;
        }
        if (matching.size() == 1) is_chosen[matching.front()] = true;
        Decoded decoded;
        EXPECT_EQ(decoder.decode(Bits(width, word), decoded), matching.size() == 1);
      }
    }
    std::size_t expected = 0;
    for (std::size_t a = 0; a < leaves.size(); ++a) {
      for (std::size_t b = a + 1; b < leaves.size(); ++b) expected += meet[a][b];
    }
    EXPECT_EQ(report.overlaps.size(), expected);
    for (const Overlap& overlap : report.overlaps) {
      for (const std::uint32_t gen : {overlap.gens.min, overlap.gens.max}) {
        Decoded decoded;
        EXPECT_FALSE(Decoder(loaded.model, {.gen = gen}).decode(overlap.witness, decoded));
        ASSERT_EQ(decoded.faults().size(), 1u);
        EXPECT_EQ(decoded.faults().front().kind, DecodeFault::Kind::Conflict);
      }
    }
    std::size_t lost = 0;
    for (const Diagnostic& diagnostic : report.files.front().all()) lost += diagnostic.rule == "unreachable-leaf";
    EXPECT_EQ(lost, static_cast<std::size_t>(std::count(is_chosen.begin(), is_chosen.end(), false)));
  }
}

// --- large descriptions -------------------------------------------------------------------------------------------------

TEST(CheckOverlaps, thousands_of_leaves_are_compared_without_comparing_all_pairs) {
  // An opcode of 13 bits at some position in a wide word, most of its bits fixed; two leaves share one opcode.
  constexpr std::uint32_t width = 4096;
  constexpr std::size_t count = 5000;
  std::vector<RandomLeaf> leaves(count);
  std::vector<Cube> cubes;
  for (std::size_t i = 0; i < count; ++i) {
    RandomLeaf& leaf = leaves[i];
    leaf.care = leaf.match = Bits(width);
    const std::size_t opcode = i == 4321 ? 17 : i;
    for (std::uint32_t bit = 0; bit < 13; ++bit) {
      const std::uint32_t place = 300 * bit + 7;
      leaf.care.set(place);
      if ((opcode >> bit & 1) != 0) leaf.match.set(place);
    }
    cubes.push_back({&leaf.care, &leaf.match, {}});
  }
  const CubePairs found = find_intersecting_cubes(cubes, 100);
  EXPECT_TRUE(found.is_complete);
  EXPECT_EQ(found.pairs, (std::vector<CubePair>{{17, 4321}}));
}

TEST(CheckOverlaps, the_search_stops_if_all_leaves_overlap) {
  const Bits nothing(64);
  const std::vector<Cube> cubes(20'000, Cube{&nothing, &nothing, {}});
  const CubePairs found = find_intersecting_cubes(cubes, 1000);
  EXPECT_FALSE(found.is_complete);
  EXPECT_EQ(found.pairs.size(), 1000u);
}

}  // namespace
}  // namespace vireo::isa
