// SPDX-License-Identifier: Apache-2.0
//
// The order of OpSetMeshOutputsEXT and writes of outputs in mesh shaders (SPV_EXT_mesh_shader).
//
// The one idea: behavior is undefined if a path from the start of a MeshEXT entry point reaches a write of an output
// before OpSetMeshOutputsEXT. So a search from the entry block ends wherever the instruction is. It continues in called
// functions. After the call of a function that may execute the instruction, the search ends.
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

/// The functions that execute OpSetMeshOutputsEXT, directly or through calls.
std::vector<bool> find_setters(const Context& context) {
  const Module& module = context.module;
  std::vector<bool> sets(module.functions().size());
  const CallGraph& calls = context.facts.call_graph();
  // Callees come first. The functions of a recursion are not complete when they call each other, but shaders have none.
  for (const FunctionIndex function : calls.bottom_up()) {
    bool found = false;
    for (const CallRow& call : calls.calls(function)) found = found || sets[call.callee.index()];
    for (const auto& [index, view] : module.instructions(module.functions()[function.index()].all)) {
      found = found || view.opcode == OpSetMeshOutputsEXT;
    }
    sets[function.index()] = found;
  }
  return sets;
}

class MeshOutputCheck {
 public:
  MeshOutputCheck(const Context& context, Report& report)
      : context_(context), report_(report), sets_(find_setters(context)), reached_(context.module.functions().size()) {}

  /// Checks an entry point and the functions that it calls before OpSetMeshOutputsEXT. Each function is checked once.
  void run(FunctionIndex entry) {
    reach(entry);
    while (!open_.empty()) {
      const FunctionRow& function = context_.module.functions()[open_.back().index()];
      open_.pop_back();
      if (function.is_declaration()) continue;
      flow_.read(context_.module, function, PostDominators::OfLoops);
      search();
    }
  }

 private:
  void reach(FunctionIndex function) {
    if (function.is_none() || reached_[function.index()]) return;
    reached_[function.index()] = true;
    open_.push_back(function);
  }

  // Visits the blocks that a path without OpSetMeshOutputsEXT reaches.
  void search() {
    std::vector<bool> seen(flow_.block_count());
    std::vector<LocalBlock> blocks{LocalBlock(0)};
    seen[0] = true;
    while (!blocks.empty()) {
      const LocalBlock block = blocks.back();
      blocks.pop_back();
      if (check_block(block)) continue;
      for (const LocalBlock next : flow_.plain().successors(block)) {
        if (seen[next.index()]) continue;
        seen[next.index()] = true;
        blocks.push_back(next);
      }
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

}  // namespace

void check_mesh_outputs(const Context& context, Report& report) {
  if (!context.has(Capability::MeshShadingEXT)) return;
  MeshOutputCheck check(context, report);
  for (const EntryPointRow& entry : context.module_declarations.entry_points()) {
    if (entry.model == ExecutionModel::MeshEXT) check.run(context.module.function_of(entry.function));
  }
}

}  // namespace vireo::spirv
