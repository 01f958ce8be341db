// SPDX-License-Identifier: Apache-2.0
//
// Finds the regions in one pass over the structural order, with a stack of the open ones.
#include "spirv/module/uniformity/regions.h"

#include <algorithm>

namespace vireo::spirv {

void Regions::read(const ControlFlow& flow) {
  flow_ = &flow;
  const FlowGraph& order = flow.structural();
  const FlowGraph& plain = flow.plain();
  const auto end_of_all = static_cast<std::uint32_t>(order.order().size());
  regions_.assign(1, {});
  regions_[0].end = end_of_all;
  around_.assign(flow.block_count(), 0);
  merging_.assign(flow.block_count(), 0);
  loop_ends_.assign(flow.block_count(), 0);
  has_loops_ = false;
  is_reducible_ = true;

  for (const LocalBlock from : plain.order()) {
    for (const LocalBlock to : plain.successors(from)) {
      if (position(to) > position(from)) continue;
      is_reducible_ = is_reducible_ && plain.dominators().dominates(to, from);
      loop_ends_[to.index()] = std::max(loop_ends_[to.index()], position(from) + 1);
    }
  }

  std::uint32_t open = 0;
  const auto push = [&](Region region) {
    region.end = std::min(region.end, regions_[open].end);
    region.parent = open;
    const auto number = static_cast<std::uint32_t>(regions_.size());
    region.loop = region.is_loop ? number : regions_[open].loop;
    region.depth = regions_[open].depth + (region.is_loop && regions_[open].loop != 0 ? 1 : 0);
    has_loops_ = has_loops_ || region.is_loop;
    regions_.push_back(region);
    open = number;
  };
  for (std::uint32_t at = 0; at < end_of_all; ++at) {
    while (open != 0 && regions_[open].end <= at) open = regions_[open].parent;
    const LocalBlock b = order.order()[at];
    const MergeRow& row = flow.merge(b);
    Region region;
    region.header = b;
    region.begin = at;
    const bool merges = row.kind != MergeRow::Kind::None && !row.merge.is_none() && order.is_reachable(row.merge) &&
                        position(row.merge) > at;
    const bool is_declared_loop = row.kind == MergeRow::Kind::Loop && merges;
    if (loop_ends_[b.index()] != 0 && !is_declared_loop) {
      Region loop = region;
      loop.end = loop_ends_[b.index()];
      loop.is_loop = true;
      push(loop);
    }
    if (merges) {
      region.end = position(row.merge);
      region.merge = row.merge;
      region.is_loop = is_declared_loop;
      if (is_declared_loop) region.continue_target = row.continue_target;
      push(region);
      if (regions_[open].end == position(row.merge)) merging_[row.merge.index()] = open;
    }
    around_[b.index()] = open;
  }
}

}  // namespace vireo::spirv
