// SPDX-License-Identifier: Apache-2.0
//
// Structured control flow (builder.h). Specification 2.11: a construct has a header with a merge instruction, and all
// its paths lead to the merge block.
//
// A part is a callback that adds instructions. If it leaves its block open, the builder ends the block
// with the branch that the construct needs. A part may also end its block itself, with a branch, a return or a discard.
//
// If no block is open at the start of a construct, one fault is reported. The builder still calls the parts, because
// later code uses their ids.
#include <string_view>
#include <vector>

#include "spirv/build/state.h"
#include "vireo/spirv/build/builder.h"

namespace vireo::spirv {

namespace {

/// The block that a construct ends. Its destructor releases the block after the parts were called.
class ConstructBlock {
 public:
  ConstructBlock(BuilderState& state, std::string_view construct)
      : state_(state), assumed_(state.assume_block(construct)) {}
  ConstructBlock(const ConstructBlock&) = delete;
  ConstructBlock& operator=(const ConstructBlock&) = delete;
  ~ConstructBlock() { state_.release_block(assumed_); }

 private:
  BuilderState& state_;
  BuilderState::Assumed assumed_;
};

}  // namespace

// Branches to `merge`, unless the part has ended its block itself.
void Builder::end_arm(LabelId merge) {
  if (is_in_block()) OpBranch(merge);
}

// Labels are reserved before their blocks begin, because branches refer to later blocks. A block always begins after
// its dominators, as the specification requires for the order of blocks.
void Builder::if_then(ValueId condition, const Function<void()>& then, SelectionControl control) {
  const ConstructBlock block(*owned_, "if_then");
  const auto then_block = reserve<LabelId>(), merge = reserve<LabelId>();
  OpSelectionMerge(merge, control);
  OpBranchConditional(condition, then_block, merge, {});
  begin_block(then_block);
  if (then) then();
  end_arm(merge);
  begin_block(merge);
}

void Builder::if_else(ValueId condition, const Function<void()>& then, const Function<void()>& otherwise,
                      SelectionControl control) {
  const ConstructBlock block(*owned_, "if_else");
  const auto then_block = reserve<LabelId>(), else_block = reserve<LabelId>(), merge = reserve<LabelId>();
  OpSelectionMerge(merge, control);
  OpBranchConditional(condition, then_block, else_block, {});
  begin_block(then_block);
  if (then) then();
  end_arm(merge);
  begin_block(else_block);
  if (otherwise) otherwise();
  end_arm(merge);
  // If neither arm reaches the merge block, the block is unreachable but is still the merge block.
  begin_block(merge);
}

void Builder::loop(const LoopParts& parts) {
  const ConstructBlock block(*owned_, "loop");
  const Loop loop{reserve<LabelId>(), reserve<LabelId>(), reserve<LabelId>()};
  const auto first = reserve<LabelId>();
  OpBranch(loop.header);
  begin_block(loop.header);
  if (parts.header) parts.header(loop);
  OpLoopMerge(loop.merge, loop.continue_target, parts.control);
  // The condition starts a new block: it may need several blocks, and the header contains only OpPhi and the merge
  // instruction.
  OpBranch(first);
  begin_block(first);
  if (parts.condition) {
    const auto body = reserve<LabelId>();
    const ValueId condition = parts.condition();
    // If the condition has ended its block, it has added a branch itself.
    if (is_in_block()) OpBranchConditional(condition, body, loop.merge, {});
    begin_block(body);
  }
  // Without a condition the body starts in the block after the header. A part then has to branch to the merge block to
  // end the loop.
  if (parts.body) parts.body(loop);
  end_arm(loop.continue_target);
  begin_block(loop.continue_target);
  if (parts.step) parts.step(loop);
  end_arm(loop.header);
  begin_block(loop.merge);
}

void Builder::switch_on(ValueId selector, List<SwitchArm> arms, const Function<void()>& otherwise,
                        SelectionControl control) {
  const ConstructBlock block(*owned_, "switch_on");
  const auto merge = reserve<LabelId>();
  // Without `otherwise` the merge block is the default target.
  const auto default_block = otherwise ? reserve<LabelId>() : merge;
  // Each arm has one block, whatever its number of literals. Blocks are in the order of the arms.
  std::vector<LabelId> blocks;
  std::vector<SwitchTarget> targets;
  for (const SwitchArm& arm : arms) {
    blocks.push_back(reserve<LabelId>());
    for (const Number& literal : arm.literals) targets.push_back({literal, blocks.back()});
  }
  OpSelectionMerge(merge, control);
  OpSwitch(selector, default_block, targets);
  std::size_t next = 0;
  for (const SwitchArm& arm : arms) {
    begin_block(blocks[next++]);
    if (arm.body) arm.body();
    end_arm(merge);
  }
  if (otherwise) {
    begin_block(default_block);
    otherwise();
    end_arm(merge);
  }
  begin_block(merge);
}

}  // namespace vireo::spirv
