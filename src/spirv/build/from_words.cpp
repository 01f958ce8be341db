// SPDX-License-Identifier: Apache-2.0
//
// Instructions whose opcode is known only at run time (builder.h), for other languages or copies from another module.
//
// The grammar's rows give the same guarantees as the parameter types of the builder's methods. The words
// are taken row by row; the same PendingInstruction checks each id, enumerant and literal. Specification 2.3, 3.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "spirv/binary/zero_byte.h"
#include "spirv/build/pending_instruction.h"
#include "spirv/build/state.h"
#include "spirv/grammar/pattern_cursor.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "vireo/spirv/build/builder.h"

namespace vireo::spirv {

/// Takes the words of an instruction in the order of its pattern. The words are untrusted. Each step takes at least one
/// word or fails the draft, so the work is linear.
class WordsInOrder {
 public:
  WordsInOrder(PendingInstruction& draft, Words words)
      : draft_(draft), grammar_(draft.target_.grammar), pattern_(grammar_), left_(words) {}

  void take_all() {
    pattern_.start(draft_.rows_);
    // After a fault the rest of a list is not taken, so the loop ends.
    const auto has_more = [this] { return !left_.empty() && !draft_.has_failed_; };
    while (const OperandRow* row = pattern_.next(has_more)) take(*row);
    // A reader could not decode words beyond the pattern.
    if (!left_.empty())
      draft_.fail(rule::surplus_operand,
                  "expected the instruction to end, found another " + counted(left_.size(), "word"));
  }

 private:
  // The grammar distinguishes result types from other ids, but not types, values and labels. So all other id operands
  // accept any id of this builder.
  void take(const OperandRow& row) {
    // The words do not include the result. If it has no type, the PendingInstruction constructor has already added it.
    if (row.shape == OperandShape::IdResult) {
      if (draft_.result_at_ == 0) draft_.put_result();
      return;
    }
    if (left_.empty()) {
      return draft_.fail(rule::missing_operand, fmt::format("no {}", grammar_.text(grammar_.kind(row.kind).name)));
    }
    switch (row.shape) {
      case OperandShape::Composite: return pattern_.enter_bases(row.kind);
      case OperandShape::IdResultType: return draft_.put_id(next(), IdKind::Type);
      case OperandShape::IdResult:
      case OperandShape::IdRef:
      case OperandShape::IdScope:
      case OperandShape::IdMemorySemantics: return draft_.put_id(next(), IdKind::Any);
      case OperandShape::LiteralInteger:
        // In the grammar, the literals of OpSwitch have the kind LiteralInteger, but they can have more than one word.
        if (draft_.row_.opcode == Op::OpSwitch) return take_number(draft_.selector_type());
        return draft_.put_word(next());
      case OperandShape::LiteralFloat: return draft_.put_word(next());
      case OperandShape::LiteralExtInstInteger: return take_extended();
      case OperandShape::LiteralSpecConstantOpInteger: return take_spec_opcode();
      case OperandShape::LiteralString: return take_string();
      case OperandShape::LiteralContextDependentNumber: return take_number(draft_.constant_type());
      case OperandShape::ValueEnum:
      case OperandShape::BitEnum: return take_enumerant(row);
    }
  }

  // take() has checked that a word is left.
  Word next() {
    const Word word = left_.front();
    left_ = left_.subspan(1);
    return word;
  }

  // Takes words up to the first one with a zero byte: a NUL and padding end the string (2.2.1).
  void take_string() {
    const auto last = std::ranges::find_if(left_, has_zero_byte);
    if (last == left_.end()) return draft_.fail(rule::unterminated_string, "a literal string has no end");
    for (auto count = last - left_.begin() + 1; count > 0; --count) draft_.put_word(next());
  }

  // Takes as many words as the type needs (2.2.1). A type of class None was already reported.
  void take_number(ScalarType type) {
    if (type.class_ == ScalarType::Class::None) return;
    if (type.width == 0) return draft_.fail(rule::unsupported_width, "literals of 0 bits");
    const std::size_t count = (type.width + 31u) / 32u;
    if (left_.size() < count) {
      return draft_.fail(rule::truncated_literal,
                         fmt::format("expected a literal of {}, found {}", counted(count, "word"), left_.size()));
    }
    for (std::size_t i = 0; i < count; ++i) draft_.put_word(next());
  }

  void take_enumerant(const OperandRow& row) {
    const Word value = next();
    draft_.put_word(value);
    draft_.check_enumerant(row, value);
    pattern_.enter_enumerant(row, value);
  }

  // The id of the set precedes the number. The set determines the operands, so its import must precede this
  // instruction. An open set may take ids beyond its row; the list at the end of the outer pattern takes those.
  void take_extended() {
    const Word set = draft_.words_.back(), number = next();
    draft_.put_word(number);
    const auto [row, is_open] = draft_.find_extended(set, number);
    pattern_.enter_extended(row, is_open);
  }

  void take_spec_opcode() {
    const Word opcode = next();
    draft_.put_spec_opcode(opcode);
    if (const InstructionRow* row = grammar_.find_opcode(opcode)) pattern_.enter_spec_opcode(*row);
  }

  PendingInstruction& draft_;
  const Grammar& grammar_;
  PatternCursor pattern_;
  Words left_;
};

void PendingInstruction::put_words(Words operands) { WordsInOrder(*this, operands).take_all(); }

// Opcodes whose result is not a value are tested first, because OpFunction also has a result type. Any is for results
// that only instructions of the same extension use.
IdKind result_kind(const InstructionRow& row, const Grammar& grammar) {
  switch (row.opcode) {
    case Op::OpLabel: return IdKind::Label;
    case Op::OpFunction: return IdKind::Function;
    case Op::OpExtInstImport: return IdKind::Set;
    case Op::OpString: return IdKind::String;
    case Op::OpDecorationGroup: return IdKind::Group;
    default: break;
  }
  if ((row.flags & HasResultType) != 0) return IdKind::Value;
  return grammar.text(row.name).starts_with("OpType") ? IdKind::Type : IdKind::Any;
}

// Without a grammar row, neither the operands nor the presence of a result can be determined.
AnyId InstructionCalls::instruction(Op opcode, Words operands) {
  const InstructionRow* row = target_->grammar.find_opcode(opcode);
  if (row == nullptr) {
    ++target_->calls;
    target_->report(rule::unknown_opcode, fmt::format("opcode {} is not in the grammar", static_cast<Word>(opcode)));
    return {};
  }
  PendingInstruction draft(*target_, opcode, result_kind(*row, target_->grammar), site_);
  draft.put_words(operands);
  return AnyId(draft.end());
}

// The opcode determines the kind of the id, so the id is checked like those of reserve().
AnyId Builder::reserve_for(Op opcode) {
  const InstructionRow* row = owned_->grammar.find_opcode(opcode);
  if (row != nullptr && (row->flags & HasResult) != 0) return AnyId(reserve_id(result_kind(*row, owned_->grammar)));
  owned_->report(rule::unknown_opcode, fmt::format("opcode {} has no result", static_cast<Word>(opcode)));
  return {};
}

}  // namespace vireo::spirv
