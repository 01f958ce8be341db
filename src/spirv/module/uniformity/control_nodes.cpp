// SPDX-License-Identifier: Apache-2.0
//
// Builds the nodes of control flow.
#include "spirv/module/uniformity/control_nodes.h"

#include <algorithm>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

// A choice that is not made yet. Node 0 means that there is nothing to choose.
constexpr NodeIndex not_made = 0xFFFFFFFF;

}  // namespace

NodeIndex ControlNodes::add(NodeKind kind, LocalBlock b) {
  const BlockRow& row = flow_->block(b);
  const bool is_end = (kind == NodeKind::Condition || kind == NodeKind::Departure) && !row.terminator.is_none();
  return graph_.add(kind, is_end ? row.terminator : InstructionIndex(row.all.first), regions_->loop_of(b));
}

void ControlNodes::read(const ControlFlow& flow, const Regions& regions, std::span<const Calls> calls, bool is_maximal,
                        std::uint64_t budget) {
  flow_ = &flow;
  regions_ = &regions;
  is_maximal_ = is_maximal;
  is_exhausted_ = false;
  budget_ = budget;
  const FlowGraph& plain = flow.plain();
  conditions_.assign(flow.block_count(), uniform_node);
  calls_.assign(flow.block_count(), uniform_node);
  relative_.assign(flow.block_count(), uniform_node);
  choices_.assign(flow.block_count(), not_made);
  controls_.assign(flow.block_count(), uniform_node);
  iterations_.assign(regions.count(), uniform_node);
  exits_.assign(regions.count(), uniform_node);
  departures_.assign(regions.count(), uniform_node);
  inside_.assign(regions.count(), uniform_node);
  terminations_ = uniform_node;
  returns_.clear();
  outside_loops_.clear();

  for (std::uint32_t r = 0; r < regions.count(); ++r) {
    const LocalBlock header = r == 0 ? LocalBlock(0) : regions[r].header;
    departures_[r] = add(NodeKind::Join, header);
    if (regions[r].is_loop) {
      iterations_[r] = add(NodeKind::Join, header);
      exits_[r] = add(NodeKind::LoopExit, header);
    }
    inside_[r] = add(r == 0 ? NodeKind::Input : NodeKind::Join, header);
  }
  for (const LocalBlock b : plain.order()) {
    relative_[b.index()] = add(NodeKind::Join, b);
    const auto targets = plain.successors(b);
    const bool branches = std::ranges::any_of(targets, [&](LocalBlock to) { return to != targets[0]; });
    if (branches) conditions_[b.index()] = add(NodeKind::Condition, b);
    if (calls[b.index()] != None) calls_[b.index()] = add(NodeKind::Join, b);
  }
  for (std::uint32_t r = 1; r < regions.count(); ++r) {
    graph_.connect(inside_[regions[r].parent], inside_[r]);
    graph_.connect(header_of(r), inside_[r]);
    graph_.connect(iterations_[r], inside_[r]);
  }
  for (const LocalBlock b : plain.order()) {
    if (is_exhausted_) return;
    connect_departures(b);
    if ((calls[b.index()] & Terminates) != 0) connect_departure(b, LocalBlock::none(), terminating(), NodeKind::Join);
    connect_arrivals(b);
  }
}

NodeIndex ControlNodes::header_of(std::uint32_t region) const {
  const Region& row = (*regions_)[region];
  // Two regions may begin with one block.
  if ((*regions_)[row.parent].header == row.header) return uniform_node;
  return relative_[row.header.index()];
}

// Connects to a node what decides whether an invocation in a region reaches the end of the block `from`.
void ControlNodes::connect_path(LocalBlock from, std::uint32_t region, NodeIndex to) {
  graph_.connect(conditions_[from.index()], to);
  graph_.connect(calls_[from.index()], to);
  std::uint32_t at = regions_->around(from);
  if (at == 0 || (*regions_)[at].header != from) graph_.connect(relative_[from.index()], to);
  spend(1);
  for (; at != region && at != 0 && !is_exhausted_; at = (*regions_)[at].parent) {
    graph_.connect(iterations_[at], to);
    graph_.connect(header_of(at), to);
    spend(1);
  }
}

void ControlNodes::connect_departures(LocalBlock from) {
  const auto targets = flow_->plain().successors(from);
  LocalBlock last;
  for (const LocalBlock to : targets) {
    if (to != last) connect_departure(from, to, uniform_node, NodeKind::Join);
    last = to;
  }
  if (!targets.empty()) return;
  const InstructionIndex end = flow_->block(from).terminator;
  const Op opcode = end.is_none() ? Op::OpNop : module_.instruction(end).opcode;
  if (opcode == Op::OpUnreachable) return;  // no invocation gets there
  if (opcode == Op::OpReturn || opcode == Op::OpReturnValue) {
    returns_.push_back(from);
    connect_departure(from, LocalBlock::none(), uniform_node, NodeKind::Departure);
  } else {
    connect_departure(from, LocalBlock::none(), terminating(), NodeKind::Departure);
  }
}

NodeIndex ControlNodes::terminating() {
  if (terminations_ == uniform_node) terminations_ = add(NodeKind::Join, LocalBlock(0));
  return terminations_;
}

// A branch that leaves regions, or the end of an invocation if there is no target.
void ControlNodes::connect_departure(LocalBlock from, LocalBlock to, NodeIndex ends, NodeKind kind) {
  std::uint32_t at = regions_->around(from);
  if (at == 0 && !to.is_none()) return;
  if (!to.is_none() && (*regions_)[at].contains(regions_->position(to))) return;
  NodeIndex path = add(kind, from);
  graph_.connect(conditions_[from.index()], path);
  graph_.connect(calls_[from.index()], path);
  if (at == 0 || (*regions_)[at].header != from) graph_.connect(relative_[from.index()], path);
  for (; !is_exhausted_; spend(1)) {
    const Region& region = (*regions_)[at];
    const bool is_inside = !to.is_none() && region.contains(regions_->position(to));
    if (is_inside) break;
    if (region.is_loop && !to.is_none()) graph_.connect(path, exits_[at]);
    const bool merges = !to.is_none() && region.merge == to;
    if (!merges) graph_.connect(path, departures_[at]);
    if (at == 0 && ends != uniform_node) graph_.connect(path, ends);
    if (at == 0 || merges) break;
    const NodeIndex outer = add(NodeKind::Join, region.header);
    graph_.connect(path, outer);
    graph_.connect(iterations_[at], outer);
    graph_.connect(header_of(at), outer);
    path = outer;
    at = region.parent;
  }
}

void ControlNodes::connect_arrivals(LocalBlock b) {
  const FlowGraph& plain = flow_->plain();
  const NodeIndex own = relative_[b.index()];
  const std::uint32_t merged = regions_->merging_at(b), outside = regions_->outside(b);
  const std::uint32_t loop = regions_->loop_of(b);
  const bool rejoins = is_maximal_ && loop != 0 && (*regions_)[loop].continue_target == b;
  if (merged != 0) {
    graph_.connect(header_of(merged), own);
    graph_.connect(departures_[merged], own);
  }
  if (rejoins) {
    // Invocations join here once in each iteration, unless they left the loop.
    graph_.connect(exits_[loop], own);
    graph_.connect(departures_[loop], own);
  }
  LocalBlock last;
  for (const LocalBlock from : plain.predecessors(b)) {
    if (from == last || !plain.is_reachable(from)) continue;
    last = from;
    if (is_back_edge(from, b)) {
      const std::uint32_t own_loop = regions_->loop_at(b);
      if (own_loop != 0) connect_path(from, own_loop, iterations_[own_loop]);
    } else if (!rejoins && !(merged != 0 && (*regions_)[merged].contains(regions_->position(from)))) {
      connect_path(from, outside, own);
    }
  }
}

NodeIndex ControlNodes::choice(LocalBlock b) {
  NodeIndex& made = choices_[b.index()];
  if (made != not_made) return made;
  const FlowGraph& plain = flow_->plain();
  std::vector<LocalBlock> sources;
  for (const LocalBlock from : plain.predecessors(b)) {
    const bool is_new = sources.empty() || sources.back() != from;
    if (is_new && plain.is_reachable(from) && !is_back_edge(from, b)) sources.push_back(from);
  }
  if (sources.size() < 2) return made = uniform_node;
  made = add(NodeKind::Choice, b);
  const std::uint32_t merged = regions_->merging_at(b), outside = regions_->outside(b);
  if (merged != 0) graph_.connect(iterations_[merged], made);
  for (const LocalBlock from : sources) {
    const bool is_within = merged != 0 && (*regions_)[merged].contains(regions_->position(from));
    connect_path(from, is_within ? merged : outside, made);
  }
  return made;
}

NodeIndex ControlNodes::control(LocalBlock b) {
  NodeIndex& made = controls_[b.index()];
  if (made != uniform_node || !flow_->plain().is_reachable(b)) return made;
  made = add(NodeKind::Join, b);
  const std::uint32_t around = regions_->around(b);
  graph_.connect(inside_[around], made);
  if (around == 0 || (*regions_)[around].header != b) graph_.connect(relative_[b.index()], made);
  return made;
}

NodeIndex ControlNodes::seen_from(NodeIndex value, LocalBlock b) {
  const std::uint32_t inner = graph_.node(value).loop;
  if (inner == 0 || (*regions_)[inner].contains(regions_->position(b))) return value;
  std::uint32_t outermost = inner, around = inner;
  for (; around != 0 && !(*regions_)[around].contains(regions_->position(b)) && !is_exhausted_; spend(1)) {
    outermost = around;
    around = (*regions_)[(*regions_)[around].parent].loop;
  }
  const auto [row, is_new] = outside_loops_.try_emplace(std::uint64_t{value} << 32 | outermost, uniform_node);
  if (!is_new) return row->second;
  const NodeIndex seen = graph_.add(NodeKind::Join, graph_.node(value).where, around);
  row->second = seen;
  // Loops that are left no longer count.
  graph_.node(seen).keeps_varying = UniformityGraph::depth_bit((*regions_)[outermost].depth) - 1;
  graph_.connect(value, seen);
  for (std::uint32_t loop = inner; loop != around; loop = (*regions_)[(*regions_)[loop].parent].loop) {
    graph_.connect_if_varying(exits_[loop], seen, value, (*regions_)[loop].depth);
  }
  return seen;
}

void ControlNodes::connect_returns(NodeIndex to) {
  if (returns_.size() < 2) return;
  for (const LocalBlock b : returns_) connect_path(b, 0, to);
}

}  // namespace vireo::spirv
