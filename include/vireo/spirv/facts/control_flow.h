// SPDX-License-Identifier: Apache-2.0
//
// ControlFlow: the control flow between the blocks of one function.
//
// The one idea: the blocks of a function are numbered from 0, and all facts about them are in arrays by that number:
// edges, orders, dominator trees, constructs. A query is then an index or a comparison of two numbers; a subtree is
// an interval. One object reads one function after the other and keeps its memory, so a module of 10,000 functions
// causes few allocations.
//
//   ControlFlow flow;
//   for (const FunctionRow& function : module.functions()) {
//     flow.read(module, function);
//     for (LocalBlock b : flow.plain().order()) … flow.plain().dominators().parent(b) …
//   }
//
// Accepts any function, structured or not, complete or invalid, and never fails: targets that are not blocks are
// listed and make no edge. Time and memory are near-linear in blocks and edges; nothing recurses.
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

/// An edge of a flow graph: a branch from one block to another.
struct VIREO_API FlowEdge {
  LocalBlock from;
  LocalBlock to;
  friend constexpr bool operator==(FlowEdge, FlowEdge) = default;
};

/// A tree over the numbers from 0, stored as intervals: a node is below another if its `first` is in the other's
/// interval. It is built in two passes over an array of parents, in which each parent precedes its children.
class VIREO_API TreeIntervals {
 public:
  /// `parents[i]` is less than i, or at least `parents.size()` for a root.
  void build(std::span<const std::uint32_t> parents);
  /// Whether `inner` is `outer` or a descendant of it.
  [[nodiscard]] bool contains(std::uint32_t outer, std::uint32_t inner) const {
    return spans_[inner].first - spans_[outer].first < spans_[outer].size;  // a negative difference wraps around
  }

 private:
  struct Interval {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };
  std::vector<Interval> spans_;
  std::vector<std::uint32_t> next_;
};

/// The dominator tree of a graph, or, with all edges reversed, its post-dominator tree. The root of the latter is a
/// virtual exit after all blocks without successors. If some blocks reach no such block (an infinite loop), the last
/// of them in FlowGraph::order() becomes an exit, until all blocks reach an exit.
class VIREO_API DominatorTree {
 public:
  /// Whether the tree contains the block: for a dominator tree, whether the entry block reaches it. A post-dominator
  /// tree contains all blocks.
  [[nodiscard]] bool has(LocalBlock b) const { return number_[b.index()] != 0; }
  /// The immediate (post-)dominator. None for the entry block, for blocks that only the virtual exit post-dominates,
  /// and for blocks that are not in the tree.
  [[nodiscard]] LocalBlock parent(LocalBlock b) const { return parent_[b.index()]; }
  /// Whether `a` (post-)dominates `b`: every path to `b` (from `b` to the exit) passes through `a`. A block dominates
  /// itself. A block that is not in the tree dominates nothing and is dominated by nothing. Two comparisons.
  [[nodiscard]] bool dominates(LocalBlock a, LocalBlock b) const {
    const std::uint32_t upper = number_[a.index()], lower = number_[b.index()];
    return upper != 0 && lower != 0 && intervals_.contains(upper, lower);
  }
  /// The number of blocks, edges and links that the last build visited, for tests of linearity.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  friend class DominatorBuilder;
  std::vector<LocalBlock> parent_;     // by block
  std::vector<std::uint32_t> number_;  // by block: preorder number of the depth-first search, from 1; 0: not reached
  TreeIntervals intervals_;            // by number; 0 is the virtual root
  std::uint64_t work_ = 0;
};

/// The blocks of a function with one set of edges.
class VIREO_API FlowGraph {
 public:
  [[nodiscard]] std::uint32_t block_count() const { return block_count_; }
  /// A block appears once for each branch to it, or from it; equal predecessors are adjacent.
  [[nodiscard]] std::span<const LocalBlock> successors(LocalBlock b) const {
    return row(successor_begins_, successors_, b);
  }
  [[nodiscard]] std::span<const LocalBlock> predecessors(LocalBlock b) const {
    return row(predecessor_begins_, predecessors_, b);
  }
  /// Reverse post-order of the blocks that the entry block reaches: except for back edges, each block precedes its
  /// successors.
  [[nodiscard]] std::span<const LocalBlock> order() const { return order_; }
  [[nodiscard]] bool is_reachable(LocalBlock b) const { return position_[b.index()] != unreachable; }
  /// Position in order(). Precondition: the block is reachable.
  [[nodiscard]] std::uint32_t position(LocalBlock b) const { return position_[b.index()]; }
  /// Whether the edge leads back to a block that the depth-first search of order() had not yet left. In a reducible
  /// graph these are the edges whose target dominates their source.
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
  std::vector<std::uint32_t> successor_begins_, predecessor_begins_;  // one entry more than blocks
  std::vector<LocalBlock> successors_, predecessors_;
  std::vector<LocalBlock> order_;
  std::vector<std::uint32_t> position_;
  DominatorTree dominators_, post_dominators_;
};

/// The merge instruction of a block (specification 2.2.5: header, merge block, continue target).
struct VIREO_API MergeRow {
  enum class Kind : std::uint8_t { None, Selection, Loop };
  Kind kind = Kind::None;
  LocalBlock merge;            ///< none: the id is not a block of the function
  LocalBlock continue_target;  ///< of a loop; none: the id is not a block of the function
};

/// A construct of specification 2.11.2, as a part of the structural dominator tree: all blocks that its header
/// dominates, except those that the merge block dominates. In a valid function these are the specification's sets of
/// blocks.
struct VIREO_API Construct {
  enum class Kind : std::uint8_t {
    Selection,  ///< of OpSelectionMerge, unless the terminator is OpSwitch
    Switch,     ///< of OpSelectionMerge with OpSwitch
    Loop,       ///< without its continue construct; empty when the header is the continue target
    Continue,   ///< a sibling of its loop construct, not a child; the header is the continue target
    Case,       ///< child of a Switch; the header is a target of OpSwitch other than the merge block
  };
  Kind kind = Kind::Selection;
  LocalBlock header;
  LocalBlock merge;            ///< its own; for Continue and Case that of the loop and the switch
  LocalBlock continue_target;  ///< of Loop and Continue
  ConstructIndex parent;       ///< the innermost enclosing construct; none at the top level
  /// The innermost Loop or Continue that contains it (or is it), and the innermost Switch inside that one: the
  /// targets of `continue` and `break`.
  ConstructIndex loop;
  ConstructIndex switch_;
  /// The number of enclosing merge instructions, its own included (the control-flow nesting depth of specification
  /// 2.17).
  std::uint32_t depth = 0;
};

/// An operand that must be a block of the function and is not.
struct VIREO_API BadTarget {
  LocalBlock block;
  InstructionIndex instruction;  ///< the terminator or the merge instruction
  std::uint16_t word = 0;        ///< index within the instruction
  Word id = 0;
};

struct FlowWorkspace;  // src/spirv/module/flow_graph.h

/// Which post-dominators a read computes. They are a large part of its cost, and many callers do not need them.
enum class PostDominators : std::uint8_t {
  All,
  OfLoops,  ///< only those of the structural graph, and only if some merge instruction declares a loop
};

/// The control flow of one function: graphs, dominators, constructs.
class VIREO_API ControlFlow {
 public:
  ControlFlow();
  ~ControlFlow();
  ControlFlow(ControlFlow&&) noexcept;
  ControlFlow& operator=(ControlFlow&&) noexcept;

  /// Reads a function of the module and discards the previous one. The module is borrowed until the next read. A
  /// post-dominator tree that was not requested has no blocks.
  void read(const Module& module, const FunctionRow& function, PostDominators which = PostDominators::All);
  void read(const Module&& temporary, const FunctionRow& function, PostDominators which = PostDominators::All) = delete;

  [[nodiscard]] std::uint32_t block_count() const { return static_cast<std::uint32_t>(blocks_.size()); }
  [[nodiscard]] const BlockRow& block(LocalBlock b) const { return blocks_[b.index()]; }
  /// The block with a label; none if no block of this function has it.
  [[nodiscard]] LocalBlock block_of(Word label) const;
  /// The block that contains an instruction; none if no block of this function does. Logarithmic.
  [[nodiscard]] LocalBlock block_at(InstructionIndex i) const;

  /// The graph of the branches only. Successors are in the order of the terminator's operands.
  [[nodiscard]] const FlowGraph& plain() const { return plain_; }
  /// The graph of the branches with additional edges from each header to its merge block and continue target
  /// (specification 2.11.1, structurally reachable, structurally dominates). These edges precede the branches. Its
  /// order keeps constructs together, with their merge blocks after them. Without merge instructions it is the plain
  /// graph.
  [[nodiscard]] const FlowGraph& structural() const { return merge_count_ == 0 ? plain_ : structural_; }
  /// The branches that are back edges of the structural graph, ordered by source block. A block that branches to one
  /// target twice has two of them. Edges that only the structural graph has are not included.
  [[nodiscard]] std::span<const FlowEdge> back_edges() const { return back_edges_; }

  [[nodiscard]] const MergeRow& merge(LocalBlock b) const { return merges_[b.index()]; }
  /// The constructs of structurally reachable headers; a construct follows its parent.
  [[nodiscard]] std::span<const Construct> constructs() const { return constructs_; }
  [[nodiscard]] const Construct& construct(ConstructIndex c) const { return constructs_[c.index()]; }
  /// The innermost construct that contains the block; none if no construct does. A header is in its own construct; a
  /// merge block is not.
  [[nodiscard]] ConstructIndex innermost(LocalBlock b) const { return innermost_[b.index()]; }
  /// Whether a construct or a construct nested in it contains a block. Two comparisons.
  [[nodiscard]] bool has(ConstructIndex c, LocalBlock b) const {
    return !innermost(b).is_none() && is_within(innermost(b), c);
  }
  [[nodiscard]] bool is_within(ConstructIndex inner, ConstructIndex outer) const {
    return construct_tree_.contains(outer.raw, inner.raw);
  }

  /// The targets of terminators and merge instructions that are not blocks of the function, ordered by block.
  [[nodiscard]] std::span<const BadTarget> bad_targets() const { return bad_targets_; }

 private:
  friend class ControlFlowReader;

  // The same; the search is faster the nearer the block is to the one with the index `near`.
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
  Owned<FlowWorkspace> workspace_;  // memory that all reads reuse
};

}  // namespace vireo::spirv
