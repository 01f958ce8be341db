// SPDX-License-Identifier: Apache-2.0
//
// Literals: integers, floats and strings.
//
// Numbers are parsed by vireo/support/number.h; this file determines the type of a literal. If the definition of that
// type had a fault, the literal is skipped without another report.
#include <bit>

#include "spirv/grammar/special_cases.h"
#include "spirv/text/assemble/assembler.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/support/number.h"

namespace vireo::spirv::text {

bool Assembler::literal_integer(const OperandRow& row) {
  const Piece word = piece();
  std::uint32_t value = 0;
  // Assembly syntax, literal integers: unsigned 32 bits unless a type determines more (JSON schema, LiteralInteger).
  const NumberFault what = parse_u32(word.text(), value);
  if (what != NumberFault::None) return bad_integer(word, {32, false}, what, described(row));
  return take(word, value, TokenStyle::Number);
}

// JSON schema, LiteralFloat: always 32 bits; no instruction of the current grammar has one that depends on a type.
bool Assembler::literal_float() {
  ScalarType type;
  type.class_ = ScalarType::Class::Float;
  type.width = 32;
  return typed_literal(type);
}

bool Assembler::constant_literal() {
  // Specification, OpConstant: the literal has the result type, which precedes it.
  const Word type_id = row_->type_word() != 0 ? instruction_words()[row_->type_word()] : 0;
  const ScalarType type = facts_.scalar(type_id);
  if (type.class_ == ScalarType::Class::None) [[unlikely]] {
    if (is_error_suppressed(type_id)) return skip_literal();
    const Piece type_word = operand_word(0);
    facts_.at(type_id).what = IdFact::What::Poisoned;  // its other literals are not reported
    return fault(
        rule::literal_type_unknown, piece(),
        "the type of this literal, '" + std::string(type_word.text()) + "', is not a preceding integer or float type");
  }
  return typed_literal(type) || poison_if_unsupported(type_id, type);
}

// Specification, OpSwitch: selector, default, then literals and labels in pairs.
bool Assembler::switch_label() {
  // The type is looked up for each literal. This costs two loads, and needs no state across raw words and faults.
  const Word selector = View<Op::OpSwitch>(instruction_view()).selector();
  const IdFact fact = facts_.get(selector);
  const Word type_id = fact.what == IdFact::What::Value ? fact.type : 0;
  const ScalarType type = facts_.scalar(type_id);
  if (type.class_ != ScalarType::Class::Integer) [[unlikely]] {
    if (is_error_suppressed(selector) || (type_id != 0 && is_error_suppressed(type_id))) return skip_literal();
    const Piece selector_word = operand_word(0);
    return fault(rule::selector_type, piece(),
                 "selector '" + std::string(selector_word.text()) + "' is not a preceding value of integer type");
  }
  return typed_literal(type) || poison_if_unsupported(type_id, type);
}

// Called after a fault. If the type cannot have literals, its other literals are not reported.
bool Assembler::poison_if_unsupported(Word type_id, ScalarType type) {
  const bool is_possible = type.class_ == ScalarType::Class::Integer
                               ? type.width >= 1 && type.width <= 64
                               : float_format_of(type.width, type.encoding).has_value();
  if (!is_possible) facts_.at(type_id).what = IdFact::What::Poisoned;
  return false;
}

// Skips a literal whose type is unknown because of an earlier fault.
bool Assembler::skip_literal() {
  const Piece word = piece();
  if (next_begins(word)) return !has_ended_ && missing_operand("a number");
  at_ = word.next;
  put(0);
  return true;
}

// Integers and floats of 1 to 64 bits; the number parsers reject all others.
bool Assembler::typed_literal(ScalarType type) {
  const Piece word = piece();
  std::uint64_t bits = 0;
  if (type.class_ == ScalarType::Class::Integer) {
    const IntegerType integer{type.width, type.is_signed};
    const NumberFault what = parse_integer(word.text(), integer, bits);
    if (what != NumberFault::None) [[unlikely]]
      return bad_integer(word, integer, what, {});
  } else {
    const auto format = float_format_of(type.width, type.encoding);
    const NumberFault what = format ? parse_float(word.text(), *format, bits) : NumberFault::UnsupportedWidth;
    if (what != NumberFault::None) [[unlikely]]
      return bad_float(word, type, what);
  }
  const std::size_t first_word = word_count();
  put(static_cast<Word>(bits));
  // Specification 2.2.1, Literal: low-order words first. parse_* have already extended narrow types to a word.
  if (type.width > 32) put(static_cast<Word>(bits >> 32));
  record(word.begin, word.end, first_word, TokenStyle::Number);
  at_ = word.next;
  return true;
}

// The contents are copied to the words. A backslash is removed, and the byte after it is kept. Assembly syntax,
// strings; specification 2.2.1, Literal: bytes from the lowest of each word up, a NUL, then zeros.
bool Assembler::literal_string() {
  if (*at_ != '"') [[unlikely]]
    return bad_string();
  const char* begin = at_ + 1;
  const auto left = static_cast<std::size_t>(lexer_.end() - begin);
  const void* quote = left == 0 ? nullptr : std::memchr(begin, '"', left);
  const char* end = static_cast<const char*>(quote);
  // Plain: no backslash before the first quote, and the word ends after it. A plain string is copied at once.
  bool is_plain = quote != nullptr && (end + 1 == lexer_.end() || ends_word(end[1])) &&
                  std::memchr(begin, '\\', static_cast<std::size_t>(end - begin)) == nullptr;
  Piece word;
  if (is_plain) [[likely]] {
    word = {at_, end + 1, lexer_.skip(end + 1)};
  } else {
    word = piece();
    end = word.end - 1;
    if (end <= at_ || *end != '"') return bad_string();
  }

  const std::size_t first_word = word_count();
  // Escapes only shorten the string. The last word has space for the NUL.
  const auto length_in_words = static_cast<std::size_t>(end - begin) / 4 + 1;
  reserve_words(length_in_words);
  Word* out = out_;
  Word last = 0;
  unsigned used = 0;  // bytes in `last`
  if (is_plain && std::endian::native == std::endian::little) {
    const auto length = static_cast<std::size_t>(end - begin);
    out[length_in_words - 1] = 0;
    std::memcpy(out, begin, length);
    out += length_in_words;
  } else {
    for (const char* p = begin; p < end; ++p) {
      // A backslash before the last quote is possible only at the end of the text; it is removed like any other.
      if (*p == '\\' && p + 1 < end) ++p;
      else if (*p == '\\') continue;
      last |= Word{static_cast<unsigned char>(*p)} << (8 * used);
      if (++used == 4) {
        *out++ = last;
        last = 0;
        used = 0;
      }
    }
    *out++ = last;
  }
  out_ = out;
  record(word.begin, word.end, first_word, TokenStyle::String);
  at_ = word.next;
  return true;
}

}  // namespace vireo::spirv::text
