// SPDX-License-Identifier: Apache-2.0
//
// Joins a block with its successor, if it is the only predecessor of the successor.
//
// A block with one predecessor, which no merge instruction names, can be a part of it. Its label goes, and
// the values of its OpPhi instructions are those from the predecessor.
//
// Source: specification 2.2.5 (blocks), 2.11 (structured control flow), 3.42.17 (OpPhi, OpLoopMerge).
#include <algorithm>
#include <utility>
#include <vector>

#include "spirv/transform/clean/passes.h"
#include "spirv/transform/rewrite.h"

namespace vireo::spirv {
namespace {

using enum Op;

class BlockMerger {
 public:
  explicit BlockMerger(const PassInput& input)
      : input_(input),
        module_(input.module),
        rewrite_(module_),
        predecessors_(module_.blocks().size()),
        is_target_(module_.blocks().size()),
        next_(module_.blocks().size()),
        carried_(module_.blocks().size()),
        is_appended_(module_.blocks().size()) {}

  std::optional<WordBuffer> run() {
    count_predecessors();
    for (std::size_t b = 0; b < module_.blocks().size(); ++b) join(BlockIndex(b));
    if (!rewrite_.is_changed()) return std::nullopt;
    place_merges();
    for (const FunctionRow& function : module_.functions()) order_blocks_of(function);
    rewrite_.remove_annotations();
    return rewrite_.write(input_.operands);
  }

 private:
  [[nodiscard]] const BlockRow& row(BlockIndex b) const { return module_.blocks()[b.index()]; }
  [[nodiscard]] Op terminator_of(BlockIndex b) const { return module_.instruction(row(b).terminator).opcode; }

  void count_predecessors() {
    for (const BlockRow& block : module_.blocks()) {
      for_labels(input_, block.terminator, [&](BlockIndex target) { ++predecessors_[target.index()]; });
      if (block.merge.is_none()) continue;
      for_labels(input_, block.merge, [&](BlockIndex target) { is_target_[target.index()] = true; });
    }
    for (const FunctionRow& function : module_.functions()) {
      if (function.block_count != 0) is_target_[function.first_block] = true;  // the entry block has no predecessor
    }
  }

  // In a valid module a block follows its only predecessor, so the blocks before `block` are already joined.
  void join(BlockIndex block) {
    if (terminator_of(block) != OpBranch) return;
    BlockIndex to;
    for_labels(input_, row(block).terminator, [&](BlockIndex target) { to = target; });
    if (to.is_none() || to <= block || predecessors_[to.index()] != 1 || is_target_[to.index()]) return;
    if (row(to).function != row(block).function || !can_remove_phis(to)) return;
    const InstructionIndex merge = row(block).merge.is_none() ? carried_[block.index()] : row(block).merge;
    if (!merge.is_none() && !can_take_loop_merge(to)) return;
    rewrite_.remove(row(block).terminator);
    if (!merge.is_none()) {
      rewrite_.remove(merge);
      carried_[to.index()] = merge;
    }
    const InstructionIndex label(row(to).all.first);
    rewrite_.remove(label);
    rewrite_.rename(label, row(block).label);
    for (const auto [index, view] : module_.instructions(row(to).all)) {
      if (view.opcode != OpPhi) continue;
      rewrite_.remove(index);
      rewrite_.rename(index, view.word(3));  // the value from the only predecessor
    }
    next_[block.index()] = to;
    is_appended_[to.index()] = true;
  }

  // In code that nothing reaches, OpPhi instructions can use each other in a cycle.
  [[nodiscard]] bool can_remove_phis(BlockIndex block) const {
    for (const auto [index, view] : module_.instructions(row(block).all)) {
      if (view.opcode != OpPhi) continue;
      const InstructionIndex value = module_.definition(view.word(3));
      if (view.word_count != 5 || value.is_none() || value >= index) return false;
    }
    return true;
  }

  // OpLoopMerge is the second to last instruction of its block, before OpBranch or OpBranchConditional.
  [[nodiscard]] bool can_take_loop_merge(BlockIndex to) const {
    return row(to).merge.is_none() && (terminator_of(to) == OpBranch || terminator_of(to) == OpBranchConditional);
  }

  // Each OpLoopMerge moves to the end of the joined blocks.
  void place_merges() {
    for (std::size_t b = 0; b < carried_.size(); ++b) {
      if (carried_[b].is_none() || !next_[b].is_none()) continue;
      rewrite_.insert_before(row(BlockIndex(b)).terminator, module_.instruction(carried_[b]).words());
    }
  }

  void order_blocks_of(const FunctionRow& function) {
    std::vector<BlockIndex> order;
    bool is_changed = false;
    for (std::uint32_t b = function.first_block; b < function.first_block + function.block_count; ++b) {
      if (is_appended_[b]) continue;
      for (BlockIndex each(b); !each.is_none(); each = next_[each.index()]) {
        is_changed |= each.raw != b;
        order.push_back(each);
      }
    }
    if (is_changed) rewrite_.set_block_order(module_.index_of(function), order);
  }

  const PassInput& input_;
  const Module& module_;
  Rewrite rewrite_;
  std::vector<std::uint32_t> predecessors_;  // by block: number of branches to it
  std::vector<bool> is_target_;              // by block: of a merge instruction, or the entry block
  std::vector<BlockIndex> next_;             // by block: the block that was joined with it
  std::vector<InstructionIndex> carried_;    // by block: the OpLoopMerge of blocks before it
  std::vector<bool> is_appended_;            // by block
};

}  // namespace

std::optional<WordBuffer> merge_blocks(const PassInput& input) { return BlockMerger(input).run(); }

}  // namespace vireo::spirv
