// SPDX-License-Identifier: Apache-2.0
//
// Graphs (SPV_ARM_graph): their types, entry points and bodies.
//
// The one idea: a graph is a list, inputs first, outputs last; so one walk over the section of graphs, which remembers the
// graph that it is in, how far that has come and which of its inputs and outputs were named, sees all that can be wrong.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/binary/literal_string.h"
#include "spirv/validate/checks/extended_sets/extended_sets.h"
#include "spirv/validate/engine/checks.h"

namespace vireo::spirv {
namespace {

using enum Op;

// What goes in and out: tensors, or arrays of them.
// An array of arrays is none: one element is named by one index.
bool is_interface_type(const Context& context, const TypeRow& type) {
  if (type.is(TypeKind::Tensor)) return true;
  return (type.is(TypeKind::Array) || type.is(TypeKind::RuntimeArray)) &&
         context.types.row(type.element_row).is(TypeKind::Tensor);
}

// A graph's type: how many of its types are inputs, and all of them.
struct GraphShape {
  Word input_count = 0;
  Words types;

  [[nodiscard]] Words inputs() const { return types.first(std::min<std::size_t>(input_count, types.size())); }
  [[nodiscard]] Words outputs() const { return types.subspan(inputs().size()); }
};
// Words of OpTypeGraphARM: the result, the number of inputs (a literal), then one type for each.
GraphShape shape_of(const Context& context, const TypeRow& type) {
  const Words words = context.module.instruction(type.declaration).words();
  return words.size() < 3 ? GraphShape{} : GraphShape{words[2], words.subspan(3)};
}

// Inputs come first in the list of types, and what is left are outputs: a graph without any would do nothing.
void check_graph_type(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t first = 3;
  const std::size_t count = visit.from(first).size();
  if (visit.word(2) > count) {
    report.add(Rule::GraphType, visit.at(2),
               {"the number of inputs", std::to_string(visit.word(2)), fmt::format("{} types at most", count)});
  } else if (visit.word(2) == count) {
    report.add(Rule::GraphType, visit.at(2), {"the number of outputs", "0", "1 or more"});
  }
  for (std::size_t i = 0; i < count; ++i) {
    const TypeRow* type = context.types.find(visit.word(first + i));
    if (type == nullptr || is_interface_type(context, *type)) continue;
    report.add(Rule::GraphType, visit.at(first + i),
               {"an input or output", type_text(context, type->id), "a tensor or an array of tensors"});
  }
}

// --- entry points and constants -----------------------------------------------------------------------------------------

// Work grows with the words of the section and, for what was named, with the logarithm of their number. Memory is that
// of one graph, besides the names and numbers of the whole module.
class GraphWalk {
 public:
  GraphWalk(const Context& context, Report& report) : context_(context), report_(report) {}

  void run() {
    const Module& module = context_.module;
    const auto globals = module.views(module.section(Section::Globals));
    for (auto it = globals.begin(); it != globals.end(); ++it) {
      if ((*it).opcode == OpGraphConstantARM) check_constant(*it, it.index());
    }
    const auto graphs = module.views(module.section(Section::Graphs));
    for (auto it = graphs.begin(); it != graphs.end(); ++it) visit(*it, it.index());
    // The module ends within a graph.
    if (part_ != Part::Outside) {
      report_.add(Rule::GraphLayout, begin_, {"the graph", "has no end", "OpGraphEndARM"});
    }
    if (context_.has(Capability::GraphARM) && !has_entry_) report_.add(Rule::GraphEntryMissing, Place::header(0));
  }

 private:
  /// How far the graph has come.
  enum class Part : std::uint8_t { Outside, Inputs, Body, Outputs };

  // Data for a constant is handed to the driver by its number.
  void check_constant(InstructionView view, InstructionIndex index) {
    if (view.word_count < 4) return;
    const TypeRow* type = context_.types.find(view.word(1));
    // Type and number do not depend on each other: both are told.
    if (type != nullptr && !type->is(TypeKind::Tensor)) {
      report_.add(Rule::GraphConstantId, {index, 1},
                  {"a constant of a graph of type " + type_text(context_, type->id), "a tensor"});
    }
    if (constant_ids_.insert(view.word(3)).second) return;
    report_.add(Rule::GraphConstantId, {index, 3},
                {fmt::format("GraphConstantID {} a second time", view.word(3)), "another one"});
  }

  // One fault of order is told where it is met; the walk then goes on as if the instruction stood right.
  void visit(InstructionView view, InstructionIndex index) {
    const Place place{index, 0};
    switch (view.opcode) {
      case OpGraphEntryPointARM:
        has_entry_ = true;
        if (part_ != Part::Outside) misplaced(view, place, "is in a graph", "it in front of graphs");
        check_entry(view, index);
        break;
      case OpGraphARM: begin(view, place); break;
      case OpGraphInputARM: input(view, place); break;
      case OpGraphSetOutputARM: output(view, place); break;
      case OpGraphEndARM:
        if (part_ != Part::Outputs) {
          const bool is_inside = part_ != Part::Outside;
          misplaced(view, place, is_inside ? "ends a graph that sets no output" : "ends no graph",
                    is_inside ? "OpGraphSetOutputARM in front" : "OpGraphARM in front");
        }
        part_ = Part::Outside;
        break;
      case OpLine:
      case OpNoLine: break;  // what is said of a graph may stand anywhere
      default:
        if (is_extended(view.opcode) && is_non_semantic(context_, view)) break;
        // Everything else computes, which has to be done before the first output is set.
        if (part_ == Part::Outputs) misplaced(view, place, "follows an output", "it in front of all outputs");
        if (part_ == Part::Inputs) part_ = Part::Body;
        break;
    }
  }

  void misplaced(InstructionView view, Place place, std::string_view found, std::string_view expected) {
    report_.add(Rule::GraphLayout, place, {op_text(context_, view.opcode), found, expected});
  }

  // --- entry points ---

  void check_entry(InstructionView view, InstructionIndex index) {
    // The name is behind the graph; interfaces follow it.
    const Words words = view.words();
    const std::size_t first = word_behind_string(view, 2);
    if (first > words.size()) return;
    const std::string_view name = literal_string(view, 2);
    if (!names_.insert(name).second) { report_.add(Rule::GraphEntryName, {index, 2}, {name}); }
    // Entry points stand in front of the graphs, so what they name is looked up, not remembered from the walk.
    const InstructionView graph = context_.module.find(words[1]);
    if (graph.first == nullptr) return;
    if (graph.opcode != OpGraphARM) {
      report_.add(Rule::GraphEntryInterface, {index, 1},
                  {id_text(context_, words[1]) + " is the result of " + op_text(context_, graph.opcode), "OpGraphARM"});
      return;
    }
    const TypeRow* type = context_.types.find(graph.word(1));
    if (type != nullptr && type->is(TypeKind::Graph)) check_interface(index, first, shape_of(context_, *type).types);
  }

  // Variables stand for inputs and outputs in the order of the graph's type.
  void check_interface(InstructionIndex index, std::size_t first, Words types) {
    const Words words = context_.module.instruction(index).words().subspan(first);
    // With one variable too few or too many, which belongs to which type is a guess.
    if (words.size() != types.size()) {
      report_.add(Rule::GraphEntryInterface, {index, 0},
                  {fmt::format("an interface of {} variables", words.size()),
                   fmt::format("{}, one for each input and output", types.size())});
      return;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Place place{index, static_cast<std::uint16_t>(first + i)};
      const InstructionView variable = context_.module.find(words[i]);
      const TypeRow* pointer = context_.type_of(words[i]);
      if (variable.first == nullptr || pointer == nullptr) continue;
      // Tensors are resources, which the client binds: they live in this class alone.
      if (!is_variable(variable.opcode) || pointer->storage != StorageClass::UniformConstant) {
        report_.add(Rule::GraphEntryInterface, place,
                    {id_text(context_, words[i]) + " is no variable of UniformConstant", "one"});
      } else if (pointer->element != types[i]) {
        report_.add(Rule::GraphEntryInterface, place,
                    {id_text(context_, words[i]) + " is of type " + type_text(context_, pointer->id),
                     "a pointer to " + type_text(context_, types[i])});
      }
    }
  }

  // --- bodies ---

  // Of a graph whose type is none, only the order of its instructions is judged.
  void begin(InstructionView view, Place place) {
    if (part_ != Part::Outside) misplaced(view, place, "is in a graph", "the end of that first");
    part_ = Part::Inputs;
    begin_ = place;
    shape_ = {};
    named_inputs_.clear();
    named_outputs_.clear();
    const TypeRow* type = context_.types.find(view.word_count > 1 ? view.word(1) : 0);
    knows_type_ = type != nullptr && type->is(TypeKind::Graph);
    if (knows_type_) shape_ = shape_of(context_, *type);
    if (type == nullptr || knows_type_) return;
    report_.add(Rule::ResultShape, {place.instruction, 1}, {"OpGraphARM", type_text(context_, type->id), "a graph"});
  }

  void input(InstructionView view, Place place) {
    if (part_ != Part::Inputs) {
      const bool is_outside = part_ == Part::Outside;
      misplaced(view, place, is_outside ? "is in no graph" : "stands behind other instructions of the graph",
                "it behind OpGraphARM or another input");
      if (is_outside) return;
    }
    if (view.word_count < 4) return;
    // Inputs have the index behind type and result; the type is that of the result.
    judge({view, place.instruction, 3, view.word(1), 1, "input", Rule::VulkanGraphInput}, shape_.inputs(),
          named_inputs_);
  }

  void output(InstructionView view, Place place) {
    if (part_ == Part::Outside) return misplaced(view, place, "is in no graph", "it at the end of one");
    part_ = Part::Outputs;
    if (view.word_count < 3) return;
    // Outputs have no result: the value stands first, and its type is what counts.
    judge({view, place.instruction, 2, context_.module.type_of(view.word(1)), 1, "output", Rule::VulkanGraphOutput},
          shape_.outputs(), named_outputs_);
  }

  /// One input or output.
  struct Port {
    InstructionView view;
    InstructionIndex index;
    std::uint16_t index_word;  ///< of the index; that of an element may follow
    Word type;                 ///< of the value
    std::uint16_t value_word;
    std::string_view name;
    Rule vulkan;
  };
  /// An input or output that was named, and which element of it.
  using Named = std::set<std::pair<std::int64_t, std::int64_t>>;
  /// The second number of one that is named without an element.
  static constexpr std::int64_t whole = std::numeric_limits<std::int64_t>::max();

  /// Indexes are signed or not, and count from 0.
  static bool is_beyond(std::int64_t index, std::uint64_t count) {
    return index < 0 || static_cast<std::uint64_t>(index) >= count;
  }

  // Without a known index nothing can be said of type and range.
  void judge(const Port& port, Words types, Named& named) {
    const bool has_element = port.view.word_count > port.index_word + 1;
    const auto number = index_at(port, port.index_word, "the index");
    const auto element = has_element ? index_at(port, port.index_word + 1u, "the element's index") : std::nullopt;
    if (!number || !knows_type_) return;
    if (is_beyond(*number, types.size())) {
      report_.add(Rule::GraphIndexRange, {port.index, port.index_word},
                  {port.name, std::to_string(*number), "a graph", std::to_string(types.size())});
      return;
    }
    check_type(port, types[static_cast<std::size_t>(*number)], has_element, element);
    // An element that is not known may be any, and is neither the same as another nor remembered.
    if (!has_element || element) check_twice(port, named, *number, element.value_or(whole));
  }

  // The value of an index; nothing when it is wrong, or not to be known.
  std::optional<std::int64_t> index_at(const Port& port, std::size_t word, std::string_view name) {
    const Word id = port.view.word(word);
    const Place place{port.index, static_cast<std::uint16_t>(word)};
    const TypeRow* type = context_.type_of(id);
    if (type == nullptr) return std::nullopt;
    if (!type->is_int(32)) {
      report_.add(Rule::GraphIndex, place, {name, op_text(context_, port.view.opcode), type_text(context_, type->id)});
      return std::nullopt;
    }
    const ConstantKind kind = context_.constants.of(id).kind;
    if (context_.is_vulkan() && (kind == ConstantKind::None || kind == ConstantKind::Undef)) {
      report_.add(port.vulkan, place, {name, op_text(context_, context_.op_of(id))});
    }
    return context_.constants.as_i64(id);
  }

  // An element has the array's element type, the whole has the type itself.
  void check_type(const Port& port, Word expected, bool has_element, std::optional<std::int64_t> element) {
    const TypeRow* type = context_.types.find(expected);
    if (type == nullptr) return;
    if (has_element) {
      if (!type->is_array()) {
        report_.add(Rule::GraphElement, {port.index, static_cast<std::uint16_t>(port.index_word + 1u)},
                    {fmt::format("an {}", port.name), type_text(context_, type->id)});
        return;
      }
      // A runtime array has no length that an index could exceed.
      const auto length = type->is(TypeKind::Array) ? context_.constants.as_u64(type->length) : std::nullopt;
      if (length && element && is_beyond(*element, *length)) {
        report_.add(Rule::GraphIndexRange, {port.index, static_cast<std::uint16_t>(port.index_word + 1u)},
                    {"element", std::to_string(*element), fmt::format("an {}", port.name), std::to_string(*length)});
      }
      expected = type->element;
    }
    if (port.type == 0 || port.type == expected) return;
    report_.add(
        Rule::GraphValueType, {port.index, port.value_word},
        {fmt::format("an {} of the graph", port.name), type_text(context_, port.type), type_text(context_, expected)});
  }

  // As a whole and by elements is twice, too.
  void check_twice(const Port& port, Named& named, std::int64_t number, std::int64_t element) {
    // The whole sorts behind all elements of its number, so the first of a number is found without a search through
    // them.
    const bool has_whole = named.contains({number, whole});
    const auto any = named.lower_bound({number, 0});
    const bool has_any = any != named.end() && any->first == number;
    const bool is_new = named.insert({number, element}).second;
    if (is_new && !has_whole && (element != whole || !has_any)) return;
    report_.add(Rule::GraphIndexTwice, {port.index, port.index_word}, {port.name, std::to_string(number)});
  }

  const Context& context_;
  Report& report_;
  Part part_ = Part::Outside;
  Place begin_;
  GraphShape shape_;
  bool knows_type_ = false;
  bool has_entry_ = false;
  Named named_inputs_, named_outputs_;
  std::set<Word> constant_ids_;
  std::set<std::string_view> names_;
};

}  // namespace

std::span<const Check> graph_checks() {
  static constexpr Check checks[] = {
      {{OpTypeGraphARM}, check_graph_type},
  };
  return checks;
}

void check_graphs(const Context& context, Report& report) {
  if (context.has(Capability::GraphARM)) GraphWalk(context, report).run();
}

}  // namespace vireo::spirv
