// SPDX-License-Identifier: Apache-2.0
//
// Reads the ControlFlow of a function from its words (control_flow.h): targets of terminators and merge instructions,
// then constructs.
//
// With structural edges, the dominator tree shows the constructs. A header gets an edge to its merge
// block. So the merge block's parent in that tree is the header or a dominator of the header. The same holds for
// continue targets and for the targets of OpSwitch. So a construct begins or ends only at a child of its header, and a
// block's parent shows which construct the block is in.
#include "vireo/spirv/module/control_flow.h"

#include <algorithm>
#include <utility>

#include "spirv/module/flow_graph.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

// Defined here, because FlowWorkspace is an incomplete type in the header.
ControlFlow::ControlFlow() = default;
ControlFlow::~ControlFlow() = default;
ControlFlow::ControlFlow(ControlFlow&&) noexcept = default;
ControlFlow& ControlFlow::operator=(ControlFlow&&) noexcept = default;

// --- targets ------------------------------------------------------------------------------------------------------------

class ControlFlowReader {
 public:
  ControlFlowReader(ControlFlow& flow, PostDominators wanted)
      : flow_(flow), w_(*flow.workspace_), wants_all_(wanted == PostDominators::All) {}

  // Each step depends on the previous ones, and overwrites the data of the previous function. Without merge
  // instructions the plain graph is also the structural one.
  void read() {
    flow_.bad_targets_.clear();
    flow_.merge_count_ = 0;
    read_merges();
    read_branches();
    if (flow_.merge_count_ != 0) add_structure();
    find_back_edges();
    find_constructs();
  }

 private:
  using Kind = Construct::Kind;

  static Op op_of(InstructionView instruction) { return instruction.opcode; }
  [[nodiscard]] InstructionView instruction(InstructionIndex i) const { return flow_.module_->instruction(i); }

  using Label = IdOperand<IdKind::Label>;

  /// The block that an operand refers to. The next block is tried first, because most branches go there. A block whose
  /// label repeats an earlier definition of the id is not a target.
  LocalBlock target(std::uint32_t from, InstructionIndex i, Label operand) {
    const Word label = operand;
    if (from + 1 < flow_.blocks_.size() && flow_.blocks_[from + 1].label == label &&
        flow_.module_->definition(label).raw == flow_.blocks_[from + 1].all.first) {
      return LocalBlock(from + 1);
    }
    const LocalBlock found = flow_.block_of(label, from);
    if (found.is_none()) flow_.bad_targets_.push_back({LocalBlock(from), i, operand.word, label});
    return found;
  }

  // If a merge block or continue target is not a block of the function, it is recorded as a bad target. The row then
  // has none(), which adds no edge and ends no construct.
  void read_merges() {
    flow_.merges_.assign(flow_.blocks_.size(), {});
    for (std::uint32_t b = 0; b < flow_.blocks_.size(); ++b) {
      const InstructionIndex i = flow_.blocks_[b].merge;
      if (i.is_none()) continue;
      const InstructionView merge = instruction(i);
      // A truncated instruction may lack the label.
      const auto take = [&](Label label) {
        return label.word < merge.word_count ? target(b, i, label) : LocalBlock::none();
      };
      MergeRow& row = flow_.merges_[b];
      if (const auto loop = as<Op::OpLoopMerge>(merge)) {
        row.kind = MergeRow::Kind::Loop;
        has_loops_ = true;
        row.merge = take(loop->merge_block());
        row.continue_target = take(loop->continue_target());
      } else {
        row.kind = MergeRow::Kind::Selection;
        row.merge = take(View<Op::OpSelectionMerge>(merge).merge_block());
      }
      ++flow_.merge_count_;
    }
  }

  void read_branches() {
    FlowGraphBuilder graph(flow_.plain_, flow_.block_count(), w_);
    for (std::uint32_t b = 0; b < flow_.blocks_.size(); ++b) {
      const InstructionIndex i = flow_.blocks_[b].terminator;
      if (!i.is_none()) read_terminator(b, i, graph);
      graph.next_block();
    }
    graph.finish(wants_all_);
    if (flow_.bad_targets_.size() < 2) return;
    // Merge instructions were read before the branches; sort by block for comparison and reports.
    std::sort(flow_.bad_targets_.begin(), flow_.bad_targets_.end(), [](const BadTarget& a, const BadTarget& b) {
      return std::pair(a.instruction, a.word) < std::pair(b.instruction, b.word);
    });
  }

  void read_terminator(std::uint32_t b, InstructionIndex i, FlowGraphBuilder& graph) {
    const InstructionView terminator = instruction(i);
    // A truncated instruction may lack the label; the check of its length reports that.
    const auto take = [&](Label label) {
      if (label.word >= terminator.word_count) return;
      if (const LocalBlock to = target(b, i, label); !to.is_none()) graph.add(to);
    };
    switch (op_of(terminator)) {
      case Op::OpBranch: return take(View<Op::OpBranch>(terminator).target_label());
      case Op::OpBranchConditional: {
        const View<Op::OpBranchConditional> branch(terminator);
        take(branch.true_label());
        return take(branch.false_label());
      }
      case Op::OpSwitch: {
        const View<Op::OpSwitch> branch(terminator);
        take(branch.default_());
        const std::size_t literal = literal_words(branch);
        if (literal == 0) return;
        for (const CaseOperand each : branch.targets(literal)) take(each.label);
        return;
      }
      default: return;  // ends the function or the invocation
    }
  }

  // Specification, OpSwitch: literals are as wide as the selector's type. If the selector is not an integer, the
  // positions of the labels are unknown, and the function returns 0.
  [[nodiscard]] std::size_t literal_words(View<Op::OpSwitch> branch) const {
    const auto type = as<Op::OpTypeInt>(flow_.module_->find(flow_.module_->type_of(branch.selector())));
    return type ? (std::size_t{type->width()} + 31) / 32 : 0;
  }

  // --- structure ---

  // Structural edges come first. So a depth-first search visits merge blocks before branch targets and also leaves them
  // first. In the reverse post-order they then follow all blocks of the construct.
  void add_structure() {
    FlowGraphBuilder graph(flow_.structural_, flow_.block_count(), w_);
    for (std::uint32_t b = 0; b < flow_.blocks_.size(); ++b) {
      const MergeRow& row = flow_.merges_[b];
      if (!row.merge.is_none()) graph.add(row.merge);
      if (!row.continue_target.is_none()) graph.add(row.continue_target);
      for (const LocalBlock to : flow_.plain_.successors(LocalBlock(b))) graph.add(to);
      graph.next_block();
    }
    graph.finish(wants_all_ || has_loops_);
  }

  // Finds the back edges among the branches. The structural search visits merge blocks and continue targets first, and
  // this order decides which branches are back edges.
  void find_back_edges() {
    flow_.back_edges_.clear();
    const FlowGraph& graph = flow_.structural();
    for (std::uint32_t b = 0; b < flow_.blocks_.size(); ++b) {
      for (const LocalBlock to : flow_.plain_.successors(LocalBlock(b))) {
        if (graph.is_back_edge({LocalBlock(b), to})) flow_.back_edges_.push_back({LocalBlock(b), to});
      }
    }
  }

  // --- constructs ---

  // Outer constructs are created before inner ones, as TreeIntervals requires.
  void find_constructs() {
    flow_.constructs_.clear();
    flow_.innermost_.assign(flow_.blocks_.size(), ConstructIndex::none());
    if (flow_.merge_count_ == 0) return;
    w_.headed.assign(flow_.blocks_.size(), ConstructIndex::none());
    // In this order a block follows its parent in the dominator tree.
    for (const LocalBlock b : flow_.structural().order()) {
      const ConstructIndex around = context_of(b);
      flow_.innermost_[b.index()] = around;
      if (flow_.merges_[b.index()].kind != MergeRow::Kind::None) open(b, around);
    }
    w_.path.clear();
    for (const Construct& construct : flow_.constructs_) w_.path.push_back(construct.parent.raw);
    flow_.construct_tree_.build(w_.path);
  }

  /// Returns the construct that contains a block, before the block opens its own. Called once for each block. If the
  /// block is the header of a continue construct or of a case, the function also opens that construct. The order of the
  /// tests matters if a block has several roles: a merge block always ends its construct.
  ConstructIndex context_of(LocalBlock b) {
    const LocalBlock parent = flow_.structural().dominators().parent(b);
    if (parent.is_none()) return ConstructIndex::none();
    const ConstructIndex inherited = flow_.innermost_[parent.index()];
    const MergeRow& row = flow_.merges_[parent.index()];
    if (row.kind == MergeRow::Kind::None) return inherited;
    const ConstructIndex headed = w_.headed[parent.index()];
    if (b == row.merge) return flow_.construct(headed).parent;
    if (b == row.continue_target) return open_continue(headed, b);
    if (flow_.construct(headed).kind == Kind::Switch && is_target(parent, b)) return open_case(headed, b);
    return inherited;
  }

  // Whether a block branches to another one; for a switch header, whether the other one is a case or the default.
  // Predecessors are ascending.
  [[nodiscard]] bool is_target(LocalBlock from, LocalBlock to) const {
    const std::span<const LocalBlock> predecessors = flow_.plain_.predecessors(to);
    return std::binary_search(predecessors.begin(), predecessors.end(), from);
  }

  // Opens the construct that a merge instruction declares. In a loop, a block cannot exit a switch that encloses the
  // loop: a `break` exits the loop.
  void open(LocalBlock b, ConstructIndex around) {
    const MergeRow& row = flow_.merges_[b.index()];
    const InstructionIndex terminator = flow_.blocks_[b.index()].terminator;
    const bool is_switch = !terminator.is_none() && op_of(instruction(terminator)) == Op::OpSwitch;
    Kind kind = Kind::Selection;
    if (row.kind == MergeRow::Kind::Loop) kind = Kind::Loop;
    else if (is_switch) kind = Kind::Switch;

    Construct construct{kind, b, row.merge, row.continue_target, around, {}, {}, 1};
    const ConstructIndex self(flow_.constructs_.size());
    if (!around.is_none()) {
      const Construct& outer = flow_.construct(around);
      construct.loop = outer.loop;
      construct.switch_ = outer.switch_;
      construct.depth = outer.depth + 1;
    }
    if (kind == Kind::Switch) construct.switch_ = self;
    if (kind == Kind::Loop) {
      construct.loop = self;
      construct.switch_ = ConstructIndex::none();
    }
    flow_.constructs_.push_back(construct);
    w_.headed[b.index()] = self;
    // In a loop of one block, the block and all blocks that it dominates are in the continue construct.
    flow_.innermost_[b.index()] = kind == Kind::Loop && row.continue_target == b ? open_continue(self, b) : self;
  }

  ConstructIndex open_continue(ConstructIndex loop, LocalBlock b) {
    Construct construct = flow_.construct(loop);  // a sibling of the loop: same parent, same depth
    const ConstructIndex self(flow_.constructs_.size());
    construct.kind = Kind::Continue;
    construct.header = b;
    construct.loop = self;
    flow_.constructs_.push_back(construct);
    return self;
  }

  // A case does not add to the depth, because no merge instruction declares it.
  ConstructIndex open_case(ConstructIndex switch_, LocalBlock b) {
    Construct construct = flow_.construct(switch_);
    const ConstructIndex self(flow_.constructs_.size());
    construct.kind = Kind::Case;
    construct.header = b;
    construct.parent = switch_;
    flow_.constructs_.push_back(construct);
    return self;
  }

  ControlFlow& flow_;
  FlowWorkspace& w_;
  bool wants_all_;  // post-dominators of each graph
  bool has_loops_ = false;
};

void ControlFlow::read(const Module& module, const FunctionRow& function, PostDominators which) {
  if (!workspace_) workspace_ = Owned(new FlowWorkspace);
  module_ = &module;
  blocks_ = module.blocks(function);
  ControlFlowReader(*this, which).read();
}

// --- queries ------------------------------------------------------------------------------------------------------------

LocalBlock ControlFlow::block_at(InstructionIndex i) const { return block_at(i, 0); }

// An exponential search: the steps away from `near` double until the block is between two of them. The cost grows with
// the distance, which is small for most branch targets, and not with the size of the function.
LocalBlock ControlFlow::block_at(InstructionIndex i, std::size_t near) const {
  if (i.is_none() || blocks_.empty()) return LocalBlock::none();
  const auto begins_after = [&](std::size_t b) { return i.raw < blocks_[b].all.first; };
  std::size_t first = near, last = near + 1;  // the last block that begins at or before `i` is in [first, last)
  if (begins_after(near)) {
    for (std::size_t step = 1; first != 0 && begins_after(first); step *= 2) {
      last = first;
      first -= std::min(step, first);
    }
  } else {
    for (std::size_t step = 1; last != blocks_.size() && !begins_after(last); step *= 2) {
      first = last;
      last += std::min(step, blocks_.size() - last);
    }
  }
  const auto after = std::upper_bound(blocks_.begin() + static_cast<std::ptrdiff_t>(first),
                                      blocks_.begin() + static_cast<std::ptrdiff_t>(last), i.raw,
                                      [](std::uint32_t at, const BlockRow& row) { return at < row.all.first; });
  if (after == blocks_.begin() || !(after - 1)->all.contains(i)) return LocalBlock::none();
  return LocalBlock(static_cast<std::size_t>(after - blocks_.begin() - 1));
}

LocalBlock ControlFlow::block_of(Word label) const { return block_of(label, 0); }

LocalBlock ControlFlow::block_of(Word label, std::size_t near) const {
  // Only the first definition of an id is used; a label that repeats an earlier id does not refer to a block.
  const LocalBlock b = block_at(module_->definition(label), near);
  return !b.is_none() && block(b).label == label ? b : LocalBlock::none();
}

// --- rows ---------------------------------------------------------------------------------------------------------------
//
// Not in the header: each conversion to a std::span costs its users 10 to 20 ms of compile time.

std::span<const LocalBlock> FlowGraph::successors(LocalBlock b) const {
  return std::span(successors_)
      .subspan(successor_begins_[b.index()], successor_begins_[b.index() + 1] - successor_begins_[b.index()]);
}
std::span<const LocalBlock> FlowGraph::predecessors(LocalBlock b) const {
  return std::span(predecessors_)
      .subspan(predecessor_begins_[b.index()], predecessor_begins_[b.index() + 1] - predecessor_begins_[b.index()]);
}
std::span<const LocalBlock> FlowGraph::order() const { return order_; }
std::span<const FlowEdge> ControlFlow::back_edges() const { return back_edges_; }
std::span<const Construct> ControlFlow::constructs() const { return constructs_; }
std::span<const BadTarget> ControlFlow::bad_targets() const { return bad_targets_; }

}  // namespace vireo::spirv
