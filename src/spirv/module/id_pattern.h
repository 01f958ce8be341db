// SPDX-License-Identifier: Apache-2.0
//
// Which words of an instruction are ids, for the many whose pattern says so at a glance.
//
// The one idea: patterns mostly begin with ids (InstructionRow::leading_ids), and what follows is absent, or more ids, or
// literals of one word. An instruction whose length fits such a pattern needs no walk: its first words are ids, and that
// is all there is to know. Everything else is for the operand walk. Worked out once an opcode, from the grammar's rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "spirv/grammar/special_cases.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/uses.h"

namespace vireo::spirv {

struct IdPattern {
  /// What may follow the leading ids.
  enum class Rest : std::uint8_t {
    Walk,      ///< what only the operand walk knows, even when nothing follows
    Nothing,   ///< whatever it is, only when there is none of it
    Ids,       ///< any number of ids
    Literals,  ///< any number of literals of one word
  };
  bool is_known = false;  ///< this pattern was worked out
  Rest rest = Rest::Walk;
  std::uint8_t leading = 0;      ///< ids that the operands begin with
  std::uint8_t round = 1;        ///< ids come in so many at a time
  std::uint8_t result_word = 0;  ///< 0: the opcode has no result
  bool has_type = false;
  UseKind kind = UseKind::Operand;  ///< of all ids but the type of the result

  /// The first word of an id that is neither result nor type.
  [[nodiscard]] int first_operand() const { return 1 + (has_type ? 1 : 0) + (result_word != 0 ? 1 : 0); }
  /// How many words behind the first one are ids, from the left on; -1: walk to find out.
  [[nodiscard]] int ids_of(std::uint32_t operand_words) const {
    if (operand_words == leading) [[likely]] { return rest == Rest::Walk ? -1 : leading; }
    if (operand_words < leading || rest <= Rest::Nothing) return -1;
    if (rest == Rest::Literals) return leading;
    return (operand_words - leading) % round == 0 ? static_cast<int>(operand_words) : -1;
  }
};

struct ClassKind {
  std::string_view printing_class;
  UseKind kind;
};
// Mode setting decides how a module is run; OpCapability and the like have no ids.
inline constexpr ClassKind class_kinds[] = {
    {"Annotation", UseKind::Annotation},
    {"Debug", UseKind::Debug},
    {"Mode-Setting", UseKind::Mode},
};

/// Works out the pattern of an opcode.
inline IdPattern id_pattern_of(const Grammar& grammar, const InstructionRow& row) {
  IdPattern pattern;
  pattern.is_known = true;
  pattern.leading = row.leading_ids;
  pattern.has_type = (row.flags & HasResultType) != 0;
  if ((row.flags & HasResult) != 0) pattern.result_word = pattern.has_type ? 2 : 1;
  for (const ClassKind& known : class_kinds) {
    if (grammar.text(grammar.printing_classes[row.printing_class]) == known.printing_class) pattern.kind = known.kind;
  }
  // Only a loaded grammar could say that a result may be absent.
  if (pattern.first_operand() - 1 > pattern.leading) return pattern;
  // The decoder remembers more of these than that they are defined.
  if (generates_type(grammar, row) || row.opcode == static_cast<std::uint16_t>(Op::OpExtInstImport)) return pattern;
  const auto rest = grammar.operands(row.operands).subspan(row.leading_ids);
  const auto may_be_absent = [](const OperandRow& operand) { return operand.quantifier != Quantifier::One; };
  if (!std::all_of(rest.begin(), rest.end(), may_be_absent)) return pattern;
  pattern.rest = IdPattern::Rest::Nothing;
  if (rest.size() != 1 || rest[0].quantifier != Quantifier::Star) return pattern;
  const auto is_id = [](const OperandRow& operand) {
    return operand.shape <= OperandShape::IdMemorySemantics && operand.quantifier == Quantifier::One;
  };
  if (rest[0].shape <= OperandShape::IdMemorySemantics) {
    pattern.rest = IdPattern::Rest::Ids;
  } else if (rest[0].shape == OperandShape::LiteralInteger && row.opcode != static_cast<std::uint16_t>(Op::OpSwitch)) {
    pattern.rest = IdPattern::Rest::Literals;
  } else if (rest[0].shape == OperandShape::Composite) {
    const auto bases = grammar.operands(grammar.kind(rest[0].kind).bases);
    if (!bases.empty() && bases.size() < 256 && std::all_of(bases.begin(), bases.end(), is_id)) {
      pattern.rest = IdPattern::Rest::Ids;
      pattern.round = static_cast<std::uint8_t>(bases.size());
    }
  }
  return pattern;
}

/// Patterns by opcode, worked out once each.
class IdPatternTable {
 public:
  explicit IdPatternTable(const Grammar& grammar) : grammar_(grammar), patterns_(grammar.instructions.size() + 1) {}

  /// The pattern of an opcode; one that wants to be walked for an unknown opcode.
  const IdPattern& of(std::uint16_t opcode) {
    // By row and not by opcode: opcodes are spread over ten times as many numbers, all of which would have to be cleared.
    const std::size_t row = opcode < grammar_.opcode_index.size() ? grammar_.opcode_index[opcode] : 0;
    IdPattern& pattern = patterns_[row];
    if (!pattern.is_known && row != 0) [[unlikely]] {
      pattern = id_pattern_of(grammar_, grammar_.instructions[row - 1]);
    }
    return pattern;
  }

 private:
  const Grammar& grammar_;
  std::vector<IdPattern> patterns_;  // by row + 1; the first is that of all unknown opcodes
};

}  // namespace vireo::spirv
