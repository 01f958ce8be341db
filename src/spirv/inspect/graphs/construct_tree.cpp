// SPDX-License-Identifier: Apache-2.0
//
// Builds the tree of clusters and folds it (construct_tree.h).
#include "spirv/inspect/graphs/construct_tree.h"

#include <algorithm>
#include <limits>

namespace vireo::spirv {
namespace {

// Distributes items to rows: `begins` receives the start of each row; the items of a row keep their order.
template <typename Item, typename RowOf>
void distribute(std::span<const Item> items, std::size_t rows, std::vector<std::uint32_t>& begins,
                std::vector<Item>& grouped, RowOf row_of) {
  begins.assign(rows + 2, 0);
  for (const Item& item : items) ++begins[row_of(item) + 2];
  for (std::size_t i = 2; i < begins.size(); ++i) begins[i] += begins[i - 1];
  grouped.resize(items.size());
  for (const Item& item : items) grouped[begins[row_of(item) + 1]++] = item;
  begins.pop_back();
}

}  // namespace

void ConstructTree::read(const ControlFlow& flow, std::uint32_t most_depth, std::uint32_t most_nodes) {
  block_count_ = flow.block_count();
  read_parents(flow);
  read_order(flow);
  group(flow);
  choose_cut(flow, most_depth, most_nodes);
  hide(most_nodes);
}

// A loop precedes its continue construct among the constructs, so parents precede children.
void ConstructTree::read_parents(const ControlFlow& flow) {
  const std::span<const Construct> constructs = flow.constructs();
  parents_.assign(constructs.size(), ConstructIndex::none());
  depths_.assign(constructs.size(), 1);
  sizes_.assign(constructs.size(), 0);
  std::vector<ConstructIndex> loops(block_count_);  // by continue target
  for (std::size_t i = 0; i < constructs.size(); ++i) {
    const Construct& construct = constructs[i];
    parents_[i] = construct.parent;
    if (construct.kind == Construct::Kind::Loop && !construct.continue_target.is_none()) {
      // In a loop of one block, the loop construct is empty, and the continue construct takes its place.
      const bool is_empty = construct.continue_target == construct.header;
      loops[construct.continue_target.index()] = is_empty ? ConstructIndex::none() : ConstructIndex(i);
    }
    if (construct.kind == Construct::Kind::Continue) {
      const ConstructIndex loop = loops[construct.header.index()];
      if (!loop.is_none() && constructs[loop.index()].parent == construct.parent) parents_[i] = loop;
    }
    if (!parents_[i].is_none()) depths_[i] = depths_[parents_[i].index()] + 1;
  }
  for (std::uint32_t b = 0; b < block_count_; ++b) {
    if (const ConstructIndex c = flow.innermost(LocalBlock(b)); !c.is_none()) ++sizes_[c.index()];
  }
  for (std::size_t i = constructs.size(); i-- > 0;) {
    if (!parents_[i].is_none()) sizes_[parents_[i].index()] += sizes_[i];
  }
}

void ConstructTree::read_order(const ControlFlow& flow) {
  const FlowGraph& graph = flow.structural();
  order_.assign(graph.order().begin(), graph.order().end());
  for (std::uint32_t b = 0; b < block_count_; ++b) {
    if (!graph.is_reachable(LocalBlock(b))) order_.emplace_back(b);
  }
}

void ConstructTree::group(const ControlFlow& flow) {
  const std::size_t top = parents_.size();
  distribute<LocalBlock>(order_, top + 1, block_begins_, blocks_, [&](LocalBlock b) {
    const ConstructIndex c = flow.innermost(b);
    return c.is_none() ? top : c.index();
  });
  std::vector<ConstructIndex> filled;
  for (std::size_t i = 0; i < top; ++i) {
    if (sizes_[i] != 0) filled.emplace_back(i);
  }
  distribute<ConstructIndex>(filled, top + 1, child_begins_, children_, [&](ConstructIndex c) {
    const ConstructIndex parent = parents_[c.index()];
    return parent.is_none() ? top : parent.index();
  });
}

void ConstructTree::choose_cut(const ControlFlow& flow, std::uint32_t most_depth, std::uint32_t most_nodes) {
  const std::uint32_t deepest = depths_.empty() ? 0 : *std::ranges::max_element(depths_);
  // By depth: the blocks directly within constructs, and the constructs.
  std::vector<std::uint32_t> blocks_at(std::size_t{deepest} + 1), constructs_at(std::size_t{deepest} + 2);
  for (std::uint32_t b = 0; b < block_count_; ++b) {
    const ConstructIndex c = flow.innermost(LocalBlock(b));
    ++blocks_at[c.is_none() ? 0 : depth(c)];
  }
  for (std::size_t i = 0; i < parents_.size(); ++i) constructs_at[depths_[i]] += sizes_[i] != 0 ? 1 : 0;
  const std::uint32_t allowed = most_depth == 0 ? deepest : std::min(deepest, most_depth);
  cut_ = 0;
  std::uint64_t shown = 0;
  for (std::uint32_t depth = 0; depth <= allowed; ++depth) {
    shown += blocks_at[depth];
    if (most_nodes == 0 || shown + constructs_at[depth + 1] <= most_nodes) cut_ = depth;
  }

  // The folded construct that contains each construct, if any.
  std::vector<ConstructIndex> folded(parents_.size());
  folded_constructs_ = folded_blocks_ = 0;
  for (std::size_t i = 0; i < parents_.size(); ++i) {
    if (depths_[i] == cut_ + 1) folded[i] = ConstructIndex(i);
    if (depths_[i] > cut_ + 1) folded[i] = folded[parents_[i].index()];
    if (depths_[i] != cut_ + 1 || sizes_[i] == 0) continue;
    ++folded_constructs_;
    folded_blocks_ += sizes_[i];
  }
  drawn_.resize(block_count_);
  for (std::uint32_t b = 0; b < block_count_; ++b) {
    const ConstructIndex c = flow.innermost(LocalBlock(b));
    const bool is_shown = c.is_none() || folded[c.index()].is_none();
    drawn_[b] = is_shown ? b : node(folded[c.index()]);
  }
}

// Keeps the nodes that come first in structural order.
void ConstructTree::hide(std::uint32_t most_nodes) {
  is_hidden_.assign(std::size_t{rest()} + 1, 1);
  hidden_blocks_ = 0;
  std::uint32_t total = 0;
  for (const LocalBlock b : order_) {
    std::uint8_t& is_new = is_hidden_[drawn_[b.index()]];
    total += is_new;
    is_new = 0;
  }
  if (most_nodes == 0 || total <= most_nodes) return;
  is_hidden_.assign(is_hidden_.size(), 1);
  std::uint32_t shown = 1;  // the node that represents the others
  for (const LocalBlock b : order_) {
    const std::uint32_t node = drawn_[b.index()];
    if (is_hidden_[node] != 0 && shown < most_nodes) {
      ++shown;
      is_hidden_[node] = 0;
    }
    if (is_hidden_[node] == 0) continue;
    ++hidden_blocks_;
    if (node >= block_count_) --folded_blocks_;
  }
  for (std::uint32_t c = 0; c < parents_.size(); ++c) {
    const bool is_gone = depths_[c] == cut_ + 1 && sizes_[c] != 0 && is_hidden_[block_count_ + c] != 0;
    folded_constructs_ -= is_gone ? 1 : 0;
  }
}

}  // namespace vireo::spirv
