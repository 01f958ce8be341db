// SPDX-License-Identifier: Apache-2.0
//
// Completes a FlowGraph from its successors: predecessors, reverse post-order, dominators, post-dominators.
//
// The depth-first search that numbers blocks for the dominators leaves them in post-order. Its reverse is
// the block order of the graph, which also identifies the back edges.
#include "spirv/module/flow_graph.h"

#include <algorithm>
#include <numeric>

namespace vireo::spirv {

FlowGraphBuilder::FlowGraphBuilder(FlowGraph& graph, std::uint32_t block_count, FlowWorkspace& workspace)
    : graph_(graph), w_(workspace) {
  graph_.block_count_ = block_count;
  graph_.successors_.clear();
  graph_.successor_begins_.resize(std::size_t{block_count} + 1);
  graph_.successor_begins_[0] = 0;
}

void FlowGraphBuilder::finish(bool wants_post_dominators) {
  turn_edges_around();
  find_order_and_dominators();
  DominatorBuilder post_dominators(graph_, FlowDirection::Backward, w_, graph_.post_dominators_);
  post_dominators.begin();  // clears those of the previous function, even if no new ones are requested
  if (wants_post_dominators) find_post_dominators(post_dominators);
}

// Edges are visited by source block, so each row of predecessors is ascending and equal predecessors are adjacent.
void FlowGraphBuilder::turn_edges_around() {
  std::vector<std::uint32_t>& begins = graph_.predecessor_begins_;
  begins.assign(graph_.block_count_ + 1, 0);
  for (const LocalBlock to : graph_.successors_) ++begins[to.index() + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  w_.cursors.assign(begins.begin(), begins.end());
  graph_.predecessors_.resize(graph_.successors_.size());
  for (std::uint32_t b = 0; b < graph_.block_count_; ++b) {
    for (const LocalBlock to : graph_.successors(LocalBlock(b))) {
      graph_.predecessors_[w_.cursors[to.index()]++] = LocalBlock(b);
    }
  }
}

void FlowGraphBuilder::find_order_and_dominators() {
  DominatorBuilder dominators(graph_, FlowDirection::Forward, w_, graph_.dominators_);
  dominators.begin();
  if (graph_.block_count_ != 0) dominators.search_from(LocalBlock(0));
  graph_.order_.resize(w_.finished_count);
  std::reverse_copy(w_.finished.begin(), w_.finished.begin() + w_.finished_count, graph_.order_.begin());
  graph_.position_.assign(graph_.block_count_, FlowGraph::unreachable);
  for (std::uint32_t i = 0; i < graph_.order_.size(); ++i) graph_.position_[graph_.order_[i].index()] = i;
  dominators.build();
}

// Searches from the exits first. Blocks that reach no exit follow, from the last one in the order. In an infinite loop
// that block is a latch, so the back edge defines the post-dominators of the loop's blocks. Unreachable blocks come
// last.
void FlowGraphBuilder::find_post_dominators(DominatorBuilder& dominators) {
  for (std::uint32_t b = 0; b < graph_.block_count_; ++b) {
    if (graph_.successors(LocalBlock(b)).empty()) dominators.search_from(LocalBlock(b));
  }
  for (std::size_t i = graph_.order_.size(); i-- > 0;) dominators.search_from(graph_.order_[i]);
  for (std::uint32_t b = graph_.block_count_; b-- > 0;) dominators.search_from(LocalBlock(b));
  dominators.build();
}

}  // namespace vireo::spirv
