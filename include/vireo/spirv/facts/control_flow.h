// SPDX-License-Identifier: Apache-2.0
//
// ControlFlow: how the blocks of one function follow each other.
//
// The one idea: a function's blocks are numbered from 0, and everything that is known of them stands in arrays by that
// number: edges, orders, dominator trees, constructs. Each question is then an index or a comparison of two numbers;
// what a tree contains is an interval. One object serves function after function and keeps its memory, so a module of
// 10,000 functions allocates as often as its largest ones make it grow.
//
//   ControlFlow flow;
//   for (const FunctionRow& function : module.functions()) {
//     flow.read(module, function);
//     for (LocalBlock b : flow.plain().order()) … flow.plain().dominators().parent(b) …
//   }
//
// It works on whatever a function is, structured or not, whole or broken, and never fails: targets that are no block are
// listed and give no edge. Time and memory are near-linear in blocks and edges; nothing recurses.
//
// Source: specification 2.2.5 (blocks, headers, merge blocks), 2.11 (structured control flow).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/id.h"
#include "vireo/support/owned.h"

namespace vireo::spirv {

using LocalBlock = Id<struct LocalBlockTag, std::uint32_t>;     ///< index into the blocks of one function; entry is 0
using ConstructIndex = Id<struct ConstructTag, std::uint32_t>;  ///< index into ControlFlow::constructs()

/// A branch from one block to another, as a graph has it.
struct VIREO_API FlowEdge {
  LocalBlock from;
  LocalBlock to;
  friend constexpr bool operator==(FlowEdge, FlowEdge) = default;
};

/// A tree over small numbers as intervals: a node lies below another when its `first` is within the other's interval.
/// Made in two passes over an array of parents in which each parent stands before its children.
class VIREO_API TreeIntervals {
 public:
  /// `parents[i]` is below i, or at least `parents.size()` for a root.
  void build(std::span<const std::uint32_t> parents);
  /// Whether `inner` is `outer` or lies below it.
  [[nodiscard]] bool contains(std::uint32_t outer, std::uint32_t inner) const {
    return spans_[inner].first - spans_[outer].first < spans_[outer].size;  // unsigned: what is before is far behind
  }

 private:
  struct Interval {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };
  std::vector<Interval> spans_;
  std::vector<std::uint32_t> next_;
};

/// The dominator tree of a graph or, with all edges turned around, its post-dominator tree. The root of the latter is a
/// virtual exit behind all blocks that lead nowhere. Where blocks lead to no such block (an infinite loop), the last of
/// them in FlowGraph::order() is taken as one, and so on until all blocks lead to an exit.
class VIREO_API DominatorTree {
 public:
  /// Whether the tree has the block: whether the entry block reaches it. A post-dominator tree has all blocks.
  [[nodiscard]] bool has(LocalBlock b) const { return number_[b.index()] != 0; }
  /// The immediate (post-)dominator; none for the entry block, for those that only the virtual exit post-dominates, and
  /// for blocks that the tree does not have.
  [[nodiscard]] LocalBlock parent(LocalBlock b) const { return parent_[b.index()]; }
  /// Whether `a` (post-)dominates `b`: every path to `b` (from `b` to the exit) passes `a`. A block dominates itself; one
  /// that the tree does not have dominates nothing and is dominated by nothing. Two comparisons.
  [[nodiscard]] bool dominates(LocalBlock a, LocalBlock b) const {
    const std::uint32_t upper = number_[a.index()], lower = number_[b.index()];
    return upper != 0 && lower != 0 && intervals_.contains(upper, lower);
  }
  /// Blocks, edges and links that the last build looked at. What tests of linearity count.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  friend class DominatorBuilder;
  std::vector<LocalBlock> parent_;     // by block
  std::vector<std::uint32_t> number_;  // by block: place in the depth-first search, from 1; 0: not reached
  TreeIntervals intervals_;            // by number; 0 is the virtual root
  std::uint64_t work_ = 0;
};

/// The blocks of a function with one set of edges.
class VIREO_API FlowGraph {
 public:
  [[nodiscard]] std::uint32_t block_count() const { return block_count_; }
  /// A block is listed once for each branch to it, or from it; equal predecessors are neighbours.
  [[nodiscard]] std::span<const LocalBlock> successors(LocalBlock b) const {
    return row(successor_begins_, successors_, b);
  }
  [[nodiscard]] std::span<const LocalBlock> predecessors(LocalBlock b) const {
    return row(predecessor_begins_, predecessors_, b);
  }
  /// Reverse post-order of the blocks that the entry block reaches: but for back edges, each stands before those it
  /// branches to.
  [[nodiscard]] std::span<const LocalBlock> order() const { return order_; }
  [[nodiscard]] bool is_reachable(LocalBlock b) const { return position_[b.index()] != unreachable; }
  /// Place in order(). Only for blocks that are reachable.
  [[nodiscard]] std::uint32_t position(LocalBlock b) const { return position_[b.index()]; }
  /// Whether the depth-first search that made order() found the edge to lead back to a block it was still within. In a
  /// reducible graph these are the edges to a block that dominates where they come from.
  [[nodiscard]] bool is_back_edge(FlowEdge e) const {
    return is_reachable(e.from) && is_reachable(e.to) && position(e.to) <= position(e.from);
  }
  [[nodiscard]] const DominatorTree& dominators() const { return dominators_; }
  [[nodiscard]] const DominatorTree& post_dominators() const { return post_dominators_; }

 private:
  friend class FlowGraphBuilder;
  static constexpr std::uint32_t unreachable = 0xFFFFFFFF;

  [[nodiscard]] static std::span<const LocalBlock> row(const std::vector<std::uint32_t>& begins,
                                                       const std::vector<LocalBlock>& blocks, LocalBlock b) {
    return std::span(blocks).subspan(begins[b.index()], begins[b.index() + 1] - begins[b.index()]);
  }

  std::uint32_t block_count_ = 0;
  std::vector<std::uint32_t> successor_begins_, predecessor_begins_;  // one more than blocks
  std::vector<LocalBlock> successors_, predecessors_;
  std::vector<LocalBlock> order_;
  std::vector<std::uint32_t> position_;
  DominatorTree dominators_, post_dominators_;
};

/// What a block's merge instruction declares (specification 2.2.5: header, merge block, continue target).
struct VIREO_API MergeRow {
  enum class Kind : std::uint8_t { None, Selection, Loop };
  Kind kind = Kind::None;
  LocalBlock merge;            ///< none: no block of the function
  LocalBlock continue_target;  ///< of a loop; none: no block of the function
};

/// A construct of specification 2.11.2, as a part of the structural dominator tree: what its header dominates, without
/// what the merge block dominates. In a valid function these are the specification's sets, block by block.
struct VIREO_API Construct {
  enum class Kind : std::uint8_t {
    Selection,  ///< of OpSelectionMerge, but for
    Switch,     ///< that of OpSwitch
    Loop,       ///< without its continue construct; empty when the header is the continue target
    Continue,   ///< beside its loop, not within it; the header is the continue target
    Case,       ///< within a Switch; the header is a target of OpSwitch, unless that is the merge block
  };
  Kind kind = Kind::Selection;
  LocalBlock header;
  LocalBlock merge;            ///< its own; of Continue and Case that of the loop and the switch
  LocalBlock continue_target;  ///< of Loop and Continue
  ConstructIndex parent;       ///< the innermost construct around it; none: there is none
  /// The innermost Loop or Continue that it is or lies in, and the innermost Switch within that one: where `break` and
  /// `continue` lead.
  ConstructIndex loop;
  ConstructIndex switch_;
  /// Merge instructions around, its own included (the control-flow nesting depth of specification 2.17).
  std::uint32_t depth = 0;
};

/// An operand that should name a block of the function, and does not.
struct VIREO_API BadTarget {
  LocalBlock block;
  InstructionIndex instruction;  ///< the terminator or the merge instruction
  std::uint16_t word = 0;        ///< index within the instruction
  Word id = 0;
};

struct FlowWorkspace;  // src/spirv/module/flow_graph.h

/// Which post-dominators a read finds: they are a good part of its work, and not everybody asks for them.
enum class PostDominators : std::uint8_t {
  All,
  OfLoops,  ///< of the structural graph alone, and of that only when some merge instruction declares a loop
};

/// The control flow of one function: graphs, dominators, constructs.
class VIREO_API ControlFlow {
 public:
  ControlFlow();
  ~ControlFlow();
  ControlFlow(ControlFlow&&) noexcept;
  ControlFlow& operator=(ControlFlow&&) noexcept;

  /// Reads a function of the module; what was read before is gone. The module is borrowed until the next read.
  /// A post-dominator tree that was not wanted has no blocks.
  void read(const Module& module, const FunctionRow& function, PostDominators wanted = PostDominators::All);
  void read(const Module&& temporary, const FunctionRow& function,
            PostDominators wanted = PostDominators::All) = delete;

  [[nodiscard]] std::uint32_t block_count() const { return static_cast<std::uint32_t>(blocks_.size()); }
  [[nodiscard]] const BlockRow& block(LocalBlock b) const { return blocks_[b.index()]; }
  /// The block of a label; none when no block of this function has it.
  [[nodiscard]] LocalBlock block_of(Word label) const;
  /// The block that an instruction stands in; none when no block of this function has it. Logarithmic.
  [[nodiscard]] LocalBlock block_at(InstructionIndex i) const;

  /// Branches as they are. Successors stand in the order of the terminator's operands.
  [[nodiscard]] const FlowGraph& plain() const { return plain_; }
  /// Branches, and in front of them edges from each header to its merge block and continue target (specification 2.11.1,
  /// structurally reachable, structurally dominates). Its order keeps constructs together, merge blocks behind them.
  /// Without merge instructions it is the plain graph.
  [[nodiscard]] const FlowGraph& structural() const { return merge_count_ == 0 ? plain_ : structural_; }
  /// The branches that are back edges of the structural graph, ordered by the block they come from. A block that
  /// branches to one target twice gives two of them; edges that only the structural graph has are not among them.
  [[nodiscard]] std::span<const FlowEdge> back_edges() const { return back_edges_; }

  [[nodiscard]] const MergeRow& merge(LocalBlock b) const { return merges_[b.index()]; }
  /// Those that structurally reachable headers declare; a construct stands behind its parent.
  [[nodiscard]] std::span<const Construct> constructs() const { return constructs_; }
  [[nodiscard]] const Construct& construct(ConstructIndex c) const { return constructs_[c.index()]; }
  /// The innermost construct that has the block; none when no construct has it. A header is in its own construct, a merge
  /// block is not.
  [[nodiscard]] ConstructIndex innermost(LocalBlock b) const { return innermost_[b.index()]; }
  /// Whether a construct has a block, inner constructs included. Two comparisons.
  [[nodiscard]] bool has(ConstructIndex c, LocalBlock b) const {
    return !innermost(b).is_none() && is_within(innermost(b), c);
  }
  [[nodiscard]] bool is_within(ConstructIndex inner, ConstructIndex outer) const {
    return construct_tree_.contains(outer.raw, inner.raw);
  }

  /// Targets of terminators and merge instructions that are no block of the function, by block.
  [[nodiscard]] std::span<const BadTarget> bad_targets() const { return bad_targets_; }

 private:
  friend class ControlFlowReader;

  // The same, faster the nearer the block is to the one with the index `near`.
  [[nodiscard]] LocalBlock block_of(Word label, std::size_t near) const;
  [[nodiscard]] LocalBlock block_at(InstructionIndex i, std::size_t near) const;

  const Module* module_ = nullptr;
  std::span<const BlockRow> blocks_;
  FlowGraph plain_, structural_;
  std::vector<MergeRow> merges_;
  std::uint32_t merge_count_ = 0;
  std::vector<FlowEdge> back_edges_;
  std::vector<Construct> constructs_;
  std::vector<ConstructIndex> innermost_;
  TreeIntervals construct_tree_;
  std::vector<BadTarget> bad_targets_;
  Owned<FlowWorkspace> workspace_;  // memory that each read uses anew
};

}  // namespace vireo::spirv
