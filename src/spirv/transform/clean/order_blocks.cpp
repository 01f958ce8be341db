// SPDX-License-Identifier: Apache-2.0
//
// Orders the blocks of functions (specification 2.4: a block appears before all blocks that it dominates).
//
// The one idea: a folded branch makes a block dominate more blocks than before, and some of them may precede it. Only
// such functions are changed; their blocks follow the structural order.
#include <algorithm>
#include <vector>

#include "spirv/transform/clean/passes.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/facts/control_flow.h"

namespace vireo::spirv {
namespace {

bool is_ordered(const ControlFlow& flow) {
  const DominatorTree& tree = flow.plain().dominators();
  for (const LocalBlock b : flow.plain().order()) {
    const LocalBlock parent = tree.parent(b);
    if (!parent.is_none() && parent > b) return false;
  }
  return true;
}

}  // namespace

std::optional<WordBuffer> order_blocks(const PassInput& input) {
  const Module& module = input.module;
  Rewrite rewrite(module);
  ControlFlow flow;
  for (const FunctionRow& function : module.functions()) {
    if (function.block_count < 3) continue;  // the entry block always comes first
    flow.read(module, function, PostDominators::OfLoops);
    if (is_ordered(flow)) continue;
    std::vector<BlockIndex> order;
    std::vector<bool> is_placed(function.block_count);
    const auto place = [&](std::uint32_t b) {
      if (!is_placed[b]) order.emplace_back(function.first_block + b);
      is_placed[b] = true;
    };
    for (const LocalBlock b : flow.structural().order()) place(b.raw);
    for (std::uint32_t b = 0; b < function.block_count; ++b) place(b);
    rewrite.set_block_order(module.index_of(function), order);
  }
  if (!rewrite.is_changed()) return std::nullopt;
  return rewrite.write();
}

}  // namespace vireo::spirv
