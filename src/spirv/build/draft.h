// SPDX-License-Identifier: Apache-2.0
//
// One instruction in the making.
//
// The one idea: a method of the builder hands on its operands as it was given them; the instruction's row in the grammar
// says which is which. What a type cannot promise (that an id is of this builder or module, that a number fits) is checked
// as each operand comes. The first fault spoils the draft: it is reported once, and nothing is placed.
//
//   Draft draft(*target_, Op::OpLoad, IdKind::Value, site_);
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
#include "vireo/spirv/detail/given_operand.h"

namespace vireo::spirv {

class Draft {
 public:
  /// `result` is what the result is, if the instruction has one; the site has the reserved id that it must be, if any.
  Draft(CallTarget& target, Op opcode, IdKind result, CallSite site);

  /// The next operand, in the order of the grammar; the result comes by itself.
  void put(const GivenOperand& operand);
  /// All operands as words, in the order of the grammar and without the result (from_words.cpp).
  void put_words(Words operands);

  /// What the grammar says of an extended instruction (2.10).
  struct Extended {
    const ExtInstRow* row = nullptr;  ///< null: it knows nothing
    bool is_open = false;             ///< the set may have more than it knows
  };
  /// A set that was not imported above spoils the draft, and so does an instruction that nobody knows, unless its set is
  /// open.
  Extended find_extended(Word set, Word number);

  /// Reports a fault, if it is the first; the instruction will not be placed.
  void spoil(std::string_view rule, std::string message);
  /// The same without a report: what is missing here was reported where it was left out.
  void drop() { is_spoilt_ = true; }

  /// Ends and places the instruction. Its result id: a fresh one even where nothing was placed, so that what uses it is
  /// not reported as well. 0 when it has none.
  Word end();

 private:
  friend class WordsInOrder;
  void take_operand(const GivenOperand& operand);
  void put_word(Word word) {
    if (skipped_masks_ != 0 || is_skipped_) [[unlikely]] { settle_skipped(); }
    words_.push_back(word);
  }
  void put_id(Word id, IdKind kind);
  void put_open(const OpenOperand& operand);
  /// A list that an opcode or a number in front of it decides.
  void put_open_list(std::span<const OpenOperand> operands);
  /// Spoils the draft unless the operands are what the rows demand (ext.cpp). `name` is whose they are; of an open set there
  /// may be more ids.
  void check_open(std::string_view name, std::span<const OpenOperand> operands, std::span<const OperandRow> rows,
                  bool is_open);
  void check_enumerant(KindId kind, Word value);
  void check_mask(KindId kind, Word mask);
  void note_use_ahead(IdKind kind);
  void put_text(std::string_view text);
  /// What decides the width of literals; class None when there is no such type, which is then reported.
  ScalarType constant_type();
  ScalarType selector_type();
  void put_typed_literal(const Number& number);
  void put_switch_target(const SwitchTarget& target);
  void put_number(const Number& number, ScalarType type);
  void put_mask(const GivenOperand& mask);
  void put_enumerant(Word value, std::span<const OpenOperand> parameters);
  void put_spec_opcode(Word opcode);
  void put_result();
  void settle_skipped();
  /// What the grammar says of the operand that comes next; the last row serves all those of a list without end.
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
  bool is_spoilt_ = false;
};

/// Whether it is what kept_parameters() (given_operand.h) makes of a text that holds a NUL.
constexpr bool is_cut_text(const OpenOperand& operand) { return operand.is_literal && operand.kind == IdKind::String; }

/// What the result of an instruction is, as the methods of InstructionCalls say it by their types.
[[nodiscard]] IdKind result_kind(const InstructionRow& row, const Grammar& grammar);

/// What the opcode inside OpSpecConstantOp takes: what it takes elsewhere, its type and result apart.
[[nodiscard]] std::span<const OperandRow> inner_operands(const InstructionRow& row, const Grammar& grammar);

}  // namespace vireo::spirv
