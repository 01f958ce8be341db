// SPDX-License-Identifier: Apache-2.0
//
// Searches over the paths through a function.
#pragma once

#include <vector>

#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {

/// Visits each block that a path from the entry block reaches. A path ends at a block for which `ends_at` returns true.
template <typename EndsAt>
void search_paths(const ControlFlow& flow, EndsAt ends_at) {
  if (flow.block_count() == 0) return;
  std::vector<bool> seen(flow.block_count());
  std::vector<LocalBlock> open{LocalBlock(0)};
  seen[0] = true;
  while (!open.empty()) {
    const LocalBlock block = open.back();
    open.pop_back();
    if (ends_at(block)) continue;
    for (const LocalBlock next : flow.plain().successors(block)) {
      if (seen[next.index()]) continue;
      seen[next.index()] = true;
      open.push_back(next);
    }
  }
}

}  // namespace vireo::spirv
