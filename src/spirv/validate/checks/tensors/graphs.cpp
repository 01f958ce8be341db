// SPDX-License-Identifier: Apache-2.0
//
// Graphs (SPV_ARM_graph): their types, entry points and bodies.
//
// A graph is a list of instructions, with inputs first and outputs last. One walk over the graph section
// finds all errors. It tracks the current graph, its current part, and the inputs and outputs that instructions have
// used.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/checks/checks.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/graph.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Whether a graph may have the instruction between its inputs and outputs.
bool computes_in_graph(Op op) { return is_extended(op) || op == OpCompositeExtract; }

// Whether a type is valid for inputs and outputs: a tensor or an array of tensors. Nested arrays are not allowed,
// because an instruction has only one element index.
bool is_interface_type(const TypeRow& type) {
  if (type.is(TypeKind::Tensor)) return true;
  return (type.is(TypeKind::Array) || type.is(TypeKind::RuntimeArray)) && type.element_type().is(TypeKind::Tensor);
}

// The type of a graph: the number of inputs, and the types of inputs and outputs.
struct GraphShape {
  Word input_count = 0;
  Words types;

  [[nodiscard]] Words inputs() const { return types.first(std::min<std::size_t>(input_count, types.size())); }
  [[nodiscard]] Words outputs() const { return types.subspan(inputs().size()); }
};
GraphShape shape_of(const ModuleCheck& c, const TypeRow& type) {
  const View<OpTypeGraphARM> declaration(c.module.instruction(type.declaration));
  return {declaration.num_inputs(), declaration.in_out_types().words()};
}

// The list of types has the inputs first and then the outputs. A graph needs at least one output.
void check_graph_type(const InstructionCheck& c) {
  const auto graph = c.as<OpTypeGraphARM>();
  const auto input_count = graph.num_inputs();
  const auto types = graph.in_out_types();
  if (input_count > types.size()) {
    c.report(Rule::GraphType, c.at(input_count),
             {"the number of inputs", input_count.value, fmt::format("at most {}, the number of types", types.size())});
  } else if (input_count == types.size()) {
    c.report(Rule::GraphType, c.at(input_count), {"the number of outputs", "0", "at least 1"});
  }
  for (const AnyOperand operand : types) {
    const TypeRow* type = c.types.find(operand);
    if (type != nullptr && is_interface_type(*type)) continue;
    // An operand of a type declaration may be any id, so it may be a value.
    c.report(
        Rule::GraphType, c.at(operand),
        {"an input or output", type != nullptr ? type_name(c, type->id) : id_text(c, operand) + ", which is not a type",
         "a tensor or an array of tensors"});
  }
}

// --- entry points and constants --------------------------------------------------------------------------------------

// Takes O(n log n) time in the words of the section. Memory: one graph, plus the entry point names and the constant
// numbers of the module.
class GraphWalk {
 public:
  explicit GraphWalk(const ModuleCheck& c) : c_(c) {}

  void run() {
    const Module& module = c_.module;
    const auto globals = module.views(module.section(Section::Globals));
    for (auto it = globals.begin(); it != globals.end(); ++it) {
      if (const auto constant = as<OpGraphConstantARM>(*it)) check_constant(*constant, it.index());
    }
    const auto graphs = module.views(module.section(Section::Graphs));
    for (auto it = graphs.begin(); it != graphs.end(); ++it) visit(*it, it.index());
    // The module ends within a graph.
    if (part_ != Part::Outside) {
      c_.report(Rule::GraphLayout, begin_, {"the graph", "has no OpGraphEndARM", "one after its outputs"});
    }
    if (c_.has(Capability::GraphARM) && !has_entry_) c_.report(Rule::GraphEntryMissing, Place::header(0));
  }

 private:
  /// The current part of the graph.
  enum class Part : std::uint8_t { Outside, Inputs, Body, Outputs };

  // The application passes the data of graph constants to the driver by number, so each number is unique.
  void check_constant(View<OpGraphConstantARM> constant, InstructionIndex index) {
    const auto number = constant.graph_constant_id();
    if (constant.view().word_count <= number.word) return;  // truncated
    const TypeRow* type = c_.types.find(constant.result_type());
    // Type and number are independent, so both may be reported.
    if (type != nullptr && !type->is(TypeKind::Tensor)) {
      c_.report(Rule::GraphConstantId, {index, constant.result_type().word},
                {"OpGraphConstantARM has type " + type_name(c_, type->id), "a tensor"});
    }
    if (constant_ids_.insert(number).second) return;
    c_.report(Rule::GraphConstantId, {index, number.word},
              {fmt::format("GraphConstantID {} is used a second time", number.value), "a different number"});
  }

  // Reports an instruction that is out of order, and continues as if it were in order.
  void visit(InstructionView view, InstructionIndex index) {
    const Place place{index, 0};
    switch (view.opcode) {
      case OpGraphEntryPointARM:
        has_entry_ = true;
        if (part_ != Part::Outside) misplaced(view, place, "is inside a graph", "it before all graphs");
        check_entry(View<OpGraphEntryPointARM>(view), index);
        break;
      case OpGraphARM: begin(View<OpGraphARM>(view), place); break;
      case OpGraphInputARM: input(View<OpGraphInputARM>(view), place); break;
      case OpGraphSetOutputARM: output(View<OpGraphSetOutputARM>(view), place); break;
      case OpGraphEndARM:
        if (part_ != Part::Outputs) {
          if (part_ != Part::Outside) {
            misplaced(view, place, "ends a graph without outputs", "OpGraphSetOutputARM before it");
          } else {
            outside(view, place, "OpGraphARM before it");
          }
        }
        part_ = Part::Outside;
        is_outside_reported_ = false;
        break;
      default:
        // Debug information may be anywhere.
        if (is_line(view.opcode)) break;
        if (is_extended(view.opcode) && is_non_semantic(c_, view)) break;
        if (part_ == Part::Outside) {
          outside(view, place, "it before all graphs");
          break;
        }
        if (!computes_in_graph(view.opcode)) {
          c_.report(Rule::GraphInstruction, place, {view.opcode});
          break;
        }
        // All other instructions compute values and must precede the first output.
        if (part_ == Part::Outputs) misplaced(view, place, "follows an output", "it before all outputs");
        if (part_ == Part::Inputs) part_ = Part::Body;
        break;
    }
  }

  void misplaced(InstructionView view, Place place, std::string_view found, std::string_view expected) {
    c_.report(Rule::GraphLayout, place, {view.opcode, found, expected});
  }

  // Each run of instructions between graphs has one finding; it may be a function. If an entry point refers to an
  // undefined graph, the run is that graph without its OpGraphARM.
  void outside(InstructionView view, Place place, std::string_view expected) {
    if (std::exchange(is_outside_reported_, true)) return;
    if (missing_graphs_ != 0) {
      --missing_graphs_;
    } else {
      misplaced(view, place, "is outside any graph", expected);
    }
  }

  // --- entry points ---

  void check_entry(View<OpGraphEntryPointARM> entry, InstructionIndex index) {
    const auto interfaces = entry.interfaces();
    if (interfaces.word() > entry.view().word_count) return;  // truncated: the name is not terminated
    const StringOperand name = entry.name();
    if (!names_.insert(name).second) { c_.report(Rule::GraphEntryName, {index, name.word}, {name}); }
    // Entry points precede the graphs, so the walk has not yet visited the graph.
    const InstructionView named = c_.module.find(entry.graph());
    if (c_.module.definition(entry.graph()).is_none()) {
      missing_graphs_ += undefined_.insert(entry.graph()).second ? 1 : 0;
      return;
    }
    const auto graph = as<OpGraphARM>(named);
    if (!graph) {
      c_.report(Rule::GraphEntryInterface, {index, entry.graph().word},
                {id_text(c_, entry.graph()) + " is the result of " + op_text(c_, named.opcode), "an OpGraphARM"});
      return;
    }
    const TypeRow* type = c_.types.find(graph->result_type());
    if (type != nullptr && type->is(TypeKind::Graph) && c_.soundness.is_sound_type(type->id))
      check_interface(index, interfaces, shape_of(c_, *type).types);
  }

  // The variables correspond to the inputs and outputs in the order of the graph's type.
  void check_interface(InstructionIndex index, IdList<IdKind::Value> variables, Words types) {
    // If the number of variables is wrong, the types cannot be matched.
    if (variables.size() != types.size()) {
      c_.report(Rule::GraphEntryInterface, {index, 0},
                {"the interface has " + counted(variables.size(), "variable"),
                 fmt::format("{}, one for each input and output", types.size())});
      return;
    }
    for (std::size_t i = 0; i < types.size(); ++i) {
      const AnyOperand operand = variables[i];
      const Place place{index, operand.word};
      const InstructionView variable = c_.module.find(operand);
      const TypeRow& pointer = c_.type_of(operand);
      // ids.cpp reports an undefined id, and a type.
      if (c_.find_type_of(operand) == nullptr || !c_.soundness.is_sound(operand)) continue;
      // Tensors are resources that the client binds, so only this storage class is allowed.
      if (!is_variable(variable.opcode) || pointer.storage != StorageClass::UniformConstant) {
        c_.report(Rule::GraphEntryInterface, place,
                  {id_text(c_, operand) + " is not a variable in UniformConstant", "such a variable"});
      } else if (pointer.element != types[i]) {
        c_.report(Rule::GraphEntryInterface, place,
                  {id_text(c_, operand) + " has type " + type_name(c_, pointer.id),
                   "a pointer to " + type_name(c_, types[i])});
      }
    }
  }

  // --- bodies ---

  // For a graph without a valid type, only the order of its instructions is checked.
  void begin(View<OpGraphARM> graph, Place place) {
    if (part_ != Part::Outside) misplaced(graph.view(), place, "is inside a graph", "OpGraphEndARM before it");
    part_ = Part::Inputs;
    is_outside_reported_ = false;
    begin_ = place;
    shape_ = {};
    named_inputs_.clear();
    named_outputs_.clear();
    const TypeRow* type = c_.types.find(graph.result_type());
    if (type == nullptr || !c_.soundness.is_sound_type(type->id)) {
      knows_type_ = false;
      return;
    }
    knows_type_ = type->is(TypeKind::Graph);
    if (knows_type_) {
      shape_ = shape_of(c_, *type);
      return;
    }
    c_.report(Rule::GraphResultType, {place.instruction, graph.result_type().word},
              {"OpGraphARM", type_name(c_, type->id), "a graph type"});
  }

  void input(View<OpGraphInputARM> input, Place place) {
    constexpr std::string_view expected = "it directly after OpGraphARM or another input";
    if (part_ == Part::Outside) return outside(input.view(), place, expected);
    if (part_ != Part::Inputs) misplaced(input.view(), place, "follows other instructions of the graph", expected);
    const auto type = input.result_type();
    check_port({OpGraphInputARM, place.instruction, input.input_index(), input.element_indexs(), type, type.word, 0,
                "input", Rule::VulkanGraphInput},
               shape_.inputs(), named_inputs_);
  }

  void output(View<OpGraphSetOutputARM> output, Place place) {
    if (part_ == Part::Outside) return outside(output.view(), place, "it at the end of a graph");
    part_ = Part::Outputs;
    // The instruction has no result, so the type of the value is checked.
    const auto value = output.value();
    check_port({OpGraphSetOutputARM, place.instruction, output.output_index(), output.element_indexs(),
                c_.module.type_of(value), value.word, value, "output", Rule::VulkanGraphOutput},
               shape_.outputs(), named_outputs_);
  }

  /// An instruction that refers to an input or output.
  struct Port {
    Op opcode;
    InstructionIndex instruction;
    AnyOperand number;
    IdList<IdKind::Value> elements;  ///< empty: the whole input or output
    Word type;                       ///< type of the value
    std::uint16_t value_word;        ///< word offset of the value, or of its type
    Word value;                      ///< 0: the result of the instruction
    std::string_view name;
    Rule vulkan;
  };
  /// The inputs or outputs that instructions have used: the number, and the index of an element.
  using Named = std::set<std::pair<std::int64_t, std::int64_t>>;
  /// The element index for a whole input or output.
  static constexpr std::int64_t whole = std::numeric_limits<std::int64_t>::max();

  /// Indexes may be signed or unsigned, and count from 0.
  static bool is_beyond(std::int64_t index, std::uint64_t count) {
    return index < 0 || static_cast<std::uint64_t>(index) >= count;
  }

  // The type and the range depend on the index, so they are not checked if the index is unknown.
  void check_port(const Port& port, Words types, Named& named) {
    const bool has_element = !port.elements.empty();
    const auto number = index_of(port, port.number, "the index");
    const auto element = has_element ? index_of(port, port.elements[0], "the element's index") : std::nullopt;
    if (!number || !knows_type_) return;
    if (is_beyond(*number, types.size())) {
      c_.report(Rule::GraphIndexRange, {port.instruction, port.number.word},
                {port.name, *number, "the graph", types.size()});
      return;
    }
    check_type(port, types[static_cast<std::size_t>(*number)], has_element, element);
    // An unknown element may be any element, so it is neither compared nor recorded.
    if (!has_element || element) check_twice(port, named, *number, element.value_or(whole));
  }

  // The value of an index; nothing if it is wrong or unknown.
  std::optional<std::int64_t> index_of(const Port& port, AnyOperand operand, std::string_view name) {
    const Place place{port.instruction, operand.word};
    const TypeRow& type = c_.type_of(operand);
    if (type.is(TypeKind::None) || !c_.soundness.is_sound(operand)) return std::nullopt;
    if (!type.is_int(32)) {
      c_.report(Rule::GraphIndex, place, {name, port.opcode, type.id});
      return std::nullopt;
    }
    if (c_.is_vulkan() && !c_.is_constant(operand)) {
      c_.report(port.vulkan, place, {name, op_text(c_, c_.op_of(operand))});
    }
    return c_.constants.as_i64(operand);
  }

  // If the instruction has an element index, the value has the element type of the array; otherwise, the whole type.
  void check_type(const Port& port, Word expected, bool has_element, std::optional<std::int64_t> element) {
    const TypeRow* type = c_.types.find(expected);
    if (type == nullptr) return;
    if (has_element) {
      if (!type->is_array()) {
        c_.report(Rule::GraphElement, {port.instruction, port.elements.word()},
                  {fmt::format("this {}", port.name), type->id});
        return;
      }
      // A runtime array has no length that an index could exceed.
      const auto length = type->is(TypeKind::Array) ? c_.constants.as_u64(type->length) : std::nullopt;
      if (length && element && is_beyond(*element, *length)) {
        c_.report(Rule::GraphIndexRange, {port.instruction, port.elements.word()},
                  {"element", *element, fmt::format("this {}", port.name), *length});
      }
      expected = type->element;
    }
    if (port.type == expected || !c_.soundness.is_sound_type(port.type)) return;
    if (port.value != 0 && !c_.soundness.is_sound(port.value)) return;
    c_.report(Rule::GraphValueType, {port.instruction, port.value_word},
              {fmt::format("this {} of the graph", port.name), type_name_beside(c_, port.type, expected),
               type_name_beside(c_, expected, port.type)});
  }

  // An instruction for a whole array and one for an element of that array are also duplicates.
  void check_twice(const Port& port, Named& named, std::int64_t number, std::int64_t element) {
    // The entry of a whole input or output sorts after those of its elements, so lower_bound() finds the first entry of
    // a number.
    const bool has_whole = named.contains({number, whole});
    const auto any = named.lower_bound({number, 0});
    const bool has_any = any != named.end() && any->first == number;
    const bool is_new = named.insert({number, element}).second;
    if (is_new && !has_whole && (element != whole || !has_any)) return;
    c_.report(Rule::DuplicateGraphIndex, {port.instruction, port.number.word}, {port.name, number});
  }

  const ModuleCheck& c_;
  Part part_ = Part::Outside;
  Place begin_;
  GraphShape shape_;
  bool knows_type_ = false;
  bool has_entry_ = false;
  bool is_outside_reported_ = false;  // since the last graph
  Named named_inputs_, named_outputs_;
  std::set<Word> constant_ids_;
  std::set<Word> undefined_;        // graphs of entry points
  std::size_t missing_graphs_ = 0;  // of those, the ones that no run of instructions explains yet
  std::set<std::string_view> names_;
};

}  // namespace

std::span<const Check> graph_checks() {
  static constexpr Check checks[] = {
      {{OpTypeGraphARM}, check_graph_type},
  };
  return checks;
}

void check_graphs(const ModuleCheck& c) {
  if (c.has(Capability::GraphARM)) GraphWalk(c).run();
}

}  // namespace vireo::spirv
