// SPDX-License-Identifier: Apache-2.0
//
// Removes each OpPhi that has only one value (specification 3.42.17).
#include <vector>

#include "spirv/transform/clean/passes.h"
#include "spirv/transform/rewrite.h"

namespace vireo::spirv {

// A value that comes from every predecessor dominates the block, so all uses of the OpPhi can use it directly.
std::optional<WordBuffer> remove_trivial_phis(const PassInput& input) {
  const Module& module = input.module;
  if (!module.has(Op::OpPhi)) return std::nullopt;
  Rewrite rewrite(module);
  for (const auto [index, view] : module.instructions(Section::Functions)) {
    if (view.opcode != Op::OpPhi || view.word_count != 5) continue;  // one predecessor
    const Word value = view.word(3);
    if (value == view.word(2)) continue;
    // In a loop that nothing enters, instructions can use each other in a cycle.
    const InstructionIndex definition = module.definition(value);
    if (!definition.is_none() && definition >= index) continue;
    rewrite.remove(index);
    rewrite.rename(index, value);
  }
  if (!rewrite.is_changed()) return std::nullopt;
  rewrite.remove_annotations();
  return rewrite.write(input.operands);
}

}  // namespace vireo::spirv
