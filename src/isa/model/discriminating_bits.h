// SPDX-License-Identifier: Apache-2.0
//
// Selects the bits of a word that discriminate leaves, for the decision trees of the decoder and of generated code.
//
// Prefer bits that all candidates fix, but to different values, so that no candidate is in two children.
// If there are none, choose the single bit that leaves the fewest candidates in the larger child. Candidates that do
// not fix this bit are in both children.
//
// At most one leaf may match (docs/isaspec.md, "Reference: how a word is decoded"). If two leaves match, the tree must
// find both, because this is a conflict.
#pragma once

#include <cstdint>
#include <span>

#include "vireo/isa/model.h"

namespace vireo::isa {

/// The bits that split the candidates: `mask`, starting at bit `low` of the word.
struct DiscriminatingBits {
  std::uint32_t low = 0;
  BitWord mask = 0;  ///< 0: no bits reduce the candidates
};

/// Limit on the width of a mask, in bits. A node has at most 256 children: larger nodes would be mostly empty, and
/// opcodes are rarely wider.
inline constexpr std::uint32_t discriminating_window = 8;

/// Limit on the nodes of a tree with `leaf_count` leaves. Without it, hostile masks could double the candidates with
/// each node. Real instruction sets need two or three nodes per leaf.
constexpr std::size_t most_nodes(std::size_t leaf_count) { return 64 + 24 * leaf_count; }

/// Selects bits that discriminate `candidates`, leaves of one root of `size` bits. The time is proportional to `size`
/// times the total number of words in the candidates' masks.
DiscriminatingBits discriminating_bits(std::span<const Bitset* const> candidates, std::uint32_t size);

}  // namespace vireo::isa
