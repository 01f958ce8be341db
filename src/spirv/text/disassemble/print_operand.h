// SPDX-License-Identifier: Apache-2.0
//
// Prints the words of one operand as text, with one of two output policies.
//
// `Out` is a policy. PlainOut writes only bytes, and the compiler inlines all of it, so plain output has
// no overhead. RichOut adds colours and records tokens. The code that formats operands is shared.
#pragma once

#include <cstdint>
#include <string_view>

#include "spirv/binary/zero_byte.h"
#include "spirv/grammar/special_cases.h"
#include "spirv/text/disassemble/text_buffer.h"
#include "spirv/text/friendly_names.h"
#include "spirv/text/literal_text.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/text/source_map.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

/// Writes only bytes.
class PlainOut {
 public:
  explicit PlainOut(TextBuffer& buffer) : to(buffer) {}

  // These functions are empty and inline, so plain output has no cost for tokens.
  void open(TokenStyle, std::size_t, std::size_t) {}
  void skip_blanks() {}
  void close(TokenStyle) {}
  void reset() {}

  TextBuffer& to;
};

/// Writes bytes and ANSI escapes, and records tokens.
class RichOut {
 public:
  RichOut(TextBuffer& buffer, SourceMap* map, bool color) : to(buffer), map_(map), color_(color) {}

  void at_instruction(std::uint64_t ordinal) { instruction_ = static_cast<std::uint32_t>(ordinal); }

  /// Begins a token for `count` words, starting at `word` of the current instruction.
  void open(TokenStyle style, std::size_t word, std::size_t count) {
    if (color_) escape(escape_of(style));
    token_ = {to.size(), 0, instruction_, static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(count), style};
  }
  /// Excludes the blanks written since open() from the token.
  void skip_blanks() { token_.begin = to.size(); }
  void close(TokenStyle style) {
    if (map_ != nullptr) {
      token_.length = static_cast<std::uint32_t>(to.size() - token_.begin);
      map_->add(token_);
    }
    if (color_ && style != TokenStyle::Plain && style != TokenStyle::Opcode) reset();
  }
  /// Resets the colour. spirv-dis writes this sequence once more after each literal.
  void reset() {
    if (color_) escape("\x1b[0m");
  }

  /// Visible bytes since the start of the text, without escape sequences.
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
    // Escape bytes are counted separately, so that colours do not move the comment columns.
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

  /// Writes an id. Needs room(). Without names this tests one constant member and does not read the pool.
  void id_text(Word id) {
    if (has_names_) {
      const IdNames::Place place = names_.find(id);
      if (place.length != 0) return to_.padded(pool_ + place.offset, place.length);
    }
    to_.byte('%');
    to_.at = print_u32(to_.at, id);
  }

  // The following functions write within a line whose space is already reserved. The write position is passed and
  // returned: a write through a pointer could alias the buffer's members, so a member would be loaded and stored each
  // time.

  /// Writes an id; returns the end of its text.
  char* id_at(char* at, Word id) const {
    if (has_names_) {
      const IdNames::Place place = names_.find(id);
      if (place.length != 0) return TextBuffer::copied(at, pool_ + place.offset, place.length);
    }
    *at = '%';
    return print_u32(at + 1, id);
  }

  /// Writes an id right-aligned to `column`, with blanks before it; a longer id ends after `column`.
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

  /// Writes a name of the grammar; returns the end of its text.
  char* name_at(char* at, StringRef ref) const { return TextBuffer::copied(at, chars_ + ref.offset, ref.length); }

  void id(Word id, TokenStyle style, std::size_t word) {
    out_.open(style, word, 1);
    id_text(id);
    out_.close(style);
  }

  /// Names of the grammar are padded (Grammar::chars), so most take one fixed-size copy.
  void name(StringRef ref) { to_.padded(chars_ + ref.offset, ref.length); }

  /// Writes one operand, without the blank before it.
  void operand(const Operand& operand, InstructionView instruction, const OperandContext& context) {
    const Word value = instruction.word(operand.word);
    if (operand.shape <= OperandShape::IdMemorySemantics) [[likely]] { return id(value, TokenStyle::Id, operand.word); }
    other(operand, value, instruction, context);
  }

  /// Like operand(), but only for operands that are not ids.
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
      case OperandShape::Composite: return;  // operand() has written the ids; a composite is decoded as its parts
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

  // Operands without a notation are written as `!word !word`, from which the assembler restores the same words
  // (assembly syntax, "Arbitrary Integers").
  void raw_words(Words words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      to_.room();
      to_.text(i == 0 ? "!" : " !");
      to_.at = print_u32(to_.at, words[i]);
    }
    to_.room();
  }

  // If the set is unknown, or spirv-dis has no names for it (prints_numbers), the instruction is printed as a number.
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

  // Writes the names joined by `|`, from the lowest bit up, which is the order of the parameters (specification 3,
  // masks).
  void mask(const Operand& operand, Word value) {
    out_.open(TokenStyle::Enumerant, operand.word, 1);
    if (value == 0) {
      // Not every mask has a name for "no bits"; the raw word reassembles to the same value.
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

  // The string is printed word by word: a word without a NUL, quote or backslash is copied as four bytes. Assembly
  // syntax, strings: a backslash escapes quotes and backslashes; all other bytes, including line feeds, are unchanged.
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
        // The text has no notation for bytes after the NUL, so they are lost.
        if (c == '\0') break;  // the last word
        string_byte(c);
      }
    }
    out_.close(TokenStyle::String);
    to_.byte('"');
    out_.reset();
  }

  static constexpr bool has_byte(Word word, char byte) {
    // The exclusive or makes a matching byte zero; the rest is the usual test for a zero byte.
    const Word x = word ^ Word { 0x01010101 } * static_cast<unsigned char>(byte);
    return has_zero_byte(x);
  }

  // Under escape_strings control bytes are printed as escapes, so an untrusted module cannot control the terminal.
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
