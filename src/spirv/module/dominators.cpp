// SPDX-License-Identifier: Apache-2.0
//
// Dominator trees after Lengauer and Tarjan (A Fast Algorithm for Finding Dominators in a Flowgraph, 1979), in their
// simple form: O(edges · log blocks) for every graph.
//
// Number the blocks by depth-first search; all later steps work on numbers, from the last to the first. A
// virtual root with number 0 precedes all roots, so that the post-dominators of a function with many exits are not a
// special case. Simpler algorithms are as fast on compiler output, but quadratic in the worst case.
#include <algorithm>

#include "spirv/module/flow_graph.h"

namespace vireo::spirv {
namespace {
constexpr std::uint32_t unlinked = 0xFFFFFFFF;
}  // namespace

void TreeIntervals::build(std::span<const std::uint32_t> parents) {
  const std::size_t count = parents.size();
  spans_.assign(count, {0, 1});
  next_.resize(count);
  for (std::size_t i = count; i-- > 0;) {
    // Parents precede their children, so in reverse order each size is complete when it is added.
    if (parents[i] < count) spans_[parents[i]].size += spans_[i].size;
  }
  // A child takes the next free part of its parent's interval; the first place is the parent's own.
  std::uint32_t next_root = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t& place = parents[i] < count ? next_[parents[i]] : next_root;
    spans_[i].first = place;
    place += spans_[i].size;
    next_[i] = spans_[i].first + 1;
  }
}

// --- search -------------------------------------------------------------------------------------------------------------

void DominatorBuilder::begin() {
  tree_.number_.assign(graph_.block_count(), 0);
  tree_.parent_.assign(graph_.block_count(), LocalBlock::none());
  tree_.work_ = 0;
  // Sized for all blocks at once; enter() writes each entry completely.
  const std::size_t room = std::size_t{graph_.block_count()} + 1;
  if (w_.nodes.size() < room) w_.nodes.resize(room);
  if (w_.stack.size() < room) w_.stack.resize(room);
  if (w_.finished.size() < room) w_.finished.resize(room);
  w_.finished_count = 0;
  w_.node_count = 1;
  w_.nodes[0] = {LocalBlock::none(), 0, 0, 0, unlinked, 0, 0, 0};
}

inline FlowWorkspace::Frame DominatorBuilder::enter(LocalBlock block, std::uint32_t parent) {
  const std::uint32_t number = w_.node_count++;
  tree_.number_[block.index()] = number;
  w_.nodes[number] = {block, parent, number, number, unlinked, 0, 0, 0};
  const std::span<const LocalBlock> edges = next_blocks(block);
  return {number, edges.data(), edges.data() + edges.size()};
}

void DominatorBuilder::search_from(LocalBlock root) {
  if (tree_.number_[root.index()] != 0) return;
  FlowWorkspace::Frame* const stack = w_.stack.data();
  std::size_t depth = 1;
  stack[0] = enter(root, 0);
  while (depth != 0) {
    FlowWorkspace::Frame& top = stack[depth - 1];
    if (top.next == top.end) {
      w_.finished[w_.finished_count++] = w_.nodes[top.number].block;
      --depth;
      continue;
    }
    const LocalBlock to = *top.next++;
    if (tree_.number_[to.index()] == 0) stack[depth++] = enter(to, top.number);
  }
}

// --- dominators ---------------------------------------------------------------------------------------------------------

// Returns the node with the smallest semidominator among the nodes from `number` up to its root in the forest, without
// the root. Also compresses the path: links every node on it to the root's child, so that later calls do not walk it
// again.
std::uint32_t DominatorBuilder::best_above(std::uint32_t number) {
  std::vector<SearchNode>& nodes = w_.nodes;
  ++tree_.work_;
  if (nodes[number].ancestor == unlinked) return number;
  w_.path.clear();
  for (std::uint32_t i = number; nodes[nodes[i].ancestor].ancestor != unlinked; i = nodes[i].ancestor) {
    w_.path.push_back(i);
  }
  tree_.work_ += w_.path.size();
  for (std::size_t i = w_.path.size(); i-- > 0;) {
    SearchNode& node = nodes[w_.path[i]];
    const SearchNode& above = nodes[node.ancestor];
    if (nodes[above.best].semi < nodes[node.best].semi) node.best = above.best;
    node.ancestor = above.ancestor;
  }
  return nodes[number].best;
}

void DominatorBuilder::build() {
  std::vector<SearchNode>& nodes = w_.nodes;
  const std::uint32_t count = w_.node_count;
  tree_.work_ += count;
  for (std::uint32_t i = count - 1; i > 0; --i) {
    SearchNode& node = nodes[i];
    // The virtual root is the predecessor of each root of the search.
    if (node.parent == 0) node.semi = 0;
    for (const LocalBlock from : previous(node.block)) {
      const std::uint32_t number = tree_.number_[from.index()];
      if (number == 0) continue;
      // A node that is not linked yet is its own minimum; most edges are forward edges from such a block.
      node.semi = std::min(node.semi, number <= i ? number : nodes[best_above(number)].semi);
    }
    node.ancestor = node.parent;
    if (node.semi == node.parent) {
      node.dominator = node.parent;  // the bucket would give the same result
    } else {
      node.sibling = nodes[node.semi].bucket;
      nodes[node.semi].bucket = i;
    }
    // All nodes on the path from the parent to the nodes in its bucket are linked now.
    for (std::uint32_t j = nodes[node.parent].bucket; j != 0; j = nodes[j].sibling) {
      const std::uint32_t best = best_above(j);
      nodes[j].dominator = nodes[best].semi < nodes[j].semi ? best : node.parent;
    }
    nodes[node.parent].bucket = 0;
  }

  // A deferred dominator equals the dominator of another node. That node has a smaller number, so its dominator is
  // final.
  w_.path.assign(count, unlinked);
  for (std::uint32_t i = 1; i < count; ++i) {
    SearchNode& node = nodes[i];
    if (node.dominator != node.semi) node.dominator = nodes[node.dominator].dominator;
    w_.path[i] = node.dominator;
    tree_.parent_[node.block.index()] = nodes[node.dominator].block;  // none for the virtual root
  }
  tree_.intervals_.build(w_.path);
}

}  // namespace vireo::spirv
