// SPDX-License-Identifier: Apache-2.0
//
// Maximal reconvergence (SPV_KHR_maximal_reconvergence): where diverged invocations may reconverge.
//
// The one idea: the execution mode MaximallyReconvergesKHR of an entry point requires that invocations reconverge only
// at structured merge points. This applies to each function reachable from the entry point. A block with several
// predecessors must be a merge block, a loop header, a continue target, or a target of OpSwitch.
#include <string>
#include <vector>

#include "spirv/validate/engine/checks.h"
#include "vireo/spirv/facts/call_graph.h"
#include "vireo/spirv/views/control_flow.h"

namespace vireo::spirv {
namespace {

class ReconvergenceCheck {
 public:
  ReconvergenceCheck(const Context& context, const ControlFlow& flow, Word entry, Report& report)
      : context_(context), flow_(flow), entry_(entry), report_(report), may_converge_(flow.block_count()) {}

  void run() {
    find_merge_targets();
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      check_targets(LocalBlock(b));
      check_predecessors(LocalBlock(b));
    }
  }

 private:
  // Marks merge blocks and continue targets: control flow may converge there.
  void find_merge_targets() {
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const MergeRow& merge = flow_.merge(LocalBlock(b));
      if (!merge.merge.is_none()) may_converge_[merge.merge.index()] = true;
      if (!merge.continue_target.is_none()) may_converge_[merge.continue_target.index()] = true;
    }
  }

  // Reports an OpBranchConditional whose two targets are equal, which the extension forbids.
  void check_targets(LocalBlock b) {
    const InstructionIndex end = flow_.block(b).terminator;
    if (end.is_none()) return;
    const auto branch = as<Op::OpBranchConditional>(context_.module.instruction(end));
    if (!branch || branch->false_label() == 0) return;  // truncated instruction without a false label
    // From SPIR-V 1.6 on, Rule::BranchTargetsDiffer covers all modules.
    if (branch->true_label() != branch->false_label() || context_.version() >= Version{1, 6}) return;
    const auto target = branch->false_label();
    report_.add(Rule::ReconvergenceTargets, {end, target.word}, {id_text(context_, target), id_text(context_, entry_)});
  }

  void check_predecessors(LocalBlock b) {
    if (may_converge_[b.index()] || flow_.merge(b).kind == MergeRow::Kind::Loop || is_case(b)) return;
    std::uint32_t count = 0;
    LocalBlock last;
    for (const LocalBlock predecessor : flow_.plain().predecessors(b)) {
      if (predecessor == last) continue;  // duplicates are adjacent
      last = predecessor;
      ++count;
    }
    if (count <= 1) return;
    report_.add(Rule::ReconvergencePredecessors, {InstructionIndex(flow_.block(b).all.first), 0},
                {id_text(context_, flow_.block(b).label), std::to_string(count), id_text(context_, entry_)});
  }

  // Whether the block is a target of an OpSwitch.
  [[nodiscard]] bool is_case(LocalBlock b) const {
    for (const LocalBlock predecessor : flow_.plain().predecessors(b)) {
      const InstructionIndex end = flow_.block(predecessor).terminator;
      if (!end.is_none() && context_.module.instruction(end).opcode == Op::OpSwitch) return true;
    }
    return false;
  }

  const Context& context_;
  const ControlFlow& flow_;
  const Word entry_;  // function of the entry point
  Report& report_;
  std::vector<bool> may_converge_;  // by block
};

}  // namespace

// A function that is reachable from several entry points with the mode is checked once. Its findings name the first of
// these entry points.
void check_reconvergence(const Context& context, Report& report) {
  const Module& module = context.module;
  std::vector<bool> checked(module.functions().size());
  for (const ExecutionModeRow& mode : context.module_declarations.execution_modes()) {
    if (mode.mode != ExecutionMode::MaximallyReconvergesKHR) continue;
    const FunctionIndex entry = module.function_of(mode.function);
    if (entry.is_none()) continue;
    CallWalk walk(context.facts.call_graph(), module);
    for (const FunctionIndex reached : walk.below(entry)) {
      const FunctionRow& function = module.functions()[reached.index()];
      if (checked[reached.index()] || function.is_declaration()) continue;
      checked[reached.index()] = true;
      ControlFlow flow;
      flow.read(module, function, PostDominators::OfLoops);
      ReconvergenceCheck(context, flow, mode.function, report).run();
    }
  }
}

}  // namespace vireo::spirv
