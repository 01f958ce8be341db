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
#include "spirv/grammar/pattern_cursor.h"
#include "spirv/grammar/special_sets.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "vireo/spirv/build/builder.h"

namespace vireo::spirv {
namespace {

/// The result of matching a list of operands with a pattern.
struct OpenMatch {
  std::size_t taken = 0;  ///< operands that match
  bool has_all = false;   ///< the pattern is complete
  KindId unknown_kind;    ///< the enumeration that lacks the next operand's value, if that is the fault
};

// Distinguishes ids from literals only; PendingInstruction checks that an id belongs to its owner.
OpenMatch match(const Grammar& grammar, std::span<const OpenOperand> operands, std::span<const OperandRow> rows) {
  PatternCursor pattern(grammar);
  pattern.start(rows);
  std::size_t taken = 0;
  const auto is_present = [&](bool is_literal) {
    return taken < operands.size() && operands[taken].is_literal == is_literal;
  };
  while (const OperandRow* row = pattern.next([&] { return taken < operands.size(); })) {
    if (row->shape == OperandShape::Composite) {
      pattern.enter_bases(row->kind);
      continue;
    }
    if (!is_present(row->shape > OperandShape::IdMemorySemantics)) return {taken, false, {}};
    const bool is_enumerant = row->shape == OperandShape::ValueEnum || row->shape == OperandShape::BitEnum;
    if (is_enumerant && !pattern.enter_enumerant(*row, operands[taken].word)) return {taken, false, row->kind};
    // A string ends with the first word that has a zero byte (2.2.1).
    while (row->shape == OperandShape::LiteralString && !has_zero_byte(operands[taken].word)) {
      ++taken;
      if (!is_present(true)) return {taken, false, {}};
    }
    ++taken;
  }
  return {taken, true, {}};
}

}  // namespace

void PendingInstruction::check_open(std::string_view name, std::span<const OpenOperand> operands,
                                    std::span<const OperandRow> rows, bool is_open) {
  const Grammar& grammar = target_.grammar;
  if (std::ranges::any_of(operands, is_cut_text)) return fail(rule::bad_string, "a literal string holds a NUL");
  auto [taken, has_all, unknown_kind] = match(grammar, operands, rows);
  while (has_all && is_open && taken < operands.size() && !operands[taken].is_literal) ++taken;
  const bool has_more = taken < operands.size();
  if (!unknown_kind.is_none()) {
    fail(rule::unknown_enumerant,
         fmt::format("no {} has the value {}", grammar.text(grammar.kind(unknown_kind).name), operands[taken].word));
  } else if (!has_all || (is_open && has_more)) {
    fail(rule::missing_operand, fmt::format("operand {} of {} is missing or has the wrong kind", taken + 1, name));
  } else if (has_more) {
    fail(rule::surplus_operand, fmt::format("{} takes {}, found {}", name, counted(taken, "operand"), operands.size()));
  }
}

void PendingInstruction::put_open_list(std::span<const OpenOperand> operands) {
  const Grammar& grammar = target_.grammar;
  // The last operand before the list is the number or the opcode; it determines the operands in the list.
  for (const OperandRow& row : rows_) {
    if (has_failed_) break;
    if (row.shape == OperandShape::LiteralSpecConstantOpInteger) {
      const InstructionRow* inner = grammar.find_opcode(words_.back());
      if (inner != nullptr)
        check_open(grammar.text(inner->name), operands, operands_in_spec_constant_op(grammar, *inner), false);
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
