// SPDX-License-Identifier: Apache-2.0
//
// What stands where in a block: OpPhi and variables first, a merge instruction right in front of the branch.
//
// The one idea: a block has a beginning, which ends with the first instruction that has no part in it. Lines and debug
// information have no part and end nothing.
//
// Source: specification 2.4 (last paragraphs), 3.42.8 (OpVariable), 3.42.17 (OpPhi, OpLoopMerge, OpSelectionMerge).
#include "spirv/validate/checks.h"
#include "spirv/validate/extended_sets.h"

namespace vireo::spirv {
namespace {

using enum Op;

bool is_aside(Op op) { return op == OpLine || op == OpNoLine; }

void check_beginning(const Context& context, const BlockRow& block, bool is_first, Report& report) {
  bool is_behind_phis = false, is_behind_variables = false;
  const InstructionRange body{block.all.first + 1, block.all.end};
  const auto views = context.module.views(body);
  for (auto it = views.begin(); it != views.end(); ++it) {
    const Op op = static_cast<Op>((*it).opcode);
    if (op == OpPhi) {
      if (is_first) report.add(Rule::PhiPlace, {it.index(), 0}, {"in the first block of a function"});
      if (!is_first && is_behind_phis) report.add(Rule::PhiPlace, {it.index(), 0}, {"behind other instructions"});
    } else if (is_variable(op)) {
      is_behind_phis = true;
      if (!is_first || is_behind_variables) {
        report.add(Rule::VariablePlace, {it.index(), 0},
                   {op_text(context, op), is_first ? "behind other instructions" : "in a later block"});
      }
    } else if (!is_aside(op) && !is_older_debug_information(context, *it)) {
      is_behind_phis = true;
      is_behind_variables |= !is_extended(op);
    }
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
};

// Looks at all merge instructions, not only the one that counts as the block's.
void check_end(const Context& context, const BlockRow& block, Report& report) {
  for (std::uint32_t i = block.all.first; i < block.all.end; ++i) {
    const InstructionIndex index(i);
    const Op op = static_cast<Op>(context.module.instruction(index).opcode);
    for (const MergeRule& rule : merge_rules) {
      if (rule.merge != op) continue;
      const bool is_last = i + 1 >= block.all.end;
      const Op next = is_last ? OpNop : static_cast<Op>(context.module.instruction(InstructionIndex(i + 1)).opcode);
      if (!is_last && (next == rule.branches[0] || next == rule.branches[1])) continue;
      report.add(Rule::MergePlace, {index, 0},
                 {op_text(context, op), is_last ? "the end of the block" : op_text(context, next), rule.expected});
    }
  }
}

}  // namespace

void check_adjacency(const Context& context, Report& report) {
  for (const FunctionRow& function : context.module.functions()) {
    bool is_first = true;
    for (const BlockRow& block : context.module.blocks(function)) {
      check_beginning(context, block, is_first, report);
      check_end(context, block, report);
      is_first = false;
    }
  }
}

}  // namespace vireo::spirv
