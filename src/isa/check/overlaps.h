// SPDX-License-Identifier: Apache-2.0
//
// Finds pairs of leaves that match a common word, and leaves that other leaves cover completely.
//
// A leaf is a cube: its fixed bits, their values, and a range of generations. Two cubes intersect unless
// they differ in a bit that both fix, or have no common generation. The search splits a set of cubes by a bit. Cubes in
// which the bit is 0 cannot intersect cubes in which it is 1, so these pairs are never compared. After a few splits,
// the remaining pairs are compared directly.
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

/// Returns whether the other cubes together contain every word of a cube, ignoring generations. The function may cut
/// the cube into at most `budget` parts, and subtracts the parts that it used. Unknown: the budget was too small.
Covered is_covered(const Cube& cube, std::span<const Cube> others, std::size_t& budget);

}  // namespace vireo::isa
