// SPDX-License-Identifier: Apache-2.0
//
// Maximal reconvergence (SPV_KHR_maximal_reconvergence): where invocations that parted may meet again.
//
// The one idea: an entry point with the execution mode promises that invocations meet where the structure says, and only
// there. So in each function that it leads to, a block with several predecessors is a merge block, a loop header, a
// continue target or a case that another falls into.
#include <string>
#include <vector>

#include "spirv/validate/engine/checks.h"
#include "vireo/spirv/facts/call_graph.h"
#include "vireo/spirv/views/control_flow.h"

namespace vireo::spirv {
namespace {

class ReconvergenceCheck {
 public:
  ReconvergenceCheck(const Context& context, const ControlFlow& flow, std::string entry, Report& report)
      : context_(context), flow_(flow), entry_(std::move(entry)), report_(report), meets_(flow.block_count()) {}

  void run() {
    find_meetings();
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      check_targets(LocalBlock(b));
      check_predecessors(LocalBlock(b));
    }
  }

 private:
  // Blocks where merge instructions say that control flow meets.
  void find_meetings() {
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const MergeRow& merge = flow_.merge(LocalBlock(b));
      if (!merge.merge.is_none()) meets_[merge.merge.index()] = true;
      if (!merge.continue_target.is_none()) meets_[merge.continue_target.index()] = true;
    }
  }

  // A branch with equal targets: invocations do not part there, and cannot meet.
  void check_targets(LocalBlock b) {
    const InstructionIndex end = flow_.block(b).terminator;
    if (end.is_none()) return;
    const auto branch = as<Op::OpBranchConditional>(context_.module.instruction(end));
    if (!branch || branch->false_label() == 0) return;  // no label: the branch is cut short
    // From SPIR-V 1.6 on this is a rule for all.
    if (branch->true_label() != branch->false_label() || context_.version() >= Version{1, 6}) return;
    const auto target = branch->false_label();
    report_.add(Rule::ReconvergenceTargets, {end, target.word}, {id_text(context_, target), entry_});
  }

  void check_predecessors(LocalBlock b) {
    if (meets_[b.index()]) return;
    const bool is_loop = flow_.merge(b).kind == MergeRow::Kind::Loop;
    // A header is entered from outside and from its back edge; a case from its switch and from one case in front.
    const std::uint32_t most = is_loop || is_case(b) ? 2 : 1;
    std::uint32_t count = 0;
    LocalBlock last;
    for (const LocalBlock predecessor : flow_.plain().predecessors(b)) {
      if (predecessor == last) continue;  // equal ones are neighbours
      last = predecessor;
      ++count;
    }
    if (count <= most) return;
    report_.add(Rule::ReconvergencePredecessors, {InstructionIndex(flow_.block(b).all.first), 0},
                {id_text(context_, flow_.block(b).label), std::to_string(count), entry_});
  }

  // Whether a switch leads there.
  [[nodiscard]] bool is_case(LocalBlock b) const {
    for (const LocalBlock predecessor : flow_.plain().predecessors(b)) {
      const InstructionIndex end = flow_.block(predecessor).terminator;
      if (!end.is_none() && context_.module.instruction(end).opcode == Op::OpSwitch) return true;
    }
    return false;
  }

  const Context& context_;
  const ControlFlow& flow_;
  const std::string entry_;
  Report& report_;
  std::vector<bool> meets_;  // by block
};

}  // namespace

// Functions that several such entry points lead to are told of one of them.
void check_reconvergence(const Context& context, Report& report) {
  const Module& module = context.module;
  std::vector<bool> told(module.functions().size());
  for (const ExecutionModeRow& mode : context.preamble.execution_modes()) {
    if (mode.mode != ExecutionMode::MaximallyReconvergesKHR) continue;
    const FunctionIndex entry = module.function_of(mode.function);
    if (entry.is_none()) continue;
    CallWalk walk(context.facts.call_graph(), module);
    for (const FunctionIndex reached : walk.below(entry)) {
      const FunctionRow& function = module.functions()[reached.index()];
      if (told[reached.index()] || function.is_declaration()) continue;
      told[reached.index()] = true;
      ControlFlow flow;
      flow.read(module, function, PostDominators::OfLoops);
      ReconvergenceCheck(context, flow, id_text(context, mode.function), report).run();
    }
  }
}

}  // namespace vireo::spirv
