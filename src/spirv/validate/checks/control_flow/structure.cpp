// SPDX-License-Identifier: Apache-2.0
//
// Rules of structured control flow (structure.h), in the order of specification 2.11.2, and of the order of blocks.
// Blocks that are not structurally reachable are not judged.
#include "spirv/validate/checks/control_flow/structure.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace vireo::spirv {
namespace {

class StructureCheck {
 public:
  StructureCheck(const Context& context, const ControlFlow& flow, Report& report)
      : context_(context),
        flow_(flow),
        graph_(flow.structural()),
        report_(report),
        header_of_(flow.block_count()),
        is_suspect_(flow.block_count()) {
    find_cases();
  }

  // In this order a finding explains later ones: the edges of a header that was reported are suspect.
  void run() {
    check_depth();
    check_loops();
    check_headers();
    check_cases();
    check_edges();
    check_selections();
  }

 private:
  using Kind = Construct::Kind;

  // Constructs stand behind their parents, so each inherits from one that is complete: nothing climbs a tree that may
  // be as deep as the module.
  void find_cases() {
    const auto constructs = flow_.constructs();
    cases_.resize(constructs.size());
    for (std::size_t i = 0; i < constructs.size(); ++i) {
      const Construct& construct = constructs[i];
      if (construct.kind == Kind::Case) {
        // A case is its own innermost one.
        cases_[i] = {ConstructIndex(i), ConstructIndex(i)};
      } else if (!construct.parent.is_none()) {
        cases_[i].innermost = cases_[construct.parent.index()].innermost;
        // A loop or a switch within a case does not let its blocks fall through to the next case, so selections alone
        // inherit this.
        if (construct.kind == Kind::Selection) cases_[i].without_exit = cases_[construct.parent.index()].without_exit;
      }
    }
  }

  [[nodiscard]] std::string label(LocalBlock b) const { return id_text(context_, flow_.block(b).label); }
  [[nodiscard]] Place at_merge(LocalBlock b) const { return {flow_.block(b).merge, 0}; }
  [[nodiscard]] Place at_end(LocalBlock b) const { return {flow_.block(b).terminator, 0}; }

  void check_depth() {
    const Word limit = context_.options.limits.nesting_depth;
    for (const Construct& construct : flow_.constructs()) {
      if (construct.depth != limit + std::uint64_t{1}) continue;  // deeper ones have the same root
      report_.add(Rule::NestingDepth, at_merge(construct.header), {std::to_string(limit)});
      return;
    }
  }

  // Back edges lead to loop headers, and each loop has one.
  void check_loops() {
    // Both ways of one branch may lead back: that is one edge here.
    const auto all = flow_.back_edges();
    std::vector<FlowEdge> edges;
    std::unique_copy(all.begin(), all.end(), std::back_inserter(edges));
    // By loop header: how many blocks lead back to it.
    std::vector<std::uint32_t> latches(flow_.block_count());
    for (const FlowEdge& edge : edges) {
      if (flow_.merge(edge.to).kind != MergeRow::Kind::Loop) {
        report_.add(Rule::BackEdge, at_end(edge.from), {label(edge.from), label(edge.to)});
        if (unmerged_.empty() || unmerged_.back() != edge.to) unmerged_.push_back(edge.to);
      } else {
        ++latches[edge.to.index()];
      }
    }
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const LocalBlock header(b);
      if (flow_.merge(header).kind != MergeRow::Kind::Loop || !graph_.is_reachable(header)) continue;
      if (latches[b] != 1)
        report_.add(Rule::LoopBackEdges, at_merge(header), {label(header), std::to_string(latches[b])});
    }
    const DominatorTree& dominators = graph_.dominators();
    for (const FlowEdge& edge : edges) {
      const MergeRow& merge = flow_.merge(edge.to);
      // With several back edges, or none, which one ends the continue construct is not known: that was told above.
      if (merge.kind != MergeRow::Kind::Loop || latches[edge.to.index()] != 1 || merge.continue_target.is_none())
        continue;
      if (!dominators.dominates(merge.continue_target, edge.from)) {
        report_.add(Rule::ContinueDominates, at_merge(edge.to), {label(merge.continue_target), label(edge.from)});
      } else if (!graph_.post_dominators().dominates(edge.from, merge.continue_target)) {
        report_.add(Rule::BackEdgePostDominates, at_merge(edge.to), {label(edge.from), label(merge.continue_target)});
      }
    }
  }

  // Whether a block may lie in a loop without merge instruction, of which nobody knows which branches leave it. With
  // many such loops the answer is yes for all blocks.
  [[nodiscard]] bool lies_in_unmerged_loop(LocalBlock block) const {
    constexpr std::size_t many = 16;
    return unmerged_.size() > many || std::ranges::any_of(unmerged_, [&](LocalBlock header) {
             return graph_.dominators().dominates(header, block);
           });
  }

  // A header dominates its merge block and its continue target. That a block is the merge block of two headers was
  // reported before.
  void check_headers() {
    const DominatorTree& dominators = graph_.dominators();
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const LocalBlock header(b);
      const MergeRow& merge = flow_.merge(header);
      if (merge.kind == MergeRow::Kind::None || !graph_.is_reachable(header) || merge.merge.is_none()) continue;
      // The first header of a merge block keeps it; check_blocks has told of the second.
      LocalBlock& first = header_of_[merge.merge.index()];
      if (!first.is_none()) {
        suspect(header);
        continue;
      }
      first = header;
      // A header cannot merge into itself, though each block dominates itself.
      if (merge.merge == header || !dominators.dominates(header, merge.merge)) {
        report_.add(Rule::MergeDominance, at_merge(header), {label(header), "merge block", label(merge.merge)});
        suspect(header);
        continue;
      }
      if (merge.kind == MergeRow::Kind::Loop && !merge.continue_target.is_none() &&
          !dominators.dominates(header, merge.continue_target)) {
        report_.add(Rule::MergeDominance, at_merge(header),
                    {label(header), "continue target", label(merge.continue_target)});
        suspect(header);
      }
    }
  }

  // The names are in the order of Construct::Kind.
  [[nodiscard]] std::string construct_text(ConstructIndex c) const {
    static constexpr std::string_view names[] = {"selection", "switch", "loop", "continue", "case"};
    const Construct& construct = flow_.construct(c);
    return std::string("the ")
        .append(names[static_cast<std::size_t>(construct.kind)])
        .append(" construct of ")
        .append(label(construct.header));
  }

  // Each edge leaves constructs through an exit, and enters constructs through their headers.
  void check_edges() {
    find_doubts();
    // One slot for each target is enough: sources come one after the other, and a slot says which source saw the target
    // last.
    std::vector<LocalBlock> seen_from(flow_.block_count());  // by target: several operands may name one
    for (const LocalBlock from : graph_.order()) {
      for (const LocalBlock to : flow_.plain().successors(from)) {
        if (seen_from[to.index()] == from) continue;
        seen_from[to.index()] = from;
        check_edge({from, to});
      }
    }
  }

  // The constructs whose limits are not known, and those within them.
  void find_doubts() {
    if (!has_suspects_) return;
    const auto constructs = flow_.constructs();
    is_in_doubt_.resize(constructs.size());
    for (std::size_t i = 0; i < constructs.size(); ++i) {
      // Parents stand in front, so one pass hands doubt down.
      const ConstructIndex parent = constructs[i].parent;
      is_in_doubt_[i] =
          is_suspect_[constructs[i].header.index()] || (!parent.is_none() && is_in_doubt_[parent.index()]);
    }
  }

  void suspect(LocalBlock header) {
    is_suspect_[header.index()] = true;
    has_suspects_ = true;
  }
  // Whether a block lies in such a construct: its edges say nothing then.
  [[nodiscard]] bool is_in_doubt(LocalBlock block) const {
    return has_suspects_ && !flow_.innermost(block).is_none() && is_in_doubt_[flow_.innermost(block).index()];
  }

  void check_edge(FlowEdge edge) {
    if (is_in_doubt(edge.from) || is_in_doubt(edge.to)) return;
    // Left: the innermost construct around the source decides. It knows the switch and the loop that it lies in.
    const ConstructIndex inside = flow_.innermost(edge.from);
    if (!inside.is_none() && !flow_.has(inside, edge.to) && !is_exit(inside, edge) &&
        !lies_in_unmerged_loop(edge.from)) {
      report_.add(Rule::StructuredExit, at_end(edge.from), {label(edge.from), label(edge.to), construct_text(inside)});
      return;
    }
    // Entered: the constructs around the target that do not have the source.
    for (ConstructIndex c = flow_.innermost(edge.to); !c.is_none() && !flow_.has(c, edge.from);
         c = flow_.construct(c).parent) {
      const Construct& construct = flow_.construct(c);
      // Through its header a construct may be entered. A continue construct is the exception: only its own loop leads
      // there.
      if (construct.header == edge.to) {
        const bool is_loop_header =
            flow_.merge(edge.to).continue_target == edge.to;  // a loop that is all continue construct
        if (construct.kind == Kind::Continue && !is_loop_header && !is_of_loop(construct, edge.from)) {
          report_.add(Rule::ContinueEntry, at_end(edge.from), {label(edge.from), label(edge.to)});
          return;
        }
        continue;
      }
      report_.add(Rule::ConstructEntry, at_end(edge.from), {label(edge.from), label(edge.to), construct_text(c)});
      return;
    }
  }

  // Whether a block lies in the loop whose continue construct this is: what the loop's header dominates and its merge block
  // does not.
  // Climbs from loop to loop, not over all constructs.
  [[nodiscard]] bool is_of_loop(const Construct& next, LocalBlock block) const {
    const auto loop_of = [&](ConstructIndex c) { return c.is_none() ? c : flow_.construct(c).loop; };
    for (ConstructIndex loop = loop_of(flow_.innermost(block)); !loop.is_none();
         loop = loop_of(flow_.construct(loop).parent)) {
      if (flow_.construct(loop).continue_target == next.continue_target) return true;
    }
    return flow_.merge(block).kind == MergeRow::Kind::Loop && flow_.merge(block).continue_target == next.header;
  }

  // Where a branch may lead that leaves a construct (2.11.1, structured exits).
  [[nodiscard]] bool is_exit(ConstructIndex c, FlowEdge edge) const {
    const Construct& construct = flow_.construct(c);
    if (edge.to == construct.merge) return true;
    if (!construct.switch_.is_none() && edge.to == flow_.construct(construct.switch_).merge) return true;
    if (!construct.loop.is_none()) {
      const Construct& loop = flow_.construct(construct.loop);
      if (edge.to == loop.merge) return true;
      if (loop.kind == Kind::Loop && edge.to == loop.continue_target) return true;
      // Out of the continue construct there is the way back as well.
      if (loop.kind == Kind::Continue && is_back_edge(edge)) return true;
    }
    // From one case into the next.
    // An edge into a case that is not the next one is told by check_cases, not as an exit.
    const ConstructIndex around = cases_[c.index()].innermost;
    return !around.is_none() && is_case_of(flow_.construct(around).parent, edge.to);
  }

  // By definition (the target dominates the source), not by the list of back edges: a look at two numbers.
  [[nodiscard]] bool is_back_edge(FlowEdge edge) const {
    return flow_.merge(edge.to).kind == MergeRow::Kind::Loop && graph_.dominators().dominates(edge.to, edge.from);
  }

  // A case falls through to one other case at most, the next one of the list; and one case at most falls through to it.
  void check_cases() {
    // next: the case that it falls into; before: the case that falls into it. One of each is all that is allowed, so
    // two numbers a block hold all edges between cases.
    std::vector<LocalBlock> next(flow_.block_count()), before(flow_.block_count());  // by the first block of a case
    for (const LocalBlock from : graph_.order()) {
      const ConstructIndex around = case_around(flow_.innermost(from));
      if (around.is_none()) continue;
      const LocalBlock own = flow_.construct(around).header;
      for (const LocalBlock to : flow_.plain().successors(from)) {
        // The header of a switch lies in no case of it, so its own branches are not taken for falls.
        if (to != own && is_case_of(flow_.construct(around).parent, to)) fall_through(from, own, to, next, before);
      }
    }
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const LocalBlock header(b);
      if (at_end(header).instruction.is_none() || !graph_.is_reachable(header)) continue;
      if (context_.module.instruction(at_end(header).instruction).opcode != Op::OpSwitch) continue;
      check_switch(header, next);
    }
  }

  void fall_through(LocalBlock from, LocalBlock own, LocalBlock to, std::vector<LocalBlock>& next,
                    std::vector<LocalBlock>& before) {
    LocalBlock& target = next[own.index()];
    LocalBlock& source = before[to.index()];
    if (!target.is_none() && target != to) {
      report_.add(Rule::CaseFallsTwice, at_end(from), {label(own), label(target), label(to)});
    } else if (!source.is_none() && source != own) {
      report_.add(Rule::CaseFallenIntoTwice, at_end(from), {label(source), label(own), label(to)});
      is_suspect_[to.index()] = true;  // both would have to stand right in front of it
    }
    // The last one counts for the order: earlier ones have been told.
    target = to;
    source = own;
  }

  // The case construct that a construct is or lies in; not over the limits of another switch or loop.
  [[nodiscard]] ConstructIndex case_around(ConstructIndex c) const {
    return c.is_none() ? c : cases_[c.index()].without_exit;
  }
  // Only constructs that begin with the block are climbed over.
  [[nodiscard]] bool is_case_of(ConstructIndex the_switch, LocalBlock block) const {
    for (ConstructIndex c = flow_.innermost(block); !c.is_none(); c = flow_.construct(c).parent) {
      if (flow_.construct(c).header != block) return false;
      if (flow_.construct(c).kind == Kind::Case) return flow_.construct(c).parent == the_switch;
    }
    return false;
  }

  void check_switch(LocalBlock header, const std::vector<LocalBlock>& next) {
    const auto targets = flow_.plain().successors(header);  // the default first, then in the order of the operands
    // Without a selection merge the cases have no switch to lie in; check_selections tells that.
    const bool is_selection = flow_.merge(header).kind == MergeRow::Kind::Selection;
    const LocalBlock merge = flow_.merge(header).merge;
    for (std::size_t i = 0; i < targets.size() && is_selection; ++i) {
      // A branch straight to the merge block is a case that does nothing.
      if (targets[i] == merge || graph_.dominators().dominates(header, targets[i])) continue;
      report_.add(Rule::SwitchDominance, at_end(header), {label(header), label(targets[i])});
      suspect(header);
      return;
    }
    check_case_order(header, targets, next);
  }

  // The default stands at no place of the list unless a literal names it as well: what falls through it goes on to the
  // case that it falls into itself.
  void check_case_order(LocalBlock header, std::span<const LocalBlock> targets, const std::vector<LocalBlock>& next) {
    if (targets.empty()) return;
    const LocalBlock otherwise = targets[0];
    // The operands after the default, in their order: neighbours are next cases.
    const auto list = targets.subspan(1);
    const bool is_listed = std::find(list.begin(), list.end(), otherwise) != list.end();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i + 1 < list.size() && list[i + 1] == list[i]) continue;  // several literals of one case
      LocalBlock into = next[list[i].index()];
      if (into == otherwise && !is_listed) into = next[otherwise.index()];
      // That two cases fall into one was reported, and with it whatever falls into that one.
      if (into.is_none() || is_suspect_[into.index()] || (into == otherwise && !is_listed)) continue;
      if (i + 1 < list.size() && list[i + 1] == into) continue;
      report_.add(Rule::CaseOrder, at_end(header), {label(list[i]), label(into)});
      return;
    }
  }

  // A branch of two ways has a merge instruction, unless one of the ways is an exit.
  void check_selections() {
    // The specification's rule in one pass: blocks in an order where headers come before what they head, and a target
    // that has been named (as a merge block, a continue target or a way of another branch) is an exit, not a new way.
    std::vector<bool> seen(flow_.block_count());
    const auto see = [&](LocalBlock b) {
      const bool is_new = !b.is_none() && !seen[b.index()];
      if (is_new) seen[b.index()] = true;
      return is_new;
    };
    for (const LocalBlock block : graph_.order()) {
      const Place place = at_end(block);
      if (place.instruction.is_none()) continue;
      const MergeRow& merge = flow_.merge(block);
      see(merge.merge);
      see(merge.continue_target);
      const Op op = context_.module.instruction(place.instruction).opcode;
      const auto targets = flow_.plain().successors(block);
      if (op == Op::OpSwitch) {
        if (merge.kind != MergeRow::Kind::Selection) report_.add(Rule::SwitchMerge, place);
        for (const LocalBlock target : targets) see(target);
      } else if (op == Op::OpBranchConditional && targets.size() == 2) {
        const bool first = see(targets[0]), second = see(targets[1]);
        if (merge.kind != MergeRow::Kind::Selection && first && second && !lies_in_unmerged_loop(block))
          report_.add(Rule::SelectionMerge, place, {label(block)});
      }
    }
  }

  const Context& context_;
  const ControlFlow& flow_;
  const FlowGraph& graph_;
  Report& report_;
  std::vector<LocalBlock> header_of_;  // by merge block
  std::vector<bool> is_suspect_;       // by header: what it begins was found wrong
  std::vector<bool> is_in_doubt_;      // by construct: it is suspect, or within one that is; empty: none is
  struct Cases {
    ConstructIndex innermost;     // the case that a construct is or lies in
    ConstructIndex without_exit;  // the same, when only selections lie between
  };
  std::vector<Cases> cases_;  // by construct
  bool has_suspects_ = false;
  std::vector<LocalBlock> unmerged_;  // blocks that are branched back to, and are no loop headers
};

}  // namespace

void check_blocks(const Context& context, const ControlFlow& flow, Report& report) {
  const auto label = [&](LocalBlock b) { return id_text(context, flow.block(b).label); };
  // Such edges are no edges of the graphs, so nothing else is said of them.
  for (const BadTarget& bad : flow.bad_targets()) {
    if (context.module.definition(bad.id).is_none()) continue;  // told as an id that is not defined
    report.add(Rule::BranchTarget, {bad.instruction, bad.word}, {id_text(context, bad.id)});
  }
  // Which block is the first is not sure where one lacks its begin.
  const bool is_torn = flow.block_count() != 0 && context.fragments.has_torn_blocks(flow.block(LocalBlock(0)).function);
  std::vector<LocalBlock> header_of(flow.block_count());
  for (std::uint32_t b = 0; b < flow.block_count(); ++b) {
    const LocalBlock block(b);
    for (const LocalBlock target : flow.plain().successors(block)) {
      // The first block of a function is entered by calls alone; once a branch, whichever of its ways leads there.
      if (target.raw == 0 && !is_torn) {
        report.add(Rule::EntryBlockTarget, {flow.block(block).terminator, 0}, {label(block), label(target)});
        break;
      }
    }
    const LocalBlock merge = flow.merge(block).merge;
    if (!merge.is_none()) {
      LocalBlock& header = header_of[merge.index()];
      if (!header.is_none()) {
        const InstructionIndex second = flow.block(block).merge;
        const Op op = context.module.instruction(second).opcode;
        report.add(Rule::MergeTwice, {second, word_of(op, OperandName::merge_block)}, {label(merge), label(header)});
      } else {
        header = block;
      }
    }
    // Blocks stand behind their dominators.
    const DominatorTree& dominators = flow.plain().dominators();
    // What nothing reaches has no dominator, and may stand anywhere.
    if (!dominators.has(block)) continue;
    const LocalBlock parent = dominators.parent(block);
    if (!parent.is_none() && parent > block) {
      report.add(Rule::BlockOrder, {InstructionIndex(flow.block(block).all.first), 0}, {label(block), label(parent)});
    }
  }
}

void check_structure(const Context& context, const ControlFlow& flow, Report& report) {
  StructureCheck(context, flow, report).run();
}

}  // namespace vireo::spirv
