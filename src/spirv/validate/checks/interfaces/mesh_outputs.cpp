// SPDX-License-Identifier: Apache-2.0
//
// The instructions that set the counts of mesh shading (SPV_EXT_mesh_shader): OpSetMeshOutputsEXT precedes all writes of
// outputs and is executed once; OpEmitMeshTasksEXT ends each path of a task shader.
//
// The one idea: behavior is undefined if any path from the start of an entry point misses the instruction. So a search
// from the entry block ends wherever the instruction is. After the call of a function that may execute the instruction,
// the search ends.
#include <vector>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/engine/checks.h"
#include "vireo/spirv/facts/call_graph.h"
#include "vireo/spirv/facts/control_flow.h"
#include "vireo/spirv/views/function.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// The functions that execute an instruction, directly or through calls.
std::vector<bool> functions_with(const Context& context, Op op) {
  const Module& module = context.module;
  std::vector<bool> executes(module.functions().size());
  const CallGraph& calls = context.facts.call_graph();
  // Callees come first. The functions of a recursion are not complete when they call each other, but shaders have none.
  for (const FunctionIndex function : calls.bottom_up()) {
    bool found = false;
    for (const CallRow& call : calls.calls(function)) found = found || executes[call.callee.index()];
    for (const auto& [index, view] : module.instructions(module.functions()[function.index()].all)) {
      found = found || view.opcode == op;
    }
    executes[function.index()] = found;
  }
  return executes;
}

/// Visits each block that a path from the entry block reaches. A path ends at a block for which `ends_at` returns true.
template <typename EndsAt>
void search_paths(const ControlFlow& flow, EndsAt ends_at) {
  std::vector<bool> seen(flow.block_count());
  std::vector<LocalBlock> open{LocalBlock(0)};
  seen[0] = true;
  while (!open.empty()) {
    const LocalBlock block = open.back();
    open.pop_back();
    if (ends_at(block)) continue;
    for (const LocalBlock next : flow.plain().successors(block)) {
      if (seen[next.index()]) continue;
      seen[next.index()] = true;
      open.push_back(next);
    }
  }
}

class MeshOutputCheck {
 public:
  MeshOutputCheck(const Context& context, Report& report)
      : context_(context),
        report_(report),
        sets_(functions_with(context, OpSetMeshOutputsEXT)),
        reached_(context.module.functions().size()) {}

  /// Checks an entry point and the functions that it calls before OpSetMeshOutputsEXT. Each function is checked once.
  void run(FunctionIndex entry) {
    reach(entry);
    while (!open_.empty()) {
      const FunctionRow& function = context_.module.functions()[open_.back().index()];
      open_.pop_back();
      if (function.is_declaration()) continue;
      flow_.read(context_.module, function, PostDominators::OfLoops);
      search_paths(flow_, [&](LocalBlock block) { return check_block(block); });
      check_once();
    }
  }

 private:
  void reach(FunctionIndex function) {
    if (function.is_none() || reached_[function.index()]) return;
    reached_[function.index()] = true;
    open_.push_back(function);
  }

  // Reports an OpSetMeshOutputsEXT if another one precedes it on every path through the function.
  void check_once() {
    std::vector<bool> has_set(flow_.block_count());  // at the end of the block, on every path
    for (const LocalBlock block : flow_.plain().order()) {
      const LocalBlock dominator = flow_.plain().dominators().parent(block);
      bool is_set = !dominator.is_none() && has_set[dominator.index()];
      for (const auto& [i, view] : context_.module.instructions(flow_.block(block).all)) {
        if (view.opcode != OpSetMeshOutputsEXT) continue;
        if (is_set) report_.add(Rule::MeshOutputsTwice, {i, 0});
        is_set = true;
      }
      has_set[block.index()] = is_set;
    }
  }

  // Reports the writes of a block before OpSetMeshOutputsEXT. Returns whether the block has this instruction.
  bool check_block(LocalBlock block) {
    for (const auto& [i, view] : context_.module.instructions(flow_.block(block).all)) {
      if (view.opcode == OpSetMeshOutputsEXT) return true;
      if (const auto call = as<OpFunctionCall>(view)) {
        const FunctionIndex callee = context_.module.function_of(call->function());
        reach(callee);
        if (!callee.is_none() && sets_[callee.index()]) return true;
      }
      if (view.opcode == OpStore || view.opcode == OpCopyMemory) check_write(i, view);
    }
    return false;
  }

  // The pointer of OpStore and the target of OpCopyMemory have the same position.
  void check_write(InstructionIndex i, InstructionView view) {
    const auto pointer = View<OpStore>(view).pointer();
    const TypeRow& type = context_.type_of(pointer);
    if (!type.is_pointer() || type.storage != StorageClass::Output) return;
    report_.add(Rule::MeshOutputOrder, {i, pointer.word},
                {op_text(context_, view.opcode), id_text(context_, origin_of(context_, pointer))});
  }

  const Context& context_;
  Report& report_;
  const std::vector<bool> sets_;  // by function
  std::vector<bool> reached_;     // by function
  std::vector<FunctionIndex> open_;
  ControlFlow flow_;
};

// Reports the ends of a task shader that are reached without OpEmitMeshTasksEXT, which is a terminator itself.
void check_task_ends(const Context& context, FunctionIndex function, const std::vector<bool>& emits, Report& report) {
  const Module& module = context.module;
  if (module.functions()[function.index()].is_declaration()) return;
  ControlFlow flow;
  flow.read(module, module.functions()[function.index()], PostDominators::OfLoops);
  search_paths(flow, [&](LocalBlock block) {
    for (const auto& [i, view] : module.instructions(flow.block(block).all)) {
      if (view.opcode == OpReturn) {
        report.add(Rule::TaskEnd, {i, 0}, {id_text(context, module.functions()[function.index()].id)});
      } else if (const auto call = as<OpFunctionCall>(view)) {
        const FunctionIndex callee = module.function_of(call->function());
        if (!callee.is_none() && emits[callee.index()]) return true;
      }
    }
    return false;
  });
}

}  // namespace

void check_mesh_outputs(const Context& context, Report& report) {
  if (!context.has(Capability::MeshShadingEXT)) return;
  MeshOutputCheck check(context, report);
  const std::vector<bool> emits = functions_with(context, OpEmitMeshTasksEXT);
  std::vector<bool> is_task(context.module.functions().size());  // whether the function is checked as one
  for (const EntryPointRow& entry : context.module_declarations.entry_points()) {
    const FunctionIndex function = context.module.function_of(entry.function);
    if (entry.model == ExecutionModel::MeshEXT) check.run(function);
    if (entry.model != ExecutionModel::TaskEXT || function.is_none() || is_task[function.index()]) continue;
    is_task[function.index()] = true;
    check_task_ends(context, function, emits, report);
  }
}

}  // namespace vireo::spirv
