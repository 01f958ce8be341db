// SPDX-License-Identifier: Apache-2.0
//
// Which of many leaves match a common word, and whether others cover one of them whole.
//
// The one idea: a leaf is a cube: bits that are fixed, their values, a range of generations. Two cubes meet unless they
// differ in a bit that both fix, or in all generations. Sets of cubes are split by a bit: those with 0 cannot meet those
// with 1, so such pairs are never looked at; what is left of them after a few splits is compared pair by pair.
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
  bool is_complete = true;      ///< false: more than `max_pairs`, or beyond all bounds of work
};

/// All pairs of cubes that meet. All cubes have one width.
CubePairs find_meeting_cubes(std::span<const Cube> cubes, std::size_t max_pairs);

enum class Covered : std::uint8_t { No, Yes, Unknown };

/// Whether every word of a cube lies in one of the others, whatever their generations. `budget` is how many parts the cube
/// may be cut into, and less afterwards. Unknown: they were not enough.
Covered is_covered(const Cube& cube, std::span<const Cube> others, std::size_t& budget);

}  // namespace vireo::isa
