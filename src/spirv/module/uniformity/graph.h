// SPDX-License-Identifier: Apache-2.0
//
// The graph of dependences that decides uniformity: a node is divergent if a source of divergence reaches it.
//
// A node represents a value, a branch condition, the control flow in a block or the content of a variable at a point. An
// edge propagates the planes of its mask, one for each scope and grade of divergence. The sources of a node
// are the planes that it has without an edge. So divergence is reachability, and each plane of a node is set at most
// once.
//
// The state of a node is either a word with its planes, or for each plane the set of the function's inputs that reach
// it. The second form gives the summary of a function for its callers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/uniformity.h"

namespace vireo::spirv {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex uniform_node = 0;  ///< the node of everything that is uniform: constants, variables
inline constexpr unsigned plane_count = 14;
/// The planes of possible divergence in each scope.
constexpr std::uint16_t plane_of(UniformityScope scope) {
  return static_cast<std::uint16_t>(1u << static_cast<unsigned>(scope));
}
inline constexpr std::uint16_t quad_plane = plane_of(UniformityScope::Quad),
                               primitive_plane = plane_of(UniformityScope::Primitive),
                               subgroup_plane = plane_of(UniformityScope::Subgroup),
                               group_plane = plane_of(UniformityScope::Group);
/// Two grades of certain divergence: each part of a composite value differs, or some part of it does. The second grade
/// has planes of its own, above those of Divergence, and includes the first one.
inline constexpr std::uint16_t each_part = Divergence::certain & ~Divergence::possible;
inline constexpr unsigned to_some_part = 6;  ///< distance between the planes of the grades
inline constexpr std::uint16_t some_part = each_part << to_some_part;
/// Possible and certain divergence in some scopes.
constexpr std::uint16_t all_grades(unsigned planes) {
  return static_cast<std::uint16_t>(planes | planes << Divergence::scopes |
                                    planes << (Divergence::scopes + to_some_part));
}

/// If each part differs, some part does.
constexpr std::uint16_t with_some_part(std::uint16_t planes) {
  return static_cast<std::uint16_t>(planes | (planes & each_part) << to_some_part);
}
/// The plane of each_part that corresponds to a plane of either grade; other planes are unchanged.
constexpr unsigned to_each_part(unsigned plane) { return (some_part >> plane & 1) != 0 ? plane - to_some_part : plane; }

/// The planes that an edge propagates; above them, flags.
inline constexpr std::uint16_t every_plane = Divergence::all | some_part;
/// The target has no parts, and depends on all parts of the source.
inline constexpr std::uint16_t of_all_parts = every_plane | 1u << 14;
/// The target is a part of the source.
inline constexpr std::uint16_t of_one_part = (every_plane & ~some_part) | 1u << 15;
/// The source is a part of the target.
inline constexpr std::uint16_t to_one_part = every_plane & ~each_part;
/// The same, and each part of the target differs if all its sources differ (UniformityGraph::connect_parts).
inline constexpr std::uint16_t to_one_of_all_parts = to_one_part | 1u << 14 | 1u << 15;
/// Divergence is possible, whatever it is in the source.
inline constexpr std::uint16_t only_possible = Divergence::possible;

/// The planes of a source that an edge propagates.
constexpr std::uint16_t propagated(std::uint16_t state, std::uint16_t mask) {
  unsigned planes = state & mask & every_plane;
  if ((mask & ~every_plane & of_all_parts) != 0) planes |= (state & some_part) >> to_some_part & mask;
  if ((mask & ~every_plane & of_one_part) != 0) planes |= (planes & each_part) << to_some_part;
  return static_cast<std::uint16_t>(planes);
}

/// What a node represents, for the notes that explain a finding.
enum class NodeKind : std::uint8_t {
  Join,       ///< nothing of its own
  Value,      ///< the result of an instruction
  Condition,  ///< the branch at the end of a block
  Choice,     ///< the path that was taken to a block
  LoopExit,   ///< the iteration in which invocations leave a loop
  Departure,  ///< the return or the end of some invocations
  AfterCall,  ///< whether invocations go on together after a call
  Memory,     ///< the content of a variable
  Input,      ///< an input of the function: a parameter, a variable at its entry, control flow at its calls
};

/// The inputs that reach a node, for each plane. Bit 0 represents the sources within the function and its callees, bit n
/// the input n - 1.
struct InputSets {
  std::array<std::uint64_t, plane_count> of_plane{};
};
inline constexpr std::size_t most_inputs = 63;

struct GraphEdge {
  NodeIndex from, to;
  std::uint16_t mask;
};

class UniformityGraph {
 public:
  struct Node {
    NodeKind kind = NodeKind::Join;
    std::uint16_t sources = 0;                        ///< planes
    InstructionIndex where;                           ///< for notes
    std::uint32_t loop = 0;                           ///< the innermost loop (a region) of the node
    std::uint64_t varies = 0;                         ///< loops, by depth, in whose iterations the node may differ
    std::uint64_t keeps_varying = ~std::uint64_t{0};  ///< the bits of `varies` that its dependences may set
  };

  void clear();
  NodeIndex add(NodeKind kind, InstructionIndex where, std::uint32_t loop, std::uint16_t sources = 0);
  Node& node(NodeIndex n) { return nodes_[n]; }
  [[nodiscard]] const Node& node(NodeIndex n) const { return nodes_[n]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  void connect(NodeIndex from, NodeIndex to, std::uint16_t mask = every_plane) {
    if (from != uniform_node && from != to) edges_.push_back({from, to, mask});
  }
  /// Edges from the parts of a composite value to the value. Of a value with many parts, none is known to differ.
  void connect_parts(std::span<const NodeIndex> parts, NodeIndex to);
  /// An edge that counts only if `value` differs between iterations of the loop at this depth.
  void connect_if_varying(NodeIndex from, NodeIndex to, NodeIndex value, std::uint32_t depth) {
    if (from == uniform_node) return;
    conditional_.push_back({static_cast<std::uint32_t>(edges_.size()), value, depth});
    edges_.push_back({from, to, 0});
  }

  /// Propagates the sources. Call one of them when the graph is complete.
  void propagate(bool has_loops);
  void propagate_sets(bool has_loops, std::span<const NodeIndex> inputs);

  [[nodiscard]] std::uint16_t state(NodeIndex n) const { return states_[n]; }
  [[nodiscard]] const InputSets& sets(NodeIndex n) const { return sets_[n]; }

  /// A shortest path to `end` from a node whose own sources contain the plane, over nodes that `accepts` accepts. Empty
  /// if there is none. Paths may change between the planes of each_part and some_part; `plane` becomes that of the source.
  [[nodiscard]] std::vector<NodeIndex> path_to(NodeIndex end, unsigned& plane,
                                               const std::function<bool(NodeIndex)>& accepts = {}) const;

  static constexpr std::uint64_t depth_bit(std::uint32_t depth) {
    return std::uint64_t{1} << (depth < 63 ? depth : 63);
  }

 private:
  struct Conditional {
    std::uint32_t edge;
    NodeIndex value;
    std::uint32_t depth;
  };
  /// The sources of a node with connect_parts().
  [[nodiscard]] std::span<const NodeIndex> parts_of(NodeIndex to) const {
    const auto [first, count] = parts_of_.at(to);
    return std::span(parts_).subspan(first, count);
  }
  void sort_edges(NodeIndex GraphEdge::*end, std::vector<std::uint32_t>& begins,
                  std::vector<std::uint32_t>& sorted) const;
  void find_varying();
  template <typename Join>
  void run(Join join);

  std::vector<Node> nodes_;
  std::vector<GraphEdge> edges_;
  std::vector<Conditional> conditional_;
  std::vector<NodeIndex> parts_;
  std::unordered_map<NodeIndex, std::pair<std::size_t, std::size_t>> parts_of_;  // ranges of parts_
  std::vector<std::uint32_t> begins_, sorted_;                                   // edges by source
  mutable std::vector<std::uint32_t> arrival_begins_, arrivals_;                 // edges by target, from the first path
  std::vector<NodeIndex> open_;
  std::vector<char> is_open_;
  std::vector<std::uint16_t> states_;
  std::vector<InputSets> sets_;
};

}  // namespace vireo::spirv
