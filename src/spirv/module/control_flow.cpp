// SPDX-License-Identifier: Apache-2.0
//
// A function's words → ControlFlow (control_flow.h): targets of terminators and merge instructions, then constructs.
//
// The one idea: structural edges make constructs a matter of the dominator tree. A header has an edge to its merge block,
// so that nothing but the header, or what dominates it, can be the merge block's parent there; likewise for continue
// targets, and for the targets of OpSwitch. So a construct can begin or end only at a child of its header, and one look at
// the parent says which construct a block is in.
#include "vireo/spirv/facts/control_flow.h"

#include <algorithm>
#include <utility>

#include "spirv/module/flow_graph.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/views/control_flow.h"
#include "vireo/spirv/views/type_declaration.h"

namespace vireo::spirv {

// Here and not in the header, where FlowWorkspace is only a name.
ControlFlow::ControlFlow() = default;
ControlFlow::~ControlFlow() = default;
ControlFlow::ControlFlow(ControlFlow&&) noexcept = default;
ControlFlow& ControlFlow::operator=(ControlFlow&&) noexcept = default;

// --- targets ------------------------------------------------------------------------------------------------------------

class ControlFlowReader {
 public:
  ControlFlowReader(ControlFlow& flow, PostDominators wanted)
      : flow_(flow), w_(*flow.workspace_), wants_all_(wanted == PostDominators::All) {}

  // Each step stands on those before it. All of them write over what the last function left. Without merge instructions
  // the plain graph serves as the structural one.
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

  /// The block that an operand names. The next block is tried first: most branches lead there. Its label has to be the one
  /// that the id means: no branch leads to a block that repeats the label of another one.
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

  // A merge block or continue target that is no block of the function is listed, and then none: it gives no edge and
  // ends no construct.
  void read_merges() {
    flow_.merges_.assign(flow_.blocks_.size(), {});
    for (std::uint32_t b = 0; b < flow_.blocks_.size(); ++b) {
      const InstructionIndex i = flow_.blocks_[b].merge;
      if (i.is_none()) continue;
      const InstructionView merge = instruction(i);
      // A label that a cut instruction lacks is no target.
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
    // Merge instructions were read before the branches; a list by block is easier to compare and to report.
    std::sort(flow_.bad_targets_.begin(), flow_.bad_targets_.end(), [](const BadTarget& a, const BadTarget& b) {
      return std::pair(a.instruction, a.word) < std::pair(b.instruction, b.word);
    });
  }

  void read_terminator(std::uint32_t b, InstructionIndex i, FlowGraphBuilder& graph) {
    const InstructionView terminator = instruction(i);
    // A label that a cut instruction lacks is no target; the checks of its length report that.
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
      default: return;  // leaves the function, or the invocation
    }
  }

  // Specification, OpSwitch: literals are as wide as the selector's type. 0 where the selector is no integer, because the
  // places of the labels are unknown then.
  [[nodiscard]] std::size_t literal_words(View<Op::OpSwitch> branch) const {
    const auto type = as<Op::OpTypeInt>(flow_.module_->find(flow_.module_->type_of(branch.selector())));
    return type ? (std::size_t{type->width()} + 31) / 32 : 0;
  }

  // --- structure ---

  // Structural edges come first: a search takes merge blocks before branches, leaves them first, and so they come last in
  // its reverse post-order, behind all that the construct has.
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

  // Branches, as the structural search sees them: it meets merge blocks and continue targets first, and by that decides
  // which branches lead back.
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

  // A construct is made before those within it, which is the order that TreeIntervals asks for.
  void find_constructs() {
    flow_.constructs_.clear();
    flow_.innermost_.assign(flow_.blocks_.size(), ConstructIndex::none());
    if (flow_.merge_count_ == 0) return;
    w_.headed.assign(flow_.blocks_.size(), ConstructIndex::none());
    // In this order a block's parent in the dominator tree is before the block.
    for (const LocalBlock b : flow_.structural().order()) {
      const ConstructIndex around = context_of(b);
      flow_.innermost_[b.index()] = around;
      if (flow_.merges_[b.index()].kind != MergeRow::Kind::None) open(b, around);
    }
    w_.path.clear();
    for (const Construct& construct : flow_.constructs_) w_.path.push_back(construct.parent.raw);
    flow_.construct_tree_.build(w_.path);
  }

  /// The construct that a block is in, before it opens one of its own.
  /// Called once for each block, as it opens the continue construct or the case that the block is the header of. The
  /// order of the questions matters where a block is several of these: a merge block ends the construct whatever else
  /// it is.
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

  // Whether a block branches to another one: of a switch, whether that is a case, or the default.
  // Predecessors are ascending.
  [[nodiscard]] bool is_target(LocalBlock from, LocalBlock to) const {
    const std::span<const LocalBlock> predecessors = flow_.plain_.predecessors(to);
    return std::binary_search(predecessors.begin(), predecessors.end(), from);
  }

  // Opens the construct that a merge instruction declares. A switch around a loop is out of reach inside of it: `break`
  // leads out of the loop there.
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
    // A loop of one block: all of it is continue construct, and what the block dominates as well.
    flow_.innermost_[b.index()] = kind == Kind::Loop && row.continue_target == b ? open_continue(self, b) : self;
  }

  ConstructIndex open_continue(ConstructIndex loop, LocalBlock b) {
    Construct construct = flow_.construct(loop);  // beside the loop: the same parent, the same depth
    const ConstructIndex self(flow_.constructs_.size());
    construct.kind = Kind::Continue;
    construct.header = b;
    construct.loop = self;
    flow_.constructs_.push_back(construct);
    return self;
  }

  // A case counts no depth of its own: no merge instruction declares it.
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

void ControlFlow::read(const Module& module, const FunctionRow& function, PostDominators wanted) {
  if (!workspace_) workspace_ = Owned(new FlowWorkspace);
  module_ = &module;
  blocks_ = module.blocks(function);
  ControlFlowReader(*this, wanted).read();
}

// --- asking -------------------------------------------------------------------------------------------------------------

LocalBlock ControlFlow::block_at(InstructionIndex i) const { return block_at(i, 0); }

// Steps away from `near` double until the block lies between two of them. So what is near is found soon: targets mostly
// are, and a function of many small loops costs no more each than one of a few.
LocalBlock ControlFlow::block_at(InstructionIndex i, std::size_t near) const {
  if (i.is_none() || blocks_.empty()) return LocalBlock::none();
  const auto begins_behind = [&](std::size_t b) { return i.raw < blocks_[b].all.first; };
  std::size_t first = near, last = near + 1;  // the last block that begins at `i` or in front of it is in [first, last)
  if (begins_behind(near)) {
    for (std::size_t step = 1; first != 0 && begins_behind(first); step *= 2) {
      last = first;
      first -= std::min(step, first);
    }
  } else {
    for (std::size_t step = 1; last != blocks_.size() && !begins_behind(last); step *= 2) {
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
  // The first definition of an id counts; a label that repeats it names no block.
  const LocalBlock b = block_at(module_->definition(label), near);
  return !b.is_none() && block(b).label == label ? b : LocalBlock::none();
}

}  // namespace vireo::spirv
