// SPDX-License-Identifier: Apache-2.0
//
// Selects bits that all candidates fix, or else a bit that some leave open.
#include "isa/model/discriminating_bits.h"

#include <algorithm>
#include <array>
#include <bit>

namespace vireo::isa {
namespace {

// Selects the bit that leaves the fewest candidates in the larger child. A bit that leaves all candidates in one child
// is rejected, because splitting by it would not terminate.
DiscriminatingBits bit_of_smallest_half(std::span<const Bitset* const> candidates, const Bits& either,
                                        std::uint32_t size) {
  DiscriminatingBits best;
  std::size_t smallest = candidates.size();
  for (std::uint32_t at = either.lowest(); at < size; ++at) {
    if (!either.test(at)) continue;
    std::array<std::size_t, 2> halves{};
    for (const Bitset* leaf : candidates) {
      const bool cares = leaf->care.test(at);
      halves[0] += !cares || !leaf->match.test(at) ? 1 : 0;
      halves[1] += !cares || leaf->match.test(at) ? 1 : 0;
    }
    const std::size_t larger = std::max(halves[0], halves[1]);
    if (larger >= smallest) continue;
    smallest = larger;
    best = {at, 1};
  }
  return best;
}

}  // namespace

DiscriminatingBits discriminating_bits(std::span<const Bitset* const> candidates, std::uint32_t size) {
  Bits common(size);  // fixed by all
  common = ~common;
  Bits ones(size), zeros(size);  // fixed to 1 or 0 by some
  for (const Bitset* leaf : candidates) {
    common &= leaf->care;
    ones |= leaf->match;
    zeros |= leaf->care & ~leaf->match;
  }
  const Bits telling = common & ones & zeros;
  DiscriminatingBits best;
  for (std::uint32_t at = telling.lowest(); at < size; ++at) {
    if (!telling.test(at)) continue;
    // A window begins at a discriminating bit. Other bits in it only cost empty children.
    const BitWord bits = slice_of(telling.data(), at, std::min(discriminating_window, size - at));
    if (std::popcount(bits) > std::popcount(best.mask)) best = {at, bits};
  }
  return best.mask != 0 ? best : bit_of_smallest_half(candidates, ones & zeros, size);
}

}  // namespace vireo::isa
