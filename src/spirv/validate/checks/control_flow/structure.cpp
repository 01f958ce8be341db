// SPDX-License-Identifier: Apache-2.0
//
// Checks of structured control flow, in the order of specification 2.11.2, and of the order of blocks (structure.h).
// Structurally unreachable blocks are not checked.
#include "spirv/validate/checks/control_flow/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/fixes.h"
#include "vireo/spirv/binary/views/control_flow.h"

namespace vireo::spirv {
namespace {

// The operand of a terminator that is this label; the terminator itself if there is none.
Place label_place(const ModuleCheck& c, InstructionIndex terminator, Word label) {
  const InstructionView view = c.module.instruction(terminator);
  const auto at = [&](IdOperand<IdKind::Label> operand) { return Place{terminator, operand.word}; };
  if (const auto branch = as<Op::OpBranch>(view)) return at(branch->target_label());
  if (const auto branch = as<Op::OpBranchConditional>(view)) {
    return at(branch->true_label() == label ? branch->true_label() : branch->false_label());
  }
  if (const auto branch = as<Op::OpSwitch>(view)) {
    if (branch->default_() == label) return at(branch->default_());
    const TypeRow& selector = c.type_of(branch->selector());
    const std::size_t literal_words = selector.is(TypeKind::Int) ? (std::size_t{selector.width} + 31) / 32 : 1;
    for (const CaseOperand each : branch->targets(literal_words)) {
      if (each.label == label) return at(each.label);
    }
  }
  return {terminator, 0};
}

class StructureCheck {
 public:
  StructureCheck(const ModuleCheck& c, const ControlFlow& flow)
      : c_(c), flow_(flow), graph_(flow.structural()), header_of_(flow.block_count()), is_suspect_(flow.block_count()) {
    find_cases();
  }

  // The order of the calls matters: check_edges() skips constructs for which an earlier call reported a finding.
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

  // Fills cases_ in one pass: a construct follows its parent, so the entry of the parent is complete.
  void find_cases() {
    const auto constructs = flow_.constructs();
    cases_.resize(constructs.size());
    for (std::size_t i = 0; i < constructs.size(); ++i) {
      const Construct& construct = constructs[i];
      if (construct.kind == Kind::Case) {
        // A case is its own innermost case.
        cases_[i] = {ConstructIndex(i), ConstructIndex(i)};
      } else if (!construct.parent.is_none()) {
        cases_[i].innermost = cases_[construct.parent.index()].innermost;
        // Blocks in a nested loop or switch cannot fall through to the next case, so only selections inherit
        // `without_exit`.
        if (construct.kind == Kind::Selection) cases_[i].without_exit = cases_[construct.parent.index()].without_exit;
      }
    }
  }

  [[nodiscard]] std::string label(LocalBlock b) const { return id_text(c_, flow_.block(b).label); }
  [[nodiscard]] Place at_merge(LocalBlock b) const { return {flow_.block(b).merge, 0}; }
  [[nodiscard]] Place at_end(LocalBlock b) const { return {flow_.block(b).terminator, 0}; }
  // The operand of a merge instruction.
  [[nodiscard]] Place at_merge(LocalBlock b, OperandName name) const {
    return place_of(c_, flow_.block(b).merge, name);
  }
  // Reports an edge at the operand of its branch. Findings that are only counted need no operand, so it is not searched
  // for.
  // Returns whether the finding makes the edge unsound: the rule is an error that others may follow from.
  bool report_edge(Rule rule, FlowEdge edge, Arguments texts) {
    const Place place = c_.has_room_for(rule)
                            ? label_place(c_, flow_.block(edge.from).terminator, flow_.block(edge.to).label)
                            : at_end(edge.from);
    c_.report(rule, place, texts);
    return !c_.soundness.is_sound_word(place);
  }

  void check_depth() {
    const Word limit = c_.options.limits.nesting_depth;
    for (const Construct& construct : flow_.constructs()) {
      if (construct.depth != limit + std::uint64_t{1}) continue;  // deeper ones are not reported
      c_.report(Rule::NestingDepth, at_merge(construct.header), {limit});
      hint_limit(c_, &Limits::nesting_depth);
      return;
    }
  }

  // Each back edge must branch to a loop header, and each loop must have exactly one back edge.
  void check_loops() {
    // If both targets of a branch are the loop header, they count as one back edge.
    const auto all = flow_.back_edges();
    std::vector<FlowEdge> edges;
    std::unique_copy(all.begin(), all.end(), std::back_inserter(edges));
    // The number of back edges of each loop header.
    std::vector<std::uint32_t> latches(flow_.block_count());
    for (const FlowEdge& edge : edges) {
      if (flow_.merge(edge.to).kind != MergeRow::Kind::Loop) {
        // A branch to the entry block has its own finding (check_blocks).
        if (edge.to.raw != 0) {
          report_edge(Rule::BackEdge, edge, {label(edge.from), label(edge.to)});
          c_.note({InstructionIndex(flow_.block(edge.to).all.first), 0}, "loop begins here");
        }
        if (headers_without_merge_.empty() || headers_without_merge_.back() != edge.to)
          headers_without_merge_.push_back(edge.to);
      } else {
        ++latches[edge.to.index()];
      }
    }
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const LocalBlock header(b);
      if (flow_.merge(header).kind != MergeRow::Kind::Loop || !graph_.is_reachable(header)) continue;
      if (latches[b] == 1) continue;
      c_.report(Rule::LoopBackEdges, at_merge(header), {label(header), latches[b]});
      note_back_edges(header);
    }
    const DominatorTree& dominators = graph_.dominators();
    for (const FlowEdge& edge : edges) {
      const MergeRow& merge = flow_.merge(edge.to);
      // Without exactly one back edge, the end of the continue construct is unknown. The loop above reports this.
      if (merge.kind != MergeRow::Kind::Loop || latches[edge.to.index()] != 1 || merge.continue_target.is_none())
        continue;
      if (merge.continue_target == merge.merge) continue;  // has its own finding (check_loop_merge)
      if (!dominators.dominates(merge.continue_target, edge.from)) {
        c_.report(Rule::ContinueDominates, at_merge(edge.to, OperandName::continue_target),
                  {label(merge.continue_target), label(edge.from)});
        c_.note(at_end(edge.from), "back edge here");
      } else if (!graph_.post_dominators().dominates(edge.from, merge.continue_target)) {
        c_.report(Rule::BackEdgePostDominates, at_merge(edge.to, OperandName::continue_target),
                  {label(edge.from), label(merge.continue_target)});
        c_.note(at_end(edge.from), "back edge here");
      }
    }
  }

  // Adds notes for the first two back edges of a loop that has several.
  void note_back_edges(LocalBlock header) {
    int count = 0;
    LocalBlock last;
    for (const LocalBlock from : flow_.plain().predecessors(header)) {
      if (from == last || !graph_.is_back_edge({from, header})) continue;
      last = from;
      c_.note(at_end(from), "back edge here");
      if (++count == 2) return;
    }
  }

  // Whether a block may be in a loop without OpLoopMerge, whose exits are unknown. If the function has many such loops,
  // returns true for all blocks.
  [[nodiscard]] bool is_in_unmerged_loop(LocalBlock block) const {
    constexpr std::size_t many = 16;
    return headers_without_merge_.size() > many || std::ranges::any_of(headers_without_merge_, [&](LocalBlock header) {
             return graph_.dominators().dominates(header, block);
           });
  }

  // A header must dominate its merge block and its continue target.
  void check_headers() {
    const DominatorTree& dominators = graph_.dominators();
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const LocalBlock header(b);
      const MergeRow& merge = flow_.merge(header);
      if (merge.kind == MergeRow::Kind::None || !graph_.is_reachable(header) || merge.merge.is_none()) continue;
      // Two headers have the same merge block. The first one keeps it; check_blocks reports the second one.
      LocalBlock& first = header_of_[merge.merge.index()];
      if (!first.is_none()) {
        suspect(header);
        continue;
      }
      first = header;
      // A header cannot be its own merge block, although each block dominates itself.
      if (merge.merge == header || !dominators.dominates(header, merge.merge)) {
        c_.report(Rule::MergeDominance, at_merge(header, OperandName::merge_block),
                  {label(header), merge.merge == header ? std::string("is its own merge block")
                                                        : "does not dominate its merge block " + label(merge.merge)});
        suspect(header);
        continue;
      }
      if (merge.kind == MergeRow::Kind::Loop && !merge.continue_target.is_none() &&
          !dominators.dominates(header, merge.continue_target)) {
        c_.report(Rule::MergeDominance, at_merge(header, OperandName::continue_target),
                  {label(header), "does not dominate its continue target " + label(merge.continue_target)});
        suspect(header);
      }
    }
  }

  // --- texts of constructs ---

  // In the order of Construct::Kind: a construct, and its first block.
  struct ConstructName {
    std::string_view construct, first_block;
  };
  [[nodiscard]] static ConstructName name_of(const Construct& construct) {
    static constexpr ConstructName names[] = {{"the selection", "header"},
                                              {"the switch", "header"},
                                              {"the loop", "header"},
                                              {"the continue construct", "continue target"},
                                              {"the case", "label"}};
    return names[static_cast<std::size_t>(construct.kind)];
  }

  // "%51 (merge block), %9 (merge block of the loop) or %8 (continue target of the loop)": the targets of structured
  // exits, as in is_exit().
  [[nodiscard]] std::string exits_text(ConstructIndex c) const {
    const Construct& construct = flow_.construct(c);
    std::vector<std::string> exits;
    const auto add = [&](LocalBlock block, std::string_view role) {
      if (!block.is_none()) exits.push_back(fmt::format("{} ({})", label(block), role));
    };
    const auto add_other = [&](LocalBlock block, std::string_view role) {
      if (block != construct.merge) add(block, role);
    };
    add(construct.merge, "merge block");
    if (!construct.switch_.is_none()) add_other(flow_.construct(construct.switch_).merge, "merge block of the switch");
    if (!construct.loop.is_none()) {
      const Construct& loop = flow_.construct(construct.loop);
      add_other(loop.merge, "merge block of the loop");
      if (loop.kind == Kind::Loop) add(loop.continue_target, "continue target of the loop");
      if (loop.kind == Kind::Continue && !loop.merge.is_none()) add(header_of_[loop.merge.index()], "loop header");
    }
    if (!cases_[c.index()].without_exit.is_none()) exits.emplace_back("the next case");
    return list_text(exits, "or");
  }

  // Adds a note for the merge instruction that declares a construct. Continue constructs and cases have the merge block
  // of their loop or switch.
  void note_declaration(const Construct& construct, std::string_view text) {
    const LocalBlock header = construct.merge.is_none() ? LocalBlock() : header_of_[construct.merge.index()];
    if (!header.is_none()) c_.note(at_merge(header), std::string(text));
  }

  // --- edges ---

  // Each edge must leave constructs through a structured exit and enter constructs through their headers.
  void check_edges() {
    find_doubts();
    // Sources are visited one after the other, so it suffices to store the last source for each target.
    std::vector<LocalBlock> seen_from(flow_.block_count());  // by target: several operands may be the same target
    for (const LocalBlock from : graph_.order()) {
      for (const LocalBlock to : flow_.plain().successors(from)) {
        if (seen_from[to.index()] == from) continue;
        seen_from[to.index()] = from;
        check_edge({from, to});
      }
    }
    report_edges();
  }

  // A wrong exit extends its construct by the target, so a correct branch to the target then seems to enter the
  // construct. A wrong backward entry removes its target from the construct, so a branch within the construct then
  // seems to leave it. So each target has findings of one kind only: backward entries, else exits, else entries.
  void report_edges() {
    std::vector<bool> is_reported(flow_.block_count());  // by target
    const auto report_each = [&](std::span<const WrongEdge> edges, auto report, auto is_selected) {
      std::vector<LocalBlock> targets;
      for (const WrongEdge& wrong : edges) {
        if (!is_selected(wrong.edge) || is_reported[wrong.edge.to.index()]) continue;
        if ((this->*report)(wrong)) targets.push_back(wrong.edge.to);
      }
      for (const LocalBlock target : targets) is_reported[target.index()] = true;
    };
    const auto is_backward = [](FlowEdge edge) { return edge.to <= edge.from; };
    report_each(entries_, &StructureCheck::report_entry, is_backward);
    report_each(exits_, &StructureCheck::report_exit, [](FlowEdge) { return true; });
    report_each(entries_, &StructureCheck::report_entry, [&](FlowEdge edge) { return !is_backward(edge); });
  }

  // Marks the suspect constructs, whose blocks are unknown, and all constructs within them.
  void find_doubts() {
    if (!has_suspects_) return;
    const auto constructs = flow_.constructs();
    is_in_doubt_.resize(constructs.size());
    for (std::size_t i = 0; i < constructs.size(); ++i) {
      // Parents precede their children, so one pass suffices.
      const ConstructIndex parent = constructs[i].parent;
      is_in_doubt_[i] =
          is_suspect_[constructs[i].header.index()] || (!parent.is_none() && is_in_doubt_[parent.index()]);
    }
  }

  void suspect(LocalBlock header) {
    is_suspect_[header.index()] = true;
    has_suspects_ = true;
  }
  // Whether a block is in a construct that find_doubts() marked. The edges of the block are not checked.
  [[nodiscard]] bool is_in_doubt(LocalBlock block) const {
    return has_suspects_ && !flow_.innermost(block).is_none() && is_in_doubt_[flow_.innermost(block).index()];
  }

  void check_edge(FlowEdge edge) {
    if (is_in_doubt(edge.from) || is_in_doubt(edge.to)) return;
    // Leaving: only the innermost construct of the source is checked, because it contains the enclosing switch and
    // loop.
    const ConstructIndex inside = flow_.innermost(edge.from);
    if (!inside.is_none() && !flow_.has(inside, edge.to) && !is_exit(inside, edge) && !is_in_unmerged_loop(edge.from)) {
      exits_.push_back({edge, inside});
      return;
    }
    // Entering: check the constructs that contain the target but not the source.
    for (ConstructIndex c = flow_.innermost(edge.to); !c.is_none() && !flow_.has(c, edge.from);
         c = flow_.construct(c).parent) {
      const Construct& construct = flow_.construct(c);
      // An edge may enter a construct through its header. A continue construct may only be entered from its own loop.
      if (construct.header == edge.to) {
        const bool is_loop_header =
            flow_.merge(edge.to).continue_target == edge.to;  // the whole loop is its continue construct
        if (construct.kind == Kind::Continue && !is_loop_header && !is_of_loop(construct, edge.from)) {
          report_edge(Rule::ContinueEntry, edge, {label(edge.from), label(edge.to)});
          note_declaration(construct, "loop declared here");
          return;
        }
        continue;
      }
      entries_.push_back({edge, c});
      return;
    }
  }

  // An edge that leaves or enters a construct wrongly.
  struct WrongEdge {
    FlowEdge edge;
    ConstructIndex construct;
  };

  // These functions return whether the finding is an error.
  bool report_exit(const WrongEdge& wrong) {
    const Construct& construct = flow_.construct(wrong.construct);
    const ConstructName name = name_of(construct);
    const bool is_error =
        report_edge(Rule::StructuredExit, wrong.edge,
                    {label(wrong.edge.from), label(wrong.edge.to),
                     fmt::format("{} with {} {}", name.construct, name.first_block, label(construct.header)),
                     exits_text(wrong.construct)});
    note_declaration(construct, "construct declared here");
    return is_error;
  }
  bool report_entry(const WrongEdge& wrong) {
    const Construct& construct = flow_.construct(wrong.construct);
    const ConstructName name = name_of(construct);
    const bool is_error = report_edge(Rule::ConstructEntry, wrong.edge,
                                      {label(wrong.edge.from), label(wrong.edge.to), name.construct,
                                       fmt::format("its {} {}", name.first_block, label(construct.header))});
    note_declaration(construct, "construct declared here");
    return is_error;
  }

  // Whether a block is in the loop of the continue construct `next`. Visits the enclosing loops, not all constructs.
  [[nodiscard]] bool is_of_loop(const Construct& next, LocalBlock block) const {
    const auto loop_of = [&](ConstructIndex c) { return c.is_none() ? c : flow_.construct(c).loop; };
    for (ConstructIndex loop = loop_of(flow_.innermost(block)); !loop.is_none();
         loop = loop_of(flow_.construct(loop).parent)) {
      if (flow_.construct(loop).continue_target == next.continue_target) return true;
    }
    return flow_.merge(block).kind == MergeRow::Kind::Loop && flow_.merge(block).continue_target == next.header;
  }

  // Whether an edge that leaves a construct is a structured exit (2.11.1).
  [[nodiscard]] bool is_exit(ConstructIndex c, FlowEdge edge) const {
    const Construct& construct = flow_.construct(c);
    if (edge.to == construct.merge) return true;
    if (!construct.switch_.is_none() && edge.to == flow_.construct(construct.switch_).merge) return true;
    if (!construct.loop.is_none()) {
      const Construct& loop = flow_.construct(construct.loop);
      if (edge.to == loop.merge) return true;
      if (loop.kind == Kind::Loop && edge.to == loop.continue_target) return true;
      // In a continue construct, the back edge is also an exit.
      if (loop.kind == Kind::Continue && is_back_edge(edge)) return true;
    }
    // The last kind of exit is a fall-through to another case. check_cases reports targets other than the next case.
    const ConstructIndex around = cases_[c.index()].without_exit;
    return !around.is_none() && is_case_of(flow_.construct(around).parent, edge.to);
  }

  // Uses the definition of a back edge: the target dominates the source. This is faster than a search of back_edges().
  [[nodiscard]] bool is_back_edge(FlowEdge edge) const {
    return flow_.merge(edge.to).kind == MergeRow::Kind::Loop && graph_.dominators().dominates(edge.to, edge.from);
  }

  // A case may fall through to at most one other case, which must be the next one in the operand list. At most one case
  // may fall through to each case.
  void check_cases() {
    // For each case, `next` is the case that it falls through to, and `before` is the case that falls through to it.
    // Only one of each is valid, so one entry for each case suffices.
    std::vector<LocalBlock> next(flow_.block_count()), before(flow_.block_count());  // by the first block of a case
    for (const LocalBlock from : graph_.order()) {
      const ConstructIndex around = case_around(flow_.innermost(from));
      if (around.is_none()) continue;
      const LocalBlock own = flow_.construct(around).header;
      for (const LocalBlock to : flow_.plain().successors(from)) {
        // The header of a switch is not in its cases, so the branches of OpSwitch are not fall-throughs.
        if (to != own && is_case_of(flow_.construct(around).parent, to)) fall_through(from, own, to, next, before);
      }
    }
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const LocalBlock header(b);
      if (at_end(header).instruction.is_none() || !graph_.is_reachable(header)) continue;
      if (c_.module.instruction(at_end(header).instruction).opcode != Op::OpSwitch) continue;
      check_switch(header, next);
    }
  }

  void fall_through(LocalBlock from, LocalBlock own, LocalBlock to, std::vector<LocalBlock>& next,
                    std::vector<LocalBlock>& before) {
    LocalBlock& target = next[own.index()];
    LocalBlock& source = before[to.index()];
    if (!target.is_none() && target != to) {
      report_edge(Rule::CaseFallthroughTargets, {from, to}, {label(own), label(target), label(to)});
    } else if (!source.is_none() && source != own) {
      report_edge(Rule::CaseFallthroughSources, {from, to}, {label(source), label(own), label(to)});
      is_suspect_[to.index()] = true;  // only one case can directly precede it
    }
    // The last fall-through is used to check the order of the cases; a second one is reported above.
    target = to;
    source = own;
  }

  // The innermost case that is or contains a construct; none if a loop or another switch is between them.
  [[nodiscard]] ConstructIndex case_around(ConstructIndex c) const {
    return c.is_none() ? c : cases_[c.index()].without_exit;
  }
  // Whether a block is the header of a case of the switch. Visits only the constructs that have this header.
  [[nodiscard]] bool is_case_of(ConstructIndex the_switch, LocalBlock block) const {
    for (ConstructIndex c = flow_.innermost(block); !c.is_none(); c = flow_.construct(c).parent) {
      if (flow_.construct(c).header != block) return false;
      if (flow_.construct(c).kind == Kind::Case) return flow_.construct(c).parent == the_switch;
    }
    return false;
  }

  void check_switch(LocalBlock header, const std::vector<LocalBlock>& next) {
    const auto targets = flow_.plain().successors(header);  // the default first, then the operands in order
    // check_selections reports a switch without selection merge.
    const bool is_selection = flow_.merge(header).kind == MergeRow::Kind::Selection;
    const LocalBlock merge = flow_.merge(header).merge;
    for (std::size_t i = 0; i < targets.size() && is_selection; ++i) {
      // A target that is the merge block is an empty case.
      if (targets[i] == merge || graph_.dominators().dominates(header, targets[i])) continue;
      report_edge(Rule::SwitchDominance, {header, targets[i]}, {label(header), label(targets[i])});
      suspect(header);
      return;
    }
    check_case_order(header, targets, next);
  }

  // The default target has no position in the list, unless a literal also selects it. If a case falls through to a
  // default without a position, the case that the default falls through to is used instead.
  void check_case_order(LocalBlock header, std::span<const LocalBlock> targets, const std::vector<LocalBlock>& next) {
    if (targets.empty()) return;
    const LocalBlock otherwise = targets[0];
    // The targets of the literals, in the order of the operands.
    const auto list = targets.subspan(1);
    const bool is_listed = std::find(list.begin(), list.end(), otherwise) != list.end();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i + 1 < list.size() && list[i + 1] == list[i]) continue;  // several literals share a case
      LocalBlock into = next[list[i].index()];
      if (into == otherwise && !is_listed) into = next[otherwise.index()];
      // fall_through() has reported a case that two cases fall through to, so its position is not checked.
      if (into.is_none() || is_suspect_[into.index()] || (into == otherwise && !is_listed)) continue;
      if (i + 1 < list.size() && list[i + 1] == into) continue;
      report_edge(Rule::CaseOrder, {header, list[i]}, {label(list[i]), label(into)});
      return;
    }
  }

  // An OpBranchConditional with two targets needs a merge instruction, unless one target is an exit.
  void check_selections() {
    // In this order, headers precede the blocks that they dominate. So a target that has occurred before (as merge
    // block, continue target or branch target) is an exit.
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
      const Op op = c_.module.instruction(place.instruction).opcode;
      const auto targets = flow_.plain().successors(block);
      if (op == Op::OpSwitch) {
        if (merge.kind != MergeRow::Kind::Selection) c_.report(Rule::SwitchMerge, place);
        for (const LocalBlock target : targets) see(target);
      } else if (op == Op::OpBranchConditional && targets.size() == 2) {
        const bool first = see(targets[0]), second = see(targets[1]);
        if (merge.kind == MergeRow::Kind::Selection || !first || !second || is_in_unmerged_loop(block)) continue;
        c_.report(Rule::SelectionMerge, place,
                  {merge.kind == MergeRow::Kind::Loop
                       ? "after OpLoopMerge does not exit the loop; move it to a block with OpSelectionMerge"
                       : "without OpSelectionMerge or OpLoopMerge; neither target exits a construct"});
      }
    }
  }

  const ModuleCheck& c_;
  const ControlFlow& flow_;
  const FlowGraph& graph_;
  std::vector<LocalBlock> header_of_;  // by merge block
  std::vector<bool> is_suspect_;       // by header: the construct has a finding
  std::vector<bool> is_in_doubt_;      // by construct: suspect or in a suspect one; empty if no construct is suspect
  struct Cases {
    ConstructIndex innermost;     // the innermost case that is or contains the construct
    ConstructIndex without_exit;  // the same, if only selections are between them; else none
  };
  std::vector<Cases> cases_;  // by construct
  bool has_suspects_ = false;
  std::vector<WrongEdge> exits_, entries_;         // of the whole function
  std::vector<LocalBlock> headers_without_merge_;  // targets of back edges that are not loop headers
};

}  // namespace

void check_blocks(const ModuleCheck& c, const ControlFlow& flow) {
  const auto label = [&](LocalBlock b) { return id_text(c, flow.block(b).label); };
  // The graphs have no edges to invalid targets, so no other check reports them.
  for (const BadTarget& bad : flow.bad_targets()) {
    const InstructionIndex definition = c.module.definition(bad.id);
    // IdCheck reports undefined ids and non-semantic instructions, check_group_uses() decoration groups.
    if (definition.is_none() || is_non_semantic(c, c.module.instruction(definition))) continue;
    const Op op = c.module.instruction(definition).opcode;
    if (op == Op::OpDecorationGroup) continue;
    const std::string id = id_text(c, bad.id), cause = std::to_string(bad.instruction.raw);
    const auto found = op == Op::OpLabel ? "a block of another function" : "the result of " + op_text(c, op);
    // A label as the condition and a value as a target are one fault: the two are exchanged.
    if (c.findings.join(Rule::ForwardReference, fmt::format("{}:{}", cause, bad.word), cause, Rule::BranchTarget)) {
      c.note({bad.instruction, bad.word}, id + " is " + found + "; expected a block of this function");
      continue;
    }
    c.report(Rule::BranchTarget, {bad.instruction, bad.word}, {id, found});
    c.note({definition, 0}, "defined here");
  }
  // If a block lacks its label, it is unknown which block is the first.
  const bool has_incomplete_blocks =
      flow.block_count() != 0 && !c.soundness.has_sound_blocks(flow.block(LocalBlock(0)).function);
  std::vector<LocalBlock> header_of(flow.block_count());
  for (std::uint32_t b = 0; b < flow.block_count(); ++b) {
    const LocalBlock block(b);
    for (const LocalBlock target : flow.plain().successors(block)) {
      // No branch may target the first block of a function. Each terminator has at most one finding.
      if (target.raw == 0 && !has_incomplete_blocks) {
        const InstructionIndex end = flow.block(block).terminator;
        c.report(Rule::EntryBlockTarget, label_place(c, end, flow.block(target).label), {label(block), label(target)});
        break;
      }
    }
    const LocalBlock merge = flow.merge(block).merge;
    if (!merge.is_none()) {
      LocalBlock& header = header_of[merge.index()];
      if (!header.is_none()) {
        const InstructionIndex second = flow.block(block).merge;
        c.report(Rule::MergeTwice, place_of(c, second, OperandName::merge_block), {label(merge), label(header)});
        c.note(place_of(c, flow.block(header).merge, OperandName::merge_block), "first merge instruction here");
      } else {
        header = block;
      }
    }
    // A block must follow its immediate dominator.
    const DominatorTree& dominators = flow.plain().dominators();
    if (!dominators.has(block)) continue;  // unreachable blocks may be anywhere
    const LocalBlock parent = dominators.parent(block);
    if (!parent.is_none() && parent > block) {
      c.report(Rule::BlockOrder, {InstructionIndex(flow.block(block).all.first), 0}, {label(block), label(parent)});
      c.note({InstructionIndex(flow.block(parent).all.first), 0}, "dominating block begins here");
    }
  }
}

void check_structure(const ModuleCheck& c, const ControlFlow& flow) { StructureCheck(c, flow).run(); }

}  // namespace vireo::spirv
