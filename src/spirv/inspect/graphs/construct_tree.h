// SPDX-License-Identifier: Apache-2.0
//
// ConstructTree: the nested clusters of a function's picture, and the nodes that remain after folding.
//
// A picture within a depth D shows the blocks of all constructs up to depth D, and each construct at depth
// D + 1 as one node. The number of nodes grows with D, so the largest D within the limits is found from the numbers of
// blocks and constructs at each depth. If D = 0 has too many nodes, the last ones become one node.
//
// Unlike ControlFlow, the tree places a continue construct in the cluster of its loop, so that the cluster contains the
// whole loop. Source: specification 2.11.2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {

class ConstructTree {
 public:
  /// Reads the constructs of a function and folds them. `most_depth` and `most_nodes`: 0 is no limit. Linear.
  void read(const ControlFlow& flow, std::uint32_t most_depth, std::uint32_t most_nodes);

  /// The constructs directly within a construct, in the order of ControlFlow; none(): those at the top level. Constructs
  /// without blocks are omitted.
  [[nodiscard]] std::span<const ConstructIndex> children(ConstructIndex c) const {
    return row(child_begins_, children_, c);
  }
  /// The blocks directly within a construct, in structural order; none(): those outside of constructs.
  [[nodiscard]] std::span<const LocalBlock> blocks(ConstructIndex c) const { return row(block_begins_, blocks_, c); }
  /// The number of blocks in a construct and in those within it.
  [[nodiscard]] std::uint32_t size(ConstructIndex c) const { return sizes_[c.index()]; }
  /// The number of enclosing clusters, including this one.
  [[nodiscard]] std::uint32_t depth(ConstructIndex c) const { return depths_[c.index()]; }

  /// Whether the construct is drawn as one node.
  [[nodiscard]] bool is_folded(ConstructIndex c) const { return depth(c) == cut_ + 1; }

  // A node is a block, a folded construct, or the node that represents all hidden ones.
  [[nodiscard]] std::uint32_t node(LocalBlock b) const { return b.raw; }
  [[nodiscard]] std::uint32_t node(ConstructIndex c) const { return block_count_ + c.raw; }
  [[nodiscard]] std::uint32_t rest() const { return block_count_ + static_cast<std::uint32_t>(parents_.size()); }
  /// The node that contains a block.
  [[nodiscard]] std::uint32_t node_with(LocalBlock b) const {
    return is_hidden_[drawn_[b.index()]] != 0 ? rest() : drawn_[b.index()];
  }
  [[nodiscard]] bool is_hidden(std::uint32_t node) const { return is_hidden_[node] != 0; }

  [[nodiscard]] std::uint32_t folded_constructs() const { return folded_constructs_; }  ///< that are drawn
  [[nodiscard]] std::uint32_t folded_blocks() const { return folded_blocks_; }          ///< in these constructs
  [[nodiscard]] std::uint32_t hidden_blocks() const { return hidden_blocks_; }          ///< in rest()

 private:
  template <typename Item>
  [[nodiscard]] std::span<const Item> row(const std::vector<std::uint32_t>& begins, const std::vector<Item>& items,
                                          ConstructIndex c) const {
    const std::size_t i = c.is_none() ? parents_.size() : c.index();
    return std::span(items).subspan(begins[i], begins[i + 1] - begins[i]);
  }
  void read_parents(const ControlFlow& flow);
  void read_order(const ControlFlow& flow);
  void group(const ControlFlow& flow);
  void choose_cut(const ControlFlow& flow, std::uint32_t most_depth, std::uint32_t most_nodes);
  void hide(std::uint32_t most_nodes);

  std::uint32_t block_count_ = 0;
  std::uint32_t cut_ = 0;  // the depth of the innermost clusters
  std::uint32_t folded_constructs_ = 0, folded_blocks_ = 0, hidden_blocks_ = 0;
  std::vector<ConstructIndex> parents_;                     // by construct
  std::vector<std::uint32_t> depths_, sizes_;               // by construct
  std::vector<std::uint32_t> child_begins_, block_begins_;  // the last row is the top level
  std::vector<ConstructIndex> children_;
  std::vector<LocalBlock> blocks_, order_;  // order_: all blocks in structural order, unreachable ones last
  std::vector<std::uint32_t> drawn_;        // by block: its node before some are hidden
  std::vector<std::uint8_t> is_hidden_;     // by node
};

}  // namespace vireo::spirv
