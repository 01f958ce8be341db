// SPDX-License-Identifier: Apache-2.0
//
// What the makers of control flow share: successors go in, orders and trees come out.
//
// The one idea: whoever makes a graph names its edges block by block, in order. Successors are then a CSR array as they
// come; all else is worked out from them, in memory that is kept from one function to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/facts/control_flow.h"

namespace vireo::spirv {

/// A block as a depth-first search numbered it, and as Lengauer and Tarjan need it. All but `block` are such numbers.
struct SearchNode {
  LocalBlock block;
  std::uint32_t parent = 0;    ///< in the search tree; 0: a root, below the virtual one
  std::uint32_t semi = 0;      ///< semidominator; itself before that is known
  std::uint32_t best = 0;      ///< of the links that were compressed away, the one with the smallest semidominator
  std::uint32_t ancestor = 0;  ///< in the forest of linked nodes; `unlinked` for its roots
  std::uint32_t dominator = 0;
  std::uint32_t bucket = 0;   ///< first of those whose semidominator this is; 0: none
  std::uint32_t sibling = 0;  ///< next in the bucket; 0: none
};

/// Memory that one ControlFlow uses again and again.
struct FlowWorkspace {
  struct Frame {
    std::uint32_t number = 0;
    const LocalBlock* next = nullptr;  // the next edge to look at, and the end of the block's edges
    const LocalBlock* end = nullptr;
  };
  std::vector<SearchNode> nodes;     // by number; 0 is the virtual root
  std::vector<Frame> stack;          // of the search, in place of recursion
  std::vector<std::uint32_t> path;   // of links to compress; parents of a tree
  std::vector<LocalBlock> finished;  // blocks in the order in which the search left them
  std::uint32_t node_count = 0;      // of `nodes`; it and `finished` only grow
  std::uint32_t finished_count = 0;
  std::vector<std::uint32_t> cursors;  // of rows that are filled
  std::vector<ConstructIndex> headed;  // by block: the construct that its merge instruction opens
};

enum class FlowDirection : std::uint8_t { Forward, Backward };

/// Makes a dominator tree of a graph whose edges are complete.
class DominatorBuilder {
 public:
  DominatorBuilder(const FlowGraph& graph, FlowDirection direction, FlowWorkspace& workspace, DominatorTree& tree)
      : graph_(graph), direction_(direction), w_(workspace), tree_(tree) {}

  /// Numbers all blocks that can be reached from a block, unless they have numbers.
  void search_from(LocalBlock root);
  /// After the searches: the tree.
  void build();
  /// Before them.
  void begin();

 private:
  [[nodiscard]] std::span<const LocalBlock> ahead(LocalBlock b) const {
    return direction_ == FlowDirection::Forward ? graph_.successors(b) : graph_.predecessors(b);
  }
  [[nodiscard]] std::span<const LocalBlock> behind(LocalBlock b) const {
    return direction_ == FlowDirection::Forward ? graph_.predecessors(b) : graph_.successors(b);
  }
  FlowWorkspace::Frame enter(LocalBlock block, std::uint32_t parent);
  std::uint32_t best_above(std::uint32_t number);

  const FlowGraph& graph_;
  FlowDirection direction_;
  FlowWorkspace& w_;
  DominatorTree& tree_;
};

/// Makes a graph: add() for the successors of block 0, next_block(), add() for those of block 1, …, next_block(), finish().
class FlowGraphBuilder {
 public:
  FlowGraphBuilder(FlowGraph& graph, std::uint32_t block_count, FlowWorkspace& workspace);

  void add(LocalBlock to) { graph_.successors_.push_back(to); }
  void next_block() { graph_.successor_begins_[++blocks_] = static_cast<std::uint32_t>(graph_.successors_.size()); }
  /// Without post-dominators their tree has no blocks.
  void finish(bool wants_post_dominators);

 private:
  void turn_edges_around();
  void find_order_and_dominators();
  void find_post_dominators(DominatorBuilder& dominators);

  FlowGraph& graph_;
  FlowWorkspace& w_;
  std::uint32_t blocks_ = 0;  // whose successors are complete
};

}  // namespace vireo::spirv
