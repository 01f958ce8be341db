// SPDX-License-Identifier: Apache-2.0
//
// The operand walk: one instruction against its pattern. The heart of everything that reads words.
//
// The one idea: the walk holds a position in the words and takes operands from it as the rows of the grammar demand; what
// it takes is shown to a visitor, which records it (OperandDecoder) or prints it on the spot (the disassembler's plain
// style). Rows lead to rows (a mask's parameters, a set's instruction, a composite's bases) at most as deep as the
// grammar nests, which the loader bounds; nothing here depends on how the input nests.
//
// A visitor has three functions. Operands come in the order of the words, and what was shown stands even if a fault ends
// the walk later:
//
//   void id(Word value, const Operand& operand);                           // any shape of category Id
//   void enumerant(const EnumerantRow& row, const Operand& operand);       // a value, or a mask that is one enumerant
//   void other(Word first, const Operand& operand);                        // all others; `first` is its first word
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "spirv/binary/seen_ids.h"
#include "spirv/binary/zero_byte.h"
#include "spirv/grammar/load/special_cases.h"
#include "spirv/grammar/load/special_sets.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/operand.h"

namespace vireo::spirv {

// Each `take` returns false when the walk cannot go on; `fault_` then says why.
template <class Visitor>
class OperandWalk {
 public:
  /// Everything is borrowed. `context` must be fresh but for its row, which must not be null.
  OperandWalk(const Grammar& grammar, SeenIds& seen, InstructionView instruction, OperandContext& context,
              Visitor& visitor)
      : g_(grammar),
        seen_(seen),
        context_(context),
        visitor_(visitor),
        words_(instruction.first),
        count_(instruction.word_count),
        opcode_(instruction.opcode) {}

  /// Walks the whole instruction.
  DecodeFault run() {
    // Most operands are ids that the pattern begins with; they do not take the way through take_quantified and take.
    const auto pattern = g_.operands(context_.row->operands);
    const std::size_t leading = std::min<std::size_t>(context_.row->leading_ids, count_ - 1u);
    for (std::size_t i = 0; i < leading; ++i) take_id(pattern[i].shape, pattern[i].kind);
    return run_behind(leading);
  }

  /// Walks an instruction from which the caller has taken so many ids: of its `leading_ids` all that there are words for,
  /// and what follows them if the pattern ends in any number of ids.
  DecodeFault run_behind(std::size_t ids) {
    position_ = static_cast<std::uint32_t>(ids) + 1;
    const auto pattern = g_.operands(context_.row->operands);
    if (take_rows(pattern.subspan(std::min(ids, pattern.size()))) && position_ < count_)
      fail(DecodeFault::SurplusWords);
    return fault_;
  }

  /// After run(): remembers the result, if the words hold one, even of an instruction that could not be followed to its
  /// end. Returns the fault of run(), or that of the definition.
  DecodeFault define_result();

 private:
  [[gnu::cold]] bool fail(DecodeFault fault) {
    fault_ = fault;
    // What is missing would stand behind the last word, but the place of a fault has to be within the module.
    context_.fault_word = static_cast<std::uint16_t>(std::min(position_, count_ - 1));
    return false;
  }

  // A fault that does not stop the walk: the first one is kept.
  [[gnu::cold]] void remark(DecodeFault fault, std::uint32_t word) {
    if (fault_ != DecodeFault::None) return;
    fault_ = fault;
    context_.fault_word = static_cast<std::uint16_t>(word);
  }

  [[nodiscard]] Operand here(OperandShape shape, KindId kind, std::uint32_t word_count) const {
    return {static_cast<std::uint16_t>(position_), static_cast<std::uint16_t>(word_count), kind, shape,
            in_parameters_ != 0};
  }
  void take_id(OperandShape shape, KindId kind) {
    const Word value = words_[position_];
    // Specification 2.2.1, <id>: 0 is none. Its place in the words is clear all the same, so the walk goes on.
    if (value == 0) [[unlikely]] { remark(DecodeFault::ZeroId, position_); }
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

  bool take_rows(std::span<const OperandRow> rows) {
    for (const OperandRow& row : rows) {
      if (!take_quantified(row)) return false;
    }
    return true;
  }
  bool take_pattern(Slice rows) { return take_rows(g_.operands(rows)); }

  bool take_quantified(const OperandRow& row) {
    switch (row.quantifier) {
      case Quantifier::One: return take(row);
      // Optional operands are absent from the right only: where words are left, they are this operand's.
      case Quantifier::Optional: return position_ >= count_ || take(row);
      case Quantifier::Star:
        if (pattern_ended_) return true;
        // Ids to the end, as in OpPhi's older form or OpTypeStruct: one word each and nothing to look up.
        if (row.shape <= OperandShape::IdMemorySemantics) {
          while (position_ < count_) take_id(row.shape, row.kind);
          return true;
        }
        while (position_ < count_) {
          if (!take(row)) return false;
        }
        return true;
    }
    return true;
  }

  // Rare and long cases are functions of their own: within take() they would make it save registers at each operand.
  bool take(const OperandRow& row);
  [[gnu::noinline]] bool take_string(KindId kind);
  bool take_enumerant(const OperandRow& row);
  bool take_mask(const OperandRow& row);
  [[gnu::noinline]] bool take_bits(const OperandRow& row, Word mask);
  bool take_parameters(Slice parameters);
  [[gnu::noinline]] bool take_typed_literal(KindId kind, ScalarType type);
  [[gnu::noinline]] bool take_ext_inst(KindId kind);
  [[gnu::noinline]] bool take_spec_opcode(KindId kind);
  bool find_constant_type();
  bool find_selector_type();

  const Grammar& g_;
  SeenIds& seen_;
  OperandContext& context_;
  Visitor& visitor_;
  const Word* words_;
  std::uint32_t count_;
  std::uint32_t position_ = 1;
  Op opcode_;
  DecodeFault fault_ = DecodeFault::None;
  std::uint8_t in_parameters_ = 0;
  bool pattern_ended_ = false;   // a semantic set's instruction has said all; a trailing `*` takes nothing more
  bool selector_known_ = false;  // the selector's type was looked up, for the first label of OpSwitch
  bool is_inside_ = false;       // of an extended instruction or a specialization opcode; neither contains another
};

template <class Visitor>
bool OperandWalk<Visitor>::take(const OperandRow& row) {
  if (position_ >= count_) return fail(DecodeFault::MissingOperand);
  switch (row.shape) {
    case OperandShape::IdRef:
    case OperandShape::IdResultType:
    case OperandShape::IdResult:
    case OperandShape::IdScope:
    case OperandShape::IdMemorySemantics: take_id(row.shape, row.kind); return true;
    case OperandShape::LiteralInteger:
      // The labels of OpSwitch are the one place where a literal integer's width comes from elsewhere.
      if (opcode_ == Op::OpSwitch) {
        if (!selector_known_ && !find_selector_type()) return false;
        return take_typed_literal(row.kind, context_.literal_type);
      }
      // All others are one word (JSON schema, LiteralInteger), whatever they count.
      [[fallthrough]];
    case OperandShape::LiteralFloat: take_other(row.shape, row.kind, 1); return true;
    case OperandShape::LiteralString: return take_string(row.kind);
    case OperandShape::LiteralContextDependentNumber:
      return find_constant_type() && take_typed_literal(row.kind, context_.literal_type);
    case OperandShape::LiteralExtInstInteger: return take_ext_inst(row.kind);
    case OperandShape::LiteralSpecConstantOpInteger: return take_spec_opcode(row.kind);
    case OperandShape::ValueEnum: return take_enumerant(row);
    case OperandShape::BitEnum: return take_mask(row);
    case OperandShape::Composite: return take_pattern(g_.kind(row.kind).bases);
  }
  return true;
}

// A string ends with the first word that holds a NUL byte.
// Specification 2.2.1, Literal: UTF-8, four bytes a word from the lowest byte up, closed by a NUL and padded with
// zeros. What stands behind the NUL is not looked at: the reference does not either.
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
bool OperandWalk<Visitor>::take_parameters(Slice parameters) {
  if (parameters.count == 0) return true;
  // A counter and not a flag: parameters may have parameters.
  ++in_parameters_;
  const bool ok = take_pattern(parameters);
  --in_parameters_;
  return ok;
}

template <class Visitor>
bool OperandWalk<Visitor>::take_enumerant(const OperandRow& row) {
  const EnumerantRow* enumerant = g_.find_value(row.kind, words_[position_]);
  if (enumerant == nullptr) return fail(DecodeFault::UnknownEnumerant);
  take_row(*enumerant, OperandShape::ValueEnum, row.kind);
  return take_parameters(enumerant->parameters);
}

// Parameters of a mask follow in the order of its bits, lowest first (specification 3, "each bit ... in order").
template <class Visitor>
bool OperandWalk<Visitor>::take_mask(const OperandRow& row) {
  const Word mask = words_[position_];
  if ((mask & (mask - 1)) == 0) {  // none, or one bit: most are
    // Masks have a row for 0 ("None") only where the specification gives it a name; without one it needs no
    // parameters.
    const EnumerantRow* only = g_.find_value(row.kind, mask);
    if (only != nullptr) {
      take_row(*only, OperandShape::BitEnum, row.kind);
      return take_parameters(only->parameters);
    }
    if (mask != 0) return fail(DecodeFault::UnknownMaskBits);
  }
  return take_bits(row, mask);
}

template <class Visitor>
bool OperandWalk<Visitor>::take_bits(const OperandRow& row, Word mask) {
  // Two passes: no parameter may be taken before all bits are known to have a meaning, or the fault would stand
  // behind operands that are none.
  bool has_parameters = false;
  for (Word rest = mask; rest != 0; rest &= rest - 1) {
    const EnumerantRow* bit = g_.find_value(row.kind, rest & (~rest + 1));
    if (bit == nullptr) return fail(DecodeFault::UnknownMaskBits);
    has_parameters |= bit->parameters.count != 0;
  }
  take_other(OperandShape::BitEnum, row.kind, 1);
  if (!has_parameters) return true;
  for (Word rest = mask; rest != 0; rest &= rest - 1) {
    if (!take_parameters(g_.find_value(row.kind, rest & (~rest + 1))->parameters)) return false;
  }
  return true;
}

template <class Visitor>
bool OperandWalk<Visitor>::take_typed_literal(KindId kind, ScalarType type) {
  if (type.width == 0) return fail(DecodeFault::UnsupportedWidth);
  // Specification 2.2.1, Literal: as many words as the width needs, low-order words first. Widths beyond 64 bits have
  // no notation here, but their words are stepped over as any other's.
  const std::uint32_t words = (type.width + 31u) / 32u;
  if (count_ - position_ < words) return fail(DecodeFault::TruncatedLiteral);
  take_other(OperandShape::LiteralContextDependentNumber, kind, words);
  return true;
}

template <class Visitor>
bool OperandWalk<Visitor>::find_constant_type() {
  context_.literal_type = seen_.scalar_type(words_[1]);
  if (context_.literal_type.class_ != ScalarType::Class::None) return true;
  // Blame the type's id, not the literal: the literal's words are all there.
  fail(DecodeFault::TypeNotScalar);
  context_.fault_word = 1;
  return false;
}

template <class Visitor>
bool OperandWalk<Visitor>::find_selector_type() {
  // Specification, OpSwitch: labels are as wide as the type of the selector, which is the type of a value above.
  const Word type = seen_.type_of(words_[1]);
  context_.literal_type = type == 0 ? ScalarType{} : seen_.scalar_type(type);
  if (context_.literal_type.class_ == ScalarType::Class::Integer) return selector_known_ = true;
  fail(DecodeFault::SelectorNotInteger);
  context_.fault_word = 1;
  return false;
}

// The instruction of a set follows the set's id; its operands follow the number (special case 1 of the grammar).
template <class Visitor>
bool OperandWalk<Visitor>::take_ext_inst(KindId kind) {
  // A loaded grammar could give an opcode that OpSpecConstantOp may hold an operand of this shape.
  if (is_inside_) return fail(DecodeFault::UnknownExtInst);
  is_inside_ = true;
  // OpExtInst has the set right before the number; the rows say so for every opcode with such an operand.
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
    // SeenIds keeps the set's index in the low half.
    context_.ext_inst_set = ExtInstSetId{info & 0xFFFF};
    const ExtInstSetRow& set = g_.sets[context_.ext_inst_set.index()];
    context_.ext_inst = g_.find_ext_inst(context_.ext_inst_set, number);
    takes_surplus = set.is_non_semantic || opcode_ == Op::OpExtInstWithForwardRefsKHR;
    if (context_.ext_inst == nullptr && !set.is_non_semantic) return fail(DecodeFault::UnknownExtInst);
  }
  take_other(OperandShape::LiteralExtInstInteger, kind, 1);
  if (context_.ext_inst != nullptr && !take_pattern(context_.ext_inst->operands)) return false;
  // The outer pattern ends in `IdRef *`. For a semantic set its own row has named all operands; non-semantic ones may
  // have more than this grammar knows (SPV_KHR_non_semantic_info).
  pattern_ended_ = !takes_surplus;
  return true;
}

template <class Visitor>
bool OperandWalk<Visitor>::take_spec_opcode(KindId kind) {
  const Word opcode = words_[position_];
  const InstructionRow* inner = g_.find_opcode(opcode);
  if (is_inside_ || inner == nullptr || !is_permitted_in_spec_constant_op(inner->opcode)) {
    return fail(DecodeFault::UnknownSpecOpcode);
  }
  is_inside_ = true;
  context_.spec_row = inner;
  take_other(OperandShape::LiteralSpecConstantOpInteger, kind, 1);
  // Specification, OpSpecConstantOp: the operands of the opcode inside, without its type and result, which are the
  // instruction's own.
  for (const OperandRow& row : g_.operands(inner->operands)) {
    if (row.shape == OperandShape::IdResult || row.shape == OperandShape::IdResultType) continue;
    if (!take_quantified(row)) return false;
  }
  // The outer pattern may end in `IdRef *` for the inner operands (older grammars); they are all taken.
  pattern_ended_ = true;
  return true;
}

// What later instructions need to know of a result. A definition that is incomplete still counts as one, so that a
// broken declaration is reported once and not again at each of its uses.
template <class Visitor>
DecodeFault OperandWalk<Visitor>::define_result() {
  const InstructionRow& row = *context_.row;
  const bool typed = (row.flags & HasResultType) != 0;
  const std::uint32_t result_word = typed ? 2 : 1;
  if (count_ <= result_word) return fault_;
  const Word id = words_[result_word];
  // 0 is no id (2.2.1), so nothing is remembered of it; that it stands here was reported when it was taken as an id.
  if (id == 0) return fault_;
  Word info = seen::defined_only;
  if (typed) {
    // An id that large would be mistaken for one of the other cases of SeenIds. So the value counts as one without a
    // type, and literals that depend on it are faults.
    info = words_[1] < seen::first_not_type_id ? words_[1] : seen::defined_only;
  } else if ((row.flags & DeclaresType) != 0) {
    ScalarType type;
    if (row.opcode == Op::OpTypeInt && count_ > 3) {
      type = {ScalarType::Class::Integer, words_[3] != 0, static_cast<std::uint16_t>(std::min<Word>(words_[2], 0xFFFF)),
              ScalarType::no_encoding};
    } else if (row.opcode == Op::OpTypeFloat && count_ > 2) {
      type = {ScalarType::Class::Float, true, static_cast<std::uint16_t>(std::min<Word>(words_[2], 0xFFFF)),
              count_ > 3 ? words_[3] : ScalarType::no_encoding};
    }
    info = seen::is_type | seen::pack(type);
  } else if (row.opcode == Op::OpExtInstImport && count_ > 2) {
    const char* name = reinterpret_cast<const char*>(words_ + 2);
    const std::string_view import{name, strnlen(name, (count_ - 2) * sizeof(Word))};
    // Known sets first, so that a non-semantic set of the grammar is checked and printed by its rows.
    const ExtInstSetId set = g_.find_set(import);
    if (set) {
      info = seen::is_import | set.raw;
    } else if (is_non_semantic_set(import)) {
      info = seen::is_import | seen::unknown_set;
    } else {
      info = seen::is_import | seen::refused_set;
      remark(DecodeFault::UnknownImport, 2);
    }
  }
  if (seen_.get(id) != 0) {
    remark(DecodeFault::IdDefinedTwice, result_word);
    return fault_;  // the first definition wins
  }
  seen_.set(id, info);
  return fault_;
}

}  // namespace vireo::spirv
