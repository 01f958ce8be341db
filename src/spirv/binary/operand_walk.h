// SPDX-License-Identifier: Apache-2.0
//
// The operand walk: matches the words of one instruction against its grammar pattern. All decoding uses it.
//
// The walk keeps a position in the words and takes operands there as the grammar's rows require. It
// passes each operand to a visitor, which records it (OperandDecoder) or prints it immediately (the disassembler's
// plain style). PatternCursor (pattern_cursor.h) determines the order of the rows.
//
// A visitor has three functions. Operands arrive in word order. Operands already passed to the visitor stay valid if
// the walk fails later:
//
//   void id(Word value, const Operand& operand);                           // any shape of category Id
//   void enumerant(const EnumerantRow& row, const Operand& operand);       // a value, or a mask that is one enumerant
//   void other(Word first, const Operand& operand);                        // all others; `first` is the first word
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "spirv/binary/id_type_table.h"
#include "spirv/binary/zero_byte.h"
#include "spirv/grammar/pattern_cursor.h"
#include "spirv/grammar/special_cases.h"
#include "spirv/grammar/special_sets.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

// Each `take` function returns false if the walk cannot continue; `fault_` then holds the reason.
template <class Visitor>
class OperandWalk {
 public:
  /// All arguments are borrowed. `context` must be default-initialized except for its row, which must not be null.
  OperandWalk(const Grammar& grammar, IdTypeTable& seen, InstructionView instruction, OperandContext& context,
              Visitor& visitor)
      : g_(grammar),
        seen_(seen),
        context_(context),
        visitor_(visitor),
        pattern_(grammar),
        words_(instruction.first),
        count_(instruction.word_count),
        opcode_(instruction.opcode) {}

  /// Walks the whole instruction.
  DecodeFault run() {
    // Most operands are ids at the start of the pattern; they bypass the cursor and take().
    const auto pattern = g_.operands(context_.row->operands);
    const std::size_t leading = std::min<std::size_t>(context_.row->leading_ids, count_ - 1u);
    for (std::size_t i = 0; i < leading; ++i) take_id(pattern[i].shape, pattern[i].kind);
    return run_after(leading);
  }

  /// Continues after the first `ids` operands, which are all ids and have been passed to the visitor. `ids` can exceed
  /// the number of rows if the last row is `IdRef *`.
  DecodeFault run_after(std::size_t ids) {
    position_ = static_cast<std::uint32_t>(ids) + 1;
    const auto rows = g_.operands(context_.row->operands);
    pattern_.start(rows.subspan(std::min(ids, rows.size())));
    // Optional operands are omitted only at the end: remaining words belong to the next one.
    const auto has_more = [this] { return position_ < count_; };
    while (const OperandRow* row = pattern_.next(has_more)) {
      if (!take(*row)) return fault_;
    }
    if (has_more()) fail(DecodeFault::SurplusWords);
    return fault_;
  }

  /// After run(): records the result id, if the words include it, even if the rest of the instruction is malformed.
  /// Returns the fault of run(), or that of the definition.
  DecodeFault define_result();

 private:
  [[gnu::cold]] bool fail(DecodeFault fault) {
    fault_ = fault;
    // A missing operand would follow the last word, but the location of a fault must be within the module.
    context_.fault_word = static_cast<std::uint16_t>(std::min(position_, count_ - 1));
    return false;
  }

  [[gnu::cold]] bool fail_enumerant(DecodeFault fault, KindId kind) {
    context_.fault_kind = kind;
    return fail(fault);
  }

  // Records a fault that does not stop the walk; the first fault is kept.
  [[gnu::cold]] void note_fault(DecodeFault fault, std::uint32_t word) {
    if (fault_ != DecodeFault::None) return;
    fault_ = fault;
    context_.fault_word = static_cast<std::uint16_t>(word);
  }

  [[nodiscard]] Operand here(OperandShape shape, KindId kind, std::uint32_t word_count) const {
    return {static_cast<std::uint16_t>(position_), static_cast<std::uint16_t>(word_count), kind, shape,
            pattern_.is_in_parameters()};
  }
  void take_id(OperandShape shape, KindId kind) {
    const Word value = words_[position_];
    // Specification 2.2.1, <id>: 0 is not an id. It still occupies one word, so the walk continues.
    if (value == 0) [[unlikely]] { note_fault(DecodeFault::ZeroId, position_); }
    visitor_.id(value, here(shape, kind, 1));
    ++position_;
  }
  void take_row(const EnumerantRow& row, OperandShape shape, KindId kind) {
    visitor_.enumerant(row, here(shape, kind, 1));
    ++position_;
  }
  void take_other(OperandShape shape, KindId kind, std::uint32_t word_count) {
    visitor_.other(words_[position_], here(shape, kind, word_count));
    position_ += word_count;
  }

  // Rare and long cases are separate functions: inlined, they would make take() save registers for each operand.
  bool take(const OperandRow& row);
  [[gnu::noinline]] bool take_string(KindId kind);
  bool take_enumerant(KindId kind);
  bool take_mask(KindId kind);
  [[gnu::noinline]] bool take_bits(KindId kind, Word mask);
  [[gnu::noinline]] bool take_typed_literal(KindId kind, ScalarType type);
  [[gnu::noinline]] bool take_ext_inst(KindId kind);
  [[gnu::noinline]] bool take_spec_opcode(KindId kind);
  bool find_constant_type();
  bool find_selector_type();

  const Grammar& g_;
  IdTypeTable& seen_;
  OperandContext& context_;
  Visitor& visitor_;
  PatternCursor pattern_;
  const Word* words_;
  std::uint32_t count_;
  std::uint32_t position_ = 1;
  Op opcode_;
  DecodeFault fault_ = DecodeFault::None;
  bool selector_known_ = false;  // the selector's type was looked up, for the first literal of OpSwitch
};

template <class Visitor>
bool OperandWalk<Visitor>::take(const OperandRow& row) {
  if (position_ >= count_) return fail(DecodeFault::MissingOperand);
  switch (row.shape) {
    case OperandShape::IdRef:
    case OperandShape::IdResultType:
    case OperandShape::IdResult:
    case OperandShape::IdScope:
    case OperandShape::IdMemorySemantics:
      // All remaining words are ids, as in OpTypeStruct: each id is one word and needs no lookup.
      do take_id(row.shape, row.kind);
      while (row.quantifier == Quantifier::Star && position_ < count_);
      return true;
    case OperandShape::LiteralInteger:
      // The literals of OpSwitch are the only LiteralIntegers whose width depends on another instruction.
      if (opcode_ == Op::OpSwitch) {
        if (!selector_known_ && !find_selector_type()) return false;
        return take_typed_literal(row.kind, context_.literal_type);
      }
      // All others take one word (JSON schema, LiteralInteger).
      [[fallthrough]];
    case OperandShape::LiteralFloat: take_other(row.shape, row.kind, 1); return true;
    case OperandShape::LiteralString: return take_string(row.kind);
    case OperandShape::LiteralContextDependentNumber:
      return find_constant_type() && take_typed_literal(row.kind, context_.literal_type);
    case OperandShape::LiteralExtInstInteger: return take_ext_inst(row.kind);
    case OperandShape::LiteralSpecConstantOpInteger: return take_spec_opcode(row.kind);
    case OperandShape::ValueEnum: return take_enumerant(row.kind);
    case OperandShape::BitEnum: return take_mask(row.kind);
    case OperandShape::Composite: pattern_.enter_bases(row.kind); return true;
  }
  return true;
}

// A string ends with the first word that holds a NUL byte. Specification 2.2.1, Literal: the string is UTF-8, with four
// bytes in each word from the lowest byte up; a NUL ends it, and zeros pad it. The bytes after the NUL are not checked,
// as in SPIRV-Tools.
template <class Visitor>
bool OperandWalk<Visitor>::take_string(KindId kind) {
  for (std::uint32_t i = position_; i < count_; ++i) {
    const Word w = words_[i];
    if (has_zero_byte(w)) {
      take_other(OperandShape::LiteralString, kind, i - position_ + 1);
      return true;
    }
  }
  return fail(DecodeFault::UnterminatedString);
}

template <class Visitor>
bool OperandWalk<Visitor>::take_enumerant(KindId kind) {
  const EnumerantRow* enumerant = g_.find_value(kind, words_[position_]);
  if (enumerant == nullptr) return fail_enumerant(DecodeFault::UnknownEnumerant, kind);
  take_row(*enumerant, OperandShape::ValueEnum, kind);
  pattern_.enter_parameters(*enumerant);
  return true;
}

template <class Visitor>
bool OperandWalk<Visitor>::take_mask(KindId kind) {
  const Word mask = words_[position_];
  if ((mask & (mask - 1)) == 0) {  // the common case: no bit or one bit
    // The grammar has a row for mask 0 ("None") only if the specification names it; a mask 0 without a row has no
    // parameters.
    const EnumerantRow* only = g_.find_value(kind, mask);
    if (only != nullptr) {
      take_row(*only, OperandShape::BitEnum, kind);
      pattern_.enter_parameters(*only);
      return true;
    }
    if (mask != 0) return fail_enumerant(DecodeFault::UnknownMaskBits, kind);
  }
  return take_bits(kind, mask);
}

template <class Visitor>
bool OperandWalk<Visitor>::take_bits(KindId kind, Word mask) {
  // All bits must be known before the first parameter is taken. Otherwise the visitor would get parameters that do not
  // belong to the mask.
  if (!has_rows(g_, kind, mask)) return fail_enumerant(DecodeFault::UnknownMaskBits, kind);
  take_other(OperandShape::BitEnum, kind, 1);
  pattern_.enter_mask(kind, mask);
  return true;
}

template <class Visitor>
bool OperandWalk<Visitor>::take_typed_literal(KindId kind, ScalarType type) {
  if (type.width == 0) return fail(DecodeFault::UnsupportedWidth);
  // Specification 2.2.1, Literal: a literal has as many words as its width needs, low-order words first. Literals wider
  // than 64 bits have no notation here, but the walk skips the right number of words.
  const std::uint32_t words = (type.width + 31u) / 32u;
  if (count_ - position_ < words) return fail(DecodeFault::TruncatedLiteral);
  take_other(OperandShape::LiteralContextDependentNumber, kind, words);
  return true;
}

template <class Visitor>
bool OperandWalk<Visitor>::find_constant_type() {
  context_.literal_type = seen_.scalar_type(words_[1]);
  if (context_.literal_type.class_ != ScalarType::Class::None) return true;
  // Report the type's id, not the literal: the literal is complete.
  fail(DecodeFault::TypeNotScalar);
  context_.fault_word = 1;
  return false;
}

template <class Visitor>
bool OperandWalk<Visitor>::find_selector_type() {
  // Specification, OpSwitch: literals have the width of the selector's type; the selector is defined above.
  const Word type = seen_.type_of(words_[1]);
  context_.literal_type = type == 0 ? ScalarType{} : seen_.scalar_type(type);
  if (context_.literal_type.class_ == ScalarType::Class::Integer) return selector_known_ = true;
  fail(DecodeFault::SelectorNotInteger);
  context_.fault_word = 1;
  return false;
}

// The number of an extended instruction follows the id of its set; the operands of the instruction follow the number.
template <class Visitor>
bool OperandWalk<Visitor>::take_ext_inst(KindId kind) {
  // A loaded grammar could permit an opcode with such an operand in OpSpecConstantOp.
  if (pattern_.is_inside()) return fail(DecodeFault::UnknownExtInst);
  // In every opcode with such an operand, as in OpExtInst, the set is the word before the number.
  const Word set_id = words_[position_ - 1];
  const Word info = seen_.get(set_id);
  if ((info & seen::is_type) != 0 || (info & seen::is_import) == 0 || info == seen::defined_only) {
    --position_;
    return fail(DecodeFault::SetNotImported);
  }
  if ((info & seen::refused_set) != 0) return fail(DecodeFault::SetUnknown);
  const Word number = words_[position_];
  bool takes_surplus = true;
  if ((info & seen::unknown_set) == 0) {
    // The low half of the IdTypeTable entry is the set's index.
    context_.ext_inst_set = ExtInstSetId{info & 0xFFFF};
    const ExtInstSetRow& set = g_.sets[context_.ext_inst_set.index()];
    context_.ext_inst = g_.find_ext_inst(context_.ext_inst_set, number);
    takes_surplus = set.is_non_semantic || opcode_ == Op::OpExtInstWithForwardRefsKHR;
    if (context_.ext_inst == nullptr && !set.is_non_semantic) return fail(DecodeFault::UnknownExtInst);
  }
  take_other(OperandShape::LiteralExtInstInteger, kind, 1);
  // The outer pattern ends in `IdRef *`. If the set is non-semantic, the instruction can have more operands than this
  // grammar lists (SPV_KHR_non_semantic_info).
  pattern_.enter_extended(context_.ext_inst, takes_surplus);
  return true;
}

template <class Visitor>
bool OperandWalk<Visitor>::take_spec_opcode(KindId kind) {
  const Word opcode = words_[position_];
  const InstructionRow* inner = g_.find_opcode(opcode);
  if (pattern_.is_inside() || inner == nullptr || !is_permitted_in_spec_constant_op(inner->opcode)) {
    return fail(DecodeFault::UnknownSpecOpcode);
  }
  context_.spec_row = inner;
  take_other(OperandShape::LiteralSpecConstantOpInteger, kind, 1);
  pattern_.enter_spec_opcode(*inner);
  return true;
}

// Records the facts about a result that later instructions need. An incomplete definition is recorded as well, so that
// a malformed declaration is reported once and not again at each of its uses.
template <class Visitor>
DecodeFault OperandWalk<Visitor>::define_result() {
  const InstructionRow& row = *context_.row;
  const std::uint32_t result_word = row.result_word();
  if (count_ <= result_word) return fault_;
  const Word id = words_[result_word];
  // 0 is not an id (2.2.1), so nothing is recorded for it; take_id() has reported it.
  if (id == 0) return fault_;
  Word info = seen::defined_only;
  if (row.type_word() != 0) {
    // In IdTypeTable, such a large type id would look like a flag. So the value is recorded without a type, and
    // literals that depend on it are faults.
    info = words_[1] < seen::first_not_type_id ? words_[1] : seen::defined_only;
  } else if ((row.flags & DeclaresType) != 0) {
    info = seen::is_type | seen::pack(declared_scalar({words_, 0, static_cast<std::uint16_t>(count_), row.opcode}));
  } else if (row.opcode == Op::OpExtInstImport && count_ > 2) {
    const char* name = reinterpret_cast<const char*>(words_ + 2);
    const std::string_view import{name, strnlen(name, (count_ - 2) * sizeof(Word))};
    // Look up the grammar's sets first: non-semantic sets in the grammar are checked and printed by their rows.
    const ExtInstSetId set = g_.find_set(import);
    if (set) {
      info = seen::is_import | set.raw;
    } else if (is_non_semantic_set(import)) {
      info = seen::is_import | seen::unknown_set;
    } else {
      info = seen::is_import | seen::refused_set;
      note_fault(DecodeFault::UnknownImport, 2);
    }
  }
  if (seen_.get(id) != 0) {
    note_fault(DecodeFault::IdDefinedTwice, result_word);
    return fault_;  // keep the first definition
  }
  seen_.set(id, info);
  return fault_;
}

}  // namespace vireo::spirv
