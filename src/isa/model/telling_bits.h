// SPDX-License-Identifier: Apache-2.0
//
// Which bits of a word tell leaves apart: the step of which trees over leaves are made, that of the decoder and those of
// generated code.
//
// The one idea: best are bits that all candidates fix, and not all alike: no candidate then stands in two children. Where
// there are none, the single bit is taken that leaves the fewest in its larger half; candidates that leave it open go into
// both.
//
// isaspec 2.1: at most one leaf may match, and two that do are a conflict, so a tree must find both. Copying a candidate
// into two children does; cutting the search at the first would not.
#pragma once

#include <cstdint>
#include <span>

#include "vireo/isa/model.h"

namespace vireo::isa {

/// Bits by which candidates are split: those of `mask`, which begins at bit `low` of the word.
struct TellingBits {
  std::uint32_t low = 0;
  BitWord mask = 0;  ///< 0: no bits make the candidates fewer
};

/// How many bits a mask spans at the most. 256 children: larger nodes are mostly empty, and opcodes are rarely wider.
inline constexpr std::uint32_t telling_window = 8;

/// A tree over that many leaves stops to split at this many nodes. Hostile masks would double the candidates with every
/// node; real sets need two or three nodes for a leaf.
constexpr std::size_t most_nodes(std::size_t leaf_count) { return 64 + 24 * leaf_count; }

/// `candidates` are leaves of one root of `size` bits. Linear in the words of their masks for each bit of the word.
TellingBits telling_bits(std::span<const Bitset* const> candidates, std::uint32_t size);

}  // namespace vireo::isa
