// SPDX-License-Identifier: Apache-2.0
//
// Builds the graph of a function: its values, the cells of its variables, its inputs and outputs.
#include "spirv/module/uniformity/function_uniformity.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "spirv/grammar/opcode_families.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/module/call_graph.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// Variables with at most so many elements may have one cell for each.
constexpr std::uint64_t most_elements = 32;
/// The number of instructions by which a pointer is followed to its variable.
constexpr int most_links = 32;
/// A function that writes more cells of its callers than this has a write that cannot be followed.
constexpr std::size_t most_outputs = 64;
/// The budget of a function (ControlNodes::spend).
constexpr std::uint64_t free_steps = 16384, steps_a_block = 4, steps_an_instruction = 2;

}  // namespace

// --- pointers ---------------------------------------------------------------------------------------------------------

NodeIndex FunctionUniformity::node_of(Word id) const {
  const InstructionIndex definition = c_.module.definition(id);
  // Constants and variables. An undefined value may be another one in each invocation.
  if (!row_->all.contains(definition)) return c_.module.find(id).opcode == OpUndef ? undefined_ : uniform_node;
  return values_[definition.raw - row_->all.first];
}

// The variable or parameter of a pointer; 0 if it has no single one. `first_index`: the id of the first index into it.
Word FunctionUniformity::root_of(Word pointer, std::uint32_t* first_index) const {
  for (int links = 0; links < most_links; ++links) {
    const InstructionView view = c_.module.find(pointer);
    switch (view.opcode) {
      case OpVariable:
      case OpUntypedVariableKHR:
      case OpFunctionParameter: return pointer;
      case OpCopyObject: pointer = View<OpCopyObject>(view).operand(); break;
      case OpImageTexelPointer: pointer = View<OpImageTexelPointer>(view).image(); break;
      default: {
        const auto chain = access_chain(view);
        if (!chain) return 0;
        if (!chain->indexes.empty() && first_index != nullptr) *first_index = chain->indexes[0];
        pointer = chain->base;
        break;
      }
    }
  }
  return 0;
}

FunctionUniformity::CellPath FunctionUniformity::cell_path(Word pointer) const {
  CellPath path;
  std::size_t indexes = 0;
  Word first = 0;
  for (int links = 0; links < most_links; ++links) {
    const InstructionView view = c_.module.find(pointer);
    if (view.opcode == OpVariable || view.opcode == OpFunctionParameter) {
      path.root = pointer;
      path.is_whole = indexes == 0;
      path.is_exact = indexes == 1;
      if (indexes == 0) return path;
      const std::optional<std::uint64_t> index = c_.constants.as_u64(first);
      if (index && *index < most_elements) path.element = static_cast<std::uint32_t>(*index);
      return path;
    }
    if (view.opcode == OpCopyObject) {
      pointer = View<OpCopyObject>(view).operand();
      continue;
    }
    const auto chain = access_chain(view);
    if (!chain || chain->is_untyped || chain->element) return {};
    if (!chain->indexes.empty()) first = chain->indexes[0];
    indexes += chain->indexes.size();
    pointer = chain->base;
  }
  return {};
}

std::uint32_t FunctionUniformity::element_count(Word root) const {
  const TypeRow& type = c_.types.of(c_.module.type_of(root)).pointee();
  if (!type.is_composite() || type.count > most_elements) return 0;
  return static_cast<std::uint32_t>(type.count);
}

void FunctionUniformity::split(Word root) {
  const std::uint32_t count = element_count(root);
  if (root != 0 && count > 1) split_.emplace(root, count);
}

FunctionSummary* FunctionUniformity::callee_of(InstructionView call, FunctionIndex* index) const {
  const FunctionIndex f = c_.module.function_of(View<OpFunctionCall>(call).function());
  if (f.is_none()) return nullptr;
  if (index != nullptr) *index = f;
  FunctionSummary& summary = c_.summaries[f.index()];
  return summary.is_known ? &summary : nullptr;
}

FunctionUniformity::CellPath FunctionUniformity::path_of(const Port& port, InstructionView call) const {
  const Word pointer = port.kind == PortKind::Global ? port.key : argument_of(call, port.key);
  CellPath path = cell_path(pointer);
  if (port.element == whole_variable || path.root == 0) return path;
  path.is_exact = path.is_whole;
  if (path.is_whole) path.element = port.element;
  path.is_whole = false;
  return path;
}

// A variable gets a cell for each element if an element is written, or if members of a structure or components of a
// vector are read: they are often of different uniformity.
void FunctionUniformity::find_split_variables() {
  split_.clear();
  const auto split_if_small = [&](Word root) {
    if (root == 0) return;
    const TypeRow& type = c_.types.of(c_.module.type_of(root)).pointee();
    if (type.is(TypeKind::Struct) || type.is(TypeKind::Vector)) split(root);
  };
  for (const InstructionView view : c_.module.views(row_->all)) {
    if (view.opcode == OpStore || view.opcode == OpLoad) {
      const Word pointer = named_operand(view, OperandName::pointer);
      if (!is_cell(storage_of(pointer))) continue;
      const CellPath path = cell_path(pointer);
      if (path.is_whole || path.element == whole_variable) continue;
      if (view.opcode == OpStore) split(path.root);
      else split_if_small(path.root);
    } else if (view.opcode == OpFunctionCall) {
      const FunctionSummary* callee = callee_of(view);
      if (callee == nullptr) continue;
      for (const FunctionInput& input : callee->inputs) {
        const bool is_memory = input.port.kind == PortKind::Pointee || input.port.kind == PortKind::Global;
        if (is_memory && input.port.element != whole_variable) split_if_small(path_of(input.port, view).root);
      }
      for (const FunctionOutput& output : callee->outputs) {
        const bool is_memory = output.port.kind == PortKind::Pointee || output.port.kind == PortKind::Global;
        if (!is_memory || output.port.element == whole_variable) continue;
        const CellPath path = path_of(output.port, view);
        if (path.is_exact) split(path.root);
      }
    }
  }
}

template <typename Visit>
void FunctionUniformity::for_each_written_pointer(InstructionView view, Visit visit) const {
  const InstructionRow* row = c_.module.grammar().find_opcode(view.opcode);
  if (row == nullptr || c_.kinds[row->printing_class] == ResultKind::Pure) return;
  switch (view.opcode) {
    // Their literals can look like ids.
    case OpLine:
    case OpSelectionMerge:
    case OpLoopMerge:
    case OpBranchConditional:
    case OpSwitch: return;
    case OpLoad:
    case OpStore:
    case OpFunctionCall:
    case OpFunctionParameter:
    case OpVariable:
    case OpPhi:
    case OpAccessChain:
    case OpInBoundsAccessChain:
    case OpRayQueryProceedKHR: return;
    case OpExtInst:
      if (View<OpExtInst>(view).set() != c_.glsl_set) return;
      break;
    default: break;
  }
  // Results of traversal do not change it.
  if (c_.module.grammar().text(row->name).starts_with("OpRayQueryGet")) return;
  const std::size_t first = row->result_word() == 0 ? 1 : 3;
  for (std::size_t word = first; word < view.word_count; ++word) {
    if (view.opcode == OpExtInst && word < 5) continue;
    const InstructionIndex definition = c_.module.definition(view.word(word));
    if (definition.is_none()) continue;
    const TypeRow& type = c_.types.of(c_.module.type_of(view.word(word)));
    if (type.is_pointer() && is_cell(type.storage)) visit(view.word(word));
    if ((view.opcode == OpCopyMemory || view.opcode == OpCopyMemorySized || view.opcode == OpRayQueryInitializeKHR))
      break;
  }
}

// --- numbering --------------------------------------------------------------------------------------------------------

void FunctionUniformity::number(LocalBlock b) {
  const std::uint32_t loop = regions_.loop_of(b);
  for (const auto [i, view] : c_.module.instructions(flow_.block(b).all)) {
    if (view.opcode == OpLabel) continue;
    const Word result = c_.module.result_of(view);
    if (result != 0 && c_.module.definition(result) == i) {
      values_[i.raw - row_->all.first] = graph_.add(NodeKind::Value, i, loop);
    }
    number_writes(i, view, b);
  }
}

void FunctionUniformity::add_writes(InstructionIndex i, LocalBlock b, const CellPath& path, Word value) {
  // The variable may have other names.
  if (path.root == 0 || c_.decorations.has(path.root, Decoration::Aliased)) has_unknown_write_ = true;
  if (path.root == 0) return;
  for_each_cell(path, [&](std::uint32_t cell, std::uint32_t element, bool is_partial) {
    const NodeIndex node = graph_.add(NodeKind::Join, i, regions_.loop_of(b));
    memory_.add_write(cell, b, i, node, !is_partial && element == whole_variable ? value : 0);
    writes_.push_back({i, cell, element, node, is_partial});
  });
}

void FunctionUniformity::number_writes(InstructionIndex i, InstructionView view, LocalBlock b) {
  if (view.opcode == OpStore) {
    const View<OpStore> store(view);
    if (is_cell(storage_of(store.pointer()))) add_writes(i, b, cell_path(store.pointer()), store.object());
    return;
  }
  if (view.opcode == OpFunctionCall) {
    ControlNodes::Calls& calls = calls_in_[b.index()];
    const FunctionSummary* callee = callee_of(view);
    if (callee == nullptr) {
      has_unknown_write_ = true;
      calls = ControlNodes::Terminates;
      return;
    }
    has_unknown_write_ = has_unknown_write_ || callee->has_unknown_write;
    for (const FunctionOutput& output : callee->outputs) {
      const PortKind kind = output.port.kind;
      if (kind == PortKind::Terminations) calls = ControlNodes::Terminates;
      if (kind == PortKind::Returns && calls == ControlNodes::None) calls = ControlNodes::Any;
      if (kind == PortKind::Pointee || kind == PortKind::Global) add_writes(i, b, path_of(output.port, view));
    }
    return;
  }
  for_each_written_pointer(view, [&](Word pointer) {
    CellPath path = cell_path(pointer);
    // Other instructions may write a part.
    const bool is_whole_write = view.opcode == OpCopyMemory || view.opcode == OpRayQueryInitializeKHR;
    if (!is_whole_write) path.is_exact = false;
    add_writes(i, b, path);
  });
}

// --- inputs -----------------------------------------------------------------------------------------------------------

NodeIndex FunctionUniformity::input(const Port& port) {
  std::vector<FunctionInput>& inputs = summary_->inputs;
  auto at = std::ranges::find(inputs, port, &FunctionInput::port);
  if (at == inputs.end()) {
    if ((has_callers_ && !is_symbolic_) || inputs.size() >= most_inputs) {
      return graph_.add(NodeKind::Value, InstructionIndex(row_->all.first), 0, Divergence::possible);
    }
    FunctionInput fresh;
    fresh.port = port;
    const bool is_recursive = c_.facts.call_graph().is_recursive(function_);
    if (port.kind == PortKind::Global) {
      const bool has_initial = View<OpVariable>(c_.module.find(port.key)).initializer().has_value();
      if (!has_initial && (is_entry_ || !has_callers_)) fresh.state = Divergence::possible;
    } else if (!is_entry_ && !has_callers_) {
      fresh.state = Divergence::possible;
    }
    if (is_recursive) fresh.state = Divergence::possible;
    inputs.push_back(fresh);
    at = inputs.end() - 1;
  }
  const auto number = static_cast<std::size_t>(at - inputs.begin());
  if (number >= input_nodes_.size()) input_nodes_.resize(number + 1, uniform_node);
  if (input_nodes_[number] == uniform_node) {
    const bool is_parameter = port.kind == PortKind::Parameter || port.kind == PortKind::Pointee;
    const Word id = is_parameter && port.key < parameters_.size() ? parameters_[port.key] : 0;
    const InstructionIndex where = id != 0 ? c_.module.definition(id) : InstructionIndex(row_->all.first);
    input_nodes_[number] = graph_.add(NodeKind::Input, where, 0, is_symbolic_ ? std::uint16_t{0} : at->state);
  }
  return input_nodes_[number];
}

NodeIndex FunctionUniformity::cell_at_entry(const MemoryNodes::Cell& cell) {
  const InstructionView root = c_.module.find(cell.root);
  if (root.opcode == OpFunctionParameter) {
    const auto at = std::ranges::find(parameters_, cell.root);
    if (at == parameters_.end()) return uniform_node;
    return input({PortKind::Pointee, static_cast<Word>(at - parameters_.begin()), cell.element});
  }
  if (storage_of(cell.root) == StorageClass::Private) return input({PortKind::Global, cell.root, cell.element});
  if (View<OpVariable>(root).initializer()) return uniform_node;
  // The content is undefined.
  return graph_.add(NodeKind::Memory, c_.module.definition(cell.root), 0, Divergence::possible);
}

std::uint64_t FunctionUniformity::loops_around(LocalBlock b) const {
  const std::uint32_t loop = regions_.loop_of(b);
  if (loop == 0) return 0;
  return (UniformityGraph::depth_bit(regions_[loop].depth) << 1) - 1;
}

// --- the whole function ------------------------------------------------------------------------------------------------

// Returns whether the graph is complete.
bool FunctionUniformity::build(FunctionIndex function, bool is_symbolic, bool wants_demands) {
  function_ = function;
  row_ = &c_.module.functions()[function.index()];
  summary_ = &c_.summaries[function.index()];
  is_symbolic_ = is_symbolic;
  wants_demands_ = wants_demands;
  is_unknown_ = true;
  const CallGraph& calls = c_.facts.call_graph();
  has_callers_ = !calls.callers(function).empty();
  is_entry_ = !calls.entries_of(function).empty();
  graph_.clear();
  demands_.clear();
  call_ports_.clear();
  input_nodes_.clear();
  outputs_.clear();
  block_nodes_.clear();
  if (row_->is_declaration()) return false;
  flow_.read(c_.module, *row_, PostDominators::OfLoops);
  regions_.read(flow_);
  if (!regions_.is_reducible()) return false;

  values_.assign(row_->all.size(), uniform_node);
  block_nodes_.assign(flow_.block_count(), uniform_node);
  calls_so_far_.assign(flow_.block_count(), uniform_node);
  calls_in_.assign(flow_.block_count(), ControlNodes::None);
  parameters_.clear();
  writes_.clear();
  pointer_phis_.clear();
  resources_.clear();
  elements_.clear();
  objects_.clear();
  next_write_ = 0;
  has_unknown_write_ = false;
  undefined_ = graph_.add(NodeKind::Value, InstructionIndex(row_->all.first), 0, Divergence::possible);
  memory_.begin(flow_, regions_, [this](const MemoryNodes::Cell& cell) { return cell_at_entry(cell); });

  for (const auto [i, view] : c_.module.instructions(row_->prologue)) {
    if (view.opcode == OpFunctionParameter) parameters_.push_back(c_.module.result_of(view));
  }
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const InstructionIndex definition = c_.module.definition(parameters_[p]);
    if (!row_->all.contains(definition)) continue;
    const TypeRow& type = c_.types.of(c_.module.type_of(parameters_[p]));
    values_[definition.raw - row_->all.first] = input({PortKind::Parameter, static_cast<Word>(p), 0});
    if (type.is_pointer() && !is_cell(type.storage)) {
      resources_[parameters_[p]] = input({PortKind::Resource, static_cast<Word>(p), 0});
    }
  }
  find_split_variables();
  const FlowGraph& order = flow_.structural();
  const FlowGraph& plain = flow_.plain();
  for (const LocalBlock b : order.order()) {
    if (plain.is_reachable(b)) number(b);
  }
  const std::uint64_t budget =
      free_steps + steps_a_block * flow_.block_count() + steps_an_instruction * row_->all.size();
  control_.read(flow_, regions_, calls_in_, summary_->is_maximal, budget);
  if (!is_symbolic) {
    graph_.connect(input({PortKind::Control, 0, 0}), control_.entry());
    for (const LocalBlock b : plain.order()) block_nodes_[b.index()] = control_.control(b);
  }
  for (const LocalBlock b : order.order()) {
    if (!plain.is_reachable(b)) continue;
    for (const auto [i, view] : c_.module.instructions(flow_.block(b).all)) {
      if (control_.is_exhausted()) demand_all(i, view, b);
      else connect(i, view, b);
    }
  }
  connect_pointer_phis();
  if (is_symbolic) finish_outputs();
  memory_.finish();
  is_unknown_ = control_.is_exhausted();
  for (UniformityDemand& demand : demands_) {
    if (is_unknown_ && demand.node != uniform_node) demand.node = undefined_;
  }
  return !is_unknown_;
}

void FunctionUniformity::finish_outputs() {
  const std::span<const LocalBlock> returns = control_.returns();
  const NodeIndex result = graph_.add(NodeKind::Join, InstructionIndex(row_->all.first), 0);
  Word first_value = 0;
  NodeIndex choice = uniform_node;
  if (returns.size() > 1) {
    choice = graph_.add(NodeKind::Join, InstructionIndex(row_->all.first), 0);
    control_.connect_returns(choice);
  }
  bool differs = false;
  for (const LocalBlock b : returns) {
    const auto value = as<OpReturnValue>(c_.module.instruction(flow_.block(b).terminator));
    if (!value) continue;
    graph_.connect(use(value->value(), b), result);
    differs = differs || (first_value != 0 && first_value != value->value());
    first_value = value->value();
  }
  if (differs) graph_.connect(choice, result);
  outputs_.push_back({{PortKind::Result, 0, 0}, result});
  if (control_.terminations() != uniform_node) {
    outputs_.push_back({{PortKind::Terminations, 0, 0}, control_.terminations()});
  }
  if (choice != uniform_node && !summary_->is_maximal) outputs_.push_back({{PortKind::Returns, 0, 0}, choice});

  std::vector<std::pair<Port, std::uint32_t>> written;  // cells of the callers
  for (std::uint32_t cell = 0; cell < memory_.cells().size(); ++cell) {
    if (!memory_.is_written(cell)) continue;
    const MemoryNodes::Cell& row = memory_.cells()[cell];
    if (const auto at = std::ranges::find(parameters_, row.root); at != parameters_.end()) {
      written.push_back({{PortKind::Pointee, static_cast<Word>(at - parameters_.begin()), row.element}, cell});
    } else if (storage_of(row.root) == StorageClass::Private) {
      written.push_back({{PortKind::Global, row.root, row.element}, cell});
    }
  }
  if (written.size() > most_outputs) {
    has_unknown_write_ = true;
    return;
  }
  for (const auto& [port, cell] : written) {
    const NodeIndex content = graph_.add(NodeKind::Join, InstructionIndex(row_->all.first), 0);
    control_.spend(returns.size());
    if (control_.is_exhausted()) return;
    for (const LocalBlock b : returns) graph_.connect(memory_.read_after(cell, b), content);
    graph_.connect(choice, content);
    outputs_.push_back({port, content});
  }
}

void FunctionUniformity::summarize(FunctionIndex function, bool wants_demands) {
  if (!build(function, true, wants_demands)) return;
  std::vector<NodeIndex> inputs = input_nodes_;
  inputs.resize(summary_->inputs.size(), uniform_node);
  graph_.propagate_sets(regions_.has_loops(), inputs);
  for (const auto& [port, node] : outputs_) summary_->outputs.push_back({port, graph_.sets(node)});
  summary_->has_unknown_write = has_unknown_write_;
  summary_->is_known = true;
  const auto may_have_demands = [&](const CallRow& call) { return c_.summaries[call.callee.index()].may_have_demands; };
  summary_->may_have_demands = !wants_demands || !demands_.empty() ||
                               std::ranges::any_of(c_.facts.call_graph().calls(function), may_have_demands);
}

void FunctionUniformity::analyze(FunctionIndex function, bool wants_demands) {
  if (!build(function, false, wants_demands)) {
    // The graph may be incomplete, so nothing is proven. The callees may be called from anywhere.
    for (const CallRow& call : c_.facts.call_graph().calls(function)) {
      for (FunctionInput& input : c_.summaries[call.callee.index()].inputs) input.state |= Divergence::possible;
    }
    graph_.propagate(false);
    return;
  }
  graph_.propagate(regions_.has_loops());
  for (const CallPort& passed : call_ports_) {
    FunctionInput* to = c_.summaries[passed.callee.index()].find_input(passed.port);
    if (to == nullptr) continue;
    const std::uint16_t state = graph_.state(passed.node);
    for (unsigned plane = 0; plane < plane_count; ++plane) {
      const bool is_new = (state >> plane & 1) != 0 && (to->state >> plane & 1) == 0;
      if (is_new) to->calls[plane] = passed.call;
    }
    to->state |= state;
  }
}

Divergence FunctionUniformity::of(InstructionIndex definition) const {
  if (!row_->all.contains(definition) || values_.size() != row_->all.size()) return {};
  return state(values_[definition.raw - row_->all.first]);
}

NodeIndex FunctionUniformity::passed(InstructionIndex call, const Port& port) const {
  for (const CallPort& each : call_ports_) {
    if (each.call == call && each.port == port) return each.node;
  }
  return uniform_node;
}

std::vector<InstructionIndex> FunctionUniformity::path(NodeIndex node, unsigned plane) const {
  std::vector<InstructionIndex> instructions;
  for (const NodeIndex each : graph_.path_to(node, plane)) instructions.push_back(graph_.node(each).where);
  return instructions;
}

std::optional<std::vector<UniformityStep>> FunctionUniformity::explain(NodeIndex node, unsigned& plane, bool is_strict,
                                                                       const FunctionInput*& input) const {
  using Kind = UniformityStep::Kind;
  input = nullptr;
  std::vector<UniformityStep> steps;
  std::function<bool(NodeIndex)> accepts;
  if (is_strict)
    accepts = [this, each_plane = to_each_part(plane)](NodeIndex each) { return !may_cancel(each, each_plane); };
  const std::vector<NodeIndex> path = graph_.path_to(node, plane, accepts);
  if (path.empty()) return std::nullopt;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const UniformityGraph::Node& each = graph_.node(path[i]);
    if (i == 0 && each.kind == NodeKind::Input) {
      const auto at = std::ranges::find(input_nodes_, path[0]);
      if (at != input_nodes_.end()) input = &summary_->inputs[static_cast<std::size_t>(at - input_nodes_.begin())];
      continue;
    }
    if (i == 0) {
      const bool is_call = c_.module.instruction(each.where).opcode == OpFunctionCall;
      const bool is_write = is_call && each.kind == NodeKind::Join;
      const bool is_end = each.kind == NodeKind::AfterCall;
      steps.push_back({is_write ? Kind::CallWrite : is_end ? Kind::CallEnd : Kind::Source, each.where});
      continue;
    }
    switch (each.kind) {
      case NodeKind::Condition: steps.push_back({Kind::Branch, each.where}); break;
      case NodeKind::Choice: steps.push_back({Kind::Choice, each.where}); break;
      case NodeKind::LoopExit: steps.push_back({Kind::LoopExit, each.where}); break;
      case NodeKind::Departure: steps.push_back({Kind::Departure, each.where}); break;
      case NodeKind::AfterCall: steps.push_back({Kind::CallEnd, each.where}); break;
      case NodeKind::Value:
        // Of several values in a row only the last one matters.
        if (!steps.empty() && steps.back().kind == Kind::Value) steps.back().where = each.where;
        else steps.push_back({Kind::Value, each.where});
        break;
      default: break;
    }
  }
  return steps;
}

}  // namespace vireo::spirv
