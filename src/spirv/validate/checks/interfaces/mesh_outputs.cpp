// SPDX-License-Identifier: Apache-2.0
//
// The instructions that set the counts of mesh shading (SPV_EXT_mesh_shader): OpSetMeshOutputsEXT precedes all writes of
// outputs and is executed once; OpEmitMeshTasksEXT ends each path of a task shader.
//
// Behavior is undefined if any path from the start of an entry point misses the instruction. So a search
// from the entry block ends wherever the instruction is. A call ends the search if no path through the called function
// misses the instruction, which is computed once for each function.
#include <algorithm>
#include <vector>

#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/paths.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/grammar/ext_insts.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// The functions that execute an instruction before they return.
class Executors {
 public:
  Executors(const ModuleCheck& c, Op op)
      : module_(c.module),
        op_(op),
        never_misses_(c.module.functions().size()),
        may_execute_(c.module.functions().size()) {
    const CallGraph& calls = c.facts.call_graph();
    // Callees come first. Recursion, which shaders may not have, counts as a path that misses the instruction.
    for (const FunctionIndex function : calls.bottom_up()) {
      if (module_.functions()[function.index()].is_declaration()) continue;
      bool may_execute = false;
      for (const CallRow& call : calls.calls(function)) may_execute = may_execute || may_execute_[call.callee.index()];
      for (const auto& [index, view] : module_.instructions(module_.functions()[function.index()].all)) {
        may_execute = may_execute || view.opcode == op;
      }
      may_execute_[function.index()] = may_execute;
      flow_.read(module_, module_.functions()[function.index()], PostDominators::OfLoops);
      never_misses_[function.index()] = !may_return();
    }
  }

  /// Whether the instruction is `op`, or a call of a function that returns only after it, or not at all.
  [[nodiscard]] bool ends_path(InstructionView view) const {
    const FunctionIndex callee = callee_of(view);
    return view.opcode == op_ || (!callee.is_none() && never_misses_[callee.index()]);
  }
  /// Whether the instruction is `op`, or a call that always executes it before it returns.
  [[nodiscard]] bool executes(InstructionView view) const {
    const FunctionIndex callee = callee_of(view);
    return view.opcode == op_ || (!callee.is_none() && never_misses_[callee.index()] && may_execute_[callee.index()]);
  }

 private:
  [[nodiscard]] FunctionIndex callee_of(InstructionView view) const {
    const auto call = as<OpFunctionCall>(view);
    return call ? module_.function_of(call->function()) : FunctionIndex::none();
  }

  // Returns true if a path through the function of flow_ returns without the instruction.
  bool may_return() {
    bool found = false;
    search_paths(flow_, [&](LocalBlock block) {
      for (const auto& [i, view] : module_.instructions(flow_.block(block).all)) {
        if (ends_path(view)) return true;
        found = found || view.opcode == OpReturn || view.opcode == OpReturnValue;
      }
      return false;
    });
    return found;
  }

  const Module& module_;
  Op op_;
  std::vector<bool> never_misses_, may_execute_;  // by function
  ControlFlow flow_;
};

class MeshOutputCheck {
 public:
  explicit MeshOutputCheck(const ModuleCheck& c)
      : c_(c),
        setters_(c, OpSetMeshOutputsEXT),
        reached_(c.module.functions().size()),
        called_(c.module.functions().size()) {}

  /// Checks an entry point and the functions that it calls. Each function is checked once.
  void run(FunctionIndex entry) {
    if (entry.is_none()) return;
    reach(entry);
    while (!open_.empty()) {
      const FunctionIndex function = open_.back();
      open_.pop_back();
      if (!read(function)) continue;
      search_paths(flow_, [&](LocalBlock block) { return check_block(block); });
    }
    call(entry);
    while (!open_.empty()) {
      const FunctionIndex function = open_.back();
      open_.pop_back();
      for (const CallRow& row : c_.facts.call_graph().calls(function)) call(row.callee);
      if (read(function)) check_once();
    }
  }

 private:
  bool read(FunctionIndex function) {
    const FunctionRow& row = c_.module.functions()[function.index()];
    if (row.is_declaration()) return false;
    flow_.read(c_.module, row, PostDominators::OfLoops);
    return true;
  }

  void reach(FunctionIndex function) {
    if (function.is_none() || reached_[function.index()]) return;
    reached_[function.index()] = true;
    open_.push_back(function);
  }

  void call(FunctionIndex function) {
    if (called_[function.index()]) return;
    called_[function.index()] = true;
    open_.push_back(function);
  }

  // Reports an OpSetMeshOutputsEXT, or a call that executes it, if another one precedes it on every path through the
  // function.
  void check_once() {
    // The first one on every path to the end of the block.
    std::vector<InstructionIndex> first_in(flow_.block_count(), InstructionIndex::none());
    for (const LocalBlock block : flow_.plain().order()) {
      const LocalBlock dominator = flow_.plain().dominators().parent(block);
      InstructionIndex first = dominator.is_none() ? InstructionIndex::none() : first_in[dominator.index()];
      for (const auto& [i, view] : c_.module.instructions(flow_.block(block).all)) {
        if (!setters_.executes(view)) continue;
        const auto call = as<OpFunctionCall>(view);
        const std::string by = call ? " by the call of " + id_text(c_, call->function()) : "";
        if (first.is_none()) {
          first = i;
          continue;
        }
        c_.report(Rule::MeshOutputsTwice, {i, 0}, {by});
        c_.note({first, 0}, "the first one is here");
      }
      first_in[block.index()] = first;
    }
  }

  // Reports the writes of a block before OpSetMeshOutputsEXT. Returns whether the path ends.
  bool check_block(LocalBlock block) {
    for (const auto& [i, view] : c_.module.instructions(flow_.block(block).all)) {
      if (const auto call = as<OpFunctionCall>(view)) reach(c_.module.function_of(call->function()));
      if (setters_.ends_path(view)) return true;
      // The pointer of OpStore and the target of OpCopyMemory have the same position.
      if (view.opcode == OpStore || view.opcode == OpCopyMemory) check_write(i, View<OpStore>(view).pointer());
      if (view.opcode == OpExtInst) check_function(i, View<OpExtInst>(view));
    }
    return false;
  }

  // Modf and Frexp write their second result through a pointer.
  void check_function(InstructionIndex i, View<OpExtInst> function) {
    const ImportRow* import = import_of(c_, c_.module.instruction(i));
    if (import == nullptr || named_set(import->name).set != KnownSet::Glsl) return;
    const GLSL_std_450 number{function.instruction().value};
    if (number != GLSL_std_450::Modf && number != GLSL_std_450::Frexp) return;
    if (function.operands().size() > 1) check_write(i, function.operands()[1]);
  }

  void check_write(InstructionIndex i, AnyOperand pointer) {
    const TypeRow& type = c_.type_of(pointer);
    if (!type.is_pointer() || type.storage != StorageClass::Output) return;
    c_.report(Rule::MeshOutputOrder, {i, pointer.word}, {c_.module.instruction(i).opcode, origin_of(c_, pointer)});
  }

  const ModuleCheck& c_;
  const Executors setters_;
  std::vector<bool> reached_;  // by function: called before OpSetMeshOutputsEXT, or an entry point
  std::vector<bool> called_;   // by function: called from a mesh shader, or an entry point
  std::vector<FunctionIndex> open_;
  ControlFlow flow_;
};

// Reports the ends of a task shader that are reached without OpEmitMeshTasksEXT, which is a terminator itself.
void check_task_ends(const ModuleCheck& c, FunctionIndex function, const Executors& emitters) {
  const Module& module = c.module;
  if (module.functions()[function.index()].is_declaration()) return;
  ControlFlow flow;
  flow.read(module, module.functions()[function.index()], PostDominators::OfLoops);
  search_paths(flow, [&](LocalBlock block) {
    for (const auto& [i, view] : module.instructions(flow.block(block).all)) {
      if (emitters.ends_path(view)) return true;
      if (view.opcode == OpReturn) { c.report(Rule::TaskEnd, {i, 0}, {module.functions()[function.index()].id}); }
    }
    return false;
  });
}

void check_tasks(const ModuleCheck& c) {
  const Executors emitters(c, OpEmitMeshTasksEXT);
  std::vector<bool> is_checked(c.module.functions().size());
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    const FunctionIndex function = c.module.function_of(entry.function);
    if (entry.model != ExecutionModel::TaskEXT || function.is_none() || is_checked[function.index()]) continue;
    is_checked[function.index()] = true;
    check_task_ends(c, function, emitters);
  }
}

}  // namespace

void check_mesh_outputs(const ModuleCheck& c) {
  if (!c.has(Capability::MeshShadingEXT)) return;
  const auto has_model = [&](ExecutionModel model) {
    return std::ranges::any_of(c.module_declarations.entry_points(),
                               [&](const EntryPointRow& entry) { return entry.model == model; });
  };
  if (has_model(ExecutionModel::TaskEXT)) check_tasks(c);
  if (!has_model(ExecutionModel::MeshEXT)) return;
  MeshOutputCheck check(c);
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    if (entry.model == ExecutionModel::MeshEXT) check.run(c.module.function_of(entry.function));
  }
}

}  // namespace vireo::spirv
