// SPDX-License-Identifier: Apache-2.0
//
// Extended instructions (builder.h; specification 2.10).
//
// The one idea: what an extended instruction takes is a row of the grammar, as for any other; but it comes as a list, so
// the row is compared with the list when the call is made.
#include <fmt/format.h>

#include <string>

#include "spirv/build/draft.h"
#include "spirv/rules.h"
#include "vireo/spirv/builder.h"

namespace vireo::spirv {
namespace {

/// Operands that are left, taken as rows demand.
/// Ids and literals are told apart; whose an id is the draft sees to.
class OperandCheck {
 public:
  OperandCheck(const Grammar& grammar, List<OpenOperand> operands)
      : grammar_(grammar), next_(operands.begin()), end_(operands.end()), begin_(operands.begin()) {}

  bool take_all(std::span<const OperandRow> rows) {
    for (const OperandRow& row : rows) {
      if (row.quantifier == Quantifier::Star) {
        while (next_ != end_) {
          if (!take(row)) return false;
        }
      } else if (row.quantifier == Quantifier::One || next_ != end_) {
        if (!take(row)) return false;
      }
    }
    return true;
  }
  [[nodiscard]] bool has_more() const { return next_ != end_; }
  [[nodiscard]] std::size_t taken() const { return static_cast<std::size_t>(next_ - begin_); }

 private:
  // Rows lead to rows as deep as the grammar nests, which its loader bounds.
  bool take(const OperandRow& row) {
    if (row.shape == OperandShape::Composite) return take_all(grammar_.operands(grammar_.kind(row.kind).bases));
    if (next_ == end_ || next_->is_literal != (row.shape > OperandShape::IdMemorySemantics)) return false;
    const Word word = next_++->word;
    if (row.shape != OperandShape::ValueEnum) return true;
    const EnumerantRow* enumerant = grammar_.find_value(row.kind, word);
    return enumerant != nullptr && take_all(grammar_.operands(enumerant->parameters));
  }

  const Grammar& grammar_;
  const OpenOperand* next_;
  const OpenOperand* end_;
  const OpenOperand* begin_;
};

}  // namespace

// A non-semantic set may be newer than the grammar (SPV_KHR_non_semantic_info); any other has to be known.
Draft::Extended Draft::find_extended(std::string_view set, Word number) {
  const Grammar& grammar = state_.grammar;
  const Extended found{grammar.find_ext_inst(grammar.find_set(set), number), set.starts_with("NonSemantic.")};
  if (found.row == nullptr && !found.is_open) {
    spoil(rule::unknown_extended_instruction, fmt::format("'{}' has no instruction {}", set, number));
  }
  return found;
}

ValueId BuilderCalls::ext(std::string_view set, Word instruction, TypeId result_type, List<OpenOperand> operands) {
  SetId import;
  std::string name(set);
  if (!set.ends_with('.')) {
    // Not by this object: the id that it may have to give is the instruction's.
    import = BuilderCalls(*state_, 0).OpExtInstImport(set);
  } else {
    // A set of several versions: only the import says which.
    for (const auto& [imported, id] : state_->imports) {
      if (imported.starts_with(set)) import = id, name = imported;
    }
  }

  Draft draft(*state_, Op::OpExtInst, IdKind::Value, given_);
  draft.put(result_type);
  if (import.word == 0) draft.spoil(rule::set_not_imported, fmt::format("no set '{}...' is imported", set));
  else draft.put(import);
  draft.put(instruction);
  const Grammar& grammar = state_->grammar;
  const auto [row, is_open] = draft.find_extended(name, instruction);
  if (row != nullptr) {
    OperandCheck check(grammar, operands);
    if (!check.take_all(grammar.operands(row->operands))) {
      draft.spoil(rule::missing_operand, fmt::format("{} wants another operand than the {}. of these",
                                                     grammar.text(row->name), check.taken() + 1));
    } else if (check.has_more() && !is_open) {
      draft.spoil(rule::surplus_operand, fmt::format("{} takes {} operands, and here are {}", grammar.text(row->name),
                                                     check.taken(), operands.size()));
    }
  }
  // Ids are checked one by one here, after the list as a whole.
  draft.put(operands);
  return ValueId(draft.end());
}

}  // namespace vireo::spirv
