// SPDX-License-Identifier: Apache-2.0
//
// Liveness: the instructions, functions, selections and loops that other parts of a module need.
//
// A needed function needs the instructions that are live by themselves, and the branches of the blocks that always run.
// A selection or a loop is needed as a whole; one that is not is replaced by a branch to its merge block.
//
// Source: specification 2.4 (logical layout), 2.11 (structured control flow).
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "spirv/module/opcode_traits.h"
#include "spirv/module/use_graph.h"
#include "spirv/transform/clean/removable_constructs.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// The base class of `User`, which has these functions:
///   bool may_be_needed(InstructionIndex): whether to mark an instruction that is needed
///   void visit(InstructionIndex): marks what a needed instruction needs
///   bool is_live(InstructionIndex, InstructionView): whether a needed function needs an instruction
///   bool is_always_needed(const RemovableConstructs::Row&): whether a needed function needs a selection or loop
///   void need_blocks(const FunctionRow&): marks what the blocks of a needed function need
template <typename User>
class Liveness {
 protected:
  using ConstructNumber = RemovableConstructs::Index;
  static constexpr ConstructNumber no_construct = RemovableConstructs::none;

  /// The module is borrowed.
  Liveness(const Module& module, RemovableConstructs constructs)
      : module_(module), constructs_(std::move(constructs)), needed_(module.instruction_count()) {}

  /// Discards all marks.
  void restart() {
    needed_.restart();
    is_function_needed_.assign(module_.functions().size(), false);
    is_construct_needed_.assign(constructs_.count(), false);
  }

  [[nodiscard]] bool is_needed(InstructionIndex i) const { return needed_.has(i.raw); }
  [[nodiscard]] bool is_needed(FunctionIndex f) const { return is_function_needed_[f.index()]; }
  /// Whether a block of a needed function remains. The header of a removed loop remains and branches to the merge block.
  [[nodiscard]] bool is_block_kept(BlockIndex b) const {
    const ConstructNumber owner = constructs_.owner(b);
    if (is_construct_needed(owner)) return true;
    const RemovableConstructs::Row& row = constructs_.row(owner);
    return row.header == b && is_construct_needed(row.parent);
  }

  void need(InstructionIndex i) {
    if (!i.is_none() && !is_needed(i) && user().may_be_needed(i)) needed_.add(i.raw);
  }
  /// Visits the needed instructions.
  void follow() {
    needed_.run([&](std::uint32_t i) { user().visit(InstructionIndex(i)); });
  }
  /// The next instruction can continue the operands of a needed one.
  void need_continuation(InstructionIndex i) {
    const InstructionIndex next(i.index() + 1);
    if (next.raw < module_.instruction_count() && is_continuation(module_.instruction(next).opcode)) need(next);
  }

  void need_function(FunctionIndex f) {
    if (is_needed(f)) return;
    is_function_needed_[f.index()] = true;
    const FunctionRow& function = module_.functions()[f.index()];
    for (const auto [index, view] : module_.instructions(function.all)) {
      if (user().is_live(index, view)) need(index);
    }
    user().need_blocks(function);
  }
  void need_blocks(const FunctionRow& function) {
    for (const BlockRow& block : module_.blocks(function)) {
      const BlockIndex b = module_.index_of(block);
      if (constructs_.owner(b) == no_construct) need_branch_of(b);
      const ConstructNumber headed = constructs_.headed_by(b);
      if (headed != no_construct && user().is_always_needed(constructs_.row(headed))) need_construct(headed);
    }
  }

  void need_construct(ConstructNumber number) {
    if (is_construct_needed(number)) return;  // for most instructions
    found_.assign(1, number);
    while (!found_.empty()) {
      const ConstructNumber c = found_.back();
      found_.pop_back();
      if (is_construct_needed(c)) continue;
      is_construct_needed_[c] = true;
      const RemovableConstructs::Row& row = constructs_.row(c);
      found_.push_back(row.parent);
      found_.insert(found_.end(), row.leave_with.begin(), row.leave_with.end());
      const BlockRow& header = module_.blocks()[row.header.index()];
      need(header.merge);
      need(header.terminator);
      for (const BlockIndex block : constructs_.blocks_of(c)) need_branch_of(block);
    }
  }

  /// Replaces each selection and loop that is not needed by a branch to its merge block.
  void replace_constructs(Rewrite& rewrite) const {
    for (ConstructNumber c = 0; c < constructs_.count(); ++c) {
      const RemovableConstructs::Row& row = constructs_.row(c);
      const BlockRow& header = module_.blocks()[row.header.index()];
      if (is_construct_needed(c) || !is_needed(header.function) || !is_block_kept(row.header)) continue;
      const Word merge = module_.blocks()[row.merge.index()].label;
      rewrite.replace(header.terminator, std::array<Word, 2>{first_word(2, Op::OpBranch), merge});
    }
  }

  const Module& module_;
  const RemovableConstructs constructs_;

 private:
  User& user() { return static_cast<User&>(*this); }

  // no_construct is the function itself, which is needed.
  [[nodiscard]] bool is_construct_needed(ConstructNumber c) const {
    return c == no_construct || is_construct_needed_[c];
  }

  // The label and the terminator of a block that runs; not the terminator if the block is the header of a construct.
  void need_branch_of(BlockIndex b) {
    const BlockRow& block = module_.blocks()[b.index()];
    need(InstructionIndex(block.all.first));
    if (constructs_.headed_by(b) != no_construct) return;
    need(block.merge);
    need(block.terminator);
  }

  Worklist needed_;                        // instructions
  std::vector<bool> is_function_needed_;   // by function
  std::vector<bool> is_construct_needed_;  // by construct
  std::vector<ConstructNumber> found_;     // constructs
};

}  // namespace vireo::spirv
