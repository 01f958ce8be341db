// SPDX-License-Identifier: Apache-2.0
//
// The diagnostics of the assembler.
//
// Each message states the text that was found and the expected form, with a hint if the intent is clear.
// All functions here are cold. When the diagnostics are full, no more hints are computed, so a text with many faults is
// not slow.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "spirv/grammar/special_cases.h"
#include "spirv/text/assemble/assembler.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::spirv::text {
namespace {

/// A word of the input for a message; long words are truncated.
std::string quoted_input(std::string_view text) {
  // An unterminated string may contain the rest of the text.
  constexpr std::size_t limit = 60;
  std::string out;
  append_printable(out, text.substr(0, limit));
  if (text.size() > limit) out += "...";
  return quoted(out);
}

// Versions have the same spelling in all messages: tests and scripts match it.
std::string version_text(Version version) { return fmt::format("{}.{}", version.major, version.minor); }

/// The text of a shape. described() handles enumerated kinds, which have the specification's name.
std::string_view shape_text(OperandShape shape) {
  switch (shape) {
    case OperandShape::IdResultType: return "a type id";
    case OperandShape::IdResult: return "a result id";
    case OperandShape::IdRef: return "an id";
    case OperandShape::IdScope: return "the id of a scope";
    case OperandShape::IdMemorySemantics: return "the id of memory semantics";
    case OperandShape::LiteralInteger: return "an integer";
    case OperandShape::LiteralFloat: return "a float";
    case OperandShape::LiteralString: return "a string";
    case OperandShape::LiteralContextDependentNumber: return "a number of the result type";
    case OperandShape::LiteralExtInstInteger: return "the name of an extended instruction";
    case OperandShape::LiteralSpecConstantOpInteger: return "an opcode without its 'Op'";
    case OperandShape::ValueEnum: return "an enumerant";
    case OperandShape::BitEnum: return "a mask";
    case OperandShape::Composite: return "an operand";
  }
  return "an operand";
}

/// The name in a scope that is most similar to a word.
// Linear in the names of the grammar, so callers use it only while diagnostics are not full.
std::string nearest_in_scope(const Grammar& grammar, std::uint16_t scope, std::string_view word) {
  NearestNames nearest(word);
  for (const NameEntry& entry : grammar.name_entries) {
    if (entry.scope == scope) nearest.offer(grammar.text(entry.text));
  }
  return std::string(nearest.best());
}

/// "a 16-bit", "an 8-bit": the article depends on the pronunciation of the first group of up to three digits.
// The largest width is 65,535.
std::string width_text(std::uint32_t width) {
  std::uint32_t first = width;
  while (first >= 1000) first /= 1000;
  const bool is_eight = first == 8 || first / 10 == 8 || first / 100 == 8;
  return fmt::format("{} {}-bit", is_eight || first == 11 || first == 18 ? "an" : "a", width);
}

// Whether a word is a decimal number with one of these letters as a suffix, as in C and GLSL.
bool has_suffix(std::string_view text, std::string_view suffixes) {
  if (text.size() < 2 || suffixes.find(text.back()) == std::string_view::npos) return false;
  return is_digit(text[0] == '-' ? text[1] : text[0]) && text.find_first_not_of("+-.0123456789eE") == text.size() - 1;
}

std::string type_text(IntegerType type) {
  return fmt::format("{} {} integer", width_text(type.width), type.is_signed ? "signed" : "unsigned");
}

std::string type_text(ScalarType type) { return width_text(type.width) + " float"; }

}  // namespace

// All faults are reported here. Always returns false, so that a caller can return it; `reported_` is the Reported value
// that a failing Result needs.
bool Assembler::fault(std::string_view rule, Piece at, std::string message, std::string hint) {
  reported_ = diagnostics_.error(rule, Location::in_text(lexer_.range_of(at.begin, at.end)), std::move(message),
                                 std::move(hint));
  return false;
}

std::string Assembler::found_at(const char* at) const {
  if (at >= lexer_.end()) return "the end of the text";
  return quoted_input(lexer_.piece(at).text());
}

// "a StorageClass", "MemoryAccess flags", "an id for 'Pointer'": the operand kind, and the grammar's name of the operand
// if it differs.
std::string Assembler::described(const OperandRow& row) const {
  std::string text(shape_text(row.shape));
  std::string_view kind;
  if (row.shape == OperandShape::ValueEnum || row.shape == OperandShape::BitEnum) {
    kind = grammar_.text(grammar_.kind(row.kind).name);
    const bool is_mask = row.shape == OperandShape::BitEnum;
    const bool has_vowel = !kind.empty() && std::string_view("AEIOU").find(kind[0]) != std::string_view::npos;
    text = is_mask ? fmt::format("{} flags", kind) : fmt::format("{} {}", has_vowel ? "an" : "a", kind);
  }
  const std::string_view name = grammar_.text(row.name);
  if (!name.empty() && name != kind) text += fmt::format(" for {}", quoted_input(name));
  return text;
}

// The location of a missing word: the current word, or `before` at the end of the text.
Piece Assembler::piece_or(Piece before) const { return at_ < lexer_.end() ? piece() : before; }

// The word of an operand, counted from 0 after the opcode.
Piece Assembler::operand_word(std::size_t index) const {
  const char* at = opcode_word_.next;
  for (std::size_t i = 0; i < index && at < lexer_.end(); ++i) at = lexer_.piece(at).next;
  return lexer_.piece(at);
}

bool Assembler::expected_equals(const InstructionRow* before) {
  const std::string_view name = result_.text();
  // If a lone id is in the line of a complete instruction, it is a surplus operand, not a result without `=`.
  if (before != nullptr && !lexer_.is_first_in_line(start_)) {
    has_result_ = false;
    at_ = start_;
    return surplus_operand({start_, result_.end(), at_});
  }
  const std::size_t equals = name.find('=');
  if (equals != std::string_view::npos) {
    // `%a=OpTypeVoid` is one word. Its id is taken as the result, so its uses are not faults.
    const Piece word{start_, result_.end(), at_};
    const std::string hint =
        fmt::format("put spaces around '=': {}",
                    quoted_input(fmt::format("%{} = {}", name.substr(0, equals), name.substr(equals + 1))));
    result_.length = equals;
    result_.head = lexer_.load8(result_.begin);
    if (equals < 8) result_.head &= (std::uint64_t{1} << (8 * equals)) - 1;
    at_ = start_;
    return fault(rule::expected_equals, word,
                 fmt::format("expected a result id and '=', found {}", quoted_input(word.text())), hint);
  }
  is_head_fault_ = true;
  std::string hint;
  if (lexer_.peek(at_) == '=') hint = "put spaces around '='";
  if (lexer_.is_opcode_shaped(at_)) hint = fmt::format("write '%{} = {}'", name, piece().text());
  return fault(rule::expected_equals, piece_or({start_, result_.end(), at_}),
               fmt::format("expected '=' after '%{}', found {}", name, found_at(at_)), hint);
}

// The instruction begins at the id. Recovery continues after the word that replaces the opcode.
bool Assembler::expected_opcode() {
  if (!has_result_) return stray_word();
  is_head_fault_ = true;
  const Piece word = piece_or(lexer_.piece(lexer_.skip(result_.end())));  // the `=`
  // docs/text.md, "Raw words": with a raw opcode the position of the result id is unknown.
  if (lexer_.peek(at_) == '!') {
    return fault(rule::bad_raw_word, word, "the opcode after '=' cannot be a raw word",
                 "write the whole instruction as raw words, including the result id");
  }
  std::string hint;
  if (at_ < lexer_.end() && !diagnostics_.is_full()) {
    const std::string prefixed = "Op" + std::string(word.text());
    const bool is_without_op = grammar_.find_instruction(prefixed) != nullptr;
    hint = did_you_mean(is_without_op ? prefixed : nearest_in_scope(grammar_, name_scope::opcodes, word.text()));
  }
  return fault(rule::expected_opcode, word, fmt::format("expected an opcode after '=', found {}", found_at(at_)), hint);
}

// Three causes: the opcode is too new for the version, it is misspelt, or it does not exist.
bool Assembler::unknown_opcode(Piece word) {
  const InstructionRow* row = grammar_.find_instruction(word.text());
  // The name is correct, but the version is too old; a similar name would be a wrong hint.
  if (row != nullptr && is_too_new(*row)) {
    return fault(rule::unknown_instruction, word,
                 fmt::format("{} is not available in SPIR-V {}", quoted_input(word.text()), version_text(version_)),
                 fmt::format("it requires SPIR-V {}", version_text(row->since)));
  }
  std::string hint;
  if (!diagnostics_.is_full()) hint = did_you_mean(nearest_in_scope(grammar_, name_scope::opcodes, word.text()));
  return fault(rule::unknown_instruction, word, fmt::format("unknown opcode {}", quoted_input(word.text())), hint);
}

// The opcode is known, so the hint can show the whole correction.
bool Assembler::result_mismatch(Piece word, const InstructionRow& row) {
  if ((row.flags & HasResult) != 0) {
    return fault(rule::result_required, word,
                 fmt::format("{} produces a result; expected a result id", quoted_input(word.text())),
                 fmt::format("write '%id = {}'", word.text()));
  }
  return fault(rule::result_forbidden, word,
               fmt::format("{} produces no result, found result id '%{}'", quoted_input(word.text()), result_.text()),
               fmt::format("remove '%{} ='", result_.text()));
}

// Reports a word that begins no instruction, where an instruction must begin.
bool Assembler::stray_word() {
  const Piece word = piece();
  const bool is_assigned = lexer_.is_equals(word.next);
  if (row_ != nullptr && !is_assigned && !lexer_.is_first_in_line(at_)) return surplus_operand(word);
  row_ = nullptr;
  has_result_ = false;
  std::string hint;
  if (is_assigned) {
    // This is an id without its `%`; continue after the opcode.
    hint = fmt::format("an id begins with '%': {}", quoted_input(fmt::format("%{} =", word.text())));
    result_ = lexer_.name(word.begin);
    has_result_ = true;
    at_ = lexer_.skip(word.next + 1);
    if (lexer_.is_opcode_shaped(at_)) at_ = piece().next;
  } else if (!diagnostics_.is_full() && class_of(*word.begin) == ByteClass::Letter) {
    const std::string prefixed = "Op" + std::string(word.text());
    const bool is_without_op = grammar_.find_instruction(prefixed) != nullptr;
    hint = did_you_mean(is_without_op ? prefixed : nearest_in_scope(grammar_, name_scope::opcodes, word.text()));
  }
  return fault(rule::expected_instruction, word,
               fmt::format("expected an opcode or a result id, found {}", quoted_input(word.text())), hint);
}

// Reports a surplus word on the line of a complete instruction.
bool Assembler::surplus_operand(Piece word) {
  row_ = nullptr;
  return fault(
      rule::surplus_operand, word,
      fmt::format("unexpected operand {} of {}", quoted_input(word.text()), quoted_input(opcode_word_.text())));
}

// Whether the word in place of an operand probably begins a malformed next instruction.
bool Assembler::next_begins(const Piece& word) {
  const bool begins =
      lexer_.is_equals(word.next) || (lexer_.is_first_in_line(word.begin) && looks_like_instruction(word));
  // If an optional operand could be here, none is missing: the instruction ends, and the next one reports the word.
  has_ended_ = begins && optional_at_ == at_;
  return begins;
}

// Two causes: bytes that are not permitted in names, and a number that is too large.
bool Assembler::malformed_id(Piece word) {
  std::uint32_t value = 0;
  // Only one well-formed number is rejected: 4294967295, if numeric ids are preserved.
  if (parse_u32(word.text().substr(1), value) == NumberFault::None) {
    return fault(rule::bad_id, word, fmt::format("id {} is too large: the bound must be greater than all ids", value));
  }
  return fault(
      rule::bad_id, word,
      word.end - word.begin == 1
          ? std::string("expected a name after '%'")
          : fmt::format("invalid id {}: names consist of letters, digits and underscores", quoted_input(word.text())));
}

// Common mistakes instead of an id: a name without its `%`, or the number of the id.
bool Assembler::expected_id(const OperandRow& row) {
  const Piece word = piece();
  if (next_begins(word)) return !has_ended_ && missing_operand(described(row));
  std::string hint;
  if (class_of(*word.begin) == ByteClass::Letter)
    hint = fmt::format("an id begins with '%': {}", quoted_input("%" + std::string(word.text())));
  if (is_digit(*word.begin))
    hint += fmt::format("{}a number instead of an id is written {}", hint.empty() ? "" : "; ",
                        quoted_input("!" + std::string(word.text())));
  return fault(rule::bad_id, word, fmt::format("expected {}, found {}", described(row), quoted_input(word.text())),
               hint);
}

// The location is the word in place of the operand, which begins the next instruction; a note shows the opcode. At the
// end of the text, the location is the opcode.
bool Assembler::missing_operand(std::string_view expected) {
  if (at_ >= lexer_.end()) {
    return fault(rule::missing_operand, opcode_word_,
                 fmt::format("missing operand of {}: expected {}, found the end of the text",
                             quoted_input(opcode_word_.text()), expected));
  }
  fault(rule::missing_operand, piece(),
        fmt::format("missing operand of {}: expected {}, found the next instruction", quoted_input(opcode_word_.text()),
                    expected));
  // The next instruction may be many lines below the one with the fault.
  diagnostics_.note(Location::in_text(lexer_.range_of(opcode_word_.begin, opcode_word_.end)),
                    "the instruction is here");
  return false;
}

// Chooses the most reliable hint. In order, the cases are: an empty part, a number instead of a name, a mask where the
// kind is not a mask, a similar name of the kind.
bool Assembler::bad_enumerant(const OperandRow& row, Piece word, std::string_view part) {
  if (next_begins(word)) return !has_ended_ && missing_operand(described(row));
  const std::string_view kind = grammar_.text(grammar_.kind(row.kind).name);
  Piece at = word;
  if (!part.empty()) {
    // Underline only the wrong name of a mask.
    at.begin = part.data();
    at.end = at.begin + part.size();
  }
  std::string hint;
  if (part.empty()) {
    hint = "names in a mask are joined by '|', without spaces";
  } else if (is_digit(part[0])) {
    std::uint32_t value = 0;
    if (parse_u32(part, value) == NumberFault::None) {
      const EnumerantRow* enumerant = grammar_.find_value(row.kind, value);
      hint = enumerant != nullptr ? fmt::format("{} is '{}'; a number without a name is written '!{}'", value,
                                                grammar_.text(enumerant->name), value)
                                  : fmt::format("a number without a name is written '!{}'", value);
    }
  }
  // This precedes the search for the nearest name, which would also find one for `A|B`.
  if (hint.empty() && row.shape == OperandShape::ValueEnum && part.find('|') != std::string_view::npos) {
    hint = fmt::format("{} is not a mask: write one name", kind);
  }
  if (hint.empty() && !diagnostics_.is_full()) {
    hint = did_you_mean(nearest_in_scope(grammar_, name_scope::of_kind(row.kind), part));
  }
  const std::string_view rule = row.shape == OperandShape::BitEnum ? rule::bad_mask : rule::bad_enumerant;
  const std::string found = quoted_input(part.empty() ? word.text() : part);
  if (part.empty()) return fault(rule, at, fmt::format("mask {} lacks a name before or after '|'", found), hint);
  if (class_of(part[0]) == ByteClass::Letter) {
    const bool is_mask = row.shape == OperandShape::BitEnum;
    return fault(rule, at, fmt::format("unknown {}{} {}", kind, is_mask ? " flag" : "", found), hint);
  }
  if (row.quantifier == Quantifier::Optional)
    return fault(rule, at, fmt::format("unexpected operand {}, only {} may follow", found, described(row)), hint);
  return fault(rule, at, fmt::format("expected {}, found {}", described(row), found), hint);
}

// The number parser determines the fault; the message names the expected type.
bool Assembler::bad_integer(Piece word, IntegerType type, NumberFault what, std::string_view described_as) {
  const std::string found = quoted_input(word.text());
  const std::string expected = described_as.empty() ? type_text(type) : std::string(described_as);
  if (next_begins(word)) return !has_ended_ && missing_operand(expected);
  switch (what) {
    case NumberFault::NegativeUnsigned:
      return fault(rule::bad_integer, word, fmt::format("{} is negative; expected {}", found, expected));
    case NumberFault::OutOfRange:
      return fault(rule::bad_integer, word, fmt::format("{} does not fit in {}", found, type_text(type)));
    case NumberFault::UnsupportedWidth:
      return fault(rule::unsupported_width, word, fmt::format("{}-bit integers cannot have literals", type.width),
                   "integer literals have 1 to 64 bits");
    default: break;
  }
  const std::string_view text = word.text();
  std::string hint;
  // The usual cases are 08 and 09.
  if (text.size() > 1 && text[0] == '0' && std::all_of(text.begin(), text.end(), is_digit)) {
    hint = "a leading zero makes a number octal";
  } else if (text[0] == '"') {
    hint = "remove the quotes";
  } else if (has_suffix(text, "uU")) {
    hint = fmt::format("remove the suffix {}", quoted_input(text.substr(text.size() - 1)));
  }
  return fault(rule::bad_integer, word, fmt::format("expected {}, found {}", expected, found), hint);
}

bool Assembler::bad_float(Piece word, ScalarType type, NumberFault what) {
  const std::string found = quoted_input(word.text());
  // has_ended_ does not apply: no pattern has an optional float.
  if (next_begins(word)) return missing_operand(type_text(type));
  if (what == NumberFault::UnsupportedWidth) {
    return fault(rule::unsupported_width, word, fmt::format("{}-bit floats cannot have literals", type.width),
                 "floats without an encoding have 16, 32 or 64 bits");
  }
  if (what == NumberFault::OutOfRange) {
    return fault(rule::bad_float, word, fmt::format("{} is not representable in {}", found, type_text(type)));
  }
  const std::string_view text = word.text();
  std::string hint;
  if (has_suffix(text, "fFhH")) hint = fmt::format("remove the suffix {}", quoted_input(text.substr(text.size() - 1)));
  return fault(rule::bad_float, word, fmt::format("expected {}, found {}", type_text(type), found), hint);
}

bool Assembler::bad_string() {
  const Piece word = piece();
  if (*at_ != '"') {
    if (next_begins(word)) return !has_ended_ && missing_operand("a string");
    return fault(rule::bad_string, word, fmt::format("expected a string, found {}", quoted_input(word.text())),
                 fmt::format("enclose the string in double quotes: {}",
                             quoted_input("\"" + std::string(word.text().substr(0, 40)) + "\"")));
  }
  // The word may extend over lines up to the next quote. If a later line begins like an instruction, the closing
  // quote is missing in the line before it.
  const char* end = word.end;
  for (const char* p = at_; p < word.end; ++p) {
    if (*p != '\n') continue;
    const char* line = lexer_.skip(p);
    if (line < word.end && lexer_.is_instruction_start(line)) {
      end = p;
      break;
    }
  }
  // The location is limited to one line, because carets under several lines are not useful.
  const Piece shown{at_, std::min(end, std::find(at_, end, '\n')), word.next};
  bool is_open = end != word.end;  // else it is open at the end of the text, or other bytes follow the quote
  for (const char* p = at_; p < word.end && end == word.end; ++p) {
    if (*p == '\\') {
      ++p;
    } else if (*p == '"') {
      is_open = !is_open;
    }
  }
  const std::string message =
      fmt::format("string {} {}", quoted_input(shown.text()),
                  is_open ? "has no closing quote" : "is followed by other characters without a space");
  // Continue after the string, or at the line that the string contains: the faults of that line should be reported,
  // too.
  at_ = end == word.end ? word.next : lexer_.skip(end);
  return fault(rule::bad_string, shown, message);
}

// Names of sets are long and distinctive, so the most similar one is nearly always the intended one.
bool Assembler::unknown_set(Piece word, std::string_view name) {
  NearestNames nearest(name);
  if (!diagnostics_.is_full()) {
    for (const ExtInstSetRow& set : grammar_.sets) nearest.offer(grammar_.text(set.name));
  }
  return fault(rule::unknown_extended_set, word, fmt::format("unknown extended instruction set {}", quoted_input(name)),
               did_you_mean(nearest.best()));
}

bool Assembler::bad_encoding(Word width, Word encoding) {
  const Piece word = operand_word(1);
  const std::uint32_t required = width_of_encoding(encoding);
  if (required == 0) {
    return fault(rule::bad_encoding, word, fmt::format("{} is not a floating-point encoding", encoding));
  }
  return fault(rule::bad_encoding, word,
               fmt::format("encoding {} requires a width of {} bits, but the type has {}", quoted_input(word.text()),
                           required, width));
}

// The set is the operand before the instruction's name.
bool Assembler::set_not_imported() {
  const Piece set = operand_word(1);
  // If the set is correct and the instruction's name is missing, the import is not the fault.
  if (next_begins(piece())) return missing_operand(shape_text(OperandShape::LiteralExtInstInteger));
  if (is_error_suppressed(out_[-1]))
    return false;  // the import had a fault; without the set the instruction cannot be parsed further
  std::string hint;
  if (!diagnostics_.is_full()) {
    // The first set with such an instruction is most likely the intended one; the hint shows the line to add.
    for (const ExtInstSetRow& candidate : grammar_.sets) {
      const auto id = ExtInstSetId(static_cast<std::size_t>(&candidate - grammar_.sets.data()));
      if (grammar_.find_ext_inst(id, piece().text()) == nullptr) continue;
      hint = fmt::format("add '{} = OpExtInstImport \"{}\"' above", set.text(), grammar_.text(candidate.name));
      break;
    }
  }
  poison_missing(out_[-1]);
  return fault(rule::set_not_imported, set,
               fmt::format("{} is not the result of a preceding OpExtInstImport", quoted_input(set.text())), hint);
}

// A number instead of a name is a likely mistake, as the binary form has a number: the hint shows both spellings.
bool Assembler::unknown_ext_inst(Piece word, ExtInstSetId set) {
  if (next_begins(word)) return missing_operand(shape_text(OperandShape::LiteralExtInstInteger));
  if (set.is_none()) {
    return fault(rule::unknown_extended_instruction, word,
                 fmt::format("expected a decimal number, found {}", quoted_input(word.text())),
                 "the extended instruction set is unknown, so write the number of the instruction");
  }
  std::string hint;
  if (!diagnostics_.is_full()) hint = did_you_mean(nearest_in_scope(grammar_, name_scope::of_set(set), word.text()));
  std::uint32_t number = 0;
  if (parse_u32(word.text(), number) == NumberFault::None) {
    const ExtInstRow* row = grammar_.find_ext_inst(set, number);
    if (row != nullptr)
      hint =
          fmt::format("{} is '{}'; a number without a name is written '!{}'", number, grammar_.text(row->name), number);
  }
  return fault(rule::unknown_extended_instruction, word,
               fmt::format("extended instruction set '{}' has no instruction {}",
                           grammar_.text(grammar_.sets[set.index()].name), quoted_input(word.text())),
               hint);
}

// Only permitted opcodes are offered as hints; others would cause the next fault.
bool Assembler::bad_spec_opcode(Piece word) {
  if (next_begins(word)) return missing_operand(shape_text(OperandShape::LiteralSpecConstantOpInteger));
  const std::string_view text = word.text();
  std::string hint;
  at_ = word.next;  // it may look like an opcode, but begins no instruction
  const InstructionRow* row = grammar_.find_instruction(text);
  if (row != nullptr && is_permitted_in_spec_constant_op(row->opcode)) {
    hint = did_you_mean(without_op(text));
  } else if (!diagnostics_.is_full()) {
    NearestNames nearest(text);
    for (const InstructionRow& candidate : grammar_.instructions) {
      if (is_permitted_in_spec_constant_op(candidate.opcode)) nearest.offer(without_op(grammar_.text(candidate.name)));
    }
    hint = did_you_mean(nearest.best());
  }
  // Two causes: an opcode that is not permitted here, and a word that is not an opcode.
  const bool exists = row != nullptr || grammar_.find_instruction("Op" + std::string(text)) != nullptr;
  return fault(rule::bad_spec_opcode, word,
               exists && hint.empty()
                   ? fmt::format("OpSpecConstantOp cannot contain {}", quoted_input(text))
                   : fmt::format("expected an opcode without its 'Op', found {}", quoted_input(text)),
               hint);
}

}  // namespace vireo::spirv::text
