// SPDX-License-Identifier: Apache-2.0
//
// The decorations of an id, for the comments after the instruction that defines it.
//
// Only OpDecorate is used, as in spirv-dis. Decorations of members, and decorations by groups, are ignored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

struct Decorating {
  Word target;
  std::uint32_t offset;  ///< of the instruction, in words from the start of the module
};

/// Sorts by target, and in file order for each target.
inline void sort_by_target(std::vector<Decorating>& decorations) {
  std::ranges::sort(decorations, {}, [](const Decorating& d) { return std::uint64_t{d.target} << 32 | d.offset; });
}

/// All decorations of a module, sorted. O(n log n).
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
