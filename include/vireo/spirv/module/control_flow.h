// SPDX-License-Identifier: Apache-2.0
//
// ControlFlow: the control flow between the blocks of one function.
//
// The blocks of a function are numbered from 0, and arrays with that index contain edges, orders,
// dominator trees and constructs. A query is then an array access or a comparison of two numbers, because a subtree is
// an interval of numbers. One object reads one function after the other and keeps its memory, so a module of 10,000
// functions causes few allocations.
//
//   ControlFlow flow;
//   for (const FunctionRow& function : module.functions()) {
//     flow.read(module, function);
//     for (LocalBlock b : flow.plain().order()) … flow.plain().dominators().parent(b) …
//   }
//
// Accepts any function, structured or not, complete or invalid, and never fails: targets that are not blocks are listed
// in bad_targets() and have no edge. Time and memory are near-linear in blocks and edges; no function is recursive.
//
// Source: specification 2.2.5 (blocks, headers, merge blocks), 2.11 (structured control flow).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/id.h"
#include "vireo/support/owned.h"

namespace vireo::spirv {

using LocalBlock = Id<struct LocalBlockTag, std::uint32_t>;     ///< index of a block in its function; entry block: 0
using ConstructIndex = Id<struct ConstructTag, std::uint32_t>;  ///< index into ControlFlow::constructs()

/// An edge of a flow graph: a branch from one block to another.
struct VIREO_API FlowEdge {
  LocalBlock from;
  LocalBlock to;
  friend constexpr bool operator==(FlowEdge, FlowEdge) = default;
};

/// A forest whose nodes are numbered from 0. Each node has an interval of preorder numbers, which contains the
/// intervals of its descendants. So the test for a descendant is one comparison.
class VIREO_API TreeIntervals {
 public:
  /// `parents[i]` is the parent of node i and less than i; for a root it is `parents.size()` or more. Linear.
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

/// The dominator tree or the post-dominator tree of a graph. The root of a post-dominator tree is a virtual exit block,
/// the successor of all blocks without successors. If blocks cannot reach the exit (an infinite loop), the last of them
/// in FlowGraph::order() also gets an edge to it. This is repeated until all blocks reach the exit.
class VIREO_API DominatorTree {
 public:
  /// Whether the tree contains the block. A dominator tree contains the blocks that are reachable from the entry block;
  /// a post-dominator tree contains all blocks.
  [[nodiscard]] bool has(LocalBlock b) const { return number_[b.index()] != 0; }
  /// The immediate (post-)dominator. None for the entry block, for blocks that only the virtual exit post-dominates,
  /// and for blocks that are not in the tree.
  [[nodiscard]] LocalBlock parent(LocalBlock b) const { return parent_[b.index()]; }
  /// Whether `a` dominates `b`: every path from the entry block to `b` contains `a`. For post-dominators: every path
  /// from `b` to the exit contains `a`. A block dominates itself. False if a block is not in the tree. Constant time.
  [[nodiscard]] bool dominates(LocalBlock a, LocalBlock b) const {
    const std::uint32_t upper = number_[a.index()], lower = number_[b.index()];
    return upper != 0 && lower != 0 && intervals_.contains(upper, lower);
  }
  /// The number of steps of the last build, for tests of its complexity.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  friend class DominatorBuilder;
  std::vector<LocalBlock> parent_;     // by block
  std::vector<std::uint32_t> number_;  // by block: preorder number of the depth-first search, from 1; 0: not reached
  TreeIntervals intervals_;            // by number; 0 is the virtual root
  std::uint64_t work_ = 0;
};

/// A graph over the blocks of a function, with its orders and dominator trees. Spans are valid until the next read().
class VIREO_API FlowGraph {
 public:
  [[nodiscard]] std::uint32_t block_count() const { return block_count_; }
  /// The targets of the edges from a block, and the sources of the edges to it. A block occurs once for each edge.
  /// Predecessors are ascending.
  [[nodiscard]] std::span<const LocalBlock> successors(LocalBlock b) const;
  [[nodiscard]] std::span<const LocalBlock> predecessors(LocalBlock b) const;
  /// The reachable blocks in reverse post-order: except for back edges, each block precedes its successors.
  [[nodiscard]] std::span<const LocalBlock> order() const;
  [[nodiscard]] bool is_reachable(LocalBlock b) const { return position_[b.index()] != unreachable; }
  /// Position in order(). Precondition: the block is reachable.
  [[nodiscard]] std::uint32_t position(LocalBlock b) const { return position_[b.index()]; }
  /// Whether the target of an edge does not follow its source in order(). In a reducible graph these are the edges
  /// whose target dominates their source. False for edges of unreachable blocks.
  [[nodiscard]] bool is_back_edge(FlowEdge e) const {
    return is_reachable(e.from) && is_reachable(e.to) && position(e.to) <= position(e.from);
  }
  [[nodiscard]] const DominatorTree& dominators() const { return dominators_; }
  [[nodiscard]] const DominatorTree& post_dominators() const { return post_dominators_; }

 private:
  friend class FlowGraphBuilder;
  static constexpr std::uint32_t unreachable = 0xFFFFFFFF;

  std::uint32_t block_count_ = 0;
  std::vector<std::uint32_t> successor_begins_, predecessor_begins_;  // one entry more than blocks
  std::vector<LocalBlock> successors_, predecessors_;
  std::vector<LocalBlock> order_;
  std::vector<std::uint32_t> position_;
  DominatorTree dominators_, post_dominators_;
};

/// The merge instruction of a block (specification 2.2.5).
struct VIREO_API MergeRow {
  enum class Kind : std::uint8_t { None, Selection, Loop };
  Kind kind = Kind::None;
  LocalBlock merge;            ///< the merge block; none if the operand is not a block of the function
  LocalBlock continue_target;  ///< for Loop; none if the operand is not a block of the function
};

/// A construct (specification 2.11.2). Its blocks are those that its header structurally dominates, except those that
/// its merge block structurally dominates. In a valid function this equals the definition of the specification.
struct VIREO_API Construct {
  enum class Kind : std::uint8_t {
    Selection,  ///< a construct of OpSelectionMerge, unless the terminator is OpSwitch
    Switch,     ///< a construct of OpSelectionMerge with OpSwitch
    Loop,       ///< without its continue construct; empty if the header is the continue target
    Continue,   ///< a sibling of its loop construct, not a child; the header is the continue target
    Case,       ///< a child of a Switch; the header is a target of OpSwitch other than the merge block
  };
  Kind kind = Kind::Selection;
  LocalBlock header;
  LocalBlock merge;            ///< its merge block; Continue: that of the loop; Case: that of the switch
  LocalBlock continue_target;  ///< Loop and Continue: the continue target of the loop; otherwise none
  ConstructIndex parent;       ///< the innermost enclosing construct; none at the top level
  /// The innermost enclosing Loop or Continue, which may be this construct; none outside loops.
  ConstructIndex loop;
  /// The innermost enclosing Switch within `loop`, which may be this construct; none if there is none.
  ConstructIndex switch_;
  /// The number of enclosing constructs with a merge instruction, including this one: the control-flow nesting depth of
  /// specification 2.17.
  std::uint32_t depth = 0;
};

/// An operand of a terminator or merge instruction that is not a block of the function, although it must be one.
struct VIREO_API BadTarget {
  LocalBlock block;
  InstructionIndex instruction;  ///< the terminator or the merge instruction
  std::uint16_t word = 0;        ///< index within the instruction
  Word id = 0;
};

struct FlowWorkspace;  // src/spirv/module/flow_graph.h

/// The post-dominator trees that read() computes. They are a large part of its cost, and many callers do not need them.
enum class PostDominators : std::uint8_t {
  All,
  OfLoops,  ///< only that of the structural graph, and only if the function has an OpLoopMerge
};

/// The control flow of one function: graphs, dominators, constructs.
class VIREO_API ControlFlow {
 public:
  ControlFlow();
  ~ControlFlow();
  ControlFlow(ControlFlow&&) noexcept;
  ControlFlow& operator=(ControlFlow&&) noexcept;

  /// Reads a function of the module and discards the results for the previous one. The module is borrowed until the
  /// next call. A post-dominator tree that was not requested contains no blocks.
  void read(const Module& module, const FunctionRow& function, PostDominators which = PostDominators::All);
  void read(const Module&& temporary, const FunctionRow& function, PostDominators which = PostDominators::All) = delete;

  [[nodiscard]] std::uint32_t block_count() const { return static_cast<std::uint32_t>(blocks_.size()); }
  [[nodiscard]] const BlockRow& block(LocalBlock b) const { return blocks_[b.index()]; }
  /// The block with this label; none if the function has no such block.
  [[nodiscard]] LocalBlock block_of(Word label) const;
  /// The block that contains an instruction; none if no block of this function contains it. Logarithmic.
  [[nodiscard]] LocalBlock block_at(InstructionIndex i) const;

  /// The control-flow graph: its edges are the branches. Successors are in the order of the terminator's operands.
  [[nodiscard]] const FlowGraph& plain() const { return plain_; }
  /// The structural control-flow graph (specification 2.11.1): the branches, and edges from each header to its merge
  /// block and continue target. These additional edges come first among the successors. In order(), the blocks of a
  /// construct are contiguous, and its merge block follows them. Without merge instructions it is the plain graph.
  [[nodiscard]] const FlowGraph& structural() const { return merge_count_ == 0 ? plain_ : structural_; }
  /// The branches that are back edges of the structural graph, ordered by source block. If a block branches to one
  /// target twice, both branches are listed. The additional edges of the structural graph are not listed.
  [[nodiscard]] std::span<const FlowEdge> back_edges() const;

  [[nodiscard]] const MergeRow& merge(LocalBlock b) const { return merges_[b.index()]; }
  /// The constructs of structurally reachable headers. Each construct follows its parent.
  [[nodiscard]] std::span<const Construct> constructs() const;
  [[nodiscard]] const Construct& construct(ConstructIndex c) const { return constructs_[c.index()]; }
  /// The innermost construct that contains the block; none if no construct contains it. A construct contains its
  /// header, but not its merge block.
  [[nodiscard]] ConstructIndex innermost(LocalBlock b) const { return innermost_[b.index()]; }
  /// Whether a construct or a construct nested in it contains a block. Constant time.
  [[nodiscard]] bool has(ConstructIndex c, LocalBlock b) const {
    return !innermost(b).is_none() && is_within(innermost(b), c);
  }
  /// Whether `inner` is `outer` or is nested in it. Constant time.
  [[nodiscard]] bool is_within(ConstructIndex inner, ConstructIndex outer) const {
    return construct_tree_.contains(outer.raw, inner.raw);
  }

  /// The targets of terminators and merge instructions that are not blocks of the function, ordered by block.
  [[nodiscard]] std::span<const BadTarget> bad_targets() const;

 private:
  friend class ControlFlowReader;

  // As above; the search starts at the block with the index `near` and is faster if the result is close to it.
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
