// SPDX-License-Identifier: Apache-2.0
//
// Operands: the rows of the grammar, one after the other.
//
// The one idea: a pattern is a range of rows, and some operands put another range in front of what is left: the
// parameters of an enumerant, the bases of a composite, the operands of an extended instruction or of the opcode inside
// OpSpecConstantOp. Those ranges stand on a stack of our own, so no input can drive the machine's. docs/text.md,
// "Operands".
#include <algorithm>
#include <bit>
#include <charconv>
#include <tuple>
#include <utility>

#include "spirv/grammar/load/special_cases.h"
#include "spirv/text/assemble/assembler.h"

namespace vireo::spirv::text {

bool Assembler::operand_list(const OperandRow* next, const OperandRow* end) {
  stack_.clear();
  for (;;) {
    // A list that an operand brought with it is read; go on with the one that it stood in.
    while (next == end) {
      if (stack_.empty()) return true;
      std::tie(next, end) = stack_.back();
      stack_.pop_back();
    }
    const OperandRow& row = *next;
    if (row.shape == OperandShape::IdResult) {  // written before `=`
      if (!result_id()) return false;
      ++next;
      continue;
    }
    if (row.quantifier == Quantifier::One) {
      // A required operand: a word with an opcode's shape cannot be one, and `%name` cannot where no id is wanted and
      // `=` follows. Ids look themselves, as they have to look behind the name anyway.
      const char c = lexer_.peek(at_);
      if (c == '\0' || (c == 'O' && lexer_.is_opcode_shaped(at_)) ||
          (c == '%' && row.shape > OperandShape::IdMemorySemantics && lexer_.is_instruction_start(at_))) {
        // `OpSpecConstantOp %t OpIMul` has the `Op` too much; an instruction that begins would be in the next line.
        const bool is_prefixed =
            row.shape == OperandShape::LiteralSpecConstantOpInteger && c == 'O' && !lexer_.is_first_in_line(at_);
        return is_prefixed ? bad_spec_opcode(piece()) : missing_operand(described(row));
      }
      ++next;
    } else {
      if (are_operands_at_end()) {
        ++next;
        continue;
      }
      optional_at_ = at_;
      // A row with `*` stays, until an instruction begins.
      if (row.quantifier == Quantifier::Optional) ++next;
    }
    // Assembly syntax, "Arbitrary Integers": behind a raw word the grammar no longer applies to this instruction.
    if (*at_ == '!') [[unlikely]]
      return raw_operands();
    if (!operand(row, next, end)) [[unlikely]] {
      return std::exchange(has_ended_, false);  // no fault of ours: the word is for the next instruction to report
    }
  }
}

void Assembler::descend(const OperandRow*& next, const OperandRow*& end, std::span<const OperandRow> into) {
  if (into.empty()) return;
  // There is no need to come back to a list that is at its end, so the stack is as deep as the grammar nests
  // (compact.h), not as long as the input's lists.
  if (next != end) stack_.emplace_back(next, end);
  next = into.data();
  end = into.data() + into.size();
}

bool Assembler::operand(const OperandRow& row, const OperandRow*& next, const OperandRow*& end) {
  switch (row.shape) {
    case OperandShape::IdResult: return true;  // operand_list() has dealt with it
    case OperandShape::IdResultType:
    case OperandShape::IdRef:
    case OperandShape::IdScope:
    case OperandShape::IdMemorySemantics: return id_operand(row);
    case OperandShape::LiteralInteger:
      // OpSwitch has no integers but its labels, which are of the selector's type.
      return row_->opcode == Op::OpSwitch ? switch_label() : literal_integer(row);
    case OperandShape::LiteralFloat: return literal_float();
    case OperandShape::LiteralString: return literal_string();
    case OperandShape::LiteralContextDependentNumber: return constant_literal();
    case OperandShape::LiteralExtInstInteger: return ext_inst(next, end);
    case OperandShape::LiteralSpecConstantOpInteger: return spec_opcode(next, end);
    case OperandShape::ValueEnum: return value_enum(row, next, end);
    case OperandShape::BitEnum: return bit_enum(row, next, end);
    case OperandShape::Composite: {
      const std::span<const OperandRow> bases = grammar_.operands(grammar_.kind(row.kind).bases);
      // Pairs of ids (OpPhi) may be cut in the middle; raw and incomplete modules are written so.
      const bool are_ids = std::all_of(bases.begin(), bases.end(),
                                       [](const OperandRow& base) { return base.shape == OperandShape::IdRef; });
      if (are_ids && row.quantifier == Quantifier::Star) return id_operand(row);
      descend(next, end, bases);
      return true;
    }
  }
  return true;
}

bool Assembler::id_operand(const OperandRow& row) {
  if (*at_ != '%') return expected_id(row);
  const NamePiece name = lexer_.name(at_ + 1);
  const char* next = lexer_.skip(name.end());
  if (lexer_.is_equals(next)) return missing_operand(described(row));
  const std::uint64_t number = ids_.number_of(name);
  if (number == IdNames::malformed) return malformed_id({at_, name.end(), next});
  return take({at_, name.end(), next}, static_cast<Word>(number), TokenStyle::Id);
}

bool Assembler::value_enum(const OperandRow& row, const OperandRow*& next, const OperandRow*& end) {
  // By kind: one name may stand for different values of different kinds.
  Piece word{at_, lexer_.name_end(at_)};
  std::uint32_t index = names_.find(name_scope::of_kind(row.kind), word.begin, word.end);
  if (index == NameCache::none) [[unlikely]] {
    word = piece();  // a comment may touch the name
    index = names_.find(name_scope::of_kind(row.kind), word.begin, word.end);
    if (index == NameCache::none) return bad_enumerant(row, word, word.text());
  }
  word.next = lexer_.skip(word.end);
  const EnumerantRow& enumerant = grammar_.enumerants[index];
  take(word, enumerant.value, TokenStyle::Enumerant);
  if (enumerant.parameters.count != 0) descend(next, end, grammar_.operands(enumerant.parameters));
  return true;
}

// Parts are names of one kind; the whole is one word without blanks.
bool Assembler::bit_enum(const OperandRow& row, const OperandRow*& next, const OperandRow*& end) {
  const Piece word = piece();
  std::uint32_t mask = 0;
  bool has_parameters = false;
  for (const char* part = word.begin;;) {
    const char* part_end = std::find(part, word.end, '|');
    const std::uint32_t index = names_.find(name_scope::of_kind(row.kind), part, part_end);
    if (index == NameCache::none) {
      return bad_enumerant(row, word, {part, static_cast<std::size_t>(part_end - part)});
    }
    // Assembly syntax: names joined by `|`. A name that is there twice says nothing new.
    mask |= grammar_.enumerants[index].value;
    has_parameters |= grammar_.enumerants[index].parameters.count != 0;
    if (part_end == word.end) break;
    part = part_end + 1;
  }
  take(word, mask, TokenStyle::Enumerant);
  if (!has_parameters) return true;
  // Parameters follow from the lowest bit up, however the names were ordered. What is pushed last is read first.
  for (std::uint32_t left = mask; left != 0;) {
    const std::uint32_t bit = std::bit_floor(left);
    left ^= bit;
    const EnumerantRow* enumerant = grammar_.find_value(row.kind, bit);
    if (enumerant != nullptr) descend(next, end, grammar_.operands(enumerant->parameters));
  }
  return true;
}

// Behind the number come the operands of the row, and the outer pattern's `IdRef *` takes what is surplus.
bool Assembler::ext_inst(const OperandRow*& next, const OperandRow*& end) {
  // The set is the operand before.
  // Specification 2.10: only an import above can say which set this is.
  const IdFact fact = facts_.get(out_[-1]);
  if (fact.what != IdFact::What::Import) return set_not_imported();

  const Piece word = piece();
  const ExtInstRow* row = nullptr;
  Word number = 0;
  bool takes_numbers = true;
  if (!fact.set.is_none()) {
    const ExtInstSetRow& set = grammar_.sets[fact.set.index()];
    const std::uint32_t index = names_.find(name_scope::of_set(fact.set), word.begin, word.end);
    if (index != NameCache::none) row = &grammar_.ext_instructions[index];
    // A semantic set has no instructions without names, but where the disassembler writes numbers they must read
    // back.
    takes_numbers = set.is_non_semantic || set.prints_numbers;
    // Surplus ids may follow what is not semantic; other sets say themselves what may follow.
    if (row_->opcode == Op::OpExtInst && !set.is_non_semantic) next = end;
  }
  if (row != nullptr) {
    number = row->number;
    descend(next, end, grammar_.operands(row->operands));
  } else {
    const std::string_view digits = word.text();
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (!takes_numbers || error != std::errc{} || stop != word.end) return unknown_ext_inst(word, fact.set);
  }
  return take(word, number, TokenStyle::ExtendedName);
}

bool Assembler::spec_opcode(const OperandRow*& next, const OperandRow*& end) {
  const Piece word = piece();
  // Assembly syntax, OpSpecConstantOp: the opcode inside is written without its `Op`. No name in a grammar of this
  // world fills the buffer; a longer one is unknown.
  char name[128] = {'O', 'p'};
  const std::string_view text = word.text();
  const InstructionRow* row = nullptr;
  if (text.size() <= sizeof name - 2) {
    std::copy(text.begin(), text.end(), name + 2);
    row = grammar_.find_instruction({name, text.size() + 2});
  }
  if (row == nullptr || !is_permitted_in_spec_constant_op(row->opcode)) return bad_spec_opcode(word);
  take(word, static_cast<Word>(row->opcode), TokenStyle::ExtendedName);
  // Type and result are the outer instruction's own (specification, OpSpecConstantOp).
  const std::size_t skipped =
      std::size_t{(row->flags & HasResultType) != 0} + std::size_t{(row->flags & HasResult) != 0};
  descend(next, end, grammar_.operands(row->operands).subspan(skipped));
  return true;
}

}  // namespace vireo::spirv::text
