// SPDX-License-Identifier: Apache-2.0
//
// Reads the RemovableConstructs of a module (specification 2.11).
#include "spirv/transform/clean/removable_constructs.h"

#include <span>

namespace vireo::spirv {

RemovableConstructs::RemovableConstructs(const Module& module, bool is_wanted)
    : owners_(module.blocks().size(), none), headed_(module.blocks().size(), none) {
  if (!is_wanted) return;
  ControlFlow flow;
  for (const FunctionRow& function : module.functions()) {
    bool has_merge = false;
    for (const BlockRow& block : module.blocks(function)) has_merge |= !block.merge.is_none();
    if (!has_merge) continue;  // all its blocks belong to the function
    flow.read(module, function, PostDominators::OfLoops);
    read_function(function, flow);
  }
  // The blocks by owner: a counting sort.
  for (const Index owner : owners_) {
    if (owner != none) ++rows_[owner].block_count;
  }
  std::uint32_t first = 0;
  for (Row& row : rows_) {
    row.first_block = first;
    first += row.block_count;
    row.block_count = 0;
  }
  blocks_.resize(first);
  for (std::size_t b = 0; b < owners_.size(); ++b) {
    if (owners_[b] == none) continue;
    Row& row = rows_[owners_[b]];
    blocks_[row.first_block + row.block_count++] = BlockIndex(b);
  }
}

// Adds a row for each construct with a merge instruction. A case belongs to its switch, and a continue construct to its
// loop: `numbers` becomes the row of each construct.
void RemovableConstructs::add_constructs(const FunctionRow& function, const ControlFlow& flow,
                                         std::vector<Index>& numbers) {
  const std::span<const Construct> constructs = flow.constructs();
  numbers.assign(constructs.size(), none);
  std::vector<Index> loop_of_merge(flow.block_count(), none);
  const auto block = [&](LocalBlock b) { return BlockIndex(function.first_block + b.index()); };
  for (std::size_t c = 0; c < constructs.size(); ++c) {
    const Construct& construct = constructs[c];
    const bool is_loop = construct.kind == Construct::Kind::Loop;
    const Index parent = construct.parent.is_none() ? none : numbers[construct.parent.index()];
    if (construct.kind == Construct::Kind::Case) {
      numbers[c] = parent;
    } else if (construct.kind != Construct::Kind::Continue) {
      numbers[c] = count();
      Row& row = rows_.emplace_back();
      row.header = block(construct.header);
      row.is_loop = is_loop;
      row.parent = parent;
      if (construct.merge.is_none()) row.is_always_needed = true;
      else row.merge = block(construct.merge);
      headed_[block(construct.header).index()] = numbers[c];
      if (is_loop && !construct.merge.is_none()) loop_of_merge[construct.merge.index()] = numbers[c];
    } else if (!construct.merge.is_none()) {
      // A loop precedes its continue construct, because both have the same parent and the loop's header comes first.
      numbers[c] = loop_of_merge[construct.merge.index()];
    }
  }
}

void RemovableConstructs::read_function(const FunctionRow& function, const ControlFlow& flow) {
  std::vector<Index> numbers;
  add_constructs(function, flow, numbers);
  const auto block = [&](LocalBlock b) { return BlockIndex(function.first_block + b.index()); };
  // A block can be the merge block of one construct and the continue target of another one.
  std::vector<ConstructIndex> merge_of(flow.block_count()), continue_of(flow.block_count());
  for (std::size_t c = 0; c < flow.constructs().size(); ++c) {
    const Construct& construct = flow.constructs()[c];
    if (construct.kind == Construct::Kind::Case || construct.kind == Construct::Kind::Continue) continue;
    if (!construct.continue_target.is_none()) continue_of[construct.continue_target.index()] = ConstructIndex(c);
    if (construct.merge.is_none()) continue;
    merge_of[construct.merge.index()] = ConstructIndex(c);
    rows_[numbers[c]].is_always_needed |= !flow.plain().is_reachable(construct.merge);
  }
  for (std::uint32_t b = 0; b < flow.block_count(); ++b) {
    const LocalBlock here(b);
    const ConstructIndex innermost = flow.innermost(here);
    Index owner = innermost.is_none() ? none : numbers[innermost.index()];
    // The header of a selection runs whether or not the selection is there.
    const Index headed = headed_[block(here).index()];
    if (headed != none && !rows_[headed].is_loop && owner == headed) owner = rows_[headed].parent;
    owners_[block(here).index()] = owner;
  }
  // A branch out of a construct to a place other than its merge block.
  for (std::uint32_t b = 0; b < flow.block_count(); ++b) {
    const LocalBlock here(b);
    const Index headed = headed_[block(here).index()];
    const Index from = headed != none ? headed : owners_[block(here).index()];
    if (!flow.plain().is_reachable(here)) {
      // It can be in no construct and still branch into one, which then has to stay.
      for (const LocalBlock to : flow.plain().successors(here)) {
        const Index entered = owners_[block(to).index()];
        if (entered != none && entered != from) rows_[entered].is_always_needed = true;
      }
    }
    if (from == none) continue;
    for (const LocalBlock to : flow.plain().successors(here)) {
      ConstructIndex left = merge_of[to.index()];
      if (left.is_none() || !flow.has(left, here)) left = continue_of[to.index()];
      const Index target = left.is_none() ? owners_[block(to).index()] : numbers[left.index()];
      if (target == from) continue;
      if (target != none && rows_[target].parent == from) continue;  // into a nested loop
      if (target == none) rows_[from].is_always_needed = true;
      else rows_[target].leave_with.push_back(from);
    }
  }
}

}  // namespace vireo::spirv
