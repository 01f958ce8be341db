// SPDX-License-Identifier: Apache-2.0
//
// Which pairs of leaves match a common word, and whether other leaves cover a leaf completely.
//
// The one idea: a leaf is a cube: its fixed bits, their values, and a range of generations. Two cubes intersect unless
// they differ in a bit that both fix, or have no common generation. Sets of cubes are split by a bit: cubes with 0
// cannot intersect cubes with 1, so these pairs are never compared. After a few splits the rest is compared pair by
// pair.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/isa/model.h"

namespace vireo::isa {

struct Cube {
  const Bits* care = nullptr;
  const Bits* match = nullptr;
  GenRange gens;
};

struct CubePair {
  std::uint32_t first;  ///< indexes; first < second
  std::uint32_t second;
  friend constexpr auto operator<=>(const CubePair&, const CubePair&) = default;
};

struct CubePairs {
  std::vector<CubePair> pairs;  ///< sorted
  bool is_complete = true;      ///< false: more than `max_pairs`, or the work limit was reached
};

/// All pairs of cubes that intersect. All cubes have the same width.
CubePairs find_intersecting_cubes(std::span<const Cube> cubes, std::size_t max_pairs);

enum class Covered : std::uint8_t { No, Yes, Unknown };

/// Whether the other cubes together contain every word of a cube, ignoring generations. The cube may be cut into at
/// most `budget` parts; the function subtracts the parts it used. Unknown: the budget was not enough.
Covered is_covered(const Cube& cube, std::span<const Cube> others, std::size_t& budget);

}  // namespace vireo::isa
