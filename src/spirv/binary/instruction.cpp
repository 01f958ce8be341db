// SPDX-License-Identifier: Apache-2.0
//
// The result and the result type of an instruction: their words follow from the grammar's row of the opcode
// (specification 2.3, table 2).
#include "vireo/spirv/binary/instruction.h"

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

Word InstructionView::result_id(const Grammar& grammar) const {
  const InstructionRow* row = grammar.find_opcode(opcode);
  return row == nullptr || row->result_word() == 0 ? 0 : word(row->result_word());
}

Word InstructionView::type_id(const Grammar& grammar) const {
  const InstructionRow* row = grammar.find_opcode(opcode);
  return row == nullptr || row->type_word() == 0 ? 0 : word(row->type_word());
}

}  // namespace vireo::spirv
