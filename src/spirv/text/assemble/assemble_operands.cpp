// SPDX-License-Identifier: Apache-2.0
//
// Operands: parses the operands of an instruction by the rows of the grammar.
//
// PatternCursor (pattern_cursor.h) determines which row is next; the functions here parse the operand of a row.
// docs/text.md, "Operands".
#include <algorithm>
#include <charconv>
#include <utility>

#include "spirv/grammar/special_cases.h"
#include "spirv/text/assemble/assembler.h"

namespace vireo::spirv::text {

bool Assembler::operand_list(std::span<const OperandRow> rows) {
  pattern_.start(rows);
  while (const OperandRow* next = pattern_.next([this] { return !are_operands_at_end(); })) {
    const OperandRow& row = *next;
    if (row.shape == OperandShape::IdResult) {  // it precedes `=`
      if (!result_id()) return false;
      continue;
    }
    if (row.quantifier == Quantifier::One) {
      // A word that looks like an opcode cannot be a required operand. Neither can `%name` if no id is expected and `=`
      // follows. For ids, id_operand() checks this, as it reads the word after the name anyway.
      const char c = lexer_.peek(at_);
      if (c == '\0' || (c == 'O' && lexer_.is_opcode_shaped(at_)) ||
          (c == '%' && row.shape > OperandShape::IdMemorySemantics && lexer_.is_instruction_start(at_))) {
        // In `OpSpecConstantOp %t OpIMul` the second `Op` is wrong; a new instruction would begin on the next line.
        const bool is_prefixed =
            row.shape == OperandShape::LiteralSpecConstantOpInteger && c == 'O' && !lexer_.is_first_in_line(at_);
        return is_prefixed ? bad_spec_opcode(piece()) : missing_operand(described(row));
      }
    } else {
      optional_at_ = at_;
    }
    // Assembly syntax, "Arbitrary Integers": after a raw word the grammar no longer applies to this instruction.
    if (*at_ == '!') [[unlikely]]
      return raw_operands();
    if (!operand(row)) [[unlikely]] {
      return std::exchange(has_ended_, false);  // not a fault of this instruction: the next one reports the word
    }
  }
  return true;
}

bool Assembler::operand(const OperandRow& row) {
  switch (row.shape) {
    case OperandShape::IdResult: return true;  // handled by operand_list()
    case OperandShape::IdResultType:
    case OperandShape::IdRef:
    case OperandShape::IdScope:
    case OperandShape::IdMemorySemantics: return id_operand(row);
    case OperandShape::LiteralInteger:
      // The only integers of OpSwitch are its case literals, which have the selector's type.
      return row_->opcode == Op::OpSwitch ? switch_label() : literal_integer(row);
    case OperandShape::LiteralFloat: return literal_float();
    case OperandShape::LiteralString: return literal_string();
    case OperandShape::LiteralContextDependentNumber: return constant_literal();
    case OperandShape::LiteralExtInstInteger: return ext_inst();
    case OperandShape::LiteralSpecConstantOpInteger: return spec_opcode();
    case OperandShape::ValueEnum: return value_enum(row);
    case OperandShape::BitEnum: return bit_enum(row);
    case OperandShape::Composite: {
      const std::span<const OperandRow> bases = grammar_.operands(grammar_.kind(row.kind).bases);
      // Pairs of ids (OpPhi) may be incomplete, as in raw and invalid modules.
      const bool are_ids = std::all_of(bases.begin(), bases.end(),
                                       [](const OperandRow& base) { return base.shape == OperandShape::IdRef; });
      if (are_ids && row.quantifier == Quantifier::Star) return id_operand(row);
      pattern_.enter_bases(row.kind);
      return true;
    }
  }
  return true;
}

bool Assembler::id_operand(const OperandRow& row) {
  if (*at_ != '%') return expected_id(row);
  const IdToken name = lexer_.name(at_ + 1);
  const char* next = lexer_.skip(name.end());
  if (lexer_.is_equals(next)) return missing_operand(described(row));
  const std::uint64_t number = ids_.number_of(name);
  if (number == IdNames::malformed) return malformed_id({at_, name.end(), next});
  return take({at_, name.end(), next}, static_cast<Word>(number), TokenStyle::Id);
}

bool Assembler::value_enum(const OperandRow& row) {
  // Names are looked up by kind: one name may have different values in different kinds.
  Piece word{at_, lexer_.name_end(at_)};
  std::uint32_t index = names_.find(name_scope::of_kind(row.kind), word.begin, word.end);
  if (index == NameCache::none) [[unlikely]] {
    word = piece();  // a comment may directly follow the name
    index = names_.find(name_scope::of_kind(row.kind), word.begin, word.end);
    if (index == NameCache::none) return bad_enumerant(row, word, word.text());
  }
  word.next = lexer_.skip(word.end);
  const EnumerantRow& enumerant = grammar_.enumerants[index];
  take(word, enumerant.value, TokenStyle::Enumerant);
  pattern_.enter_parameters(enumerant);
  return true;
}

// A mask is one word without blanks; its parts are names of one kind.
bool Assembler::bit_enum(const OperandRow& row) {
  const Piece word = piece();
  std::uint32_t mask = 0;
  bool has_parameters = false;
  for (const char* part = word.begin;;) {
    const char* part_end = std::find(part, word.end, '|');
    const std::uint32_t index = names_.find(name_scope::of_kind(row.kind), part, part_end);
    if (index == NameCache::none) {
      return bad_enumerant(row, word, {part, static_cast<std::size_t>(part_end - part)});
    }
    // Assembly syntax: names joined by `|`. A repeated name has no effect.
    mask |= grammar_.enumerants[index].value;
    has_parameters |= grammar_.enumerants[index].parameters.count != 0;
    if (part_end == word.end) break;
    part = part_end + 1;
  }
  take(word, mask, TokenStyle::Enumerant);
  // Parameters follow from the lowest bit up, in whatever order the names are.
  if (has_parameters) pattern_.enter_mask(row.kind, mask);
  return true;
}

// The operands of the row follow the number. If the set is non-semantic, the outer pattern's `IdRef *` accepts surplus
// ids.
bool Assembler::ext_inst() {
  // The set is the previous operand. Specification 2.10: the set is identified by an import above.
  const IdFact fact = facts_.get(out_[-1]);
  if (fact.what != IdFact::What::Import) return set_not_imported();

  const Piece word = piece();
  const ExtInstRow* row = nullptr;
  Word number = 0;
  bool takes_numbers = true, is_open = true;
  if (!fact.set.is_none()) {
    const ExtInstSetRow& set = grammar_.sets[fact.set.index()];
    const std::uint32_t index = names_.find(name_scope::of_set(fact.set), word.begin, word.end);
    if (index != NameCache::none) row = &grammar_.ext_instructions[index];
    // Only a non-semantic set can have instructions that the grammar lacks. If the disassembler writes numbers for a
    // set, the assembler must accept them.
    takes_numbers = set.is_non_semantic || set.prints_numbers;
    // Surplus ids may follow non-semantic instructions; for other sets the row is complete.
    is_open = set.is_non_semantic || row_->opcode != Op::OpExtInst;
  }
  if (row != nullptr) {
    number = row->number;
  } else {
    const std::string_view digits = word.text();
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (!takes_numbers || error != std::errc{} || stop != word.end) return unknown_ext_inst(word, fact.set);
  }
  pattern_.enter_extended(row, is_open);
  return take(word, number, TokenStyle::ExtendedName);
}

bool Assembler::spec_opcode() {
  const Piece word = piece();
  // Assembly syntax, OpSpecConstantOp: the inner opcode is written without its `Op`. No name of a known grammar is as
  // long as the buffer; a longer word is not a name.
  char name[128] = {'O', 'p'};
  const std::string_view text = word.text();
  const InstructionRow* row = nullptr;
  if (text.size() <= sizeof name - 2) {
    std::copy(text.begin(), text.end(), name + 2);
    row = grammar_.find_instruction({name, text.size() + 2});
  }
  if (row == nullptr || !is_permitted_in_spec_constant_op(row->opcode)) return bad_spec_opcode(word);
  take(word, static_cast<Word>(row->opcode), TokenStyle::ExtendedName);
  pattern_.enter_spec_opcode(*row);
  return true;
}

}  // namespace vireo::spirv::text
