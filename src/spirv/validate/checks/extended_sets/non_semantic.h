// SPDX-License-Identifier: Apache-2.0
//
// The check of an extended instruction, and the checks of non-semantic instructions against their rows
// (tables/non_semantic_rows.h).
//
// Source: SPV_KHR_non_semantic_info.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/core/check.h"
#include "spirv/validate/tables/non_semantic_rows.h"
#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {

/// The row of an instruction; nullptr if it has none.
const NonSemanticRow* find_describing(KnownSet set, std::uint32_t number);

/// The check of an extended instruction: adds its set and its row.
struct ExtInstCheck : InstructionCheck {
  ExtInstCheck(const InstructionCheck& c, NamedSet imported, const ExtInstRow& row)
      : InstructionCheck(c), set(imported), inst(row) {}
  NamedSet set;
  const ExtInstRow& inst;

  /// The operands by the names of the set's grammar.
  template <auto expected>
  [[nodiscard]] View<expected> as() const {
    return View<expected>(view);
  }
  /// The operands by position, for rows that list the class of each operand. Only valid before the first operand that
  /// has several words.
  [[nodiscard]] IdList<IdKind::Any> own_operands() const { return as<Op::OpExtInst>().operands(); }
  /// The operand at this position of the list; the id 0 beyond the end.
  [[nodiscard]] AnyOperand operand(std::size_t i) const {
    const IdList<IdKind::Any> list = own_operands();
    return i < list.size() ? AnyOperand(list[i]) : AnyOperand();
  }
  /// The place of the literal that selects the instruction within the set.
  [[nodiscard]] Place at_number() const { return at(as<Op::OpExtInst>().instruction()); }
};

/// The number of the instruction that defines an id, if it is in the same set; otherwise nothing.
std::optional<std::uint32_t> own_number(const ExtInstCheck& c, Word id);
/// "%5 (DebugSource)": an id, and the instruction that defines it.
std::string thing_text(const ExtInstCheck& c, Word id);

/// Checks the version and the operands against the row. Returns true if no finding was reported.
bool check_described(const ExtInstCheck& c, const NonSemanticRow& row);

}  // namespace vireo::spirv
