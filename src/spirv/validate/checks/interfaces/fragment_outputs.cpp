// SPDX-License-Identifier: Apache-2.0
//
// Paths through fragment shaders: if one writes FragDepth or FragStencilRefEXT, each path writes it or discards the
// fragment.
//
// A search from the entry block ends wherever the output is written; a return that it reaches lacks the write. A call
// ends the search if no path through the called function returns without the write, which is computed once for each
// function, callees first. The search cannot tell which paths are executed, so its findings are warnings.
//
// Source: Vulkan, VUID-VkPipelineShaderStageCreateInfo-stage-06685 and -06686.
#include <algorithm>
#include <vector>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/paths.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// One output, and the paths that write it.
class WrittenPaths {
 public:
  WrittenPaths(const ModuleCheck& c, Word variable)
      : c_(c), variable_(variable), is_left_(c.module.functions().size()), writes_(c.module.functions().size()) {
    const CallGraph& calls = c.facts.call_graph();
    for (const FunctionIndex function : calls.bottom_up()) {
      const FunctionRow& row = c.module.functions()[function.index()];
      bool writes = false;
      for (const CallRow& call : calls.calls(function)) writes = writes || writes_[call.callee.index()];
      for (const auto& [i, view] : c.module.instructions(row.all)) writes = writes || is_write(view);
      writes_[function.index()] = writes;
      is_left_[function.index()] = row.is_declaration() || !find_return(row).is_none();
    }
  }

  [[nodiscard]] bool is_written_in(FunctionIndex function) const { return writes_[function.index()]; }

  /// A return that a path reaches without the write; none if there is no such path.
  InstructionIndex find_return(const FunctionRow& function) {
    flow_.read(c_.module, function, PostDominators::OfLoops);
    InstructionIndex found;
    search_paths(flow_, [&](LocalBlock block) { return ends_path(block, found); });
    return found;
  }

 private:
  // Discarded fragments and helper invocations need no write.
  bool ends_path(LocalBlock block, InstructionIndex& found) const {
    for (const auto& [i, view] : c_.module.instructions(flow_.block(block).all)) {
      if (view.opcode == OpDemoteToHelperInvocation || is_write(view)) return true;
      if (const auto call = as<OpFunctionCall>(view)) {
        const FunctionIndex callee = c_.module.function_of(call->function());
        if (!callee.is_none() && !is_left_[callee.index()]) return true;
      }
      const bool is_return = view.opcode == OpReturn || view.opcode == OpReturnValue;
      if (is_return && (found.is_none() || i < found)) found = i;
    }
    return false;
  }

  // The pointer of OpStore and the target of OpCopyMemory have the same position.
  [[nodiscard]] bool is_write(InstructionView view) const {
    if (view.opcode != OpStore && view.opcode != OpCopyMemory && view.opcode != OpCopyMemorySized) return false;
    return origin_of(c_, View<OpStore>(view).pointer()) == variable_;
  }

  const ModuleCheck& c_;
  Word variable_;
  std::vector<bool> is_left_, writes_;  // by function: returns on a path without the write; writes on any path
  ControlFlow flow_;
};

bool is_sound(const ModuleCheck& c) {
  for (std::size_t i = 0; i < c.module.functions().size(); ++i) {
    if (!c.soundness.has_sound_blocks(FunctionIndex(i))) return false;
  }
  return true;
}

void check_output(const ModuleCheck& c, Word variable, BuiltIn built_in) {
  if (View<OpVariable>(c.module.find(variable)).initializer()) return;
  WrittenPaths paths(c, variable);
  std::vector<bool> is_checked(c.module.functions().size());
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    const FunctionIndex function = c.module.function_of(entry.function);
    if (entry.model != ExecutionModel::Fragment || function.is_none() || is_checked[function.index()]) continue;
    is_checked[function.index()] = true;
    if (!paths.is_written_in(function)) continue;
    const InstructionIndex at = paths.find_return(c.module.functions()[function.index()]);
    if (at.is_none()) continue;
    c.report(Rule::FragmentOutputPath, {at, 0}, {entry.function, built_in});
    c.vuid(built_in == BuiltIn::FragDepth ? 6685 : 6686);
    note_target(c, variable);
  }
}

}  // namespace

void check_fragment_outputs(const ModuleCheck& c) {
  if (!c.is_vulkan()) return;
  std::size_t outputs = 0;
  for (const DecorationRow& row : c.decorations.rows()) {
    if (row.decoration != Decoration::BuiltIn || c.op_of(row.target) != OpVariable) continue;
    const auto built_in = static_cast<BuiltIn>(c.decorations.operand_or(row, 0));
    if (built_in != BuiltIn::FragDepth && built_in != BuiltIn::FragStencilRefEXT) continue;
    // An entry point has each built-in once, so two searches suffice for most modules.
    if (++outputs > 2 && !c.budget.spend(c.module.instruction_count())) return;
    if (is_sound(c)) check_output(c, row.target, built_in);
  }
}

}  // namespace vireo::spirv
