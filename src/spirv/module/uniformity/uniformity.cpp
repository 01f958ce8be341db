// SPDX-License-Identifier: Apache-2.0
//
// The analysis of a whole module: summaries from callees to callers, then states from callers to callees.
#include "vireo/spirv/module/uniformity.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "spirv/module/uniformity/function_uniformity.h"
#include "vireo/spirv/module/call_graph.h"

namespace vireo::spirv {
namespace {

ResultKind kind_of(std::string_view printing_class) {
  struct Row {
    std::string_view name;
    ResultKind kind;
  };
  constexpr Row rows[] = {
      {"Arithmetic", ResultKind::Pure},   {"Bit", ResultKind::Pure},
      {"Conversion", ResultKind::Pure},   {"Relational_and_Logical", ResultKind::Pure},
      {"Composite", ResultKind::Pure},    {"Derivative", ResultKind::Derivative},
      {"Image", ResultKind::Image},       {"Group", ResultKind::Group},
      {"Non-Uniform", ResultKind::Group}, {"Atomic", ResultKind::Atomic},
  };
  for (const Row& row : rows) {
    if (row.name == printing_class) return row.kind;
  }
  return ResultKind::Other;
}

// The size of the workgroups of an entry point, by dimension. `size_constant`: the constant that is decorated
// WorkgroupSize and takes precedence over the modes; 0 if there is none.
GroupSize group_size(const UniformityContext& c, const EntryPointRow& entry, Word size_constant) {
  if ((stages_of(entry.model) & WorkgroupStage) == 0) return {};
  GroupSize size{any_size, any_size, any_size};
  const auto set = [&](unsigned dimension, std::optional<std::uint64_t> value) {
    if (value && *value < any_size) size[dimension] = static_cast<std::uint32_t>(*value);
  };
  const ConstantRow& constant = c.constants.of(size_constant);
  if (constant.kind != ConstantKind::None) {
    const auto parts = c.constants.parts(constant);
    if (constant.choice != ConstantStatus::Known || parts.empty()) return size;
    for (unsigned d = 0; d < 3; ++d) {
      const ConstantRow& part = c.constants.row(parts[std::min<std::size_t>(d, parts.size() - 1)]);
      if (part.kind == ConstantKind::Int && part.status == ConstantStatus::Known) set(d, part.bits);
    }
  } else if (const ExecutionModeRow* row = c.declarations.mode(entry.function, ExecutionMode::LocalSize)) {
    for (unsigned d = 0; d < 3 && d < row->operands.size(); ++d) set(d, row->operands[d]);
  } else if (const ExecutionModeRow* ids = c.declarations.mode(entry.function, ExecutionMode::LocalSizeId)) {
    for (unsigned d = 0; d < 3 && d < ids->operands.size(); ++d) set(d, c.constants.as_u64(ids->operands[d]));
  }
  return size;
}

// Whether InvocationId may be other than 0: the number of an invocation for a primitive, or of a vertex of the patch.
bool has_many_invocations(const ModuleDeclarations& declarations, const EntryPointRow& entry) {
  const bool is_geometry = entry.model == ExecutionModel::Geometry;
  if (!is_geometry && entry.model != ExecutionModel::TessellationControl) return false;
  const ExecutionModeRow* count =
      declarations.mode(entry.function, is_geometry ? ExecutionMode::Invocations : ExecutionMode::OutputVertices);
  if (count == nullptr) return !is_geometry;
  return count->operands.empty() || count->operands[0] != 1;
}

}  // namespace

UniformityContext::UniformityContext(const Module& the_module, const Facts& the_facts)
    : module(the_module),
      facts(the_facts),
      types(the_facts.types()),
      decorations(the_facts.decorations()),
      constants(the_facts.constants()),
      declarations(the_facts.module_declarations()),
      sources(the_module, the_facts),
      summaries(the_module.functions().size()) {
  const Grammar& grammar = module.grammar();
  for (const auto name : grammar.printing_classes) kinds.push_back(kind_of(grammar.text(name)));
  for (const ImportRow& import : declarations.imports()) {
    if (import.name == "GLSL.std.450") glsl_set = import.id;
  }
  has_heap = declarations.has(Capability::DescriptorHeapEXT);
  Word size_constant = 0;
  for (const DecorationRow& row : decorations.rows()) {
    const Decoration decoration = row.decoration;
    has_promises = has_promises || decoration == Decoration::Uniform || decoration == Decoration::UniformId;
    if (decoration != Decoration::BuiltIn) continue;
    const auto built_in = static_cast<BuiltIn>(decorations.operand_or(row, 0));
    has_view_index = has_view_index || built_in == BuiltIn::ViewIndex;
    if (built_in == BuiltIn::WorkgroupSize) size_constant = row.target;
  }

  // The stages of entry points, and then those of callers.
  const CallGraph& calls = facts.call_graph();
  for (FunctionSummary& summary : summaries) summary.is_maximal = true;
  for (const EntryPointRow& entry : declarations.entry_points()) {
    const FunctionIndex f = module.function_of(entry.function);
    if (f.is_none()) continue;
    FunctionSummary& summary = summaries[f.index()];
    summary.stages |= stages_of(entry.model);
    summary.add(group_size(*this, entry, size_constant));
    if (has_many_invocations(declarations, entry)) summary.stages |= ManyInvocations;
    const bool is_by_quad = entry.model != ExecutionModel::Fragment ||
                            declarations.mode(entry.function, ExecutionMode::QuadDerivativesKHR) != nullptr;
    const UniformityScope scope = is_by_quad ? UniformityScope::Quad : UniformityScope::Primitive;
    summary.derivative_scopes |= static_cast<std::uint16_t>(1u << static_cast<unsigned>(scope));
    const bool is_maximal = declarations.mode(entry.function, ExecutionMode::MaximallyReconvergesKHR) != nullptr;
    summary.is_maximal = summary.is_maximal && is_maximal;
  }
  const auto bottom_up = calls.bottom_up();
  for (auto f = bottom_up.rbegin(); f != bottom_up.rend(); ++f) {
    const FunctionSummary caller = summaries[f->index()];
    if (caller.stages == 0) continue;
    for (const CallRow& call : calls.calls(*f)) {
      FunctionSummary& callee = summaries[call.callee.index()];
      callee.stages |= caller.stages;
      callee.add(caller.group_size);
      callee.derivative_scopes |= caller.derivative_scopes;
      callee.is_maximal = callee.is_maximal && caller.is_maximal;
    }
  }
  for (FunctionSummary& summary : summaries) {
    if (summary.stages != 0) continue;
    summary.stages = OtherStage | wide_modes | ManyInvocations;
    summary.is_maximal = false;
  }
}

void UniformityAnalysis::begin(bool wants_demands) {
  const CallGraph& calls = context_.facts.call_graph();
  FunctionUniformity function(context_);
  order_.clear();
  for (const FunctionIndex f : calls.bottom_up()) {
    FunctionSummary& summary = context_.summaries[f.index()];
    if (!calls.callers(f).empty()) {
      FunctionInput control;
      if (calls.is_recursive(f)) control.state = Divergence::possible;
      summary.inputs.push_back(control);
      if (!calls.is_recursive(f)) function.summarize(f, wants_demands);
    }
    if (summary.may_have_demands) order_.push_back(f);
  }
  std::ranges::reverse(order_);
}

std::optional<std::vector<UniformityStep>> UniformityAnalysis::explain(const FunctionUniformity& function,
                                                                       NodeIndex node, unsigned plane, bool is_strict,
                                                                       std::uint64_t& searched) {
  constexpr int most_callers = 8;
  const FunctionInput* input = nullptr;
  searched += function.node_count();
  std::optional<std::vector<UniformityStep>> steps = function.explain(node, plane, is_strict, input);
  std::optional<FunctionUniformity> caller;
  for (int depth = 0; steps && input != nullptr && depth < most_callers; ++depth) {
    const InstructionIndex call = input->calls[plane];
    if (call.is_none()) break;
    const Port port = input->port;
    const bool is_control = port.kind == PortKind::Control;
    const Word variable = port.kind == PortKind::Global ? port.key : 0;
    using Kind = UniformityStep::Kind;
    steps->insert(steps->begin(), {is_control ? Kind::CallControl : Kind::Call, call, variable});
    caller.emplace(context_);
    caller->analyze(context_.module.function_at(call), false);
    searched += caller->node_count();
    if (caller->is_unknown()) break;
    input = nullptr;
    const auto before = caller->explain(caller->passed(call, port), plane, is_strict, input);
    if (!before) return std::nullopt;
    steps->insert(steps->begin(), before->begin(), before->end());
  }
  return steps;
}

Uniformity Uniformity::read(const Module& module, const Facts& facts) {
  Uniformity result;
  result.values_.assign(module.instruction_count(), 0);
  result.blocks_.assign(module.blocks().size(), 0);
  UniformityAnalysis analysis(module, facts);
  analysis.run(false, [&](const FunctionUniformity& function) {
    const FunctionRow& row = module.functions()[function.function().index()];
    if (function.is_single()) return;
    for (const auto [i, view] : module.instructions(row.all)) {
      const bool has_value = module.result_of(view) != 0 && view.opcode != Op::OpFunction &&
                             view.opcode != Op::OpLabel && view.opcode != Op::OpVariable;
      if (!has_value) continue;
      result.values_[i.index()] = function.is_unknown() ? Divergence::possible : function.of(i).bits;
    }
    for (std::uint32_t b = 0; b < row.block_count; ++b) {
      result.blocks_[row.first_block + b] =
          function.is_unknown() ? Divergence::possible : function.control(LocalBlock(b)).bits;
    }
  });
  return result;
}

}  // namespace vireo::spirv
