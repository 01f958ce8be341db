// SPDX-License-Identifier: Apache-2.0
//
// Maximal reconvergence (SPV_KHR_maximal_reconvergence): where diverged invocations may reconverge.
//
// The execution mode MaximallyReconvergesKHR of an entry point requires that invocations reconverge only
// at structured merge points. This applies to each function reachable from the entry point. A block with several
// predecessors must be a merge block, a loop header, a continue target, or a target of OpSwitch. In Vulkan, such an
// entry point, and one with SubgroupUniformControlFlowKHR, reaches no instruction that may change the set of
// invocations.
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/places.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/module/call_graph.h"

namespace vireo::spirv {
namespace {

class ReconvergenceCheck {
 public:
  ReconvergenceCheck(const ModuleCheck& c, const ControlFlow& flow, Word entry)
      : c_(c), flow_(flow), entry_(entry), may_converge_(flow.block_count()) {}

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
    const auto branch = as<Op::OpBranchConditional>(c_.module.instruction(end));
    if (!branch || branch->false_label() == 0) return;  // truncated instruction without a false label
    // From SPIR-V 1.6 on, Rule::BranchTargetsDiffer covers all modules.
    if (branch->true_label() != branch->false_label() || c_.version() >= Version{1, 6}) return;
    const auto target = branch->false_label();
    c_.report(Rule::ReconvergenceTargets, {end, target.word}, {target, entry_});
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
    c_.report(Rule::ReconvergencePredecessors, {InstructionIndex(flow_.block(b).all.first), 0},
              {flow_.block(b).label, count, entry_});
  }

  // Whether the block is a target of an OpSwitch.
  [[nodiscard]] bool is_case(LocalBlock b) const {
    for (const LocalBlock predecessor : flow_.plain().predecessors(b)) {
      const InstructionIndex end = flow_.block(predecessor).terminator;
      if (!end.is_none() && c_.module.instruction(end).opcode == Op::OpSwitch) return true;
    }
    return false;
  }

  const ModuleCheck& c_;
  const ControlFlow& flow_;
  const Word entry_;                // function of the entry point
  std::vector<bool> may_converge_;  // by block
};

// The invocation repack instructions (SPV_KHR_ray_tracing, SPV_EXT_shader_invocation_reorder and the Vulkan glossary).
// Tracing and executing with NV's hit objects, and the older OpTraceNV and OpExecuteCallableNV, are not among them.
constexpr Op repack_instructions[] = {
    Op::OpTraceRayKHR,
    Op::OpTraceRayMotionNV,
    Op::OpReportIntersectionKHR,
    Op::OpExecuteCallableKHR,
    Op::OpReorderThreadWithHintNV,
    Op::OpReorderThreadWithHitObjectNV,
    Op::OpReorderThreadWithHintEXT,
    Op::OpReorderThreadWithHitObjectEXT,
    Op::OpHitObjectTraceRayEXT,
    Op::OpHitObjectTraceRayMotionEXT,
    Op::OpHitObjectReorderExecuteShaderEXT,
    Op::OpHitObjectTraceReorderExecuteEXT,
    Op::OpHitObjectTraceMotionReorderExecuteEXT,
};

// The first repack instruction of each function, searched once.
class RepackInstructions {
 public:
  explicit RepackInstructions(const Module& module) : module_(module), first_(module.functions().size()) {}

  /// None if the function has no such instruction.
  InstructionIndex first_of(FunctionIndex f) {
    std::optional<InstructionIndex>& first = first_[f.index()];
    if (!first) first = search(module_.functions()[f.index()]);
    return *first;
  }

 private:
  [[nodiscard]] InstructionIndex search(const FunctionRow& function) const {
    const auto views = module_.views(function.all);
    for (auto it = views.begin(); it != views.end(); ++it) {
      if (is_one_of(repack_instructions, (*it).opcode)) return it.index();
    }
    return InstructionIndex::none();
  }

  const Module& module_;
  std::vector<std::optional<InstructionIndex>> first_;  // by function
};

// Reports the first repack instruction that an entry point reaches. The others have the same cause, the mode.
void check_repacking(const ModuleCheck& c, const ExecutionModeRow& mode, std::span<const FunctionIndex> reached,
                     RepackInstructions& repacks) {
  for (const FunctionIndex f : reached) {
    const InstructionIndex found = repacks.first_of(f);
    if (found.is_none()) continue;
    c.report(Rule::ReconvergenceRepack, {found, 0}, {c.module.instruction(found).opcode, mode.function, mode.mode});
    if (mode.mode == ExecutionMode::MaximallyReconvergesKHR)
      c.vuid("VUID-StandaloneSpirv-MaximallyReconvergesKHR-09565");
    else c.vuid("VUID-RuntimeSpirv-SubgroupUniformControlFlowKHR-06379");
    c.note(mode_place(mode), "{enumerant} set here", {mode.mode});
    return;
  }
}

}  // namespace

// A function that is reachable from several entry points with the mode is checked once. Its findings name the first of
// these entry points.
void check_reconvergence(const ModuleCheck& c) {
  const Module& module = c.module;
  std::vector<bool> checked(module.functions().size());
  RepackInstructions repacks(module);
  Word last = 0, last_reported = 0;  // the modes are sorted by function
  for (const ExecutionModeRow& mode : c.module_declarations.execution_modes()) {
    const bool is_maximal = mode.mode == ExecutionMode::MaximallyReconvergesKHR;
    if (!is_maximal && mode.mode != ExecutionMode::SubgroupUniformControlFlowKHR) continue;
    // With both modes, the stronger one is the cause.
    if (!is_maximal && c.module_declarations.mode(mode.function, ExecutionMode::MaximallyReconvergesKHR) != nullptr)
      continue;
    const FunctionIndex entry = module.function_of(mode.function);
    if (entry.is_none() || std::exchange(is_maximal ? last : last_reported, mode.function) == mode.function) continue;
    CallWalk walk(c.facts.call_graph(), module);
    const std::span<const FunctionIndex> below = walk.below(entry);
    if (c.is_vulkan()) check_repacking(c, mode, below, repacks);
    if (!is_maximal) continue;
    for (const FunctionIndex reached : below) {
      const FunctionRow& function = module.functions()[reached.index()];
      if (checked[reached.index()] || function.is_declaration()) continue;
      checked[reached.index()] = true;
      ControlFlow flow;
      flow.read(module, function, PostDominators::OfLoops);
      ReconvergenceCheck(c, flow, mode.function).run();
    }
  }
}

}  // namespace vireo::spirv
