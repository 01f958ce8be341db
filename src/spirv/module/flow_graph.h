// SPDX-License-Identifier: Apache-2.0
//
// Builds flow graphs: computes block orders and dominator trees from successors.
//
// The caller adds the edges block by block, in order, so the successors form a CSR array directly. All
// other data is computed from them, in memory that is reused from one function to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {

/// A block with its depth-first number, and the state of the Lengauer-Tarjan algorithm. All fields except `block` are
/// such numbers.
struct SearchNode {
  LocalBlock block;
  std::uint32_t parent = 0;    ///< in the search tree; 0: this node is a root, below the virtual root
  std::uint32_t semi = 0;      ///< semidominator; the node itself until it is computed
  std::uint32_t best = 0;      ///< node with the smallest semidominator among the compressed links
  std::uint32_t ancestor = 0;  ///< in the forest of linked nodes; `unlinked` for its roots
  std::uint32_t dominator = 0;
  std::uint32_t bucket = 0;   ///< first of the nodes whose semidominator this is; 0: none
  std::uint32_t sibling = 0;  ///< next node in the bucket; 0: none
};

/// Memory that one ControlFlow reuses for each function.
struct FlowWorkspace {
  struct Frame {
    std::uint32_t number = 0;
    const LocalBlock* next = nullptr;  // the next edge to visit, and the end of the block's edges
    const LocalBlock* end = nullptr;
  };
  std::vector<SearchNode> nodes;     // by number; 0 is the virtual root
  std::vector<Frame> stack;          // of the search, in place of recursion
  std::vector<std::uint32_t> path;   // links to compress; also the parents of a tree
  std::vector<LocalBlock> finished;  // blocks in post-order
  std::uint32_t node_count = 0;      // used part of `nodes`, which never shrinks; likewise for `finished`
  std::uint32_t finished_count = 0;
  std::vector<std::uint32_t> cursors;  // next free place of each row of predecessors
  std::vector<ConstructIndex> headed;  // by block: the construct that its merge instruction opens
};

enum class FlowDirection : std::uint8_t { Forward, Backward };

/// Computes the dominator tree of a graph whose edges are complete.
class DominatorBuilder {
 public:
  DominatorBuilder(const FlowGraph& graph, FlowDirection direction, FlowWorkspace& workspace, DominatorTree& tree)
      : graph_(graph), direction_(direction), w_(workspace), tree_(tree) {}

  /// Numbers all blocks that are reachable from a block and have no number yet.
  void search_from(LocalBlock root);
  /// Builds the tree. Call after the searches.
  void build();
  /// Resets the tree. Call before the searches.
  void begin();

 private:
  [[nodiscard]] std::span<const LocalBlock> next_blocks(LocalBlock b) const {
    return direction_ == FlowDirection::Forward ? graph_.successors(b) : graph_.predecessors(b);
  }
  [[nodiscard]] std::span<const LocalBlock> previous(LocalBlock b) const {
    return direction_ == FlowDirection::Forward ? graph_.predecessors(b) : graph_.successors(b);
  }
  FlowWorkspace::Frame enter(LocalBlock block, std::uint32_t parent);
  std::uint32_t best_above(std::uint32_t number);

  const FlowGraph& graph_;
  FlowDirection direction_;
  FlowWorkspace& w_;
  DominatorTree& tree_;
};

/// Builds a graph: add() the successors of block 0, next_block(), add() those of block 1, …, next_block(), finish().
class FlowGraphBuilder {
 public:
  FlowGraphBuilder(FlowGraph& graph, std::uint32_t block_count, FlowWorkspace& workspace);

  void add(LocalBlock to) { graph_.successors_.push_back(to); }
  void next_block() { graph_.successor_begins_[++blocks_] = static_cast<std::uint32_t>(graph_.successors_.size()); }
  /// Computes all other data. Without `wants_post_dominators` the post-dominator tree is empty.
  void finish(bool wants_post_dominators);

 private:
  void turn_edges_around();
  void find_order_and_dominators();
  void find_post_dominators(DominatorBuilder& dominators);

  FlowGraph& graph_;
  FlowWorkspace& w_;
  std::uint32_t blocks_ = 0;  // number of blocks whose successors are complete
};

}  // namespace vireo::spirv
