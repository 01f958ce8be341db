// SPDX-License-Identifier: Apache-2.0
//
// Order of instructions in a block: OpPhi and variables first, a merge instruction directly before the branch.
//
// The beginning of a block ends with the first instruction that is neither OpPhi nor a variable
// declaration. Line and debug information does not end it.
//
// Source: specification 2.4 (last paragraphs), 3.42.8 (OpVariable), 3.42.17 (OpPhi, OpLoopMerge, OpSelectionMerge).
#include <algorithm>

#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The progress through the beginning of a block: OpPhi first, then variables (in the first block only), then other
// instructions. Once set, a flag stays set until the end of the block.
struct Beginning {
  bool is_first_block = false;
  InstructionIndex entry;  // the label of the first block; none if it is missing
  bool is_after_phis = false, is_after_variables = false;
};

void check_phi(const ModuleCheck& c, InstructionIndex index, const Beginning& before) {
  if (before.is_first_block) {
    c.report(Rule::PhiPlace, {index, 0}, {"cannot be in the entry block, which has no predecessors"});
  } else if (before.is_after_phis) {
    c.report(Rule::PhiPlace, {index, 0}, {"must precede all other instructions of its block"});
  }
}

void check_variable(const ModuleCheck& c, InstructionIndex index, Op op, Beginning& before) {
  before.is_after_phis = true;
  if (before.is_first_block && !before.is_after_variables) return;
  c.report(Rule::VariablePlace, {index, 0},
           {op, before.is_first_block ? "must precede all other instructions of the entry block"
                                      : "must be in the entry block of the function"});
  if (!before.is_first_block && !before.entry.is_none()) c.note({before.entry, 0}, "entry block begins here");
}

struct MergeRule {
  Op merge;
  Op branches[2];
  std::string_view expected;
};
constexpr MergeRule merge_rules[] = {
    {OpLoopMerge, {OpBranch, OpBranchConditional}, "OpBranch or OpBranchConditional"},
    {OpSelectionMerge, {OpBranchConditional, OpSwitch}, "OpBranchConditional or OpSwitch"},
    // SPV_INTEL_unstructured_loop_controls: the instruction ends the header of a loop without OpLoopMerge.
    {OpLoopControlINTEL, {OpBranch, OpBranchConditional}, "OpBranch or OpBranchConditional"},
};

// Checks every merge instruction in the block, not only `block.merge`.
void check_merge(const ModuleCheck& c, InstructionIndex index, Op op, const BlockRow& block) {
  const MergeRule& rule = *std::ranges::find(merge_rules, op, &MergeRule::merge);
  // No instruction may separate the merge instruction from the branch, not even line information.
  const InstructionIndex next_index(index.index() + 1);
  const bool is_last = next_index.raw >= block.all.end;
  const Op next = is_last ? OpNop : c.module.instruction(next_index).opcode;
  if (!is_last && (next == rule.branches[0] || next == rule.branches[1])) return;
  if (is_last && block.terminator.is_none()) return;  // check_layout reports the missing terminator
  c.report(Rule::MergePlace, {index, 0}, {op, rule.expected, is_last ? "the end of the block" : op_text(c, next)});
}

void check_block(const ModuleCheck& c, const BlockRow& block, bool is_first, InstructionIndex entry) {
  Beginning before{is_first, entry};
  // The instructions after the label.
  const auto views = c.module.views({block.all.first + 1, block.all.end});
  for (auto it = views.begin(); it != views.end(); ++it) {
    const InstructionView view = *it;
    switch (view.opcode) {
      case OpPhi: check_phi(c, it.index(), before); continue;
      case OpVariable:
      case OpUntypedVariableKHR: check_variable(c, it.index(), view.opcode, before); continue;
      case OpLoopMerge:
      case OpSelectionMerge:
      case OpLoopControlINTEL: check_merge(c, it.index(), view.opcode, block); break;
      default: break;
    }
    if (before.is_after_variables || is_line(view.opcode) || is_older_debug_information(c, view)) continue;
    before.is_after_phis = before.is_after_variables = true;
  }
}

InstructionIndex last_of_prologue(const FunctionRow& function) {
  return InstructionIndex(function.prologue.end - 1);  // OpFunction if the prologue is empty
}

}  // namespace

void check_adjacency(const ModuleCheck& c) {
  for (const FunctionRow& function : c.module.functions()) {
    // If the first block lacks its label, it is not listed, and the first listed block is a later one.
    bool is_first = function.block_count != 0 && !c.fragments.contains(last_of_prologue(function));
    const auto blocks = c.module.blocks(function);
    const InstructionIndex entry = is_first ? InstructionIndex(blocks.front().all.first) : InstructionIndex();
    for (const BlockRow& block : blocks) {
      check_block(c, block, is_first, entry);
      // A repeated OpLabel leaves an empty block without a terminator; the next block is then still the first one.
      is_first &= block.terminator.is_none() && block.all.size() == 1;
    }
  }
}

}  // namespace vireo::spirv
