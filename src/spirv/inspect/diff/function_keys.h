// SPDX-License-Identifier: Apache-2.0
//
// FunctionKeys: hashes of the instructions and blocks of a function, to find the ones that correspond in another one.
//
// An id from outside the function, or with a partner, counts as its token; any other id of the function
// counts as the instruction that defines it. So the keys depend neither on the numbers of ids nor on the order of
// blocks.
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

}  // namespace vireo::spirv
