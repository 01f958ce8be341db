// SPDX-License-Identifier: Apache-2.0
//
// Finds the writes that reach a read.
#include "spirv/module/uniformity/memory_nodes.h"

#include <algorithm>
#include <utility>

namespace vireo::spirv {
namespace {

constexpr std::uint64_t key_of(std::uint32_t upper, std::uint32_t lower) { return std::uint64_t{upper} << 32 | lower; }

}  // namespace

void MemoryNodes::begin(const ControlFlow& flow, const Regions& regions, AtEntry at_entry) {
  flow_ = &flow;
  regions_ = &regions;
  at_entry_ = std::move(at_entry);
  cells_.clear();
  writes_.clear();
  numbers_.clear();
  entries_.clear();
  joining_.clear();
  values_.clear();
}

std::uint32_t MemoryNodes::cell_of(Word root, std::uint32_t element) {
  const auto [row, is_new] = numbers_.try_emplace(key_of(root, element), static_cast<std::uint32_t>(cells_.size()));
  if (is_new) {
    cells_.push_back({root, element});
    writes_.emplace_back();
  }
  return row->second;
}

void MemoryNodes::add_write(std::uint32_t cell, LocalBlock b, InstructionIndex instruction, NodeIndex node,
                            Word value) {
  writes_[cell].push_back({regions_->position(b), instruction, node});
  if (value != 0) values_.emplace_back(node, value);
}

Word MemoryNodes::value_of(NodeIndex write) const {
  const auto row = std::ranges::lower_bound(values_, write, {}, &std::pair<NodeIndex, Word>::first);
  return row == values_.end() || row->first != write ? 0 : row->second;
}

const MemoryNodes::Write* MemoryNodes::last_in(std::uint32_t cell, std::uint32_t position,
                                               InstructionIndex before) const {
  const std::vector<Write>& writes = writes_[cell];
  const auto end = std::ranges::partition_point(writes, [&](const Write& write) {
    return write.position < position ||
           (write.position == position && (before.is_none() || write.instruction < before));
  });
  if (end == writes.begin() || (end - 1)->position != position) return nullptr;
  return &*(end - 1);
}

bool MemoryNodes::is_written_between(std::uint32_t cell, std::uint32_t first, std::uint32_t end) const {
  const auto write =
      std::ranges::partition_point(writes_[cell], [&](const Write& each) { return each.position < first; });
  return write != writes_[cell].end() && write->position < end;
}

NodeIndex MemoryNodes::read(std::uint32_t cell, LocalBlock b, InstructionIndex before) {
  const Write* write = last_in(cell, regions_->position(b), before);
  return write != nullptr ? write->node : read_at_entry(cell, b);
}

NodeIndex MemoryNodes::read_after(std::uint32_t cell, LocalBlock b) { return read(cell, b, InstructionIndex::none()); }

NodeIndex MemoryNodes::read_at_entry(std::uint32_t cell, LocalBlock b) {
  if (control_.is_exhausted()) return uniform_node;  // the graph will not be used
  const FlowGraph& plain = flow_->plain();
  const LocalBlock first = b;
  NodeIndex content = uniform_node;
  std::uint64_t steps = 1;
  for (;; ++steps) {
    if (const auto known = entries_.find(key_of(cell, b.raw)); known != entries_.end()) {
      content = known->second;
      break;
    }
    const LocalBlock dominator = plain.dominators().parent(b);
    if (dominator.is_none()) {
      content = at_entry_(cells_[cell]);
      break;
    }
    const std::uint32_t here = regions_->position(b), above = regions_->position(dominator);
    const std::uint32_t loop = regions_->loop_at(b);
    const bool changes = is_written_between(cell, above + 1, here) ||
                         (loop != 0 && is_written_between(cell, here, (*regions_)[loop].end));
    if (changes) {
      content = graph_.add(NodeKind::Memory, InstructionIndex(flow_->block(b).all.first), regions_->loop_of(b));
      joining_.push_back({cell, b, content});
      break;
    }
    if (const Write* write = last_in(cell, above, InstructionIndex::none())) {
      content = write->node;
      break;
    }
    b = dominator;
  }
  control_.spend(steps / 4);
  entries_[key_of(cell, b.raw)] = content;
  if (first != b) entries_[key_of(cell, first.raw)] = content;
  return content;
}

// Reading after a predecessor may add joining nodes, so the list grows meanwhile.
void MemoryNodes::finish() {
  const FlowGraph& plain = flow_->plain();
  for (std::size_t i = 0; i < joining_.size() && !control_.is_exhausted(); ++i) {
    const Joining join = joining_[i];
    LocalBlock last;
    Word value = 0;
    bool is_first = true;
    for (const LocalBlock from : plain.predecessors(join.block)) {
      if (from == last || !plain.is_reachable(from)) continue;
      last = from;
      const NodeIndex content = read_after(join.cell, from);
      graph_.connect(control_.seen_from(content, join.block), join.node);
      const Word written = value_of(content);
      value = is_first || written == value ? written : 0;
      is_first = false;
    }
    // If one value has been written on all paths, the choice may not matter.
    graph_.connect(control_.choice(join.block), join.node, value != 0 ? only_possible : every_plane);
    const std::uint32_t loop = regions_->loop_at(join.block);
    if (loop != 0) graph_.node(join.node).varies |= UniformityGraph::depth_bit((*regions_)[loop].depth);
    control_.spend(1);
  }
}

}  // namespace vireo::spirv
