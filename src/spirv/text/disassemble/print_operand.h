// SPDX-License-Identifier: Apache-2.0
//
// Words → the text of one operand, in two flavours.
//
// The one idea: `Out` is a policy. PlainOut writes bytes and nothing else, and the compiler sees through it, so the
// common case costs what it must; RichOut adds colours and records tokens. What is printed stands here once for both.
#pragma once

#include <cstdint>
#include <string_view>

#include "spirv/binary/zero_byte.h"
#include "spirv/grammar/load/special_cases.h"
#include "spirv/text/disassemble/friendly_names.h"
#include "spirv/text/disassemble/text_buffer.h"
#include "spirv/text/literal_text.h"
#include "vireo/spirv/operand.h"
#include "vireo/spirv/source_map.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

/// Bytes only.
class PlainOut {
 public:
  explicit PlainOut(TextBuffer& buffer) : to(buffer) {}

  // Empty and inline: the plain flavour has no trace of tokens.
  void open(TokenStyle, std::size_t, std::size_t) {}
  void skip_blanks() {}
  void close(TokenStyle) {}
  void reset() {}

  TextBuffer& to;
};

/// Bytes, ANSI escapes and tokens.
class RichOut {
 public:
  RichOut(TextBuffer& buffer, SourceMap* map, bool color) : to(buffer), map_(map), color_(color) {}

  void at_instruction(std::uint64_t ordinal) { instruction_ = static_cast<std::uint32_t>(ordinal); }

  /// Begins a token that stands for `count` words from `word` of the current instruction.
  void open(TokenStyle style, std::size_t word, std::size_t count) {
    if (color_) escape(escape_of(style));
    token_ = {to.size(), 0, instruction_, static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(count), style};
  }
  /// Blanks that were written since open() are not part of the token.
  void skip_blanks() { token_.begin = to.size(); }
  void close(TokenStyle style) {
    if (map_ != nullptr) {
      token_.length = static_cast<std::uint32_t>(to.size() - token_.begin);
      map_->add(token_);
    }
    if (color_ && style != TokenStyle::Plain && style != TokenStyle::Opcode) reset();
  }
  /// spirv-dis ends literals and enumerants with a reset of their own, whatever their style was.
  void reset() {
    if (color_) escape("\x1b[0m");
  }

  /// Bytes since the start of the text that a reader sees: escapes do not count.
  [[nodiscard]] std::uint64_t visible_size() const { return to.size() - escape_bytes_; }

  TextBuffer& to;

 private:
  // The colours of spirv-dis; opcodes and enumerants have none.
  static std::string_view escape_of(TokenStyle style) {
    switch (style) {
      case TokenStyle::ResultId: return "\x1b[34m";
      case TokenStyle::Id: return "\x1b[33m";
      case TokenStyle::Number:
      case TokenStyle::ExtendedName: return "\x1b[31m";
      case TokenStyle::String: return "\x1b[32m";
      case TokenStyle::Comment: return "\x1b[1;30m";
      default: return {};
    }
  }
  void escape(std::string_view sequence) {
    to.text(sequence);
    // Kept apart, so that columns of comments do not shift with colours.
    escape_bytes_ += sequence.size();
  }

  SourceMap* map_;
  bool color_;
  std::uint32_t instruction_ = 0;
  std::uint64_t escape_bytes_ = 0;
  Token token_;
};

template <class Out>
class OperandPrinter {
 public:
  OperandPrinter(Out& out, const Grammar& grammar, const IdNames& names, bool escape_strings)
      : out_(out),
        to_(out.to),
        grammar_(grammar),
        chars_(grammar.chars.data()),
        names_(names),
        pool_(names.pool()),
        has_names_(!names.is_empty()),
        escape_strings_(escape_strings) {}

  /// Writes the bytes of an id. Needs room().
  /// Without names the pool is not looked at: one test of a member that never changes.
  void id_text(Word id) {
    if (has_names_) {
      const IdNames::Place place = names_.find(id);
      if (place.length != 0) return to_.padded(pool_ + place.offset, place.length);
    }
    to_.byte('%');
    to_.at = print_u32(to_.at, id);
  }

  // The same for a whole line that was given room at its begin. The place to write to is handed over and handed back: a
  // byte that is written through a pointer could be the buffer's own, so a member would be loaded and stored each time.

  /// Writes the bytes of an id; returns their end.
  char* id_at(char* at, Word id) const {
    if (has_names_) {
      const IdNames::Place place = names_.find(id);
      if (place.length != 0) return TextBuffer::copied(at, pool_ + place.offset, place.length);
    }
    *at = '%';
    return print_u32(at + 1, id);
  }

  /// Writes an id that ends in column `column`, or behind it if it is longer, with blanks before it.
  char* id_in_column(char* at, Word id, std::size_t column) const {
    std::memset(at, ' ', TextBuffer::short_text);
    if (has_names_) {
      const IdNames::Place place = names_.find(id);
      if (place.length >= column) return TextBuffer::copied(at, pool_ + place.offset, place.length);
      if (place.length != 0) return TextBuffer::copied(at + column - place.length, pool_ + place.offset, place.length);
    }
    char digits[16] = {};
    const auto length = static_cast<std::size_t>(print_u32(digits, id) - digits);
    at += column - length;  // a number has ten digits at most
    at[-1] = '%';
    std::memcpy(at, digits, sizeof digits);
    return at + length;
  }

  /// Writes a name of the grammar; returns its end.
  char* name_at(char* at, StringRef ref) const { return TextBuffer::copied(at, chars_ + ref.offset, ref.length); }

  void id(Word id, TokenStyle style, std::size_t word) {
    out_.open(style, word, 1);
    id_text(id);
    out_.close(style);
  }

  /// Names of the grammar are padded (Grammar::chars), so most are one fixed-size copy.
  void name(StringRef ref) { to_.padded(chars_ + ref.offset, ref.length); }

  /// Writes one operand, without the blank before it.
  void operand(const Operand& operand, InstructionView instruction, const OperandContext& context) {
    const Word value = instruction.word(operand.word);
    if (operand.shape <= OperandShape::IdMemorySemantics) [[likely]] { return id(value, TokenStyle::Id, operand.word); }
    other(operand, value, instruction, context);
  }

  /// The same for what is no id.
  void other(const Operand& operand, Word value, InstructionView instruction, const OperandContext& context) {
    switch (operand.shape) {
      case OperandShape::LiteralInteger:
        out_.open(TokenStyle::Number, operand.word, 1);
        to_.at = print_u32(to_.at, value);
        out_.close(TokenStyle::Number);
        return out_.reset();
      case OperandShape::LiteralFloat:
        return literal(operand, instruction, {ScalarType::Class::Float, true, 32, ScalarType::no_encoding});
      case OperandShape::LiteralContextDependentNumber: return literal(operand, instruction, context.literal_type);
      case OperandShape::LiteralString: return string(operand, instruction);
      case OperandShape::LiteralExtInstInteger: return ext_inst(operand, value, context);
      case OperandShape::LiteralSpecConstantOpInteger:
        out_.open(TokenStyle::ExtendedName, operand.word, 1);
        to_.long_text(without_op(grammar_.text(context.spec_row->name)));
        return out_.close(TokenStyle::ExtendedName);
      case OperandShape::ValueEnum: return enumerant(operand, value);
      case OperandShape::BitEnum: return mask(operand, value);
      case OperandShape::IdResult:
      case OperandShape::IdResultType:
      case OperandShape::IdRef:
      case OperandShape::IdScope:
      case OperandShape::IdMemorySemantics:
      case OperandShape::Composite: return;  // ids were written by operand(); a composite is decoded as its bases
    }
  }

 private:
  void literal(const Operand& operand, InstructionView instruction, ScalarType type) {
    out_.open(TokenStyle::Number, operand.word, operand.word_count);
    const Words words = instruction.words().subspan(operand.word, operand.word_count);
    const char* begin = to_.at;
    to_.at = print_literal(to_.at, words, type);
    if (to_.at == begin) raw_words(words);
    out_.close(TokenStyle::Number);
    out_.reset();
  }

  // What has no notation is written as `!word !word`, so that nothing is lost.
  // Assembly syntax, "Arbitrary Integers"; the assembler puts the same words back.
  void raw_words(Words words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      to_.room();
      to_.text(i == 0 ? "!" : " !");
      to_.at = print_u32(to_.at, words[i]);
    }
    to_.room();
  }

  // A set that is not known, or that the reference does not know (prints_numbers), has numbers for names.
  void ext_inst(const Operand& operand, Word number, const OperandContext& context) {
    out_.open(TokenStyle::ExtendedName, operand.word, 1);
    const ExtInstRow* row = context.ext_inst;
    if (row == nullptr || grammar_.sets[context.ext_inst_set.index()].prints_numbers) {
      to_.at = print_u32(to_.at, number);
    } else {
      name(row->name);
    }
    out_.close(TokenStyle::ExtendedName);
  }

  void enumerant(const Operand& operand, Word value) {
    out_.open(TokenStyle::Enumerant, operand.word, 1);
    if (const EnumerantRow* row = grammar_.find_value(operand.kind, value)) name(row->name);
    out_.close(TokenStyle::Enumerant);
  }

  // Bit by bit from the lowest, joined by `|`: the order in which parameters follow (specification 3, masks).
  void mask(const Operand& operand, Word value) {
    out_.open(TokenStyle::Enumerant, operand.word, 1);
    if (value == 0) {
      // Not every mask has a name for "no bits"; the raw word reads back as the same.
      const EnumerantRow* none = grammar_.find_value(operand.kind, 0);
      if (none != nullptr) {
        name(none->name);
      } else {
        to_.text("!0");
      }
    }
    for (Word rest = value; rest != 0; rest &= rest - 1) {
      to_.room();
      if (const EnumerantRow* row = grammar_.find_value(operand.kind, rest & (~rest + 1))) name(row->name);
      if ((rest & (rest - 1)) != 0) to_.byte('|');
    }
    out_.close(TokenStyle::Enumerant);
  }

  // Word by word: one without a NUL, a quote or a backslash is four bytes to copy.
  // Assembly syntax, strings: a quote and a backslash have a backslash in front, all other bytes stand as they are,
  // line feeds included.
  void string(const Operand& operand, InstructionView instruction) {
    to_.byte('"');
    out_.open(TokenStyle::String, operand.word, operand.word_count);
    for (const Word word : instruction.words().subspan(operand.word, operand.word_count)) {
      to_.room();
      if (!escape_strings_ && !has_byte(word, '\0') && !has_byte(word, '"') && !has_byte(word, '\\')) {
        std::memcpy(to_.at, &word, sizeof word);
        to_.at += sizeof word;
        continue;
      }
      for (unsigned shift = 0; shift < 32; shift += 8) {
        const char c = static_cast<char>(word >> shift);
        // What stands behind the NUL is lost, as the text has no way to write it.
        if (c == '\0') break;  // the last word
        string_byte(c);
      }
    }
    out_.close(TokenStyle::String);
    to_.byte('"');
    out_.reset();
  }

  static constexpr bool has_byte(Word word, char byte) {
    // An exclusive or makes the byte zero that is looked for; the rest is the usual test for a zero byte.
    const Word x = word ^ Word { 0x01010101 } * static_cast<unsigned char>(byte);
    return has_zero_byte(x);
  }

  // Under escape_strings control bytes are shown: a module from a stranger must not drive the terminal.
  void string_byte(char c) {
    if (c == '"' || c == '\\') {
      to_.byte('\\');
    } else if (escape_strings_ && (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)) {
      constexpr char digits[] = "0123456789abcdef";
      to_.text("\\x");
      to_.byte(digits[static_cast<unsigned char>(c) >> 4]);
      c = digits[static_cast<unsigned char>(c) & 15];
    }
    to_.byte(c);
  }

  Out& out_;
  TextBuffer& to_;
  const Grammar& grammar_;
  const char* chars_;
  const IdNames& names_;
  const char* pool_;
  bool has_names_;
  bool escape_strings_;
};

}  // namespace vireo::spirv
