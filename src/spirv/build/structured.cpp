// SPDX-License-Identifier: Apache-2.0
//
// Structured control flow out of parts (builder.h). Specification 2.11: a construct has a header with a merge
// instruction, and all its ways lead to the merge block.
//
// The one idea: a part is a function that adds instructions. If it leaves its block open, it is closed with the branch
// that the construct asks for; a part that has branched, returned or discarded has chosen its own way.
//
// Where no block is open that the construct could end, that is one fault; the parts are called all the same, since what they
// make is used by those who come later.
#include <string_view>
#include <vector>

#include "spirv/build/state.h"
#include "vireo/spirv/builder.h"

namespace vireo::spirv {

namespace {

/// The block that a construct ends, for as long as its parts are called.
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

// The way back into the construct, for a part that has not ended its block by itself.
void Builder::end_arm(LabelId merge) {
  if (is_in_block()) OpBranch(merge);
}

// Labels are reserved before the blocks are begun, as branches lead forward. Blocks are begun in an order in which none
// stands before one that dominates it, which the specification demands of a function's blocks.
void Builder::if_then(ValueId condition, const std::function<void()>& then, SelectionControl control) {
  const ConstructBlock block(*owned_, "if_then");
  const auto then_block = reserve<LabelId>(), merge = reserve<LabelId>();
  OpSelectionMerge(merge, control);
  OpBranchConditional(condition, then_block, merge, {});
  begin_block(then_block);
  if (then) then();
  end_arm(merge);
  begin_block(merge);
}

void Builder::if_else(ValueId condition, const std::function<void()>& then, const std::function<void()>& otherwise,
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
  // Where no arm comes back, the block is one that cannot be reached; it is the merge block all the same.
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
  // The condition has a block of its own: it may take several, and the header holds nothing but what begins a turn.
  OpBranch(first);
  begin_block(first);
  if (parts.condition) {
    const auto body = reserve<LabelId>();
    const ValueId condition = parts.condition();
    // A condition that has ended its block has decided by itself.
    if (is_in_block()) OpBranchConditional(condition, body, loop.merge, {});
    begin_block(body);
  }
  // Without a condition the body goes on in the block behind the header, and a part has to branch to the merge block
  // for the loop to end.
  if (parts.body) parts.body(loop);
  end_arm(loop.continue_target);
  begin_block(loop.continue_target);
  if (parts.step) parts.step(loop);
  end_arm(loop.header);
  begin_block(loop.merge);
}

void Builder::switch_on(ValueId selector, List<SwitchArm> arms, const std::function<void()>& otherwise,
                        SelectionControl control) {
  const ConstructBlock block(*owned_, "switch_on");
  const auto merge = reserve<LabelId>();
  // Without `otherwise` all other values lead past the switch: the merge block is the default.
  const auto default_block = otherwise ? reserve<LabelId>() : merge;
  // A block for each arm, however many literals lead there; in the order of the arms.
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
