// SPDX-License-Identifier: Apache-2.0
//
// Nesting level and order of blocks (block_layout.h).
//
// One depth-first walk starts at the entry block. It visits the merge block of a construct first and its
// continue target second, so they are last in reverse post-order. Each visited block assigns levels to its successors;
// the first assignment is final. The walk is iterative, so functions of a hundred thousand blocks do not overflow the
// stack. Levels and order match spirv-dis.
#include "spirv/text/disassemble/block_layout.h"

#include <algorithm>

#include "spirv/grammar/opcode_families.h"
#include "spirv/text/op_of.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

constexpr std::uint32_t no_block = 0xFFFFFFFF;

// The successors of a block, as block indexes; ids that are not labels are left out. Blocks without a merge
// instruction, as in kernels, only have `targets`.
struct Exits {
  std::uint32_t merge = no_block;
  std::uint32_t continue_target = no_block;
  std::vector<std::uint32_t> targets;
  bool nests = false;  // the targets are inside a construct: conditional branches, switches, loop bodies
};

class Layout {
 public:
  Layout(std::span<const InstructionView> function, DebugLines lines) : function_(function), lines_(lines) {}

  // Linear in the instructions and in the edges between blocks.
  BlockLayout make(BlockOrder order) {
    split();
    if (!layout_.blocks.empty()) {
      exits_.reserve(layout_.blocks.size());
      for (const BlockPlace& block : layout_.blocks) exits_.push_back(exits_of(block));
      const std::vector<std::uint32_t> walk = visit_blocks();
      if (order == BlockOrder::Structured) reorder(walk);
    }
    return std::move(layout_);
  }

 private:
  // Splits the function into blocks in file order: from a label up to the next one. Instructions before the first label
  // and after the last block become prologue and epilogue, so no instruction is lost in any function.
  void split() {
    std::uint32_t i = 0;
    const auto count = static_cast<std::uint32_t>(function_.size());
    while (i < count && op_of(function_[i]) != Op::OpLabel && op_of(function_[i]) != Op::OpFunctionEnd) ++i;
    layout_.prologue = i;
    while (i < count && op_of(function_[i]) != Op::OpFunctionEnd) {
      const std::uint32_t first = i++;
      while (i < count && op_of(function_[i]) != Op::OpLabel && op_of(function_[i]) != Op::OpFunctionEnd) ++i;
      if (function_[first].word_count > 1)
        // If two blocks have the same label, the first one is found. Such a module is invalid; the layout only has to
        // terminate.
        block_of_.try_emplace(View<Op::OpLabel>(function_[first]).result(),
                              static_cast<std::uint32_t>(layout_.blocks.size()));
      layout_.blocks.push_back({first, i - first, 0});
    }
    layout_.epilogue = i;
  }

  // Returns `no_block` for an id that is not a label of this function, so invalid branches have no effect.
  [[nodiscard]] std::uint32_t block_of(Word label) const {
    const auto found = block_of_.find(label);
    return found == block_of_.end() ? no_block : found->second;
  }

  // The last two instructions of a block determine its successors.
  [[nodiscard]] Exits exits_of(const BlockPlace& block) const {
    Exits exits;
    std::uint32_t last = block.first + block.count - 1;
    const auto step_over_lines = [&] {
      while (lines_ == DebugLines::Ignored && last > block.first && is_line(function_[last].opcode)) --last;
    };
    step_over_lines();
    const InstructionView terminator = function_[last];
    if (last > block.first) {
      --last;
      step_over_lines();
      const InstructionView merge = function_[last];
      // Specification 2.11: a merge instruction is the second to last of its block.
      if (const auto selection = as<Op::OpSelectionMerge>(merge)) exits.merge = block_of(selection->merge_block());
      if (const auto loop = as<Op::OpLoopMerge>(merge)) {
        exits.merge = block_of(loop->merge_block());
        exits.continue_target = block_of(loop->continue_target());
        exits.nests = true;
      }
    }
    const auto add = [&](Word label) {
      const std::uint32_t target = block_of(label);
      if (target != no_block) exits.targets.push_back(target);
    };
    switch (op_of(terminator)) {
      case Op::OpBranch: add(View<Op::OpBranch>(terminator).target_label()); break;
      case Op::OpBranchConditional: {
        const View<Op::OpBranchConditional> branch(terminator);
        add(branch.true_label());
        add(branch.false_label());
        exits.nests = true;
        break;
      }
      case Op::OpSwitch: {
        const View<Op::OpSwitch> switch_over(terminator);
        add(switch_over.default_());
        for (const CaseOperand& target : switch_over.targets(literal_words_of(switch_over))) add(target.label);
        exits.nests = true;
        break;
      }
      default: break;
    }
    return exits;
  }

  // The number of words of each OpSwitch literal: one or two. The selector's type determines it, but is not available
  // here. So the function tries both numbers: with the right one, every target is a label of this function.
  [[nodiscard]] std::size_t literal_words_of(View<Op::OpSwitch> switch_over) const {
    const CaseList targets = switch_over.targets(1);
    const int words = switch_over.view().word_count - targets.word();
    if (words % 2 != 0) return 2;
    if (words % 3 != 0) return 1;
    for (const CaseOperand& target : targets) {
      if (block_of(target.label) == no_block) return 2;
    }
    return 1;
  }

  // Assigns levels and returns the reverse post-order from the entry block, without unreachable blocks.
  std::vector<std::uint32_t> visit_blocks() {
    // An explicit stack on the heap, because the module determines its depth.
    struct Frame {
      std::uint32_t block;
      std::vector<std::uint32_t> next;  // successors that are not visited yet, last first
    };
    std::vector<bool> seen(layout_.blocks.size());
    std::vector<std::uint32_t> post_order;
    std::vector<Frame> stack;
    const auto enter = [&](std::uint32_t block) {
      seen[block] = true;
      tell_levels(block);
      const Exits& exits = exits_[block];
      Frame frame{block, exits.targets};  // visited from the back, so the first target is first in the reverse
      if (exits.continue_target != no_block) frame.next.push_back(exits.continue_target);
      if (exits.merge != no_block) frame.next.push_back(exits.merge);
      stack.push_back(std::move(frame));
    };
    assigned_.resize(layout_.blocks.size());
    assigned_[0] = true;
    enter(0);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next.empty()) {
        post_order.push_back(top.block);
        stack.pop_back();
        continue;
      }
      // Tested when the block is taken, because another path may have visited it since it was added.
      const std::uint32_t next = top.next.back();
      top.next.pop_back();
      if (!seen[next]) enter(next);
    }
    std::ranges::reverse(post_order);
    return post_order;
  }

  // Assigns levels to the successors of a block at level n: merge block n, continue target n + 1, other blocks of a
  // construct n + 2.
  void tell_levels(std::uint32_t index) {
    const Exits& exits = exits_[index];
    const std::uint32_t level = layout_.blocks[index].level;
    const auto assign = [&](std::uint32_t block, std::uint32_t value) {
      if (block == no_block || assigned_[block]) return;
      assigned_[block] = true;
      layout_.blocks[block].level = value;
    };
    assign(exits.merge, level);
    assign(exits.continue_target, level + 1);
    for (const std::uint32_t target : exits.targets) assign(target, exits.nests ? level + 2 : level);
  }

  // Orders the blocks as walked, entry block first. Unreachable blocks follow in file order.
  void reorder(const std::vector<std::uint32_t>& walk) {
    std::vector<BlockPlace> ordered;
    ordered.reserve(layout_.blocks.size());
    std::vector<bool> placed(layout_.blocks.size());
    for (const std::uint32_t index : walk) {
      ordered.push_back(layout_.blocks[index]);
      placed[index] = true;
    }
    for (std::size_t i = 0; i < layout_.blocks.size(); ++i) {
      if (!placed[i]) ordered.push_back(layout_.blocks[i]);
    }
    layout_.blocks = std::move(ordered);
  }

  std::span<const InstructionView> function_;
  DebugLines lines_;
  BlockLayout layout_;
  IdMap<std::uint32_t> block_of_;  // label id → block
  std::vector<Exits> exits_;
  std::vector<bool> assigned_;  // by block: its level is assigned
};

}  // namespace

BlockLayout lay_out_blocks(std::span<const InstructionView> function, BlockOrder order, DebugLines lines) {
  return Layout(function, lines).make(order);
}

}  // namespace vireo::spirv
