// SPDX-License-Identifier: Apache-2.0
//
// Assembler: assembles one text. Internal to the files assemble_*.cpp.
//
// A single forward pass. `at_` is at the beginning of a word. The parser writes the words of an
// instruction directly to the module at `out_`, and removes them if the instruction has a fault. A parsing function
// returns true, or reports one fault and returns false; recover() then finds the next instruction.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "spirv/grammar/pattern_cursor.h"
#include "spirv/rules.h"
#include "spirv/text/assemble/name_cache.h"
#include "spirv/text/header_comments.h"
#include "spirv/text/id_facts.h"
#include "spirv/text/id_names.h"
#include "spirv/text/lexer.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/support/number.h"

namespace vireo::spirv::text {

class Assembler {
 public:
  Assembler(const Grammar& grammar, const Lexer& lexer, const AssembleOptions& options, const HeaderComments& comments,
            Diagnostics& diagnostics, SourceMap* map);

  Result<WordBuffer> run();

 private:
  // Instructions: assemble_instruction.cpp
  bool instruction();
  const InstructionRow* find_opcode();
  [[nodiscard]] bool is_too_new(const InstructionRow& row) const;
  bool finish(const InstructionRow& row);
  bool finish_type();
  bool finish_import();
  void recover();
  void poison_result();
  [[nodiscard]] bool looks_like_instruction(const Piece& word) const;

  // Operands: assemble_operands.cpp
  bool operand_list(std::span<const OperandRow> rows);
  bool operand(const OperandRow& row);
  bool id_operand(const OperandRow& row);
  bool result_id();
  bool value_enum(const OperandRow& row);
  bool bit_enum(const OperandRow& row);
  bool ext_inst();
  bool spec_opcode();

  // Literals: assemble_literals.cpp
  bool literal_integer(const OperandRow& row);
  bool literal_float();
  bool literal_string();
  bool constant_literal();
  bool switch_label();
  bool typed_literal(ScalarType type);
  bool skip_literal();

  // Raw words and OpUnknown: assemble_raw.cpp
  bool raw_instruction();
  bool raw_word();
  bool raw_operands();
  bool raw_operand();
  bool unknown_instruction();
  bool punctuation(char mark, std::string_view before);
  bool small_number(std::string_view what, Word& value);

  // Diagnostics, all cold: assemble_faults.cpp
  [[gnu::cold]] bool fault(std::string_view rule, Piece at, std::string message, std::string hint = {});
  [[gnu::cold]] bool expected_equals(const InstructionRow* before);
  [[gnu::cold]] bool expected_opcode();
  [[gnu::cold]] bool unknown_opcode(Piece word);
  [[gnu::cold]] bool result_mismatch(Piece word, const InstructionRow& row);
  [[gnu::cold]] bool stray_word();
  [[gnu::cold]] bool surplus_operand(Piece word);
  [[gnu::cold]] bool malformed_id(Piece word);
  [[gnu::cold]] bool expected_id(const OperandRow& row);
  [[gnu::cold]] bool missing_operand(std::string_view expected);
  [[gnu::cold]] bool next_begins(const Piece& word);
  [[gnu::cold]] bool bad_enumerant(const OperandRow& row, Piece word, std::string_view part);
  [[gnu::cold]] bool bad_integer(Piece word, IntegerType type, NumberFault what, std::string_view described);
  [[gnu::cold]] bool bad_float(Piece word, ScalarType type, NumberFault what);
  [[gnu::cold]] bool bad_string();
  [[gnu::cold]] bool set_not_imported();
  [[gnu::cold]] bool unknown_set(Piece word, std::string_view name);
  [[gnu::cold]] bool bad_encoding(Word width, Word encoding);
  [[gnu::cold]] bool unknown_ext_inst(Piece word, ExtInstSetId set);
  [[gnu::cold]] bool bad_spec_opcode(Piece word);
  [[gnu::cold]] std::string described(const OperandRow& row) const;
  [[gnu::cold]] std::string found_at(const char* at) const;
  [[gnu::cold]] Piece piece_or(Piece before) const;
  [[gnu::cold]] Piece operand_word(std::size_t index) const;

  // The current position.
  [[nodiscard]] Piece piece() const { return lexer_.piece(at_); }
  [[nodiscard]] bool are_operands_at_end() const { return at_ >= lexer_.end() || lexer_.is_instruction_start(at_); }
  [[nodiscard]] bool is_error_suppressed(Word id) const;
  [[gnu::cold]] void poison_missing(Word id);
  [[gnu::cold]] bool poison_if_unsupported(Word type_id, ScalarType type);

  // Words of the instruction. Space is reserved before words are written.
  void reserve_words(std::size_t count) {
    if (static_cast<std::size_t>(space_end_ - out_) < count) [[unlikely]]
      grow(count);
  }
  void put(Word word) {
    reserve_words(1);
    *out_++ = word;
  }
  /// Accepts an operand of one word: writes it to the module, records it in the source map, and advances past it.
  bool take(const Piece& word, Word value, TokenStyle style) {
    put(value);
    record(word.begin, word.end, word_count() - 1, style);
    at_ = word.next;
    return true;
  }
  [[nodiscard]] Word* instruction_words() { return words_.data() + first_; }
  /// The words so far. Words beyond the longest instruction are left out.
  [[nodiscard]] InstructionView instruction_view() {
    const auto count = static_cast<std::uint16_t>(std::min(word_count(), max_instruction_words));
    return {instruction_words(), 0, count, row_->opcode};
  }
  [[nodiscard]] std::size_t word_count() const { return static_cast<std::size_t>(out_ - (words_.data() + first_)); }
  [[gnu::noinline]] void grow(std::size_t count);

  // Source map: the words from `first_word` of the instruction to `out_` came from these bytes.
  void record(const char* begin, const char* end, std::size_t first_word, TokenStyle style) {
    if (map_ != nullptr) [[unlikely]]
      add_token(begin, end, first_word, word_count() - first_word, style);
  }
  [[gnu::cold]] void add_token(const char* begin, const char* end, std::size_t first_word, std::size_t count,
                               TokenStyle style);

  const Grammar& grammar_;
  const Lexer lexer_;  // a few pointers; a copy avoids an indirection
  const AssembleOptions& options_;
  const HeaderComments& comments_;
  Diagnostics& diagnostics_;
  SourceMap* map_;
  std::optional<Reported> reported_;  // set by the first fault

  Version version_;
  NameCache names_;
  IdNames ids_;
  IdFacts facts_;

  const char* at_;
  WordBuffer words_;
  Word* out_ = nullptr;        // the next word; inside words_
  Word* space_end_ = nullptr;  // end of words_

  // The current instruction.
  const char* start_ = nullptr;  // its first byte
  std::size_t first_ = 0;        // its first word
  IdToken result_;               // the id before `=`
  bool has_result_ = false;
  bool is_result_pending_ = false;     // the result id is parsed, but its position is not reached
  bool is_head_fault_ = false;         // the fault precedes the operands
  bool has_ended_ = false;             // a malformed instruction begins in place of an optional operand
  const char* optional_at_ = nullptr;  // the last word that could be an optional operand
  Piece opcode_word_;
  PatternCursor pattern_{grammar_};
  const InstructionRow* row_ = nullptr;  // nullptr until the opcode is known; between instructions: the previous row

  // The whole text.
  std::uint32_t instruction_count_ = 0;
  bool has_unknown_definition_ = false;  // an instruction with a fault defined an id that is unknown
};

}  // namespace vireo::spirv::text
