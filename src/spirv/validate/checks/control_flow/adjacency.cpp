// SPDX-License-Identifier: Apache-2.0
//
// Order of instructions in a block: OpPhi and variables first, a merge instruction directly before the branch.
//
// The beginning of a block ends with the first instruction that is neither OpPhi nor a variable
// declaration. Line and debug information does not end it.
//
// Source: specification 2.4 (last paragraphs), 3.42.8 (OpVariable), 3.42.17 (OpPhi, OpLoopMerge, OpSelectionMerge).
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

void check_beginning(const ModuleCheck& c, InstructionIndex index, InstructionView view, Beginning& before) {
  const Op op = view.opcode;
  if (op == OpPhi) {
    if (before.is_first_block) {
      c.report(Rule::PhiPlace, {index, 0}, {"cannot be in the entry block, which has no predecessors"});
    } else if (before.is_after_phis) {
      c.report(Rule::PhiPlace, {index, 0}, {"must precede all other instructions of its block"});
    }
  } else if (is_variable(op)) {
    before.is_after_phis = true;
    if (before.is_first_block && !before.is_after_variables) return;
    c.report(Rule::VariablePlace, {index, 0},
             {op, before.is_first_block ? "must precede all other instructions of the entry block"
                                        : "must be in the entry block of the function"});
    if (!before.is_first_block && !before.entry.is_none()) c.note({before.entry, 0}, "entry block begins here");
  } else if (!before.is_after_variables && !is_line(op) && !is_older_debug_information(c, view)) {
    before.is_after_phis = before.is_after_variables = true;
  }
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
  for (const MergeRule& rule : merge_rules) {
    if (rule.merge != op) continue;
    // No instruction may separate the merge instruction from the branch, not even line information.
    const InstructionIndex next_index(index.index() + 1);
    const bool is_last = next_index.raw >= block.all.end;
    const Op next = is_last ? OpNop : c.module.instruction(next_index).opcode;
    if (!is_last && (next == rule.branches[0] || next == rule.branches[1])) continue;
    if (is_last && block.terminator.is_none()) continue;  // check_layout reports the missing terminator
    c.report(Rule::MergePlace, {index, 0}, {op, rule.expected, is_last ? "the end of the block" : op_text(c, next)});
  }
}

void check_block(const ModuleCheck& c, const BlockRow& block, bool is_first, InstructionIndex entry) {
  Beginning before{is_first, entry};
  // The instructions after the label.
  const auto views = c.module.views({block.all.first + 1, block.all.end});
  for (auto it = views.begin(); it != views.end(); ++it) {
    check_beginning(c, it.index(), *it, before);
    check_merge(c, it.index(), (*it).opcode, block);
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
