// SPDX-License-Identifier: Apache-2.0
//
// LineForm: what the instructions of an opcode have in common, for a printer that prints a line at once.
//
// The one idea: what follows from the pattern is worked out once an opcode and not once a line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "vireo/spirv/grammar.h"

namespace vireo::spirv {

struct LineForm {
  const InstructionRow* row = nullptr;  ///< nullptr: the grammar has no such opcode
  std::size_t result = 0;               ///< word of the result; 0: there is none
  std::size_t leading = 0;              ///< so many words behind the first are ids
  bool is_plain = false;                ///< all operands are ids or numbers of a word
  bool goes_on_with_ids = false;        ///< what is behind the leading ids are ids as well, any number of them
  bool may_end = false;                 ///< nothing has to follow the leading ids

  LineForm() = default;
  LineForm(const Grammar& grammar, std::uint16_t opcode) : row(grammar.find_opcode(opcode)) {
    if (row == nullptr) return;
    if ((row->flags & HasResult) != 0) result = (row->flags & HasResultType) != 0 ? 2 : 1;
    leading = row->leading_ids;
    const std::span<const OperandRow> operands = grammar.operands(row->operands);
    const auto rest = operands.subspan(leading);
    is_plain = std::ranges::all_of(
        operands, [](const OperandRow& o) { return is_id(o) || o.shape == OperandShape::LiteralInteger; });
    goes_on_with_ids = rest.size() == 1 && rest[0].quantifier == Quantifier::Star && is_id(rest[0]);
    may_end = std::ranges::all_of(rest, [](const OperandRow& o) { return o.quantifier != Quantifier::One; });
  }

 private:
  static bool is_id(const OperandRow& operand) { return operand.shape <= OperandShape::IdMemorySemantics; }
};

}  // namespace vireo::spirv
