// SPDX-License-Identifier: Apache-2.0
//
// PatternCursor: the order of the operands of one instruction.
//
// A pattern is a list of rows. Some operands insert another list before the rest: the parameters of an enumerant, the
// bases of a composite, the operands of an extended instruction or of the opcode inside OpSpecConstantOp. The cursor
// decides which row is next; its user takes the operand from words, text or arguments, and enters the inserted list.
//
//   pattern.start(grammar.operands(instruction.operands));
//   while (const OperandRow* row = pattern.next(has_more)) … pattern.enter_parameters(enumerant) …
//
// The lists are on a stack of fixed size, so no input can overflow the call stack, and nothing is allocated.
//
// Source: specification 2.3 (instructions), 3 (masks), OpExtInst, OpSpecConstantOp; the JSON grammar's quantifiers.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

/// The maximum nesting of parameters: an enumerant with a parameter of an enumerated kind, and so on. The current
/// grammar needs 1. The loader rejects deeper ones.
inline constexpr int max_kind_nesting = 8;

/// The operands of an opcode inside OpSpecConstantOp: without its result type and result, which belong to
/// OpSpecConstantOp.
inline std::span<const OperandRow> operands_in_spec_constant_op(const Grammar& grammar, const InstructionRow& row) {
  const int leading = std::popcount(static_cast<unsigned>(row.flags & (HasResultType | HasResult)));
  return grammar.operands(row.operands).subspan(static_cast<std::size_t>(leading));
}

/// Whether each bit of a mask has a row of its own.
inline bool has_rows(const Grammar& grammar, KindId kind, Word mask) {
  for (; mask != 0; mask &= mask - 1) {
    if (grammar.find_value(kind, mask & (~mask + 1)) == nullptr) return false;
  }
  return true;
}

class PatternCursor {
 public:
  /// The grammar is borrowed.
  explicit PatternCursor(const Grammar& grammar) : grammar_(grammar) {}

  /// Begins with the first of these rows.
  void start(std::span<const OperandRow> rows) {
    list_ = {rows.data(), rows.data() + rows.size(), 0, 0, false};
    depth_ = 0;
    is_inside_ = false;
  }

  /// The row of the next operand; nullptr at the end of the pattern. `has_more` states whether a value is left. It is
  /// called only for an operand that can be omitted. A row with `*` is returned again until no value is left, so the
  /// user may also take several of its operands at once.
  template <typename HasMore>
  const OperandRow* next(const HasMore& has_more) {
    for (;;) {
      while (list_.next == list_.end) {
        if (!continue_outer()) return nullptr;
      }
      const OperandRow* const row = list_.next;
      if (row->quantifier == Quantifier::One) {
        ++list_.next;
        return row;
      }
      const bool is_present = has_more();
      if (!is_present || row->quantifier == Quantifier::Optional) ++list_.next;
      if (is_present) return row;
    }
  }

  // Each of these inserts a list before the rest of the pattern.

  /// The bases of a composite.
  void enter_bases(KindId kind) { enter(grammar_.operands(grammar_.kind(kind).bases), list_.is_parameter); }
  void enter_parameters(const EnumerantRow& enumerant) {
    if (enumerant.parameters.count != 0) enter(grammar_.operands(enumerant.parameters), true);
  }
  /// The parameters of each bit of a mask, lowest bit first. Bits without a row have none.
  void enter_mask(KindId kind, Word mask) {
    push();
    list_ = {nullptr, nullptr, mask, kind.raw, true};
  }
  /// The parameters of a value or of a mask. Returns false and inserts nothing if the grammar lacks the value or a bit.
  bool enter_enumerant(const OperandRow& row, Word value) {
    if (row.shape == OperandShape::BitEnum) {
      if (!has_rows(grammar_, row.kind, value)) return false;
      enter_mask(row.kind, value);
      return true;
    }
    const EnumerantRow* enumerant = grammar_.find_value(row.kind, value);
    if (enumerant != nullptr) enter_parameters(*enumerant);
    return enumerant != nullptr;
  }
  /// The operands after the number of an extended instruction; nullptr: the grammar lacks it. If the instruction is not
  /// open, its row lists all operands, and the list with the number ends.
  void enter_extended(const ExtInstRow* instruction, bool is_open) {
    enter_instruction(grammar_.operands(instruction != nullptr ? instruction->operands : Slice{}), is_open);
  }
  /// The operands of the opcode inside OpSpecConstantOp. The list with the opcode ends: in older grammars it has a last
  /// row `IdRef *` for these operands.
  void enter_spec_opcode(const InstructionRow& instruction) {
    enter_instruction(operands_in_spec_constant_op(grammar_, instruction), false);
  }

  /// Whether the operands of an extended instruction or of an inner opcode were entered. They do not nest: although a
  /// loaded grammar could permit an inner opcode with such an operand, a second such list is not entered.
  [[nodiscard]] bool is_inside() const { return is_inside_; }
  /// Whether the next operand is a parameter of an enumerant.
  [[nodiscard]] bool is_in_parameters() const { return list_.is_parameter; }

 private:
  // The rest of a list. A mask is followed by the list of each bit. Trivial, so that the unused rows of the stack are
  // not initialized.
  struct List {
    const OperandRow* next;
    const OperandRow* end;
    Word mask;                // bits whose parameters follow this list
    std::uint16_t mask_kind;  // the raw KindId
    bool is_parameter;
  };

  void enter(std::span<const OperandRow> rows, bool is_parameter) {
    push();
    list_ = {rows.data(), rows.data() + rows.size(), 0, 0, is_parameter};
  }
  void enter_instruction(std::span<const OperandRow> rows, bool is_open) {
    if (is_inside_) return;
    is_inside_ = true;
    if (!is_open) list_.next = list_.end;
    enter(rows, false);
  }
  void push() {
    if (list_.next == list_.end && list_.mask == 0) return;
    assert(depth_ < std::size(outer_));
    outer_[depth_++] = list_;
  }
  /// At the end of a list: continues with the parameters of the next bit, or with the list that contains this one.
  bool continue_outer() {
    if (list_.mask != 0) {
      const Word bit = list_.mask & (~list_.mask + 1);
      list_.mask ^= bit;
      const EnumerantRow* row = grammar_.find_value(KindId(list_.mask_kind), bit);
      const auto rows = grammar_.operands(row != nullptr ? row->parameters : Slice{});
      list_.next = rows.data();
      list_.end = rows.data() + rows.size();
      return true;
    }
    if (depth_ == 0) return false;
    list_ = outer_[--depth_];
    return true;
  }

  const Grammar& grammar_;
  List list_{};
  std::size_t depth_ = 0;
  bool is_inside_ = false;
  // The pattern of the instruction, that of an instruction inside it, and the levels of parameters, without the last.
  List outer_[max_kind_nesting + 1];
};

}  // namespace vireo::spirv
