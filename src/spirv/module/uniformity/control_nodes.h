// SPDX-License-Identifier: Apache-2.0
//
// ControlNodes: the nodes of control flow.
//
// Control flow is uniform in a block if all invocations of the scope came there together. The nodes express that
// relative to the innermost region around the block, because a merge block regains what held at its header:
//
//   - A block depends on its predecessors and on their branch conditions.
//   - A merge block depends on its header, and on the branches that leave the region otherwise: returns, breaks and
//     continues of an outer construct, and the end of invocations.
//   - Around a loop, the iterations of the loop count as one.
//
// Source: specification 2.11 (structured control flow), SPV_KHR_maximal_reconvergence.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "spirv/module/uniformity/graph.h"
#include "spirv/module/uniformity/regions.h"

namespace vireo::spirv {

class ControlNodes {
 public:
  ControlNodes(const Module& module, UniformityGraph& graph) : module_(module), graph_(graph) {}

  /// The calls in a block.
  enum Calls : std::uint8_t {
    None = 0,
    Any = 1,         ///< invocations may return from a call in different control flow
    Terminates = 2,  ///< also, they may end in a call
  };

  /// Adds the nodes of a function. `calls` has a row for each block; `is_maximal`: execution mode
  /// MaximallyReconvergesKHR; `budget`: a limit of the work that is not linear in the function. All but the nodes and
  /// edges are discarded by the next call.
  void read(const ControlFlow& flow, const Regions& regions, std::span<const Calls> calls, bool is_maximal,
            std::uint64_t budget);
  /// Whether the work exceeded the budget; the nodes are then incomplete.
  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }
  /// Counts steps of work that is not linear: climbs through nested regions, and edges between all inputs and all outputs
  /// of calls.
  void spend(std::uint64_t steps) {
    if (steps > budget_) is_exhausted_ = true;
    budget_ -= std::min(steps, budget_);
  }

  /// The node of the branch condition at the end of a block; uniform_node if it has only one target. The caller connects
  /// the condition's value to it.
  [[nodiscard]] NodeIndex condition(LocalBlock b) const { return conditions_[b.index()]; }
  /// The node of the divergence of calls in a block; uniform_node if it has none. The caller connects the calls to it.
  [[nodiscard]] NodeIndex calls(LocalBlock b) const { return calls_[b.index()]; }
  /// The choice of the predecessor from which a block is reached.
  NodeIndex choice(LocalBlock b);
  /// The iteration in which a loop is left.
  [[nodiscard]] NodeIndex exits(std::uint32_t loop) const { return exits_[loop]; }
  /// The control flow in a block, within the function.
  NodeIndex control(LocalBlock b);
  /// A value as it is in a block. If the block is outside of a loop that contains the value's definition, the iteration
  /// in which the loop is left matters.
  NodeIndex seen_from(NodeIndex value, LocalBlock b);
  /// Connects the control flow at all returns to a node, if the function has several returns.
  void connect_returns(NodeIndex to);
  [[nodiscard]] std::span<const LocalBlock> returns() const { return returns_; }
  /// The instructions by which invocations end, relative to the function; uniform_node if there are none.
  [[nodiscard]] NodeIndex terminations() const { return terminations_; }
  /// The control flow at the entry of the function, an input.
  [[nodiscard]] NodeIndex entry() const { return inside_[0]; }

 private:
  [[nodiscard]] bool is_back_edge(LocalBlock from, LocalBlock to) const {
    return regions_->position(to) <= regions_->position(from);
  }
  /// The node of a region's header relative to the region around it.
  [[nodiscard]] NodeIndex header_of(std::uint32_t region) const;
  void connect_path(LocalBlock from, std::uint32_t region, NodeIndex to);
  void connect_departures(LocalBlock from);
  /// `to` is none if the invocation ends; `ends`: the node that then depends on it.
  void connect_departure(LocalBlock from, LocalBlock to, NodeIndex ends, NodeKind kind);
  NodeIndex terminating();
  void connect_arrivals(LocalBlock b);
  NodeIndex add(NodeKind kind, LocalBlock b);

  const Module& module_;
  UniformityGraph& graph_;
  const ControlFlow* flow_ = nullptr;
  const Regions* regions_ = nullptr;
  std::uint64_t budget_ = 0;
  bool is_maximal_ = false, is_exhausted_ = false;
  std::vector<NodeIndex> conditions_, calls_, relative_, choices_, controls_;  // by block
  std::vector<NodeIndex> iterations_, exits_, departures_, inside_;            // by region
  NodeIndex terminations_ = uniform_node;
  std::vector<LocalBlock> returns_;
  std::unordered_map<std::uint64_t, NodeIndex> outside_loops_;  // by value and outermost loop that is left
};

}  // namespace vireo::spirv
