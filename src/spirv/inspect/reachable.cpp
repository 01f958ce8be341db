// SPDX-License-Identifier: Apache-2.0
//
// Finds the instructions that roots reach (vireo/spirv/inspect/module_part.h).
//
// A search over the graph of uses. A node also reaches its attributes, such as its names and decorations.
//
// Source: specification 2.4 (logical layout); 3.42.2, 3.42.3 (debug and annotation instructions).
#include <algorithm>
#include <utility>

#include "spirv/module/opcode_traits.h"
#include "spirv/module/sorted_rows.h"
#include "spirv/module/use_graph.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/inspect/module_part.h"

namespace vireo::spirv {
namespace {

// The search finds numbers: that of a node, count_ more for the function of an entry point, any_entry_point().
class Reachability {
 public:
  explicit Reachability(const Module& module)
      : module_(module),
        count_(module.instruction_count()),
        found_(std::size_t{2} * count_ + 1),
        graph_(module, UseGraph::Scope::Module,
               [this](const UseGraph& graph, UseNode n, InstructionView view, std::span<const Word> ids) {
                 read(graph, n, view, ids);
               }) {
    read_lines();
    std::ranges::sort(attributes_);
  }

  std::vector<bool> search(std::span<const InstructionIndex> roots) {
    for (const InstructionIndex root : roots) {
      if (root.raw < count_) found_.add(graph_.node_of(root));
    }
    found_.run([&](std::uint32_t number) { follow(number); });
    std::vector<bool> is_reached(count_);
    for (std::uint32_t i = 0; i < count_; ++i) is_reached[i] = found_.has(graph_.node_of(InstructionIndex(i)));
    return is_reached;
  }

 private:
  using Attribute = std::pair<std::uint32_t, UseNode>;  // the number that it belongs to, and its node

  // Registers how a search reaches an instruction outside functions, other than through uses of its result. `ids` are
  // its operands.
  void read(const UseGraph& graph, UseNode n, InstructionView view, std::span<const Word> ids) {
    const Op opcode = view.opcode;
    const Word first = ids.empty() ? 0 : ids.front();
    if (is_line(opcode) || is_entry_point(opcode)) return;
    if (is_needed_everywhere(opcode)) return found_.add(n);
    if (is_continuation(opcode) || opcode == Op::OpSourceContinued) {
      if (n != 0) attributes_.emplace_back(n - 1, n);
    } else if (applies_group(opcode)) {
      for (std::size_t t = 1; t < ids.size(); ++t) add_attribute(graph, ids[t], n);
    } else if (is_execution_mode(opcode)) {
      add_attribute(graph, first, n, count_);
    } else if (module_.result_of(view) == 0 && !is_code(graph, n)) {
      if (first == 0) return found_.add(n);
      add_attribute(graph, first, n);
      add_workgroup_size(graph, view);
    }
  }

  // Instructions that are part of each module although they use ids or have a result.
  static bool is_needed_everywhere(Op opcode) {
    return opcode == Op::OpExtInstImport || opcode == Op::OpConditionalCapabilityINTEL ||
           opcode == Op::OpConditionalExtensionINTEL;
  }

  // True in the sections of functions and graphs, where only definitions can be reached.
  [[nodiscard]] bool is_code(const UseGraph& graph, UseNode n) const {
    return graph.instructions_of(n).first >=
           std::min(module_.section(Section::Functions).first, module_.section(Section::Graphs).first);
  }

  void add_attribute(const UseGraph& graph, Word target, UseNode attribute, std::uint32_t offset = 0) {
    const InstructionIndex definition = module_.definition(target);
    if (!definition.is_none()) attributes_.emplace_back(offset + graph.node_of(definition), attribute);
  }

  // The constant that has the built-in WorkgroupSize is the size for all entry points, although none refers to it.
  void add_workgroup_size(const UseGraph& graph, InstructionView view) {
    const auto decorate = as<Op::OpDecorate>(view);
    if (!decorate) return;
    const auto built_in = decorate->decoration().BuiltIn();
    const InstructionIndex constant = module_.definition(decorate->target());
    if (!built_in || *built_in != BuiltIn::WorkgroupSize || constant.is_none()) return;
    if (module_.section(Section::Globals).contains(constant)) {
      attributes_.emplace_back(any_entry_point(), graph.node_of(constant));
    }
  }

  // A line belongs to the instructions after it. It ends with the block.
  void read_lines() {
    UseNode line = no_node;
    for (UseNode n = 0; n < graph_.size(); ++n) {
      const InstructionIndex first(graph_.instructions_of(n).first);
      const Op opcode = module_.instruction(first).opcode;
      if (is_line(opcode)) line = n;
      else if (line != no_node) attributes_.emplace_back(n, line);
      if (opcode != Op::OpFunction) continue;
      const FunctionIndex function = module_.function_at(first);
      if (!function.is_none() && !module_.functions()[function.index()].is_declaration()) line = no_node;
    }
  }

  // --- searching ---

  void follow(std::uint32_t number) {
    for (const Attribute& each : rows_with(std::span<const Attribute>(attributes_), number, &Attribute::first)) {
      found_.add(each.second);
    }
    if (number >= graph_.size()) return;
    const InstructionView view = module_.instruction(InstructionIndex(graph_.instructions_of(number).first));
    if (applies_group(view.opcode)) {  // its targets need not be reached
      const InstructionIndex group = module_.definition(AnnotationOperands(view).target());
      if (!group.is_none()) found_.add(graph_.node_of(group));
      return;
    }
    found_.add_all(graph_.uses_of(number));
    if (!is_entry_point(view.opcode)) return;
    found_.add(any_entry_point());
    for (const UseNode use : graph_.uses_of(number)) found_.add(count_ + use);
  }

  [[nodiscard]] std::uint32_t any_entry_point() const { return 2 * count_; }

  const Module& module_;
  const std::uint32_t count_;
  Worklist found_;
  std::vector<Attribute> attributes_;  // sorted, after the constructor
  UseGraph graph_;                     // after the members that its construction fills
};

}  // namespace

std::vector<bool> reachable_instructions(const Module& module, std::span<const InstructionIndex> roots) {
  return Reachability(module).search(roots);
}

}  // namespace vireo::spirv
