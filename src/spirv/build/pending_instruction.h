// SPDX-License-Identifier: Apache-2.0
//
// PendingInstruction: one pending instruction.
//
// A builder method passes its operands as it received them; the opcode's grammar row defines the kind of
// each operand. Properties that the parameter types cannot guarantee are checked operand by operand: an id belongs to
// this builder or module, a number fits its type. The first fault is reported and invalidates the draft, which is then
// not placed.
//
//   PendingInstruction draft(*target_, Op::OpLoad, IdKind::Value, site_);
//   draft.put(result_type);
//   draft.put(pointer);
//   draft.put(memory_access);
//   return draft.end();
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "spirv/build/call_target.h"
#include "vireo/spirv/build/operand_argument.h"

namespace vireo::spirv {

class PendingInstruction {
 public:
  /// `result` is the kind of the result, if the instruction has one; `site` holds the reserved result id, if any.
  PendingInstruction(CallTarget& target, Op opcode, IdKind result, CallSite site);

  /// Appends the next operand, in grammar order. The result is not passed; PendingInstruction inserts it.
  void put(const OperandArgument& operand);
  /// Appends all operands as words, in grammar order and without the result (from_words.cpp).
  void put_words(Words operands);

  /// The grammar's information on an extended instruction (2.10).
  struct Extended {
    const ExtInstRow* row = nullptr;  ///< null: the instruction is not in the grammar
    bool is_open = false;             ///< the set may have instructions and operands that the grammar lacks
  };
  /// Fails if the set was not imported before, or if the instruction is unknown and its set is not open.
  Extended find_extended(Word set, Word number);

  /// Reports a fault, if it is the first; the instruction is then not placed.
  void fail(std::string_view rule, std::string message);
  /// Like fail(), but without a report: the instruction that defines the operand was already reported and left out.
  void drop() { has_failed_ = true; }

  /// Completes and places the instruction. Returns its result id, or 0 if it has none. If nothing was placed, the id is
  /// new, so that its uses are not reported as well.
  Word end();

 private:
  friend class WordsInOrder;
  void take_operand(const OperandArgument& operand);
  void put_word(Word word) {
    if (skipped_masks_ != 0 || is_skipped_) [[unlikely]] { resolve_skipped(); }
    words_.push_back(word);
  }
  void put_id(Word id, IdKind kind);
  void put_open(const OpenOperand& operand);
  /// Appends the operands of the inner opcode or of the extended instruction that precedes them.
  void put_open_list(std::span<const OpenOperand> operands);
  /// Fails unless the operands match the rows (ext.cpp). `name` is the enumerant or instruction they belong to. An
  /// instruction of an open set may have further ids.
  void check_open(std::string_view name, std::span<const OpenOperand> operands, std::span<const OperandRow> rows,
                  bool is_open);
  void check_enumerant(const OperandRow& row, Word value);
  void note_forward_use(IdKind kind);
  void put_text(std::string_view text);
  /// The type that decides the width of literals; class None if there is no such type, which is then reported.
  ScalarType constant_type();
  ScalarType selector_type();
  void put_typed_literal(const Number& number);
  void put_switch_target(const SwitchTarget& target);
  void put_number(const Number& number, ScalarType type);
  void put_mask(const OperandArgument& mask);
  void put_enumerant(Word value, std::span<const OpenOperand> parameters);
  void put_spec_opcode(Word opcode);
  void put_result();
  void resolve_skipped();
  /// The grammar's row of the next operand; the last row applies to all operands of an unbounded list.
  [[nodiscard]] const OperandRow& operand_row() const { return rows_[std::min(next_row_, rows_.size() - 1)]; }

  CallTarget& target_;
  WordBuffer& words_;
  const InstructionRow& row_;
  std::span<const OperandRow> rows_;
  std::size_t next_row_ = 0;
  CallSite site_;
  std::size_t result_at_ = 0;
  IdKind result_kind_;
  std::uint8_t skipped_masks_ = 0;
  bool is_skipped_ = false;
  bool has_failed_ = false;
};

/// Whether the operand is the mark that kept_parameters() (operand_argument.h) appends for a text with a NUL.
constexpr bool is_cut_text(const OpenOperand& operand) { return operand.is_literal && operand.kind == IdKind::String; }

/// The kind of an instruction's result, as in the return types of the methods of InstructionCalls.
[[nodiscard]] IdKind result_kind(const InstructionRow& row, const Grammar& grammar);

}  // namespace vireo::spirv
