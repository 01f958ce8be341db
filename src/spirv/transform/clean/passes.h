// SPDX-License-Identifier: Apache-2.0
//
// The passes of clean(). Each reads a module and returns the words of the changed one, or nothing if nothing changes.
//
// A pass does one change completely and leaves further simplifications to the others. clean() applies a list
// of passes until none of them changes the module.
#pragma once

#include <optional>

#include "spirv/transform/operand_index.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// A decoded module. A pass can rely on its layout: every block has a terminator, every id one definition.
struct PassInput {
  const Module& module;
  const OperandIndex& operands;
  const CleanOptions& options;
};

/// Calls take(block) for each label of the module that an instruction uses.
template <typename Take>
void for_labels(const PassInput& input, InstructionIndex instruction, Take&& take) {
  const Module& module = input.module;
  for (const IdOperandRow& operand : input.operands.of(instruction)) {
    if (operand.definition.is_none() || module.instruction(operand.definition).opcode != Op::OpLabel) continue;
    if (const BlockIndex block = module.block_at(operand.definition); !block.is_none()) take(block);
  }
}

using Pass = std::optional<WordBuffer> (*)(const PassInput&);

/// Removes unused functions, code, variables, types and constants, as the options say.
std::optional<WordBuffer> remove_unused(const PassInput& input);
/// Replaces branches with a constant condition, and removes the blocks that nothing reaches then.
std::optional<WordBuffer> fold_branches(const PassInput& input);
/// Removes the blocks that nothing reaches.
std::optional<WordBuffer> remove_unreachable_blocks(const PassInput& input);
/// Removes each OpPhi that has only one value.
std::optional<WordBuffer> remove_trivial_phis(const PassInput& input);
/// Joins a block with its successor, if it is the only predecessor and no merge instruction names the successor.
std::optional<WordBuffer> merge_blocks(const PassInput& input);
/// Removes equal types, constants and decorations, as the options say.
std::optional<WordBuffer> remove_duplicates(const PassInput& input);

/// Removes unused members of structures (members.h).
std::optional<WordBuffer> remove_members(const PassInput& input);

}  // namespace vireo::spirv
