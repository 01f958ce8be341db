// SPDX-License-Identifier: Apache-2.0
//
// FunctionAligner: pairs the blocks and instructions of two functions that correspond to each other.
//
// The one idea: the order of blocks has no meaning, so blocks are paired first: by their contents, then along the
// branches from blocks that are paired. The instructions of paired blocks are aligned as sequences.
//
// Source: specification 2.2.5 (blocks), 2.16.1 (order of blocks).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/inspect/diff/diff_side.h"
#include "spirv/inspect/diff/pairing.h"
#include "spirv/inspect/diff/sequence_alignment.h"

namespace vireo::spirv {

/// The keys of the blocks and instructions of one function.
class FunctionKeys {
 public:
  void read(const DiffSide& side, const SidePairs& pairs, const FunctionRow& function);

  /// Instructions before the first label.
  [[nodiscard]] InstructionRange prologue() const { return prologue_; }
  /// From the label to the instruction before the next label. OpFunctionEnd belongs to no block.
  [[nodiscard]] InstructionRange block(std::uint32_t b) const { return blocks_[b]; }
  [[nodiscard]] std::uint32_t block_count() const { return static_cast<std::uint32_t>(blocks_.size()); }
  /// OpFunctionEnd, if it exists.
  [[nodiscard]] InstructionRange end() const { return end_; }
  [[nodiscard]] std::span<const AlignmentKeys> keys(InstructionRange range) const {
    return std::span(keys_).subspan(range.first - first_, range.size());
  }
  [[nodiscard]] const AlignmentKeys& keys_of(std::uint32_t i) const { return keys_[i - first_]; }
  [[nodiscard]] const AlignmentKeys& keys_of_block(std::uint32_t b) const { return block_keys_[b]; }
  /// A variable of the function, with keys from its name and its uses.
  struct Variable {
    std::uint32_t instruction;
    AlignmentKeys keys;
  };
  [[nodiscard]] std::vector<Variable> variables(const DiffSide& side) const;
  /// The blocks that the merge instruction and the terminator of a block refer to, in the order of the words.
  [[nodiscard]] std::span<const std::uint32_t> targets(std::uint32_t b) const {
    return std::span(targets_).subspan(target_begins_[b], target_begins_[b + 1] - target_begins_[b]);
  }

 private:
  [[nodiscard]] std::uint32_t place_of(const DiffSide& side, const FunctionRow& function, Word id) const;
  /// An operand that the function defines: the place of the definition, and the word of the operand.
  struct LocalOperand {
    std::uint32_t place;
    std::uint32_t word;
  };
  [[nodiscard]] std::span<const LocalOperand> operands(std::uint32_t place) const {
    return std::span(operands_).subspan(operand_begins_[place], operand_begins_[place + 1] - operand_begins_[place]);
  }
  /// A hash of the instructions that use each instruction, by place.
  [[nodiscard]] std::vector<std::uint64_t> use_keys(std::uint64_t AlignmentKeys::*key) const;
  void read_parts(const DiffSide& side, const FunctionRow& function);
  void read_shallow_keys(const DiffSide& side, const SidePairs& pairs, const FunctionRow& function);
  void read_keys(const DiffSide& side, const SidePairs& pairs, const FunctionRow& function);
  void read_targets(const DiffSide& side, const FunctionRow& function);

  std::uint32_t first_ = 0;
  InstructionRange prologue_, end_;
  std::vector<InstructionRange> blocks_;
  std::vector<AlignmentKeys> keys_;  // by place: instructions from first_ on
  std::vector<LocalOperand> operands_;
  std::vector<std::uint32_t> operand_begins_;  // by place
  std::vector<AlignmentKeys> block_keys_;
  std::vector<std::uint32_t> targets_, target_begins_;
};

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
