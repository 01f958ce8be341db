// SPDX-License-Identifier: Apache-2.0
//
// Slicer: keeps some instructions of a module and what they depend on, and removes everything else.
//
// An instruction depends on the definitions of its operands and on the branches that lead to its block. A
// construct of structured control flow remains as a whole or is replaced by a branch to its merge block. In functions
// without merge instructions, only one path to each needed block remains. So a slice of a valid module is valid, whatever
// the roots are. Values need not be the same.
//
// Source: specification 2.4 (logical layout), 2.11 (structured control flow), 2.16.1 (validation rules).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "spirv/transform/clean/liveness.h"
#include "spirv/transform/operand_index.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The values in place of operands, by the number of the operand (Slicer::operand_number()).
class OperandCuts {
 public:
  static constexpr Word fresh_null = ~Word{0};       ///< a new OpConstantNull
  static constexpr Word fresh_undef = ~Word{0} - 1;  ///< a new OpUndef

  explicit OperandCuts(std::size_t operands = 0) : values_(operands, 0) {}
  void cut(std::size_t operand, Word value) { values_[operand] = value; }
  /// The id in place of an operand, or one of the constants above; 0: the operand does not change.
  [[nodiscard]] Word value(std::size_t operand) const { return operand < values_.size() ? values_[operand] : 0; }

 private:
  std::vector<Word> values_;
};

class Slicer : Liveness<Slicer> {
 public:
  /// The module and its operands are borrowed. The module has no layout violation apart from those that OperandIndex
  /// accepts.
  Slicer(const Module& module, const OperandIndex& operands);

  /// The instructions that can be roots: globals, then instructions of functions, then entry points.
  [[nodiscard]] std::span<const InstructionIndex> units() const { return units_; }
  /// The units on which no other unit depends through its operands.
  [[nodiscard]] std::vector<InstructionIndex> sinks() const;

  [[nodiscard]] std::size_t operand_count() const { return operand_count_; }
  [[nodiscard]] std::size_t operand_number(InstructionIndex i, std::size_t row) const {
    return begins_[i.index()] + row;
  }

  /// Marks in `rewrite` everything that the roots do not need. It must have no changes yet.
  void slice(std::span<const InstructionIndex> roots, const OperandCuts& cuts, Rewrite& rewrite);

 private:
  friend Liveness;

  void find_units();
  void find_attached();
  void read_plain_functions();
  static bool may_be_needed(InstructionIndex) { return true; }
  void need_root(InstructionIndex i);
  void visit(InstructionIndex i);
  void need_operands(InstructionIndex i);
  static bool is_live(InstructionIndex, InstructionView view);
  // A construct without a merge block cannot be replaced by a branch.
  static bool is_always_needed(const RemovableConstructs::Row& row) { return row.merge.is_none(); }
  void need_blocks(const FunctionRow& function);
  void need_block(BlockIndex b);
  void need_edge(BlockIndex from, BlockIndex to);
  void need_all_edges(BlockIndex from);
  void need_entry_point();
  [[nodiscard]] bool is_plain(FunctionIndex f) const { return is_plain_[f.index()]; }
  [[nodiscard]] bool is_block_kept(BlockIndex b) const;
  [[nodiscard]] BlockIndex block_of(InstructionIndex i) const { return block_of_[i.index()]; }
  template <typename Take>
  void for_labels_of(InstructionIndex i, Take&& take) const;
  [[nodiscard]] bool has_labels(InstructionIndex i) const;
  void write(Rewrite& rewrite);
  void write_function(const FunctionRow& function, Rewrite& rewrite);
  void write_plain_terminator(BlockIndex b, Rewrite& rewrite);
  void write_cuts(Rewrite& rewrite);

  const OperandIndex& operands_;
  std::size_t operand_count_ = 0;
  std::vector<std::size_t> begins_;  // by instruction: the number of its first operand
  std::vector<InstructionIndex> units_;
  std::vector<FunctionIndex> function_of_;  // by instruction
  std::vector<BlockIndex> block_of_;        // by instruction
  std::vector<bool> is_plain_;              // by function: no merge instruction
  std::vector<BlockIndex> path_;  // by block of a plain function: the block before it on a path from the entry
  // Pairs of a definition and an instruction that remains with it: execution modes, OpTypeForwardPointer, decorations
  // with further ids. Sorted.
  using Attached = std::pair<InstructionIndex, InstructionIndex>;
  std::vector<Attached> attached_;
  std::vector<InstructionIndex> entry_points_;

  // The state of one slice.
  const OperandCuts* cuts_ = nullptr;
  std::vector<bool> is_block_needed_;                     // by block of a plain function
  std::vector<BlockIndex> kept_target_;                   // by block of a plain function: the first needed successor
  std::vector<bool> has_branches_;                        // by block of a plain function: several successors are needed
  std::vector<std::pair<BlockIndex, BlockIndex>> edges_;  // needed branches of plain functions; sorted by write()
  WordBuffer words_;
};

}  // namespace vireo::spirv
