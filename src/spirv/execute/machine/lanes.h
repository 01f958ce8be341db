// SPDX-License-Identifier: Apache-2.0
//
// LaneMask: a set of the invocations that a machine executes together.
//
// Those of a subgroup are its lanes. A subgroup has at most 128 lanes.
#pragma once

#include <bit>
#include <cstdint>

namespace vireo::spirv {

inline constexpr std::uint32_t max_lanes = 128;

struct LaneMask {
  std::uint64_t words[2] = {0, 0};

  /// The lanes 0 … `count` - 1.
  static constexpr LaneMask first(std::uint32_t count) {
    LaneMask mask;
    for (std::uint32_t w = 0; w < 2; ++w) {
      const std::uint32_t in_word = count <= w * 64 ? 0 : count - w * 64;
      mask.words[w] = in_word >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << in_word) - 1;
    }
    return mask;
  }
  static constexpr LaneMask of(std::uint32_t lane) {
    LaneMask mask;
    mask.words[lane / 64] = std::uint64_t{1} << (lane % 64);
    return mask;
  }

  [[nodiscard]] constexpr bool any() const { return (words[0] | words[1]) != 0; }
  [[nodiscard]] constexpr bool has(std::uint32_t lane) const { return (words[lane / 64] >> (lane % 64) & 1) != 0; }
  [[nodiscard]] constexpr std::uint32_t count() const {
    return static_cast<std::uint32_t>(std::popcount(words[0]) + std::popcount(words[1]));
  }
  /// The lowest lane. Precondition: any().
  [[nodiscard]] constexpr std::uint32_t lowest() const {
    return static_cast<std::uint32_t>(words[0] != 0 ? std::countr_zero(words[0]) : 64 + std::countr_zero(words[1]));
  }
  constexpr void set(std::uint32_t lane) { words[lane / 64] |= std::uint64_t{1} << (lane % 64); }

  constexpr LaneMask& operator|=(LaneMask other) {
    words[0] |= other.words[0];
    words[1] |= other.words[1];
    return *this;
  }
  constexpr LaneMask& operator&=(LaneMask other) {
    words[0] &= other.words[0];
    words[1] &= other.words[1];
    return *this;
  }
  friend constexpr LaneMask operator|(LaneMask a, LaneMask b) { return a |= b; }
  friend constexpr LaneMask operator&(LaneMask a, LaneMask b) { return a &= b; }
  /// The lanes of `a` that are not in `b`.
  friend constexpr LaneMask operator-(LaneMask a, LaneMask b) {
    return {{a.words[0] & ~b.words[0], a.words[1] & ~b.words[1]}};
  }
  friend constexpr bool operator==(LaneMask, LaneMask) = default;
};

/// Calls `visit` for each lane of a mask, in ascending order.
template <typename Visit>
constexpr void for_each_lane(LaneMask mask, Visit visit) {
  for (std::uint32_t w = 0; w < 2; ++w) {
    for (std::uint64_t rest = mask.words[w]; rest != 0; rest &= rest - 1)
      visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
  }
}

}  // namespace vireo::spirv
