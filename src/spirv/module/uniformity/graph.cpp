// SPDX-License-Identifier: Apache-2.0
//
// Propagation along the edges, and paths for explanations.
#include "spirv/module/uniformity/graph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace vireo::spirv {

void UniformityGraph::clear() {
  nodes_.assign(1, {});
  edges_.clear();
  conditional_.clear();
  parts_.clear();
  parts_of_.clear();
  arrivals_.clear();
}

void UniformityGraph::connect_parts(std::span<const NodeIndex> parts, NodeIndex to) {
  constexpr std::size_t most_parts = 32;  // each of them is looked at when one changes
  const bool can_all_differ = parts.size() <= most_parts && std::ranges::find(parts, uniform_node) == parts.end();
  for (const NodeIndex part : parts) connect(part, to, can_all_differ ? to_one_of_all_parts : to_one_part);
  if (!can_all_differ) return;
  parts_of_[to] = {parts_.size(), parts.size()};
  parts_.insert(parts_.end(), parts.begin(), parts.end());
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

// Groups the edges by one of their ends: those of node n are sorted[begins[n]] … sorted[begins[n + 1] - 1].
void UniformityGraph::sort_edges(NodeIndex GraphEdge::*end, std::vector<std::uint32_t>& begins,
                                 std::vector<std::uint32_t>& sorted) const {
  begins.assign(nodes_.size() + 1, 0);
  for (const GraphEdge& edge : edges_) ++begins[edge.*end + std::size_t{1}];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  sorted.resize(edges_.size());
  // The begins move forward while edges are placed, and are moved back at the end.
  for (std::uint32_t e = 0; e < edges_.size(); ++e) sorted[begins[edges_[e].*end]++] = e;
  std::rotate(begins.begin(), begins.end() - 1, begins.end());
  begins[0] = 0;
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
  sort_edges(&GraphEdge::from, begins_, sorted_);
  if (has_loops) find_varying();
  open_.clear();
  is_open_.assign(nodes_.size(), 0);
  states_.resize(nodes_.size());
  for (NodeIndex n = 0; n < nodes_.size(); ++n) {
    states_[n] = with_some_part(nodes_[n].sources);
    if (states_[n] == 0) continue;
    open_.push_back(n);
    is_open_[n] = 1;
  }
  run([&](const GraphEdge& edge) {
    std::uint16_t joined = states_[edge.to] | propagated(states_[edge.from], edge.mask);
    if (edge.mask == to_one_of_all_parts) {
      std::uint16_t common = each_part;
      for (const NodeIndex part : parts_of(edge.to)) common &= states_[part];
      joined |= common;
    }
    return std::exchange(states_[edge.to], joined) != joined;
  });
}

void UniformityGraph::propagate_sets(bool has_loops, std::span<const NodeIndex> inputs) {
  sort_edges(&GraphEdge::from, begins_, sorted_);
  if (has_loops) find_varying();
  open_.clear();
  is_open_.assign(nodes_.size(), 0);
  sets_.assign(nodes_.size(), {});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::uint64_t& set : sets_[inputs[i]].of_plane) set |= std::uint64_t{1} << (i + 1);
    is_open_[inputs[i]] = 1;
  }
  is_open_[uniform_node] = 0;
  for (NodeIndex n = 1; n < nodes_.size(); ++n) {
    if (nodes_[n].sources != 0) {
      const unsigned sources = with_some_part(nodes_[n].sources);
      for (unsigned plane = 0; plane < plane_count; ++plane) sets_[n].of_plane[plane] |= sources >> plane & 1;
      is_open_[n] = 1;
    }
    if (is_open_[n] != 0) open_.push_back(n);
  }
  run([&](const GraphEdge& edge) {
    bool changes = false;
    const InputSets from = sets_[edge.from];  // a copy, which a loop over `to` does not change
    InputSets& to = sets_[edge.to];
    const auto join = [&](unsigned plane, std::uint64_t set) {
      const std::uint64_t joined = to.of_plane[plane] | set;
      changes |= std::exchange(to.of_plane[plane], joined) != joined;
    };
    if ((edge.mask & every_plane) == every_plane) {
      // Most edges. The loop has no branches, so that a compiler can use vectors.
      std::uint64_t added = 0;
      for (unsigned plane = 0; plane < plane_count; ++plane) {
        added |= from.of_plane[plane] & ~to.of_plane[plane];
        to.of_plane[plane] |= from.of_plane[plane];
      }
      changes = added != 0;
    } else {
      for (unsigned planes = edge.mask & every_plane; planes != 0; planes &= planes - 1) {
        const auto plane = static_cast<unsigned>(std::countr_zero(planes));
        join(plane, from.of_plane[plane]);
      }
    }
    if (edge.mask <= every_plane) return changes;
    if (edge.mask == to_one_of_all_parts) {
      for (unsigned planes = each_part; planes != 0; planes &= planes - 1) {
        const auto plane = static_cast<unsigned>(std::countr_zero(planes));
        // A part that differs in any case does not restrict the inputs that matter.
        std::uint64_t common = ~std::uint64_t{0};
        for (const NodeIndex part : parts_of(edge.to)) {
          const std::uint64_t set = sets_[part].of_plane[plane];
          if ((set & 1) == 0) common &= set;
        }
        join(plane, common == ~std::uint64_t{0} ? 1 : common);
      }
      return changes;
    }
    // A set does not tell in which plane of an input it begins, so only sources within the function change the plane.
    unsigned own = 0;
    for (unsigned plane = 0; plane < plane_count; ++plane) {
      if ((from.of_plane[plane] & 1) != 0) own |= 1u << plane;
    }
    for (unsigned planes = propagated(static_cast<std::uint16_t>(own), edge.mask); planes != 0; planes &= planes - 1) {
      join(static_cast<unsigned>(std::countr_zero(planes)), 1);
    }
    return changes;
  });
}

std::vector<NodeIndex> UniformityGraph::path_to(NodeIndex end, unsigned& plane,
                                                const std::function<bool(NodeIndex)>& accepts) const {
  if (accepts && !accepts(end)) return {};
  if (arrivals_.empty()) sort_edges(&GraphEdge::to, arrival_begins_, arrivals_);

  // A step is a node with one of the planes.
  struct Step {
    NodeIndex node;
    bool is_some;
    std::uint32_t towards;  ///< index of the next step to the end
  };
  const bool is_of_some = (some_part >> plane & 1) != 0;
  plane = to_each_part(plane);
  const bool has_grades = (each_part >> plane & 1) != 0;
  const auto bit_of = [plane](bool is_some) {
    return static_cast<std::uint16_t>(1u << (is_some ? plane + to_some_part : plane));
  };
  std::array<std::vector<char>, 2> is_seen{std::vector<char>(nodes_.size()),
                                           std::vector<char>(has_grades ? nodes_.size() : 0)};
  std::vector<Step> steps;
  const auto open = [&](NodeIndex node, bool is_some, std::size_t towards) {
    if ((states_[node] & bit_of(is_some)) == 0 || std::exchange(is_seen[is_some ? 1 : 0][node], 1) != 0) return;
    steps.push_back({node, is_some, static_cast<std::uint32_t>(towards)});
  };
  if (!is_of_some) open(end, false, 0);
  if (has_grades) open(end, true, 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step step = steps[i];
    if ((with_some_part(nodes_[step.node].sources) & bit_of(step.is_some)) != 0) {
      std::vector<NodeIndex> path{step.node};
      for (std::size_t k = i; steps[k].node != end; path.push_back(steps[k].node)) k = steps[k].towards;
      if (step.is_some) plane += to_some_part;
      return path;
    }
    for (std::uint32_t k = arrival_begins_[step.node]; k < arrival_begins_[step.node + std::size_t{1}]; ++k) {
      const GraphEdge& edge = edges_[arrivals_[k]];
      if (accepts && !accepts(edge.from)) continue;
      for (const bool is_some : {false, true}) {
        if (is_some && !has_grades) continue;
        const bool is_of_all = edge.mask == to_one_of_all_parts && is_some == step.is_some;
        const bool is_propagated = (propagated(bit_of(is_some), edge.mask) & bit_of(step.is_some)) != 0;
        if (is_of_all || is_propagated) open(edge.from, is_some, i);
      }
    }
  }
  return {};
}

}  // namespace vireo::spirv
