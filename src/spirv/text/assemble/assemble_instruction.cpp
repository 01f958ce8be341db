// SPDX-License-Identifier: Apache-2.0
//
// Instructions: the result id and opcode, the facts that later instructions need, and recovery after a fault.
//
// A fault invalidates only its own instruction. The next instruction begins at a word that
// looks like an opcode or is followed by `=`. A line that begins like a misspelt instruction is also treated as an
// instruction, so two malformed lines in a row are two faults.
#include <algorithm>

#include "spirv/binary/id_type_table.h"
#include "spirv/grammar/special_cases.h"
#include "spirv/grammar/special_sets.h"
#include "spirv/text/assemble/assembler.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv::text {

bool Assembler::is_too_new(const InstructionRow& row) const {
  // As in spirv-as, the version does not restrict an opcode that needs a capability or an extension. A row whose
  // version is "None" needs one of these. A text assembled with `exact` comes from a module and may contain opcodes
  // that its version does not have.
  return !options_.exact && row.capabilities.count == 0 && row.extensions.count == 0 && !row.since.is_none() &&
         row.since > version_;
}

// The row of the current word; nullptr if the grammar has no such opcode in this version.
const InstructionRow* Assembler::find_opcode() {
  const std::uint32_t index = names_.find(name_scope::opcodes, opcode_word_.begin, opcode_word_.end);
  if (index == NameCache::none) return nullptr;
  const InstructionRow& row = grammar_.instructions[index];
  return is_too_new(row) ? nullptr : &row;
}

// Parses an optional `%id =`, then the opcode.
bool Assembler::instruction() {
  // The previous instruction is kept: without `=`, this `%name` may be a surplus operand of it.
  const InstructionRow* before = row_;
  has_result_ = is_result_pending_ = false;
  row_ = nullptr;
  if (*at_ == '%') {
    result_ = lexer_.name(at_ + 1);
    has_result_ = is_result_pending_ = true;
    at_ = lexer_.skip(result_.end());
    if (!lexer_.is_equals(at_)) [[unlikely]]
      return expected_equals(before);
    at_ = lexer_.skip(at_ + 1);
  }
  if (!lexer_.is_opcode_shaped(at_)) [[unlikely]]
    return expected_opcode();

  opcode_word_.begin = at_;
  opcode_word_.end = lexer_.name_end(at_);
  const InstructionRow* row = find_opcode();
  if (row == nullptr) [[unlikely]] {
    opcode_word_ = piece();  // a comment may directly follow the opcode
    at_ = opcode_word_.next;
    row = find_opcode();
    if (row == nullptr) {
      return opcode_word_.text() == "OpUnknown" ? unknown_instruction() : unknown_opcode(opcode_word_);
    }
  }
  opcode_word_.next = at_ = lexer_.skip(opcode_word_.end);
  row_ = row;
  // Assembly syntax: a result id precedes `=` if and only if the opcode has a result.
  if (((row->flags & HasResult) != 0) != has_result_) [[unlikely]]
    return result_mismatch(opcode_word_, *row);

  put(static_cast<Word>(row->opcode));
  if (map_ != nullptr) [[unlikely]] {
    if (has_result_) add_token(start_, result_.end(), row->result_word(), 1, TokenStyle::ResultId);
    add_token(opcode_word_.begin, opcode_word_.end, 0, 1, TokenStyle::Opcode);
  }
  return operand_list(grammar_.operands(row->operands)) && finish(*row);
}

bool Assembler::result_id() {
  const std::uint64_t number = ids_.number_of(result_);
  if (number == IdNames::malformed) [[unlikely]] {
    return malformed_id({start_, result_.end(), lexer_.skip(result_.end())});
  }
  is_result_pending_ = false;
  put(static_cast<Word>(number));
  return true;
}

// Completes the first word with the word count, and records the facts about the result that later instructions need.
bool Assembler::finish(const InstructionRow& row) {
  const std::size_t count = word_count();
  if (count > max_instruction_words) [[unlikely]] {
    return fault(rule::instruction_too_long, opcode_word_,
                 "the instruction has " + std::to_string(count) + " words; expected at most 65535");
  }
  Word* words = instruction_words();
  *words = first_word(count, row.opcode);
  // Only facts that later operands need are recorded: the type of a value, the format of a type, the set of an import.
  // An import has a result but no type, like many other instructions, so it is checked first.
  if (row.opcode == Op::OpExtInstImport) {
    if (!finish_import()) return false;
  } else if ((row.flags & DeclaresType) != 0) {
    if (!finish_type()) return false;
  } else if (const std::uint16_t result = row.result_word(); result != 0) {
    // A label or a string has no type, but it is defined; set_value() also clears a poisoned state.
    facts_.set_value(words[result], row.type_word() != 0 ? words[row.type_word()] : 0);
  }
  ++instruction_count_;
  return true;
}

// Records the scalar type of an id, since it determines the literals of constants and switches.
bool Assembler::finish_type() {
  const Word* words = instruction_words();
  const std::size_t count = word_count();
  const Word id = words[row_->result_word()];
  // A second definition is a fault only for types and imports, as in spirv-as (docs/text.md, "Ids").
  const IdFact known = facts_.get(id);
  if (known.what == IdFact::What::Type || known.what == IdFact::What::Scalar) {
    return fault(rule::duplicate_id, {start_, result_.end(), opcode_word_.begin},
                 "'%" + std::string(result_.text()) + "' is already the id of a type");
  }
  if (row_->opcode == Op::OpTypeInt || row_->opcode == Op::OpTypeFloat) {
    // Only raw words can cause a word count that the grammar does not permit.
    const bool is_float = row_->opcode == Op::OpTypeFloat;
    if (is_float ? count != 3 && count != 4 : count != 4) {
      return fault(rule::missing_operand, opcode_word_,
                   "'" + std::string(opcode_word_.text()) + "' has the wrong number of operands");
    }
    // Any width is accepted, as the grammar allows any number. A width without literals is reported at the first
    // literal.
    const ScalarType type = declared_scalar(instruction_view());
    if (is_float && count == 4) {
      const Word width = View<Op::OpTypeFloat>(instruction_view()).width();
      if (!float_format_of(width, type.encoding)) return bad_encoding(width, type.encoding);
    }
    facts_.set_scalar(id, type);
  } else {
    // The type is not a scalar: a literal of this type is a fault, and so is a second definition of the id.
    facts_.at(id) = {0, IdFact::What::Type, {}};
  }
  return true;
}

bool Assembler::finish_import() {
  const View<Op::OpExtInstImport> import(instruction_view());
  const Word id = import.result();
  if (facts_.get(id).what == IdFact::What::Import) {
    return fault(rule::duplicate_id, {start_, result_.end(), opcode_word_.begin},
                 "'%" + std::string(result_.text()) + "' is already the id of an imported set");
  }
  // The name as it is in the words, with escapes removed. Without a string (raw words) the set is unknown.
  const std::string_view name = import.name();
  const Piece word = operand_word(0);
  // `OpExtInstImport !...`: raw words are not interpreted.
  if (word.begin < lexer_.end() && *word.begin != '"') return true;
  const ExtInstSetId set = grammar_.find_set(name);
  if (set.is_none() && !is_non_semantic_set(name)) return unknown_set(word, name);
  facts_.at(id) = {0, IdFact::What::Import, set};
  return true;
}

// Marks the id that an instruction with a fault would have defined. Uses that depend on its definition are then not
// reported, so one fault has one report. If the id is unknown, no undefined id is reported from here on.
void Assembler::poison_result() {
  if (!has_result_) {
    if (row_ != nullptr && (row_->flags & HasResult) != 0) has_unknown_definition_ = true;
    return;
  }
  const std::uint64_t number = ids_.number_of(result_);
  if (number == IdNames::malformed) {
    has_unknown_definition_ = true;
    return;
  }
  IdFact& fact = facts_.at(static_cast<Word>(number));
  // If an earlier definition is valid, its facts are kept; the fault is in the second definition.
  if (fact.what == IdFact::What::Nothing) fact.what = IdFact::What::Poisoned;
}

// Whether the facts about an id may be missing because of an earlier fault.
bool Assembler::is_error_suppressed(Word id) const {
  const IdFact fact = facts_.get(id);
  return fact.what == IdFact::What::Poisoned || (has_unknown_definition_ && fact.what == IdFact::What::Nothing);
}

// Marks a used id that has no definition, so that it is reported once, however many instructions use it.
void Assembler::poison_missing(Word id) {
  if (IdFact& fact = facts_.at(id); fact.what == IdFact::What::Nothing) fact.what = IdFact::What::Poisoned;
}

// Removes the words of the instruction and advances to the next one. `at_` is at the word with the fault, or after it
// if that word begins no instruction.
void Assembler::recover() {
  out_ = words_.data() + first_;
  poison_result();
  row_ = nullptr;
  ++instruction_count_;

  const auto begins_instruction = [&](const Piece& word) {
    if (lexer_.is_opcode_shaped(word.begin) || lexer_.is_equals(word.next)) return true;
    return lexer_.is_first_in_line(word.begin) && looks_like_instruction(word);
  };
  const char* at = at_;
  // Each fault advances by at least one word, so that the loop of run() ends.
  if (at == start_) {
    at = lexer_.piece(at).next;
  } else if (is_head_fault_ && at < lexer_.end() && !lexer_.is_first_in_line(at)) {
    // The fault is between a result id and its opcode: the opcode belongs to the malformed instruction.
    const Piece word = lexer_.piece(at);
    at = word.next;
    const bool was_opcode = class_of(*word.begin) == ByteClass::Letter;
    if (!was_opcode && lexer_.is_opcode_shaped(at) && !lexer_.is_first_in_line(at)) at = lexer_.piece(at).next;
  }
  is_head_fault_ = false;
  while (at < lexer_.end()) {
    const Piece word = lexer_.piece(at);
    if (begins_instruction(word)) break;
    at = word.next;
  }
  at_ = at;
}

// Whether a word at the beginning of a line probably begins an instruction. It can be an opcode in the wrong case or
// without its `Op`, or a result with a malformed `=`.
bool Assembler::looks_like_instruction(const Piece& word) const {
  const std::string_view text = word.text();
  if (text[0] == '!') return true;
  if (text[0] == '%') {  // without blanks, or without its `=`
    return text.find('=') != std::string_view::npos || lexer_.peek(word.next) == '=' ||
           (lexer_.is_opcode_shaped(word.next) && !lexer_.is_first_in_line(word.next));
  }
  if (text.size() < 3) return false;
  if (text[0] == '"' ||
      !std::all_of(text.begin(), text.end(), [](char c) { return class_of(c) == ByteClass::Letter; })) {
    return false;
  }
  // `opLoad`, `OPLOAD`, `Load`. Other words at the beginning of a line are operands of the instruction above, which
  // may continue over several lines.
  const bool is_cased_wrong = (text[0] == 'o' && (text[1] | 0x20) == 'p') || text.starts_with("OP");
  return is_cased_wrong || grammar_.find_instruction("Op" + std::string(text)) != nullptr;
}

}  // namespace vireo::spirv::text
