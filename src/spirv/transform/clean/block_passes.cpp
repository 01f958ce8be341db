// SPDX-License-Identifier: Apache-2.0
//
// Passes of clean() for blocks: fold branches, remove unreachable blocks, and remove each OpPhi that has only one value
// (specification 3.42.17).
#include "spirv/transform/clean/block_pruner.h"
#include "spirv/transform/clean/passes.h"
#include "spirv/transform/rewrite.h"

namespace vireo::spirv {

std::optional<WordBuffer> fold_branches(const PassInput& input) {
  Rewrite rewrite(input.module);
  if (!BlockPruner(input.module, input.operands).fold(rewrite) || !rewrite.is_changed()) return std::nullopt;
  rewrite.remove_annotations();
  return rewrite.write(input.operands);
}

std::optional<WordBuffer> remove_unreachable_blocks(const PassInput& input) {
  Rewrite rewrite(input.module);
  BlockPruner pruner(input.module, input.operands);
  if (!pruner.remove_unreachable(rewrite) || !rewrite.is_changed()) return std::nullopt;
  rewrite.remove_annotations();
  return rewrite.write(input.operands);
}

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
