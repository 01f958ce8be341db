// SPDX-License-Identifier: Apache-2.0
//
// Aligns two sequences of instructions.
//
// An instruction has several keys, from exact to coarse. Elements whose key is unique in both sequences are
// anchors, as in patience diff; the gaps between anchors are aligned by the next coarser key. Small gaps without an
// anchor are aligned by dynamic programming over a similarity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace vireo::spirv {

/// The keys of one element.
struct AlignmentKeys {
  std::uint64_t deep = 0;     ///< of the value, the name and the uses
  std::uint64_t value = 0;    ///< of the instruction and of all that it depends on in its function
  std::uint64_t near = 0;     ///< of the instruction and of the instructions that define its operands
  std::uint64_t shallow = 0;  ///< of the instruction: opcode, type, literals, ids from outside the function
  std::uint64_t opcode = 0;
  std::uint64_t type = 0;  ///< of the type; 0: no result
  std::uint64_t uses = 0;  ///< of the opcodes that use the result
};

/// A position in each sequence.
using AlignedPair = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs of positions, ascending in both sequences. Two elements of a pair are at least similar: they have the same
/// opcode, or results of the same type. Near-linear in the elements.
std::vector<AlignedPair> align_sequences(std::span<const AlignmentKeys> before, std::span<const AlignmentKeys> after);

}  // namespace vireo::spirv
