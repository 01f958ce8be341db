// SPDX-License-Identifier: Apache-2.0
//
// An operand by its name, for code that handles instructions of several opcodes.
#pragma once

#include <cstdint>

#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/grammar/operand_names.h"

namespace vireo::spirv {

/// The operand of this name. The id is 0 if the opcode has no such operand or the instruction is too short. Only for
/// operands whose offset does not depend on other operands.
inline IdOperand<IdKind::Any> named_operand(InstructionView view, OperandName name) {
  const std::uint16_t word = word_of(view.opcode, name);
  if (word == 0) return {};
  return {view.word(word), word};
}

}  // namespace vireo::spirv
