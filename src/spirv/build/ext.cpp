// SPDX-License-Identifier: Apache-2.0
//
// Operands that depend on another operand: those of extended instructions, of the opcode inside OpSpecConstantOp, and
// of enumerants (builder.h; specification 2.10, 3).
//
// The grammar's rows define these operands as they do all others. The caller passes them as a list, so
// the call compares this list with the rows.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "spirv/binary/zero_byte.h"
#include "spirv/build/pending_instruction.h"
#include "spirv/grammar/special_sets.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "vireo/spirv/build/builder.h"

namespace vireo::spirv {
namespace {

/// Matches the remaining operands against grammar rows.
/// Distinguishes ids from literals only; PendingInstruction checks that an id belongs to its owner.
class OperandCheck {
 public:
  OperandCheck(const Grammar& grammar, std::span<const OpenOperand> operands)
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
  /// Takes ids beyond the rows.
  void take_ids() {
    while (next_ != end_ && !next_->is_literal) ++next_;
  }
  [[nodiscard]] bool has_more() const { return next_ != end_; }
  [[nodiscard]] std::size_t taken() const { return static_cast<std::size_t>(next_ - begin_); }
  /// The enumeration that lacks the value, if that was the fault.
  [[nodiscard]] KindId unknown_kind() const { return unknown_kind_; }

 private:
  using Next = std::span<const OpenOperand>::iterator;

  // The recursion depth is the nesting depth of the grammar, which the loader bounds.
  bool take(const OperandRow& row) {
    if (row.shape == OperandShape::Composite) return take_all(grammar_.operands(grammar_.kind(row.kind).bases));
    if (next_ == end_ || next_->is_literal != (row.shape > OperandShape::IdMemorySemantics)) return false;
    if (row.shape == OperandShape::LiteralString) return take_string();
    const Word word = next_++->word;
    if (row.shape == OperandShape::ValueEnum) return take_enumerant(row.kind, word);
    if (row.shape != OperandShape::BitEnum) return true;
    for (Word bits = word; bits != 0; bits &= bits - 1) {
      if (!take_enumerant(row.kind, bits & (0 - bits))) return false;
    }
    return true;
  }

  bool take_enumerant(KindId kind, Word value) {
    if (const EnumerantRow* row = grammar_.find_value(kind, value)) return take_all(grammar_.operands(row->parameters));
    --next_;
    unknown_kind_ = kind;
    return false;
  }

  // Takes words up to the first one with a zero byte (2.2.1).
  bool take_string() {
    for (; next_ != end_ && next_->is_literal; ++next_) {
      if (!has_zero_byte(next_->word)) continue;
      ++next_;
      return true;
    }
    return false;
  }

  const Grammar& grammar_;
  Next next_, end_, begin_;
  KindId unknown_kind_;
};

}  // namespace

void PendingInstruction::check_open(std::string_view name, std::span<const OpenOperand> operands,
                                    std::span<const OperandRow> rows, bool is_open) {
  const Grammar& grammar = target_.grammar;
  if (std::ranges::any_of(operands, is_cut_text)) return fail(rule::bad_string, "a literal string holds a NUL");
  OperandCheck check(grammar, operands);
  const bool has_all = check.take_all(rows);
  if (has_all && is_open) check.take_ids();
  if (!check.unknown_kind().is_none()) {
    return fail(rule::unknown_enumerant,
                fmt::format("no {} has the value {}", grammar.text(grammar.kind(check.unknown_kind()).name),
                            operands[check.taken()].word));
  }
  if (!has_all || (is_open && check.has_more())) {
    fail(rule::missing_operand,
         fmt::format("operand {} of {} is missing or has the wrong kind", check.taken() + 1, name));
  } else if (check.has_more()) {
    fail(rule::surplus_operand,
         fmt::format("{} takes {}, found {}", name, counted(check.taken(), "operand"), operands.size()));
  }
}

void PendingInstruction::put_open_list(std::span<const OpenOperand> operands) {
  const Grammar& grammar = target_.grammar;
  // The last operand before the list is the number or the opcode; it determines the operands in the list.
  for (const OperandRow& row : rows_) {
    if (has_failed_) break;
    if (row.shape == OperandShape::LiteralSpecConstantOpInteger) {
      const InstructionRow* inner = grammar.find_opcode(words_.back());
      if (inner != nullptr) check_open(grammar.text(inner->name), operands, inner_operands(*inner, grammar), false);
    } else if (row.shape == OperandShape::LiteralExtInstInteger) {
      const auto [extended, is_open] = find_extended(words_[words_.size() - 2], words_.back());
      // An unknown instruction of an open set takes any number of ids.
      if (has_failed_) break;
      if (extended == nullptr) check_open("it", operands, {}, is_open);
      else check_open(grammar.text(extended->name), operands, grammar.operands(extended->operands), is_open);
    }
  }
  for (const OpenOperand& operand : operands) put_open(operand);
}

// A non-semantic set may be newer than the grammar (SPV_KHR_non_semantic_info); all other sets must be in it.
PendingInstruction::Extended PendingInstruction::find_extended(Word set, Word number) {
  const std::optional<std::string_view> name = target_.import_name(set);
  if (!name) {
    if (target_.is_invalid(set)) drop();
    else fail(rule::set_not_imported, fmt::format("id {} is not an imported set", set));
    return {};
  }
  const Grammar& grammar = target_.grammar;
  const Extended found{grammar.find_ext_inst(grammar.find_set(*name), number), is_non_semantic_set(*name)};
  if (found.row == nullptr && !found.is_open) {
    fail(rule::unknown_extended_instruction, fmt::format("'{}' has no instruction {}", *name, number));
  }
  return found;
}

ValueId InstructionCalls::ext(std::string_view set, Word instruction, TypeId result_type, List<OpenOperand> operands) {
  SetId import;
  if (!set.ends_with('.')) {
    // Do not import through this object: its reserved id, if any, is for the OpExtInst.
    import = InstructionCalls(*target_, {}).OpExtInstImport(set);
  } else {
    import = target_->find_import(set);  // a set with several versions: use the imported one
  }

  PendingInstruction draft(*target_, Op::OpExtInst, IdKind::Value, site_);
  draft.put(result_type);
  if (import.word == 0) draft.fail(rule::set_not_imported, fmt::format("no set '{}...' is imported", set));
  else draft.put(import);
  draft.put(instruction);
  draft.put(operands);
  return ValueId(draft.end());
}

}  // namespace vireo::spirv
