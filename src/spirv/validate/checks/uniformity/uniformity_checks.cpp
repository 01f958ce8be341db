// SPDX-License-Identifier: Apache-2.0
//
// Rules of uniformity: what the analysis (spirv/module/uniformity) finds out about the places that need uniform values
// or uniform control flow.
//
// The analysis is run only if a rule is on and the module has something that the rule concerns. A finding about certain
// divergence has notes from the source to the place. Modules with errors are not analyzed, because the fault that an
// error reports may be the cause of divergence.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/grammar/opcode_families.h"
#include "spirv/module/uniformity/function_uniformity.h"
#include "spirv/validate/analysis/descriptor_access.h"
#include "spirv/validate/analysis/device_values.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// Each explanation searches the graphs of a function and of its callers. Once this number of nodes has been searched for
/// each instruction of the module, no more findings are reported.
constexpr std::uint64_t nodes_per_instruction = 64, free_nodes = std::uint64_t{1} << 22;
/// An operand with more guards than this counts as guarded.
constexpr std::size_t most_guards = 64;
/// The number of steps of an explanation that are shown.
constexpr std::size_t most_steps = 8;
constexpr auto view_index_plane = static_cast<unsigned>(std::countr_zero(unsigned{Divergence::on_view_index}));

/// The rules for a demand: if divergence is certain, and if uniformity is only not proven.
struct DemandRow {
  Demand demand;
  Rule certain;
  std::optional<Rule> unproven;
  bool is_of_vulkan;
};
constexpr DemandRow demand_rows[] = {
    {Demand::Resource, Rule::MissingNonUniform, Rule::UnprovenResource, true},
    {Demand::Derivative, Rule::DerivativeControlFlow, Rule::UnprovenControlFlow, false},
    {Demand::ImplicitDerivative, Rule::ImplicitLodControlFlow, Rule::UnprovenControlFlow, false},
    {Demand::Barrier, Rule::BarrierControlFlow, Rule::UnprovenControlFlow, false},
    {Demand::SplitBarrier, Rule::BarrierControlFlow, Rule::UnprovenControlFlow, false},
    {Demand::MeshTasks, Rule::MeshControlFlow, Rule::UnprovenControlFlow, true},
    {Demand::MeshOutputs, Rule::MeshControlFlow, Rule::UnprovenControlFlow, true},
    {Demand::Tangle, Rule::UnprovenTangle, Rule::UnprovenTangle, false},
    {Demand::BroadcastId, Rule::BroadcastUniformity, Rule::UnprovenValue, false},
    {Demand::QuadIndex, Rule::BroadcastUniformity, Rule::UnprovenValue, false},
    {Demand::PushConstantIndex, Rule::PushConstantIndex, Rule::UnprovenValue, true},
    {Demand::Promise, Rule::FalsePromise, std::nullopt, false},
    {Demand::ViewIndexCount, Rule::ViewIndexDependence, std::nullopt, true},
    {Demand::ViewIndexPlace, Rule::ViewIndexDependence, std::nullopt, true},
    {Demand::ViewIndexValue, Rule::ViewIndexDependence, std::nullopt, true},
    {Demand::ViewIndexIndex, Rule::ViewIndexDependence, std::nullopt, true},
    {Demand::ViewIndexControl, Rule::ViewIndexDependence, std::nullopt, true},
    {Demand::ProcessedImage, Rule::ImageProcessingUniformity, Rule::UnprovenValue, true},
};
const DemandRow& row_of(Demand demand) { return demand_rows[static_cast<std::size_t>(demand)]; }

constexpr Rule all_rules[] = {
    Rule::MissingNonUniform,     Rule::UnprovenResource,       Rule::SuperfluousNonUniform,
    Rule::DerivativeControlFlow, Rule::ImplicitLodControlFlow, Rule::BarrierControlFlow,
    Rule::MeshControlFlow,       Rule::UnprovenControlFlow,    Rule::UnprovenTangle,
    Rule::BroadcastUniformity,   Rule::PushConstantIndex,      Rule::UnprovenValue,
    Rule::FalsePromise,          Rule::ViewIndexDependence,    Rule::ImageProcessingUniformity};

/// The kind of descriptor that an operand of an access names: a pointer, or a value of an opaque type.
DescriptorKind kind_of(const ModuleCheck& c, Word id) {
  const TypeRow& own = c.type_of(id);
  if (!own.is_pointer()) return descriptor_kind(c, own, StorageClass::UniformConstant);
  if (own.storage == StorageClass::StorageBuffer) return DescriptorKind::StorageBuffer;
  if (own.storage == StorageClass::Uniform) {
    return is_uniform_block(c, id) ? DescriptorKind::UniformBuffer : DescriptorKind::StorageBuffer;
  }
  const InstructionView texel = c.module.find(id);
  const Word image = texel.opcode == OpImageTexelPointer ? Word{View<OpImageTexelPointer>(texel).image()} : id;
  const TypeRow* pointee = pointee_of(c, image);
  return pointee == nullptr ? DescriptorKind::None : descriptor_kind(c, *pointee, StorageClass::UniformConstant);
}

std::string_view scope_name(std::uint16_t planes) {
  if ((planes & group_plane) != 0) return "invocation group";
  if ((planes & subgroup_plane) != 0) return "subgroup";
  return (planes & primitive_plane) != 0 ? "primitive" : "quad";
}

/// Whether a rule of the set may report a finding.
template <typename Rules>
bool is_any_on(const ModuleCheck& c, const Rules& rules) {
  return std::ranges::any_of(rules, [&](Rule rule) { return c.has_room_for(rule); });
}

class UniformityCheck {
 public:
  explicit UniformityCheck(const ModuleCheck& c) : c_(c), analysis_(c.module, c.facts) {}

  void run() {
    analysis_.run(true, [&](const FunctionUniformity& function) {
      if (function.demands().empty()) return;
      find_guards(function);
      superfluous_.clear();
      for (const UniformityDemand& demand : function.demands()) check(function, demand);
      report_superfluous();
    });
  }

 private:
  /// A block in which a value is equal in some scopes, because of the branch to the block.
  struct Guard {
    InstructionIndex value;  ///< none: all values, because one invocation executes the block
    LocalBlock block;
    std::uint16_t planes = 0;
  };

  /// The target of a branch, if no other branch leads there.
  static LocalBlock only_target(const ControlFlow& flow, Word label) {
    const LocalBlock target = flow.block_of(label);
    return target.is_none() || flow.plain().predecessors(target).size() != 1 ? LocalBlock::none() : target;
  }

  void find_guards(const FunctionUniformity& function) {
    const ControlFlow& flow = function.flow();
    guards_.clear();
    dead_.assign(flow.block_count(), 0);
    for (const LocalBlock b : flow.plain().order()) {
      const InstructionIndex end = flow.block(b).terminator;
      if (end.is_none()) continue;
      const InstructionView view = c_.module.instruction(end);
      if (const auto branch = as<OpBranchConditional>(view)) find_guards_of(function, *branch);
      if (const auto choice = as<OpSwitch>(view)) {
        // A target with one literal.
        const LocalBlock otherwise = flow.block_of(choice->default_());
        for (const LocalBlock target : flow.plain().successors(b)) {
          if (target == otherwise || flow.plain().predecessors(target).size() != 1) continue;
          guards_.push_back({c_.module.definition(choice->selector()), target, Divergence::possible});
        }
      }
    }
    std::ranges::stable_sort(guards_, {}, &Guard::block);
    const FlowGraph& plain = flow.plain();
    for (const LocalBlock b : plain.order()) {
      const LocalBlock above = plain.dominators().parent(b);
      if (!above.is_none() && dead_[above.index()] != 0) dead_[b.index()] = 1;
    }
  }

  // if (index == broadcast_first(index)) …: the loops that handle one index after the other.
  void find_guards_of(const FunctionUniformity& function, View<OpBranchConditional> branch) {
    const InstructionView condition = c_.module.find(branch.condition());
    if (branch.true_label() == branch.false_label()) return;
    if (const auto constant = c_.constants.as_bool(branch.condition())) {
      const LocalBlock dead = only_target(function.flow(), *constant ? branch.false_label() : branch.true_label());
      if (!dead.is_none()) dead_[dead.index()] = 1;
      return;
    }
    const LocalBlock target =
        only_target(function.flow(), condition.opcode == OpINotEqual ? branch.false_label() : branch.true_label());
    if (target.is_none()) return;
    constexpr std::uint16_t in_subgroup = subgroup_plane | quad_plane;
    const Words operands = ValueOperands(condition).others();
    switch (condition.opcode) {
      case OpGroupNonUniformElect: guards_.push_back({InstructionIndex::none(), target, in_subgroup}); return;
      case OpGroupNonUniformAllEqual:
      case OpSubgroupAllEqualKHR:
        if (!operands.empty()) guards_.push_back({c_.module.definition(operands.back()), target, in_subgroup});
        return;
      case OpIEqual:
      case OpINotEqual: break;
      default: return;
    }
    if (operands.size() != 2) return;
    for (const std::size_t operand : {0u, 1u}) {
      const Divergence other = function.of(c_.module.definition(operands[1 - operand]));
      const auto uniform = static_cast<std::uint16_t>(~other.bits & Divergence::possible);
      if (uniform != 0) guards_.push_back({c_.module.definition(operands[operand]), target, uniform});
    }
  }

  // Whether a demand is in control flow in which a value that it depends on is equal.
  [[nodiscard]] bool is_guarded(const FunctionUniformity& function, const UniformityDemand& demand, unsigned plane) {
    std::vector<InstructionIndex> equal_values;
    bool is_one = false;  // one invocation executes the block
    const auto apply = [&](const Guard& guard) {
      const auto equal = static_cast<std::uint16_t>(demand.planes & guard.planes);
      if (demand.demand == Demand::Resource ? equal == 0 : equal != demand.planes) return;
      if (guard.value.is_none()) is_one = true;
      else equal_values.push_back(guard.value);
    };
    if (guards_.empty()) return false;
    for (LocalBlock b = demand.block; !b.is_none(); b = function.flow().plain().dominators().parent(b)) {
      auto guard = std::ranges::lower_bound(guards_, b, {}, &Guard::block);
      for (; guard != guards_.end() && guard->block == b; ++guard) apply(*guard);
      ++searched_nodes_;
    }
    if (is_one || equal_values.empty()) return is_one;
    if (equal_values.size() > most_guards) return true;
    searched_nodes_ += function.node_count();
    const std::vector<InstructionIndex> path = function.path(demand.node, plane);
    return std::ranges::any_of(equal_values,
                               [&](InstructionIndex value) { return std::ranges::find(path, value) != path.end(); });
  }

  void check(const FunctionUniformity& function, const UniformityDemand& demand) {
    const DemandRow& row = row_of(demand.demand);
    if ((row.is_of_vulkan && !c_.is_vulkan()) || dead_[demand.block.index()] != 0) return;
    const std::uint16_t found = function.state(demand.node).bits;
    const auto possible = static_cast<std::uint16_t>(found & demand.planes);
    const auto certain = static_cast<std::uint16_t>(found >> Divergence::scopes & demand.planes & Divergence::possible);
    if (demand.planes == Divergence::on_view_index) {
      if (possible != 0) report(function, demand, row.certain, possible, view_index_plane, false);
      return;
    }
    if (function.is_single()) return;
    if (demand.demand == Demand::Resource) return check_resource(function, demand, possible, certain);
    if (certain != 0) {
      const auto scope = static_cast<unsigned>(std::countr_zero(certain));
      const bool is_value = demand.id != 0 && demand.demand != Demand::Promise;
      if (!(is_value && is_guarded(function, demand, Divergence::scopes + scope)) &&
          report(function, demand, row.certain, certain, Divergence::scopes + scope, true))
        return;
    }
    if (possible == 0 || !row.unproven) return;
    report(function, demand, *row.unproven, possible, static_cast<unsigned>(std::countr_zero(possible)), false);
  }

  [[nodiscard]] bool is_exhausted() const {
    return searched_nodes_ > free_nodes + nodes_per_instruction * c_.module.instruction_count();
  }

  [[nodiscard]] bool has_single_subgroups() const {
    return c_.device != nullptr && c_.device->find("subgroupSize") == 1;
  }

  // A resource may be uniform in the subgroup or in the invocation group. Subgroups of one invocation prove nothing.
  void check_resource(const FunctionUniformity& function, UniformityDemand demand, std::uint16_t possible,
                      std::uint16_t certain) {
    if (has_single_subgroups()) demand.planes = group_plane;
    possible &= demand.planes;
    certain &= demand.planes;
    const bool is_uniform = possible != demand.planes;
    if (demand.is_decorated) {
      if (!is_uniform) superfluous_[demand.id] = 0;
      else superfluous_.try_emplace(demand.id, (possible & group_plane) == 0 ? group_plane : subgroup_plane);
      return;
    }
    if (is_uniform || is_exhausted()) return;
    constexpr auto plane = static_cast<unsigned>(UniformityScope::Group);
    constexpr unsigned certain_plane = Divergence::scopes + plane;
    if (certain == demand.planes && !is_guarded(function, demand, certain_plane) &&
        report(function, demand, Rule::MissingNonUniform, certain, certain_plane, true)) {
      return;
    }
    report(function, demand, Rule::UnprovenResource, possible, plane, false);
  }

  void report_superfluous() {
    for (const auto& [id, plane] : superfluous_) {
      if (plane == 0 || !c_.has_room_for(Rule::SuperfluousNonUniform)) continue;
      const DecorationRow* row = c_.decorations.find(id, Decoration::NonUniform);
      if (row == nullptr) continue;
      const InstructionIndex place = row->group_use.is_none() ? row->instruction : row->group_use;
      c_.report(Rule::SuperfluousNonUniform, {place, 0}, {id, scope_name(plane)});
      c_.note({c_.module.definition(id), 0}, "the resource is named here");
      if (row->group_use.is_none()) fix_by_removal(c_, row->instruction);
    }
  }

  // Returns false if there is no path from a source to the demand. `is_strict`: FunctionUniformity::explain().
  bool report(const FunctionUniformity& function, const UniformityDemand& demand, Rule rule, std::uint16_t planes,
              unsigned plane, bool is_strict) {
    if (is_exhausted() || !(c_.has_room_for(rule) || is_strict)) return true;
    const Place place{demand.instruction, demand.word};
    const Op op = c_.module.instruction(demand.instruction).opcode;
    // A value is reported once, however many instructions use it.
    if (demand.id != 0 && reported_.contains({rule, demand.id})) return true;
    const auto steps = analysis_.explain(function, demand.node, plane, is_strict, searched_nodes_);
    if (!steps) return false;
    // A branch is reported once for each rule, however many instructions are in its control flow.
    const auto cause = std::ranges::find_if(steps->rbegin(), steps->rend(), [](const UniformityStep& step) {
      return step.kind == UniformityStep::Kind::Branch || step.kind == UniformityStep::Kind::CallControl;
    });
    if (demand.id == 0 && cause != steps->rend() && !branches_.emplace(rule, cause->where).second) return true;
    if (demand.id != 0) reported_.emplace(rule, demand.id);
    if (demand.demand == Demand::Resource) {
      report_resource(demand, rule, op, place);
    } else if (demand.demand == Demand::Promise) {
      const bool is_scoped = c_.decorations.has(demand.id, Decoration::UniformId);
      c_.report(rule, place, {demand.id, is_scoped ? Decoration::UniformId : Decoration::Uniform, scope_name(planes)});
    } else if (demand.demand == Demand::ViewIndexControl) {
      c_.report(rule, place, {condition_of(*steps), view_text(demand.demand)});
      c_.vuid(7108);
    } else if (rule == Rule::ViewIndexDependence) {
      c_.report(rule, place, {demand.id, view_text(demand.demand)});
      c_.vuid(static_cast<std::uint16_t>(7108 + static_cast<int>(demand.demand) -
                                         static_cast<int>(Demand::ViewIndexCount)));
    } else if (demand.id == 0) {
      c_.report(rule, place, {op, scope_name(planes)});
      choose_vuid(demand.demand, rule, op);
    } else if (rule == Rule::PushConstantIndex) {
      c_.report(rule, place, {demand.id, scope_name(planes)});
    } else {
      c_.report(rule, place, {demand.id, op, scope_name(planes)});
      choose_vuid(demand.demand, rule, op);
    }
    if (function.is_unknown()) {
      const FunctionRow& row_of_function = c_.module.functions()[function.function().index()];
      const InstructionIndex begin(row_of_function.all.first);
      c_.note({begin, 0}, "the analysis of {id} exceeds its bound, so nothing in it is proven",
              {c_.module.result_of(c_.module.instruction(begin))});
    } else {
      explain(*steps);
    }
    return true;
  }

  void choose_vuid(Demand demand, Rule rule, Op op) const {
    if (rule == Rule::BarrierControlFlow && demand == Demand::Barrier) c_.vuid(0);
    if (rule == Rule::MeshControlFlow) c_.vuid(demand == Demand::MeshTasks ? 7117 : 7118);
    if (rule == Rule::BroadcastUniformity) c_.vuid(demand == Demand::QuadIndex ? 6276 : 6277);
    if (rule == Rule::ImageProcessingUniformity) {
      const bool is_match = op == OpImageBlockMatchSSDQCOM || op == OpImageBlockMatchSADQCOM;
      const bool is_filter = op == OpImageBoxFilterQCOM;
      c_.vuid(op == OpImageSampleWeightedQCOM ? 6979 : is_match ? 6982 : is_filter ? 6990 : 9219);
    }
  }

  // The condition of the last branch on the way to a demand.
  [[nodiscard]] Word condition_of(const std::vector<UniformityStep>& steps) const {
    const auto branch =
        std::ranges::find(steps.rbegin(), steps.rend(), UniformityStep::Kind::Branch, &UniformityStep::kind);
    const InstructionView view = c_.module.instruction(branch == steps.rend() ? steps[0].where : branch->where);
    if (view.opcode == OpBranchConditional) return View<OpBranchConditional>(view).condition();
    return view.opcode == OpSwitch ? Word{View<OpSwitch>(view).selector()} : c_.module.result_of(view);
  }

  [[nodiscard]] static std::string_view view_text(Demand demand) {
    switch (demand) {
      case Demand::ViewIndexControl:
      case Demand::ViewIndexCount: return "the numbers of vertices and primitives";
      case Demand::ViewIndexPlace: return "the index of a primitive";
      case Demand::ViewIndexValue: return "the vertices of a primitive";
      default: return "an index into Workgroup or Private memory";
    }
  }

  void report_resource(const UniformityDemand& demand, Rule rule, Op op, Place place) const {
    const DescriptorIndexing* indexing = indexing_of(kind_of(c_, demand.id));
    c_.report(rule, place, {demand.id, op, indexing == nullptr ? "resource" : indexing->name});
    if (rule != Rule::MissingNonUniform) return;
    const bool lacks_capability = indexing != nullptr && !c_.has(indexing->non_uniform);
    // The VUIDs for subgroups of one invocation follow those for larger ones.
    constexpr int to_single = 10141 - 10134;
    const bool is_single = has_single_subgroups();
    const int of_capability = lacks_capability ? indexing->non_uniform_vuid + (is_single ? to_single : 0) : 0;
    c_.vuid(static_cast<std::uint16_t>(lacks_capability ? of_capability : is_single ? 10148 : 10149));
    std::string hint = "add ";
    const auto require = [&](Capability capability) {
      if (c_.has(capability)) return;
      hint_capability(c_, capability);
      hint += "OpCapability " + enumerant_text(c_, capability) + ", ";
    };
    require(Capability::ShaderNonUniform);
    if (indexing != nullptr) {
      require(indexing->dynamic);
      require(indexing->non_uniform);
    }
    hint_decoration(c_, Decoration::NonUniform, demand.id);
    // One hint for all: each of the calls above replaces the one before.
    c_.hint("{text}OpDecorate {id} NonUniform", {hint, demand.id});
  }

  // Notes from the source to the place. Of a long way the middle is left out.
  void explain(const std::vector<UniformityStep>& steps) const {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps.size() > most_steps && i >= most_steps / 2 && i < steps.size() - most_steps / 2) continue;
      note(steps[i]);
    }
  }

  void note(const UniformityStep& step) const {
    const InstructionView view = c_.module.instruction(step.where);
    const Word result = c_.module.result_of(view);
    const Place place{step.where, 0};
    switch (step.kind) {
      case UniformityStep::Kind::Source: return note_source(view, place);
      case UniformityStep::Kind::Value: return c_.note(place, "so {id} may differ", {result});
      case UniformityStep::Kind::Branch: return c_.note(place, "so invocations may take different branches here");
      case UniformityStep::Kind::Choice:
        return c_.note(place, "so invocations may come to block {id} on different paths", {result});
      case UniformityStep::Kind::LoopExit:
        return c_.note(place, "so invocations may leave the loop of {id} in different iterations", {result});
      case UniformityStep::Kind::Call:
        if (step.variable != 0) {
          return c_.note(place, "it is in variable {id} when {other_id} is called here",
                         {step.variable, View<OpFunctionCall>(view).function()});
        }
        return c_.note(place, "it is passed to {id} here", {View<OpFunctionCall>(view).function()});
      case UniformityStep::Kind::CallControl:
        return c_.note(place, "so not all invocations call {id} here", {View<OpFunctionCall>(view).function()});
      case UniformityStep::Kind::CallWrite:
        return c_.note(place, "the call of {id} may write different values", {View<OpFunctionCall>(view).function()});
      case UniformityStep::Kind::CallEnd:
        return c_.note(place, "invocations may not return together from {id}", {View<OpFunctionCall>(view).function()});
      case UniformityStep::Kind::Departure:
        return c_.note(place, "so some invocations leave by {op}, and others do not", {view.opcode});
    }
  }

  void note_source(InstructionView view, Place place) const {
    const Word result = c_.module.result_of(view);
    if (view.opcode == OpLoad) {
      const Word loaded = View<OpLoad>(view).pointer();
      const Word variable = origin_of(c_, loaded);
      if (const DecorationRow* row = c_.decorations.find(variable, Decoration::BuiltIn)) {
        const auto built_in = static_cast<BuiltIn>(c_.decorations.operand_or(*row, 0));
        return c_.note(place, "built-in {enumerant} may differ between invocations", {built_in});
      }
      const TypeRow& pointer = c_.type_of(loaded);
      return c_.note(place, "{id}, loaded from {enumerant} memory, may differ between invocations",
                     {result, pointer.storage});
    }
    if (result == 0) return c_.note(place, "{op} may have different effects in different invocations", {view.opcode});
    c_.note(place, "{id}, the result of {op}, may differ between invocations", {result, view.opcode});
  }

  const ModuleCheck& c_;
  UniformityAnalysis analysis_;
  std::vector<Guard> guards_;
  std::vector<char> dead_;                     ///< by block: whether branches on constants avoid it
  std::map<Word, std::uint16_t> superfluous_;  // by decorated id: a scope in which the resource is uniform, or 0
  std::set<std::pair<Rule, Word>> reported_;
  std::set<std::pair<Rule, InstructionIndex>> branches_;
  std::uint64_t searched_nodes_ = 0;  ///< the nodes of the graphs that explanations have searched
};

// --- whether there is anything to analyze --------------------------------------------------------------------------------

constexpr Op barriers[] = {OpControlBarrier, OpControlBarrierArriveEXT, OpControlBarrierWaitEXT, OpEmitMeshTasksEXT,
                           OpSetMeshOutputsEXT};
constexpr Rule control_rules[] = {Rule::DerivativeControlFlow, Rule::ImplicitLodControlFlow, Rule::BarrierControlFlow,
                                  Rule::MeshControlFlow, Rule::UnprovenControlFlow};
constexpr Rule broadcast_rules[] = {Rule::BroadcastUniformity, Rule::UnprovenValue};
constexpr Rule processing_rules[] = {Rule::ImageProcessingUniformity, Rule::UnprovenValue};
constexpr Capability processing_capabilities[] = {Capability::TextureSampleWeightedQCOM,
                                                  Capability::TextureBoxFilterQCOM, Capability::TextureBlockMatchQCOM,
                                                  Capability::TextureBlockMatch2QCOM};
constexpr Rule push_constant_rules[] = {Rule::PushConstantIndex, Rule::UnprovenValue};
constexpr Rule resource_rules[] = {Rule::MissingNonUniform, Rule::UnprovenResource, Rule::SuperfluousNonUniform};

bool has_descriptor_arrays(const ModuleCheck& c) {
  return std::ranges::any_of(c.types.rows(), [&](const TypeRow& type) {
    const bool has_descriptors = type.storage == StorageClass::UniformConstant ||
                                 type.storage == StorageClass::Uniform || type.storage == StorageClass::StorageBuffer;
    if (!type.is_pointer() || !has_descriptors) return false;
    if (type.is(TypeKind::UntypedPointer)) return true;
    if (!type.pointee().is_array()) return false;
    const TypeRow& innermost = type.pointee().innermost();
    return innermost.is_opaque() || is_block(c, innermost.id);
  });
}

bool has_push_constant_arrays(const ModuleCheck& c) {
  return std::ranges::any_of(c.types.rows(), [](const TypeRow& type) {
    if (!type.is_pointer() || type.storage != StorageClass::PushConstant) return false;
    return type.is(TypeKind::UntypedPointer) ||
           type.pointee().contains.has_any(TypeTrait::Array | TypeTrait::RuntimeArray);
  });
}

bool has_work(const ModuleCheck& c) {
  const auto has = [&](Op op) { return c.module.has(op); };
  const bool has_branches = has(OpBranchConditional) || has(OpSwitch);
  const bool needs_control = std::ranges::any_of(barriers, has) || std::ranges::any_of(derivatives, has) ||
                             std::ranges::any_of(implicit_derivatives, has);
  if (has_branches && needs_control && is_any_on(c, control_rules)) return true;
  if (c.is_vulkan() && is_any_on(c, resource_rules) && has_descriptor_arrays(c)) return true;
  const bool has_broadcasts = has(OpGroupNonUniformBroadcast) || has(OpGroupNonUniformQuadBroadcast);
  if (has_broadcasts && is_any_on(c, broadcast_rules)) return true;
  const bool processes_images =
      std::ranges::any_of(processing_capabilities, [&](Capability each) { return c.has(each); });
  if (c.is_vulkan() && processes_images && is_any_on(c, processing_rules)) return true;
  if (c.has_room_for(Rule::UnprovenTangle) && c.has(Capability::GroupNonUniform)) return true;
  if (c.is_vulkan() && is_any_on(c, push_constant_rules) && has_push_constant_arrays(c)) return true;
  if (c.is_vulkan() && c.has_room_for(Rule::ViewIndexDependence) && c.has(Capability::MeshShadingEXT) &&
      c.has(Capability::MultiView)) {
    return true;
  }
  return c.has_room_for(Rule::FalsePromise) && std::ranges::any_of(c.decorations.rows(), [](const DecorationRow& row) {
           return row.decoration == Decoration::Uniform || row.decoration == Decoration::UniformId;
         });
}

}  // namespace

void check_uniformity(const ModuleCheck& c) {
  if (!c.is_shader() || c.findings.has_errors() || !is_any_on(c, all_rules) || !has_work(c)) return;
  UniformityCheck(c).run();
}

}  // namespace vireo::spirv
