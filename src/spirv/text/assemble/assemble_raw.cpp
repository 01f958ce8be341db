// SPDX-License-Identifier: Apache-2.0
//
// Raw words (`!<integer>`), the operands after them, and OpUnknown.
//
// After a raw word the grammar does not determine the operands. Each operand therefore determines its
// own kind: an id, a number, a string or another raw word, up to the next instruction. docs/text.md, "Raw words".
#include "spirv/text/assemble/assembler.h"
#include "support/counted.h"
#include "vireo/support/number.h"

namespace vireo::spirv::text {

// Parses an instruction that begins with a raw word: its words are written unchanged, and their number is not checked.
bool Assembler::raw_instruction() {
  has_result_ = is_result_pending_ = false;
  row_ = nullptr;
  const Piece word = piece();
  // Assembly syntax, "Arbitrary Integers": a raw word cannot precede `=`, since the result id would be ambiguous.
  if (lexer_.is_equals(word.next)) {
    is_head_fault_ = true;
    at_ = word.next;
    return fault(rule::bad_raw_word, word, "a result id cannot be a raw word",
                 "write the opcode as a raw word, too, followed by this one");
  }
  if (!raw_operands()) return false;
  ++instruction_count_;
  return true;
}

// Assembly syntax: `!` and a 32-bit number in any notation. A raw word corresponds to no operand of the grammar.
bool Assembler::raw_word() {
  const Piece word = piece();
  std::uint32_t value = 0;
  if (parse_u32(word.text().substr(1), value) != NumberFault::None) {
    return fault(rule::bad_raw_word, word, "expected '!' and an unsigned 32-bit number, found " + found_at(at_));
  }
  return take(word, value, TokenStyle::Number);
}

// Parses all operands from a raw word on. If the position of the result id was not reached yet, the result id follows
// the raw word.
bool Assembler::raw_operands() {
  if (!raw_word()) return false;
  // `%r = OpX !1 ...`: the raw word is the type, and the result id follows it.
  if (is_result_pending_ && !result_id()) return false;
  while (!are_operands_at_end()) {
    if (!raw_operand()) return false;
  }
  return true;
}

// Numbers have no type here. A number with a point is a 32-bit float. A number with a minus sign is a signed 32-bit
// integer; any other is unsigned.
bool Assembler::raw_operand() {
  switch (*at_) {
    case '!': return raw_word();
    case '"': return literal_string();
    case '%': {
      // This row is in no grammar; messages call the operand "an id".
      static constexpr OperandRow any_id{OperandShape::IdRef, Quantifier::One, {}, {}};
      return id_operand(any_id);
    }
    default: break;
  }
  const Piece word = piece();
  const std::string_view text = word.text();
  std::uint64_t bits = 0;
  NumberFault what = NumberFault::Malformed;
  if (text.find('.') != std::string_view::npos) {
    what = parse_float(text, FloatFormat::Single, bits);
  } else {
    what = parse_integer(text, {32, text[0] == '-'}, bits);
  }
  if (what != NumberFault::None) {
    return fault(rule::bad_raw_operand, word,
                 "expected an id, a 32-bit number, a string or a raw word, found " + found_at(at_),
                 // For a number out of range the hint to write a number would be useless.
                 is_digit(text[0]) ? "" : "after a raw word, write the number instead of the name");
  }
  return take(word, static_cast<Word>(bits), TokenStyle::Number);
}

// OpUnknown is the only instruction with punctuation; elsewhere punctuation is a fault.
bool Assembler::punctuation(char mark, std::string_view before) {
  if (lexer_.peek(at_) != mark) {
    return fault(rule::bad_unknown_instruction, piece_or(opcode_word_),
                 std::string("expected '") + mark + "' " + std::string(before) + ", found " + found_at(at_));
  }
  at_ = lexer_.skip(at_ + 1);
  return true;
}

bool Assembler::small_number(std::string_view what, Word& value) {
  const Piece word = piece();
  // Opcode and word count are the halves of the first word (specification 2.3, table 2).
  if (parse_u32(word.text(), value) != NumberFault::None || value > 0xFFFF) {
    return fault(rule::bad_unknown_instruction, piece_or(opcode_word_),
                 "expected " + std::string(what) + " from 0 to 65535, found " + found_at(at_));
  }
  at_ = word.next;
  return true;
}

// OpUnknown(opcode, word count) operand ...
// The count requires one operand for each word after the first; a string counts as one operand. The disassembler
// writes OpUnknown for instructions that it cannot decode, so the text of an invalid or too new module can be
// assembled.
bool Assembler::unknown_instruction() {
  if (has_result_) {
    return fault(rule::bad_unknown_instruction, opcode_word_, "a result id cannot precede OpUnknown",
                 "write the result id as an operand");
  }
  Word opcode = 0;
  Word count = 0;
  if (!punctuation('(', "after OpUnknown") || !small_number("an opcode", opcode) ||
      !punctuation(',', "after the opcode")) {
    return false;
  }
  const Piece count_word = piece();
  if (!small_number("a word count", count)) return false;
  if (count == 0)
    return fault(rule::bad_unknown_instruction, count_word,
                 "word count 0; expected at least 1: it includes the first word");
  if (!punctuation(')', "after the word count")) return false;

  put(first_word(count, static_cast<Op>(opcode)));
  if (map_ != nullptr) add_token(opcode_word_.begin, count_word.end, 0, 1, TokenStyle::Opcode);
  // Operands are counted, as in spirv-as; with a string, the instruction may have more words than the count.
  for (Word i = 1; i < count; ++i) {
    if (are_operands_at_end()) {
      return fault(rule::bad_unknown_instruction, piece_or(opcode_word_),
                   "OpUnknown lacks " + counted(count - i, "operand") + ", found " + found_at(at_));
    }
    if (!raw_operand()) return false;
  }
  ++instruction_count_;
  return true;
}

}  // namespace vireo::spirv::text
