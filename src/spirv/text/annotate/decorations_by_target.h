// SPDX-License-Identifier: Apache-2.0
//
// Which instructions decorate an id, for the comments behind the id's own line.
//
// The one idea: OpDecorate only, as spirv-dis does; decorations of members and by groups are not about that line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/instruction.h"
#include "vireo/spirv/views/annotation.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

struct Decorating {
  Word target;
  std::uint32_t offset;  ///< of the instruction, in words
};

/// Ascending by target, in file order for each.
inline void sort_by_target(std::vector<Decorating>& decorations) {
  std::ranges::sort(decorations, {}, [](const Decorating& d) { return std::uint64_t{d.target} << 32 | d.offset; });
}

/// All of a module, sorted. O(n log n).
inline std::vector<Decorating> decorations_by_target(Words module) {
  std::vector<Decorating> decorations;
  for (const InstructionView instruction : Instructions(module)) {
    const auto decorate = as<Op::OpDecorate>(instruction);
    if (decorate && decorate->decoration().is_present()) {
      decorations.push_back({decorate->target(), instruction.offset});
    }
  }
  sort_by_target(decorations);
  return decorations;
}

}  // namespace vireo::spirv
