// SPDX-License-Identifier: Apache-2.0
//
// Paths through shaders that write a built-in output: FragDepth, FragStencilRefEXT and PointSize. If one path writes it,
// each path does, or discards the fragment. In a geometry shader, each path to the emission of a vertex does.
//
// A forward analysis computes which blocks a path reaches without the write; a return or emission there lacks it. An
// emitted vertex takes the values of all outputs with it, so the write is missing again after it. The returns of each
// called function are computed once, callees first. The analysis cannot tell which paths are executed, so its findings
// are warnings.
//
// Source: Vulkan, VUID-VkPipelineShaderStageCreateInfo-stage-06685 and -06686, and "Runtime SPIR-V Validation".
#include <string>
#include <vector>

#include "spirv/validate/analysis/access_path.h"
#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/device_values.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/tables/models.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

// A variable, or a member of a block.
struct Output {
  Word variable = 0, member = no_member;
};

bool is_emission(Op op) { return op == OpEmitVertex || op == OpEmitStreamVertex; }
bool is_return(Op op) { return op == OpReturn || op == OpReturnValue; }

/// One output, and the paths that write it.
class WrittenPaths {
 public:
  WrittenPaths(const ModuleCheck& c, Output output) : c_(c), output_(output), summaries_(c.module.functions().size()) {
    const CallGraph& calls = c.facts.call_graph();
    for (const FunctionIndex function : calls.bottom_up()) {
      const FunctionRow& row = c.module.functions()[function.index()];
      Summary& summary = summaries_[function.index()];
      for (const CallRow& call : calls.calls(function)) {
        summary.writes |= summaries_[call.callee.index()].writes;
        summary.emits |= summaries_[call.callee.index()].emits;
      }
      for (const auto& [i, view] : c.module.instructions(row.all)) {
        summary.writes |= is_write(view);
        summary.emits |= is_emission(view.opcode);
      }
      summary.is_left = row.is_declaration() || !find(row, is_return, true).is_none();
    }
  }

  [[nodiscard]] bool is_written_in(FunctionIndex function) const { return summaries_[function.index()].writes; }

  /// A return or emission that a path reaches without the write; none if there is no such path. `at_entry`: whether the
  /// function begins without it.
  InstructionIndex find(const FunctionRow& function, bool (*is_end)(Op), bool at_entry) {
    flow_.read(c_.module, function, PostDominators::OfLoops);
    lacks_.assign(flow_.block_count(), false);
    InstructionIndex found;
    // Blocks with an emission end without the write, wherever they begin.
    for (const LocalBlock block : flow_.plain().order()) pass(block, false, is_end, found);
    if (at_entry && flow_.block_count() != 0) enter(LocalBlock(0));
    while (!open_.empty()) {
      const LocalBlock block = open_.back();
      open_.pop_back();
      pass(block, true, is_end, found);
    }
    return found;
  }

 private:
  struct Summary {
    bool is_left = false;  // a path returns without the write
    bool writes = false;   // on any path
    bool emits = false;
  };

  void enter(LocalBlock block) {
    if (lacks_[block.index()]) return;
    lacks_[block.index()] = true;
    open_.push_back(block);
  }

  // Follows a block whose start has the write or lacks it. Discarded fragments and helper invocations need no write.
  void pass(LocalBlock block, bool lacks, bool (*is_end)(Op), InstructionIndex& found) {
    for (const auto& [i, view] : c_.module.instructions(flow_.block(block).all)) {
      if (view.opcode == OpDemoteToHelperInvocation || is_write(view)) lacks = false;
      if (const auto call = as<OpFunctionCall>(view)) {
        const FunctionIndex callee = c_.module.function_of(call->function());
        // What a callee with emissions leaves is not known.
        if (!callee.is_none() && (!summaries_[callee.index()].is_left || summaries_[callee.index()].emits))
          lacks = false;
      }
      if (lacks && is_end(view.opcode) && (found.is_none() || i < found)) found = i;
      if (is_emission(view.opcode)) lacks = true;
    }
    if (!lacks) return;
    for (const LocalBlock next : flow_.plain().successors(block)) enter(next);
  }

  // The pointer of OpStore and the target of OpCopyMemory have the same position.
  [[nodiscard]] bool is_write(InstructionView view) const {
    if (view.opcode != OpStore && view.opcode != OpCopyMemory && view.opcode != OpCopyMemorySized) return false;
    const Word pointer = View<OpStore>(view).pointer();
    if (origin_of(c_, pointer) != output_.variable) return false;
    if (output_.member == no_member) return true;
    bool is_other = false;
    walk_path(c_, access_path(c_, pointer), [&](const TypeRow& type, Word index, InstructionIndex) {
      if (!type.is(TypeKind::Struct)) return true;
      is_other = c_.constants.as_u64(index) != output_.member;
      return false;
    });
    return !is_other;
  }

  const ModuleCheck& c_;
  Output output_;
  std::vector<Summary> summaries_;  // by function
  ControlFlow flow_;
  std::vector<bool> lacks_;  // by block: a path reaches its start without the write
  std::vector<LocalBlock> open_;
};

bool is_sound(const ModuleCheck& c) {
  for (std::size_t i = 0; i < c.module.functions().size(); ++i) {
    if (!c.soundness.has_sound_blocks(FunctionIndex(i))) return false;
  }
  return true;
}

// An output that paths must write.
struct WrittenOutput {
  BuiltIn built_in;
  Models models;
  Rule rule;
  std::uint16_t vuid;
};
constexpr Models before_geometry =
    in(ExecutionModel::Vertex, ExecutionModel::TessellationControl, ExecutionModel::TessellationEvaluation);
constexpr WrittenOutput written_outputs[] = {
    {BuiltIn::FragDepth, in(ExecutionModel::Fragment), Rule::FragmentOutputPath, 6685},
    {BuiltIn::FragStencilRefEXT, in(ExecutionModel::Fragment), Rule::FragmentOutputPath, 6686},
    {BuiltIn::PointSize, before_geometry, Rule::PointSizePath, 9190},
    {BuiltIn::PointSize, in(ExecutionModel::Geometry), Rule::PointSizePath, 10934},
};

void check_function(const ModuleCheck& c, WrittenPaths& paths, FunctionIndex function, const WrittenOutput& row,
                    Output output, bool is_entry) {
  const bool is_geometry = row.models == in(ExecutionModel::Geometry);
  const FunctionRow& body = c.module.functions()[function.index()];
  const InstructionIndex at = paths.find(body, is_geometry ? is_emission : is_return, is_entry);
  if (at.is_none()) return;
  const std::string end =
      is_geometry ? op_text(c, c.module.instruction(at).opcode) + " emits a vertex" : id_text(c, body.id) + " returns";
  c.report(row.rule, {at, 0}, {end, row.built_in});
  c.vuid(row.vuid);
  note_target(c, output.variable);
}

void check_output(const ModuleCheck& c, Output output, const WrittenOutput& row) {
  if (View<OpVariable>(c.module.find(output.variable)).initializer()) return;
  WrittenPaths paths(c, output);
  std::vector<bool> is_checked(c.module.functions().size());
  bool is_geometry = false;
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    const FunctionIndex function = c.module.function_of(entry.function);
    if (!contains(row.models, entry.model) || function.is_none() || is_checked[function.index()]) continue;
    if (!paths.is_written_in(function)) continue;
    is_checked[function.index()] = true;
    is_geometry |= entry.model == ExecutionModel::Geometry;
    check_function(c, paths, function, row, output, true);
  }
  // Called functions may emit several vertices. Whether the first one has the write depends on the caller.
  for (std::size_t i = 0; is_geometry && i < is_checked.size(); ++i) {
    const FunctionIndex function(i);
    if (!is_checked[i] && c.facts.call_graph().is_reached(function) && paths.is_written_in(function))
      check_function(c, paths, function, row, output, false);
  }
}

// The output variables that a BuiltIn decoration is about: its target, or those of its structure.
std::vector<Word> variables_of(const ModuleCheck& c, const DecorationRow& row) {
  if (row.member == no_member) return {row.target};
  std::vector<Word> variables;
  for (const Word id : module_variables(c)) {
    const VariableInfo variable = variable_info(c, id);
    if (variable.storage == StorageClass::Output && variable.holds != nullptr &&
        variable.holds->innermost().id == row.target)
      variables.push_back(id);
  }
  return variables;
}

}  // namespace

void check_output_paths(const ModuleCheck& c) {
  if (!c.is_vulkan()) return;
  const bool has_maintenance5 = c.device != nullptr && c.device->is_on("maintenance5");
  std::size_t outputs = 0;
  for (const DecorationRow& row : c.decorations.rows()) {
    if (row.decoration != Decoration::BuiltIn) continue;
    const auto built_in = static_cast<BuiltIn>(c.decorations.operand_or(row, 0));
    if (built_in == BuiltIn::PointSize && !has_maintenance5) continue;
    for (const WrittenOutput& each : written_outputs) {
      if (each.built_in != built_in) continue;
      for (const Word variable : variables_of(c, row)) {
        if (c.op_of(variable) != OpVariable) continue;
        // An entry point has each built-in once, so few searches suffice for most modules.
        if (++outputs > 2 && !c.budget.spend(c.module.instruction_count())) return;
        if (is_sound(c)) check_output(c, {variable, row.member}, each);
      }
    }
  }
}

}  // namespace vireo::spirv
