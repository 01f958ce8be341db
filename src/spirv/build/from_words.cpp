// SPDX-License-Identifier: Apache-2.0
//
// Instructions whose opcode is known at run time only (builder.h): from other languages, or from another module.
//
// The one idea: what the methods of the builder promise by their types, the grammar's rows say as well. The words are
// taken row by row; each id, enumerant and literal is checked as it comes, by the same draft. Specification 2.3, 3.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "spirv/build/draft.h"
#include "spirv/rules.h"
#include "vireo/spirv/builder.h"

namespace vireo::spirv {

/// Words that are left, taken as rows demand.
class WordsInOrder {
 public:
  WordsInOrder(Draft& draft, Words words) : draft_(draft), grammar_(draft.state_.grammar), left_(words) {}

  void take_rows(std::span<const OperandRow> rows) {
    for (const OperandRow& row : rows) {
      if (row.shape == OperandShape::IdResult) {
        if (draft_.result_at_ == 0) draft_.put_result();
        continue;
      }
      if (row.quantifier == Quantifier::One) take(row);
      else if (row.quantifier == Quantifier::Optional && !left_.empty()) take(row);
      // A fault leaves what it cannot step over where it is.
      while (row.quantifier == Quantifier::Star && !left_.empty() && !draft_.is_spoilt_) take(row);
    }
  }
  void end() {
    if (!left_.empty()) draft_.spoil(rule::surplus_operand, fmt::format("{} words are left over", left_.size()));
  }

 private:
  // Rows lead to rows as deep as the grammar nests, which its loader bounds.
  void take(const OperandRow& row) {
    if (left_.empty()) {
      return draft_.spoil(rule::missing_operand, fmt::format("no {}", grammar_.text(grammar_.kind(row.kind).name)));
    }
    switch (row.shape) {
      case OperandShape::Composite: return take_rows(grammar_.operands(grammar_.kind(row.kind).bases));
      case OperandShape::IdResultType: return draft_.put_id(next(), IdKind::Type);
      case OperandShape::IdResult:
      case OperandShape::IdRef:
      case OperandShape::IdScope:
      case OperandShape::IdMemorySemantics: return draft_.put_id(next(), IdKind::Any);
      case OperandShape::LiteralInteger:
      case OperandShape::LiteralFloat: return draft_.put_word(next());
      case OperandShape::LiteralExtInstInteger: return take_extended();
      case OperandShape::LiteralSpecConstantOpInteger: return take_inner();
      case OperandShape::LiteralString: return take_string();
      case OperandShape::LiteralContextDependentNumber: return take_number();
      case OperandShape::ValueEnum: return take_enumerant(row.kind, next());
      case OperandShape::BitEnum: return take_mask(row.kind, next());
    }
  }

  Word next() {
    const Word word = left_.front();
    left_ = left_.subspan(1);
    return word;
  }

  void take_string() {
    const auto ends = [](Word word) {
      return ((word - 0x01010101u) & ~word & 0x80808080u) != 0;
    };  // it has a zero byte
    const auto last = std::ranges::find_if(left_, ends);
    if (last == left_.end()) return draft_.spoil(rule::bad_string, "a literal string has no end");
    for (auto count = last - left_.begin() + 1; count > 0; --count) draft_.put_word(next());
  }

  // What decides a literal's form stands before it: the result type of a constant, the selector of OpSwitch.
  void take_number() {
    const BuilderState& state = draft_.state_;
    const Word decides = draft_.words_[1];
    const bool is_label = draft_.row_.opcode == static_cast<std::uint16_t>(Op::OpSwitch);
    const Word type = is_label && state.is_known(decides) ? state.ids[decides].type : decides;
    const ScalarType scalar = state.scalar_type(type);
    if (scalar.class_ == ScalarType::Class::None) {
      return draft_.spoil(is_label ? rule::selector_type : rule::literal_type_unknown,
                          "the type of a literal is no integer or float type");
    }
    for (std::uint32_t bits = 0; bits < scalar.width && !left_.empty(); bits += 32) draft_.put_word(next());
  }

  void take_enumerant(KindId kind, Word value) {
    draft_.put_word(value);
    const EnumerantRow* row = grammar_.find_value(kind, value);
    if (row != nullptr) return take_rows(grammar_.operands(row->parameters));
    draft_.spoil(rule::unknown_enumerant,
                 fmt::format("no {} has the value {}", grammar_.text(grammar_.kind(kind).name), value));
  }
  void take_mask(KindId kind, Word mask) {
    draft_.put_word(mask);
    for (Word bits = mask; bits != 0; bits &= bits - 1) {
      const EnumerantRow* row = grammar_.find_value(kind, bits & (0 - bits));
      if (row != nullptr) take_rows(grammar_.operands(row->parameters));
      else {
        draft_.spoil(rule::unknown_enumerant,
                     fmt::format("no {} has the bits {:#x}", grammar_.text(grammar_.kind(kind).name), mask));
      }
    }
  }

  // The set stands in front of the number. What a set that is not known takes are ids, as of any newer one.
  void take_extended() {
    const Word set = draft_.words_.back(), number = next();
    draft_.put_word(number);
    const auto& imports = draft_.state_.imports;
    const auto import = std::ranges::find_if(imports, [&](const auto& each) { return each.second.word == set; });
    const ExtInstRow* row =
        import == imports.end() ? nullptr : grammar_.find_ext_inst(grammar_.find_set(import->first), number);
    if (row != nullptr) take_rows(grammar_.operands(row->operands));
  }

  // The opcode inside OpSpecConstantOp takes what it takes elsewhere, its type and result apart.
  void take_inner() {
    const Word opcode = next();
    draft_.put_spec_opcode(opcode);
    const InstructionRow* row = grammar_.find_opcode(opcode);
    if (row == nullptr) return;
    const auto is_own = [](const OperandRow& each) {
      return each.shape != OperandShape::IdResultType && each.shape != OperandShape::IdResult;
    };
    const auto rows = grammar_.operands(row->operands);
    take_rows(rows.subspan(static_cast<std::size_t>(std::ranges::find_if(rows, is_own) - rows.begin())));
  }

  Draft& draft_;
  const Grammar& grammar_;
  Words left_;
};

void Draft::put_words(Words operands) {
  WordsInOrder words(*this, operands);
  words.take_rows(rows_);
  words.end();
}

IdKind result_kind(const InstructionRow& row, const Grammar& grammar) {
  switch (static_cast<Op>(row.opcode)) {
    case Op::OpLabel: return IdKind::Label;
    case Op::OpFunction: return IdKind::Function;
    case Op::OpExtInstImport: return IdKind::Set;
    case Op::OpString: return IdKind::String;
    case Op::OpDecorationGroup: return IdKind::Group;
    default: break;
  }
  if ((row.flags & HasResultType) != 0) return IdKind::Value;
  return grammar.text(row.name).starts_with("OpType") ? IdKind::Type : IdKind::Any;
}

AnyId BuilderCalls::instruction(Op opcode, Words operands) {
  const InstructionRow* row = state_->grammar.find_opcode(static_cast<std::uint16_t>(opcode));
  if (row == nullptr) {
    state_->report(rule::unknown_opcode, fmt::format("opcode {} is not in the grammar", static_cast<Word>(opcode)));
    return {};
  }
  Draft draft(*state_, opcode, result_kind(*row, state_->grammar), given_);
  draft.put_words(operands);
  return AnyId(draft.end());
}

AnyId Builder::reserve_for(Op opcode) {
  const InstructionRow* row = state_->grammar.find_opcode(static_cast<std::uint16_t>(opcode));
  if (row != nullptr && (row->flags & HasResult) != 0) return AnyId(reserve_id(result_kind(*row, state_->grammar)));
  state_->report(rule::unknown_opcode, fmt::format("opcode {} has no result", static_cast<Word>(opcode)));
  return {};
}

}  // namespace vireo::spirv
