// SPDX-License-Identifier: Apache-2.0
//
// FunctionAligner: pairs the blocks and instructions of two functions that correspond to each other.
//
// The order of blocks has no meaning, so blocks are paired first: by their contents, then along the
// branches from blocks that are paired. The instructions of paired blocks are aligned as sequences.
//
// Source: specification 2.2.5 (blocks), 2.16.1 (order of blocks).
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/inspect/diff/diff_side.h"
#include "spirv/inspect/diff/function_keys.h"
#include "spirv/inspect/diff/pairing.h"

namespace vireo::spirv {

class FunctionAligner {
 public:
  FunctionAligner(const DiffSide& before, const DiffSide& after, Pairing& pairing)
      : before_(before), after_(after), pairing_(pairing) {}

  /// Pairs instructions, and the ids that they define. Near-linear in the instructions.
  void align(const FunctionRow& before, const FunctionRow& after);

 private:
  void pair_variables();
  void pair_blocks();
  void pair_blocks_by(std::uint64_t AlignmentKeys::*key);
  void pair_targets();
  void pair_similar_blocks();
  void pair_block(std::uint32_t b, std::uint32_t c);
  void align_ranges(InstructionRange left, InstructionRange right);
  void pair(std::uint32_t i, std::uint32_t j);
  void pair_moved(const FunctionRow& before, const FunctionRow& after);

  const DiffSide& before_;
  const DiffSide& after_;
  Pairing& pairing_;
  FunctionKeys left_, right_;
  std::vector<std::uint32_t> block_of_left_, block_of_right_;  // partners, or no_partner
  std::vector<std::uint32_t> open_;                            // paired blocks whose targets are not yet paired
};

}  // namespace vireo::spirv
