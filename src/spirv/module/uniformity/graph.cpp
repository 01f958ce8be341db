// SPDX-License-Identifier: Apache-2.0
//
// Propagation along the edges, and paths for explanations.
#include "spirv/module/uniformity/graph.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace vireo::spirv {

void UniformityGraph::clear() {
  nodes_.assign(1, {});
  edges_.clear();
  conditional_.clear();
}

NodeIndex UniformityGraph::add(NodeKind kind, InstructionIndex where, std::uint32_t loop, std::uint16_t sources) {
  Node node;
  node.kind = kind;
  node.where = where;
  node.loop = loop;
  node.sources = sources;
  nodes_.push_back(node);
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

void UniformityGraph::sort_edges() {
  begins_.assign(nodes_.size() + 1, 0);
  for (const GraphEdge& edge : edges_) ++begins_[edge.from + std::size_t{1}];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  sorted_.resize(edges_.size());
  // The begins move forward while edges are placed, and are moved back at the end.
  for (std::uint32_t e = 0; e < edges_.size(); ++e) sorted_[begins_[edges_[e].from]++] = e;
  std::rotate(begins_.begin(), begins_.end() - 1, begins_.end());
  begins_[0] = 0;
}

// Visits nodes until `join` changes no target. A node's state can change only as often as it has planes or inputs.
template <typename Join>
void UniformityGraph::run(Join join) {
  for (std::size_t next = 0; next < open_.size(); ++next) {
    const NodeIndex from = open_[next];
    is_open_[from] = 0;
    for (std::uint32_t i = begins_[from]; i < begins_[from + std::size_t{1}]; ++i) {
      const GraphEdge& edge = edges_[sorted_[i]];
      if (!join(edge) || is_open_[edge.to] != 0) continue;
      is_open_[edge.to] = 1;
      open_.push_back(edge.to);
    }
    // Forget the visited part of a long queue.
    if (next > nodes_.size() && next * 2 > open_.size()) {
      open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(next) + 1);
      next = static_cast<std::size_t>(-1);
    }
  }
}

// A value that leaves a loop is divergent if invocations leave in different iterations, unless the value is the same in
// all iterations. So the loops in which a node varies are found first.
void UniformityGraph::find_varying() {
  open_.clear();
  is_open_.assign(nodes_.size(), 0);
  for (NodeIndex n = 1; n < nodes_.size(); ++n) {
    if (nodes_[n].varies == 0) continue;
    open_.push_back(n);
    is_open_[n] = 1;
  }
  run([&](const GraphEdge& edge) {
    Node& to = nodes_[edge.to];
    const std::uint64_t joined = to.varies | (nodes_[edge.from].varies & to.keeps_varying);
    return std::exchange(to.varies, joined) != joined;
  });
  for (const Conditional& each : conditional_) {
    if ((nodes_[each.value].varies & depth_bit(each.depth)) != 0) edges_[each.edge].mask = every_plane;
  }
}

void UniformityGraph::propagate(bool has_loops) {
  sort_edges();
  if (has_loops) find_varying();
  open_.clear();
  is_open_.assign(nodes_.size(), 0);
  states_.resize(nodes_.size());
  for (NodeIndex n = 0; n < nodes_.size(); ++n) {
    states_[n] = nodes_[n].sources;
    if (states_[n] == 0) continue;
    open_.push_back(n);
    is_open_[n] = 1;
  }
  run([&](const GraphEdge& edge) {
    const auto joined = static_cast<std::uint16_t>(states_[edge.to] | (states_[edge.from] & edge.mask));
    return std::exchange(states_[edge.to], joined) != joined;
  });
}

void UniformityGraph::propagate_sets(bool has_loops, std::span<const NodeIndex> inputs) {
  sort_edges();
  if (has_loops) find_varying();
  open_.clear();
  is_open_.assign(nodes_.size(), 0);
  sets_.assign(nodes_.size(), {});
  for (NodeIndex n = 0; n < nodes_.size(); ++n) {
    for (unsigned plane = 0; plane < plane_count; ++plane) {
      sets_[n].of_plane[plane] = nodes_[n].sources >> plane & 1;
    }
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::uint64_t& set : sets_[inputs[i]].of_plane) set |= std::uint64_t{1} << (i + 1);
  }
  for (NodeIndex n = 1; n < nodes_.size(); ++n) {
    if (std::ranges::all_of(sets_[n].of_plane, [](std::uint64_t set) { return set == 0; })) continue;
    open_.push_back(n);
    is_open_[n] = 1;
  }
  run([&](const GraphEdge& edge) {
    bool changes = false;
    for (std::uint16_t planes = edge.mask; planes != 0; planes &= static_cast<std::uint16_t>(planes - 1)) {
      const auto plane = static_cast<std::size_t>(std::countr_zero(planes));
      std::uint64_t& to = sets_[edge.to].of_plane[plane];
      const std::uint64_t joined = to | sets_[edge.from].of_plane[plane];
      changes |= std::exchange(to, joined) != joined;
    }
    return changes;
  });
}

std::vector<NodeIndex> UniformityGraph::path_to(NodeIndex end, unsigned plane,
                                                const std::function<bool(NodeIndex)>& accepts) const {
  if (accepts && !accepts(end)) return {};
  const auto has_plane = [plane](std::uint16_t planes) { return (planes >> plane & 1) != 0; };
  // Edges by target; the graph keeps them by source only.
  std::vector<std::uint32_t> begins(nodes_.size() + 1), edges(edges_.size());
  for (const GraphEdge& edge : edges_) ++begins[edge.to + std::size_t{1}];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  for (std::uint32_t e = 0; e < edges_.size(); ++e) edges[next[edges_[e].to]++] = e;

  std::vector<NodeIndex> towards(nodes_.size(), uniform_node), open{end};
  towards[end] = end;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const NodeIndex to = open[i];
    if (has_plane(nodes_[to].sources)) {
      std::vector<NodeIndex> path{to};
      for (NodeIndex n = to; n != end; n = towards[n]) path.push_back(towards[n]);
      return path;
    }
    for (std::uint32_t k = begins[to]; k < begins[to + std::size_t{1}]; ++k) {
      const GraphEdge& edge = edges_[edges[k]];
      if (towards[edge.from] != uniform_node || !has_plane(edge.mask) || !has_plane(states_[edge.from])) continue;
      if (accepts && !accepts(edge.from)) continue;
      towards[edge.from] = to;
      open.push_back(edge.from);
    }
  }
  return {};
}

}  // namespace vireo::spirv
