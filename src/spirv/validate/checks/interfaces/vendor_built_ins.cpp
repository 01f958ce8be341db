// SPDX-License-Identifier: Apache-2.0
//
// Built-ins whose use depends on another decoration or built-in: viewports (SPV_NV_viewport_array2), and values that
// change when invocations move during ray tracing, which are Volatile.
//
// Few modules have these decorations, so each check first looks for one.
//
// Source: Vulkan, "Validation Rules Within a Module".
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/tables/models.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/module/call_graph.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;

// --- viewports -------------------------------------------------------------------------------------------------------

constexpr Models viewport_models = in(Vertex, TessellationEvaluation, Geometry);

void check_relative_target(const ModuleCheck& c, const DecorationRow& row, ModelReachability& reach) {
  const DecorationRow* built_in = c.decorations.find(row.target, row.member, Decoration::BuiltIn);
  if (built_in == nullptr || static_cast<BuiltIn>(c.decorations.operand_or(*built_in, 0)) != BuiltIn::Layer) {
    c.report(Rule::ViewportRelativeTarget, target_place(row), {target_text(c, row), "the built-in Layer"});
    return;
  }
  if (row.member != no_member) return;
  const Models others = reach.of_global(row.target) & ~viewport_models;
  const auto other = std::ranges::find_if(known_models, [&](ExecutionModel each) { return contains(others, each); });
  if (other == std::end(known_models)) return;
  c.report(Rule::ViewportRelativeTarget, target_place(row),
           {target_text(c, row) + " in " + enumerant_text(c, *other), "Vertex, TessellationEvaluation or Geometry"});
}

/// The built-ins and decorations of viewports among the variables that an entry point uses.
struct ViewportUse {
  Word relative = 0;  ///< a variable decorated ViewportRelativeNV
  Word mask = 0, index = 0;
};

void read_use(const ModuleCheck& c, Word id, ViewportUse& use) {
  const auto read = [&](const DecorationRow& row) {
    if (row.decoration == Decoration::ViewportRelativeNV) use.relative = id;
    if (row.decoration != Decoration::BuiltIn) return;
    const auto built_in = static_cast<BuiltIn>(c.decorations.operand_or(row, 0));
    if (built_in == BuiltIn::ViewportMaskNV) use.mask = id;
    if (built_in == BuiltIn::ViewportIndex) use.index = id;
  };
  std::ranges::for_each(c.decorations.of(id), read);
}

void check_viewport_uses(const ModuleCheck& c) {
  const VariableUses uses(c);
  CallWalk walk(c.facts.call_graph(), c.module);
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    const FunctionIndex function = c.module.function_of(entry.function);
    if (function.is_none()) continue;
    ViewportUse use;
    for (const FunctionIndex each : walk.below(function)) {
      if (!c.budget.spend(1 + uses.of(each).size())) return;
      for (const Word id : uses.of(each)) read_use(c, id, use);
    }
    if (use.relative != 0 && use.mask == 0 && use.index == 0) {
      c.report(Rule::ViewportRelativeIndex, function_place(c, entry), {entry.name, use.relative});
      note_target(c, use.relative);
    }
    if (use.mask != 0 && use.index != 0) {
      c.report(Rule::ViewportMaskIndex, function_place(c, entry), {entry.name});
      note_target(c, use.mask);
      note_target(c, use.index);
    }
  }
}

void check_viewports(const ModuleCheck& c) {
  ModelReachability reach(c);
  bool has_any = c.has(Capability::ShaderViewportMaskNV);
  for (const DecorationRow& row : c.decorations.rows()) {
    if (row.decoration != Decoration::ViewportRelativeNV) continue;
    if (c.op_of(row.target) == Op::OpDecorationGroup) continue;  // its targets have rows of their own
    has_any = true;
    check_relative_target(c, row, reach);
  }
  if (has_any) check_viewport_uses(c);
}

// --- values that change ----------------------------------------------------------------------------------------------

constexpr Models moving_models = in(RayGenerationKHR, ClosestHitKHR, MissKHR, IntersectionKHR, CallableKHR);

// The models in which a built-in changes while an invocation runs.
Models models_with_changes(BuiltIn built_in) {
  switch (built_in) {
    case BuiltIn::SMIDNV:
    case BuiltIn::WarpIDNV:
    case BuiltIn::SubgroupSize:
    case BuiltIn::SubgroupLocalInvocationId:
    case BuiltIn::SubgroupEqMask:
    case BuiltIn::SubgroupGeMask:
    case BuiltIn::SubgroupGtMask:
    case BuiltIn::SubgroupLeMask:
    case BuiltIn::SubgroupLtMask: return moving_models;
    case BuiltIn::RayTmaxKHR: return in(IntersectionKHR);
    default: return 0;
  }
}

ExecutionModel first_of(Models models) {
  return *std::ranges::find_if(known_models, [&](ExecutionModel each) { return contains(models, each); });
}

std::uint32_t model_bits(const ModuleCheck&, const EntryPointRow& entry) { return bit_of(entry.model); }

// In the Vulkan memory model, loads are Volatile instead of variables.
void check_loads(const ModuleCheck& c, Word id, BuiltIn built_in, const EntryPointReachability& reach) {
  for (const Use& use : c.facts.some_uses().of(id)) {
    const FunctionIndex function = c.module.function_at(use.instruction);
    if (function.is_none()) continue;
    const auto load = as<Op::OpLoad>(c.module.instruction(use.instruction));
    const Models models = reach.of(function) & models_with_changes(built_in);
    if (!load || models == 0 || load->memory_access().has(MemoryAccess::Volatile)) continue;
    c.report(Rule::VolatileBuiltIn, {use.instruction, 0}, {"OpLoad reads", built_in, first_of(models)});
    c.vuid(4679);
    note_target(c, id);
  }
}

void check_volatile(const ModuleCheck& c) {
  const auto moves = [](const EntryPointRow& entry) { return contains(moving_models, entry.model); };
  if (std::ranges::none_of(c.module_declarations.entry_points(), moves)) return;
  std::optional<EntryPointReachability> reach;
  for (const DecorationRow& row : c.decorations.rows()) {
    if (row.decoration != Decoration::BuiltIn || row.member != no_member || !is_variable(c.op_of(row.target))) continue;
    const auto built_in = static_cast<BuiltIn>(c.decorations.operand_or(row, 0));
    if (models_with_changes(built_in) == 0) continue;
    if (!reach) reach.emplace(c, model_bits);
    if (c.has(Capability::VulkanMemoryModel)) {
      check_loads(c, row.target, built_in, *reach);
      continue;
    }
    const Models models = reach->of_global(row.target) & models_with_changes(built_in);
    if (models == 0 || c.decorations.has(row.target, Decoration::Volatile)) continue;
    c.report(Rule::VolatileBuiltIn, {c.module.definition(row.target), 0},
             {id_text(c, row.target) + " provides", built_in, first_of(models)});
    c.vuid(4678);
    note_decoration(c, row);
  }
}

}  // namespace

void check_vendor_built_ins(const ModuleCheck& c) {
  if (!c.is_vulkan()) return;
  check_viewports(c);
  check_volatile(c);
}

}  // namespace vireo::spirv
