// SPDX-License-Identifier: Apache-2.0
//
// Ranks of units, and the order of globals (canonical_order.h).
//
// The operands of an instruction are ordered, so a walk from the entry points reaches units in an order
// that depends neither on ids nor on the order of declarations. Only units that this walk does not reach need keys.
//
// Source: specification 2.4 (logical layout; forward references), 3.42.6 (OpTypeForwardPointer).
#include "spirv/transform/canonical_order.h"

#include <algorithm>
#include <span>
#include <utility>

#include "spirv/module/opcode_traits.h"
#include "spirv/transform/unit_keys.h"
#include "spirv/transform/unit_walk.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr auto ignore_unit = [](UnitIndex) {};

InstructionView instruction_of(const UnitGraph& graph, UnitIndex u) {
  return graph.module().instruction(InstructionIndex(graph.unit(u).instructions.first));
}

// The groups in which globals follow each other. Modules compress better together if their types, which are often the
// same, are not mixed with constants and variables.
enum class GlobalGroup : std::uint8_t { Types, Values, Variables };
constexpr GlobalGroup global_groups[] = {GlobalGroup::Types, GlobalGroup::Values, GlobalGroup::Variables};

GlobalGroup global_group_of(const Module& module, InstructionView view) {
  if (is_variable(view.opcode)) return GlobalGroup::Variables;
  return module.type_of(view) == 0 ? GlobalGroup::Types : GlobalGroup::Values;
}

// True for a type that may refer to a pointer before the definition of the pointer.
class ForwardPointers {
 public:
  ForwardPointers(const UnitGraph& graph, const std::vector<std::uint32_t>& components)
      : components_(components), is_declared_(graph.size()) {
    for (const UnitIndex u : graph.globals()) {
      const auto forward = as<OpTypeForwardPointer>(instruction_of(graph, u));
      if (!forward || forward->pointer_type() == 0) continue;
      declarations_.push_back(u);
      is_declared_[graph.unit_of(forward->pointer_type())] = true;
    }
  }
  /// All OpTypeForwardPointer.
  [[nodiscard]] const std::vector<UnitIndex>& declarations() const { return declarations_; }
  // A type in a cycle with the pointer must precede it. All other types follow the pointer, as without a declaration.
  [[nodiscard]] bool is_forward(UnitIndex from, UnitIndex to) const {
    return is_declared_[to] && components_[from] == components_[to];
  }

 private:
  const std::vector<std::uint32_t>& components_;
  std::vector<UnitIndex> declarations_;
  std::vector<bool> is_declared_;
};

// A node beside the units for the workgroup size. Without it, each type would need an edge to each of the constants.
UnitIndex size_node(const UnitGraph& graph) { return static_cast<UnitIndex>(graph.size()); }

// The references that are kept, followed by the decoration operands in `further`, which is sorted by target, and by the
// edges of the workgroup size. `sizes` are the constants that state it.
template <typename Keep>
UnitEdges edges_with(const UnitGraph& graph, const std::vector<DecorationOperand>& further,
                     std::span<const UnitIndex> sizes, Keep&& keep) {
  std::vector<bool> is_sized(graph.size());
  for (const UnitIndex u : graph.sized_types()) is_sized[u] = true;
  UnitEdges edges;
  edges.reserve(graph.size() + 1);
  auto at = further.begin();
  for (UnitIndex u = 0; u < graph.size(); ++u) {
    edges.next_unit();
    for (const UnitIndex to : graph.references(u)) {
      if (keep(u, to)) edges.add(to);
    }
    for (; at != further.end() && at->target == u; ++at) edges.add(at->operand);
    if (is_sized[u]) edges.add(size_node(graph));
  }
  edges.next_unit();
  for (const UnitIndex size : sizes) edges.add(size);
  return edges;
}

}  // namespace

// Decoration operands are edges of their targets as well.
std::vector<std::uint32_t> strong_components(const UnitGraph& graph) {
  std::vector<DecorationOperand> further(graph.decoration_operands().begin(), graph.decoration_operands().end());
  std::ranges::sort(further, {}, &DecorationOperand::target);
  return strong_components(
      edges_with(graph, further, graph.workgroup_sizes(), [](UnitIndex, UnitIndex) { return true; }));
}

// Tarjan's algorithm.
std::vector<std::uint32_t> strong_components(const UnitEdges& edges) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  const auto size = static_cast<UnitIndex>(edges.unit_count());
  std::vector<std::uint32_t> components(size, none), numbers(size), lowest(size);
  std::vector<UnitIndex> open;  // entered, and without a component
  std::uint32_t entered = 0, count = 0;
  UnitWalk walk(edges);
  const auto enter = [&](UnitIndex u) {
    numbers[u] = lowest[u] = entered++;
    open.push_back(u);
  };
  const auto leave = [&](UnitIndex u) {
    for (const UnitIndex to : edges.from(u)) {
      if (components[to] == none) lowest[u] = std::min(lowest[u], lowest[to]);
    }
    if (lowest[u] != numbers[u]) return;
    for (UnitIndex member = no_unit; member != u; open.pop_back()) components[member = open.back()] = count;
    ++count;
  };
  for (UnitIndex u = 0; u < size; ++u) walk.from(u, enter, leave);
  return components;
}

std::vector<std::uint32_t> canonical_ranks(const UnitGraph& graph, const std::vector<std::uint32_t>& components) {
  std::vector<std::uint32_t> ranks(graph.size(), unranked);
  std::uint32_t next = 0;
  UnitWalk walk(graph.references());
  const auto rank_from = [&](UnitIndex root) {
    walk.from(
        root, [&](UnitIndex u) { ranks[u] = next++; }, ignore_unit);
  };
  for (const UnitIndex u : graph.fixed()) rank_from(u);
  for (const UnitIndex u : graph.extended()) rank_from(u);
  if (graph.after_functions() != no_unit) rank_from(graph.after_functions());
  if (next == graph.size()) return ranks;
  for (const UnitIndex u : UnitKeys(graph, components, ranks).roots()) rank_from(u);
  return ranks;
}

std::vector<UnitIndex> canonical_globals(const UnitGraph& graph, const std::vector<std::uint32_t>& components,
                                         const std::vector<std::uint32_t>& ranks) {
  const auto rank_of = [&](UnitIndex u) { return ranks[u]; };
  const ForwardPointers forward(graph, components);
  std::vector<bool> is_global(graph.size());  // except forward declarations
  for (const UnitIndex u : graph.globals()) is_global[u] = true;

  // A forward declaration uses nothing, so all of them can come first.
  std::vector<UnitIndex> order = forward.declarations();
  std::ranges::sort(order, {}, rank_of);
  for (const UnitIndex u : order) is_global[u] = false;

  std::vector<DecorationOperand> further;
  for (const auto& each : graph.decoration_operands()) {
    // A decoration may also refer to a later declaration, which then uses the target.
    if (is_global[each.operand] && components[each.operand] != components[each.target]) further.push_back(each);
  }
  std::ranges::sort(further, {}, [&](const auto& each) { return std::pair(each.target, ranks[each.operand]); });
  // A constant that is computed from such a type cannot precede it.
  std::vector<UnitIndex> sizes;
  for (const UnitIndex u : graph.workgroup_sizes()) {
    if (components[u] != components[size_node(graph)]) sizes.push_back(u);
  }
  std::ranges::sort(sizes, {}, rank_of);
  const UnitEdges precede = edges_with(graph, further, sizes, [&](UnitIndex from, UnitIndex to) {
    return is_global[to] && !forward.is_forward(from, to);
  });
  UnitWalk walk(precede);
  const auto place = [&](UnitIndex root) {
    walk.from(root, ignore_unit, [&](UnitIndex u) {
      if (u != size_node(graph)) order.push_back(u);
    });
  };
  for (const UnitIndex u : graph.extended()) place(u);
  std::vector<UnitIndex> by_rank(graph.globals().begin(), graph.globals().end());
  std::ranges::sort(by_rank, {}, rank_of);
  for (const GlobalGroup group : global_groups) {
    for (const UnitIndex u : by_rank) {
      if (is_global[u] && global_group_of(graph.module(), instruction_of(graph, u)) == group) place(u);
    }
  }
  return order;
}

}  // namespace vireo::spirv
