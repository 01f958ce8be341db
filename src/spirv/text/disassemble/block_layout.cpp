// SPDX-License-Identifier: Apache-2.0
//
// Nesting and order of blocks (block_layout.h).
//
// The one idea: one depth-first walk from the entry block, visiting a construct's merge block first and its continue target
// next, so that in reverse post-order they come last. On its way each block tells its successors how deep they are, and
// the first to tell wins. Iterative: functions of a hundred thousand blocks are fine. Levels and order come out as
// spirv-dis has them.
#include "spirv/text/disassemble/block_layout.h"

#include <algorithm>

#include "spirv/text/assemble/op_of.h"
#include "vireo/spirv/views/control_flow.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

constexpr std::uint32_t no_block = 0xFFFFFFFF;

// Line information may stand anywhere in a block (specification 2.4), also where structure is looked for.
bool is_line(InstructionView instruction) {
  return op_of(instruction) == Op::OpLine || op_of(instruction) == Op::OpNoLine;
}

// Where control goes from a block, as indexes of blocks; labels that are none are left out.
// All that a walk needs of a block. Kernels have no merge instructions; their blocks are then simply followed.
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
  // Blocks as they stand: from a label up to the next one. What precedes the first label, and what follows the last
  // block, is printed around them, so that no instruction is lost, whatever the function is like.
  void split() {
    std::uint32_t i = 0;
    const auto count = static_cast<std::uint32_t>(function_.size());
    while (i < count && op_of(function_[i]) != Op::OpLabel && op_of(function_[i]) != Op::OpFunctionEnd) ++i;
    layout_.prologue = i;
    while (i < count && op_of(function_[i]) != Op::OpFunctionEnd) {
      const std::uint32_t first = i++;
      while (i < count && op_of(function_[i]) != Op::OpLabel && op_of(function_[i]) != Op::OpFunctionEnd) ++i;
      if (function_[first].word_count > 1)
        // Of two blocks with one label the first counts. Such a module is broken, and the layout only has to end.
        block_of_.try_emplace(View<Op::OpLabel>(function_[first]).result(),
                              static_cast<std::uint32_t>(layout_.blocks.size()));
      layout_.blocks.push_back({first, i - first, 0});
    }
    layout_.epilogue = i;
  }

  // Ids that are no labels of this function lead nowhere. That keeps broken branches harmless.
  [[nodiscard]] std::uint32_t block_of(Word label) const {
    const auto found = block_of_.find(label);
    return found == block_of_.end() ? no_block : found->second;
  }

  // The last two instructions of a block say where it goes.
  [[nodiscard]] Exits exits_of(const BlockPlace& block) const {
    Exits exits;
    std::uint32_t last = block.first + block.count - 1;
    const auto step_over_lines = [&] {
      while (lines_ == DebugLines::Ignored && last > block.first && is_line(function_[last])) --last;
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

  // How many words the literals of an OpSwitch have: one or two. The selector's type, which decides it, is not known
  // here, so both readings are tried: only labels of this function count.
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

  // Assigns levels, and returns the reverse post-order from the entry block; blocks that cannot be reached are missing.
  std::vector<std::uint32_t> visit_blocks() {
    // The call stack of a recursive walk, on the heap: its depth is up to the module.
    struct Frame {
      std::uint32_t block;
      std::vector<std::uint32_t> next;  // still to visit, last first
    };
    std::vector<bool> seen(layout_.blocks.size());
    std::vector<std::uint32_t> post_order;
    std::vector<Frame> stack;
    const auto enter = [&](std::uint32_t block) {
      seen[block] = true;
      tell_levels(block);
      const Exits& exits = exits_[block];
      Frame frame{block, exits.targets};  // visited from the back, so the first target comes first in the reverse
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
      // Asked when it is taken, not when it is put: another way may have led there in between.
      const std::uint32_t next = top.next.back();
      top.next.pop_back();
      if (!seen[next]) enter(next);
    }
    std::ranges::reverse(post_order);
    return post_order;
  }

  // From a block at level n: its merge block n, its continue target n + 1, what is inside its construct n + 2.
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

  // The entry block is the first of the walk. Blocks that no way leads to keep their order behind all others.
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
  std::vector<bool> assigned_;  // by block: its level is known
};

}  // namespace

BlockLayout lay_out_blocks(std::span<const InstructionView> function, BlockOrder order, DebugLines lines) {
  return Layout(function, lines).make(order);
}

}  // namespace vireo::spirv
