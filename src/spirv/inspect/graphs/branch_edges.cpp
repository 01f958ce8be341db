// SPDX-License-Identifier: Apache-2.0
//
// Reads the edges of a block from its terminator and its merge instruction.
#include "spirv/inspect/graphs/branch_edges.h"

#include <algorithm>
#include <tuple>

#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t most_literals = 6;  // in the label of one edge

// A literal of OpSwitch as the assembler writes it: signed if the selector is.
std::string literal_text(Words literal, View<Op::OpTypeInt> type) {
  std::uint64_t bits = 0;
  for (std::size_t i = std::min<std::size_t>(literal.size(), 2); i-- > 0;) bits = bits << 32 | literal[i];
  if (type.signedness() == 0) return std::to_string(bits);
  const auto value =
      literal.size() < 2 ? std::int64_t{static_cast<std::int32_t>(bits)} : static_cast<std::int64_t>(bits);
  return std::to_string(value);
}

std::string_view word_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::True: return "true";
    case EdgeKind::False: return "false";
    case EdgeKind::Default: return "default";
    default: return {};
  }
}

}  // namespace

std::span<const BranchEdge> BranchEdges::of(LocalBlock block) {
  operands_.clear();
  edges_.clear();
  const InstructionIndex terminator = flow_.block(block).terminator;
  if (!terminator.is_none()) read_operands(module_.instruction(terminator));
  combine();
  for (BranchEdge& edge : edges_) {
    edge.to = flow_.block_of(edge.target);
    edge.kind = kind_of(block, edge.to, edge.kind);
  }
  add_merges(block);
  return edges_;
}

void BranchEdges::read_operands(InstructionView terminator) {
  // A truncated instruction may lack the label.
  const auto take = [&](IdOperand<IdKind::Label> label, EdgeKind kind, std::string literal = {}) {
    if (label.word >= terminator.word_count) return;
    operands_.push_back({label, kind, static_cast<std::uint32_t>(operands_.size()), std::move(literal)});
  };
  if (const auto jump = as<Op::OpBranch>(terminator)) return take(jump->target_label(), EdgeKind::Jump);
  if (const auto branch = as<Op::OpBranchConditional>(terminator)) {
    take(branch->true_label(), EdgeKind::True);
    return take(branch->false_label(), EdgeKind::False);
  }
  const auto choice = as<Op::OpSwitch>(terminator);
  if (!choice) return;
  take(choice->default_(), EdgeKind::Default);
  // Literals are as wide as the selector's type. Without an integer type the positions of the labels are unknown.
  const auto type = as<Op::OpTypeInt>(module_.find(module_.type_of(choice->selector())));
  if (!type || type->width() == 0) return;
  for (const CaseOperand each : choice->targets((std::size_t{type->width()} + 31) / 32)) {
    take(each.label, EdgeKind::Case, literal_text(each.literal, *type));
  }
}

// Makes one edge of all operands with the same target. Its label has the first literals.
void BranchEdges::combine() {
  std::ranges::sort(operands_, [](const LabelOperand& a, const LabelOperand& b) {
    return std::tie(a.target, a.order) < std::tie(b.target, b.order);
  });
  std::vector<std::pair<std::uint32_t, BranchEdge>> ordered;  // by the first operand
  for (std::size_t i = 0, end = 0; i < operands_.size(); i = end) {
    BranchEdge edge{{}, operands_[i].target, operands_[i].kind};
    std::size_t literals = 0;
    for (end = i; end < operands_.size() && operands_[end].target == edge.target; ++end) {
      const LabelOperand& operand = operands_[end];
      if (operand.kind != edge.kind) edge.kind = EdgeKind::Both;
      std::string text(word_of(operand.kind));
      if (operand.kind == EdgeKind::Case) {
        if (++literals > most_literals) continue;
        text = (literals == 1 ? "case " : "") + operand.literal;
      }
      if (!text.empty()) edge.label.append(edge.label.empty() ? "" : ", ").append(text);
    }
    if (literals > most_literals) edge.label.append(", … (").append(std::to_string(literals)).append(" cases)");
    ordered.emplace_back(operands_[i].order, std::move(edge));
  }
  std::ranges::sort(ordered, {}, [](const auto& each) { return each.first; });
  for (auto& each : ordered) edges_.push_back(std::move(each.second));
}

EdgeKind BranchEdges::kind_of(LocalBlock from, LocalBlock to, EdgeKind branch) const {
  if (!flow_.plain().is_reachable(from)) return EdgeKind::Unreachable;
  if (to.is_none()) return branch;
  if (flow_.structural().is_back_edge({from, to})) return EdgeKind::Back;
  const ConstructIndex around = flow_.innermost(from);
  if (around.is_none()) return branch;
  const ConstructIndex loop = flow_.construct(around).loop, choice = flow_.construct(around).switch_;
  if (!loop.is_none()) {
    const Construct& construct = flow_.construct(loop);
    if (to == construct.continue_target && construct.kind == Construct::Kind::Loop) return EdgeKind::Continue;
    if (to == construct.merge) return EdgeKind::Break;
  }
  // The header of a switch branches to the merge block for values without a case.
  if (choice.is_none() || flow_.construct(choice).header == from) return branch;
  return to == flow_.construct(choice).merge ? EdgeKind::Break : branch;
}

// A picture with both a branch and a merge edge to one block would show the same line twice. The frame of a continue
// construct shows the continue target; it needs an edge only if no branch leads to it.
void BranchEdges::add_merges(LocalBlock block) {
  const MergeRow& merge = flow_.merge(block);
  const std::size_t branches = edges_.size();
  const auto add = [&](LocalBlock to, EdgeKind kind) {
    if (to.is_none() || to == block) return;
    const auto begin = edges_.begin();
    if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(branches),
                    [&](const BranchEdge& edge) { return edge.to == to; }))
      return;
    edges_.push_back({to, flow_.block(to).label, kind});
  };
  add(merge.merge, EdgeKind::Merge);
  const LocalBlock next = merge.continue_target;
  if (!next.is_none() && flow_.plain().predecessors(next).empty()) add(next, EdgeKind::ContinueTarget);
}

}  // namespace vireo::spirv
