// SPDX-License-Identifier: Apache-2.0
//
// The grammar's row of an opcode → its pattern (id_pattern.h).
#include "spirv/module/id_pattern.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "vireo/spirv/enums.h"

namespace vireo::spirv {
namespace {

struct ClassKind {
  std::string_view printing_class;
  UseKind kind;
};
// Mode setting decides how a module is run; OpCapability and the like have no ids.
constexpr ClassKind class_kinds[] = {
    {"Annotation", UseKind::Annotation},
    {"Debug", UseKind::Debug},
    {"Mode-Setting", UseKind::Mode},
};

// Finds the selector, or a string at the end: the first operand behind the leading ids that is more than a plain
// literal.
void find_selector(IdPattern& pattern, std::span<const OperandRow> rest, std::uint16_t opcode) {
  // Labels of OpSwitch are as wide as the type of the selector's value, which is no word of the instruction.
  if (opcode == static_cast<std::uint16_t>(Op::OpSwitch)) return;
  std::size_t word = std::size_t{pattern.most} + 1;
  for (const OperandRow& operand : rest) {
    switch (operand.shape) {
      case OperandShape::LiteralInteger:
      case OperandShape::LiteralFloat: ++word; continue;
      case OperandShape::LiteralString:
        if (&operand == &rest.back() && operand.quantifier == Quantifier::One) {
          pattern.string_word = static_cast<std::uint8_t>(word);
        }
        return;
      case OperandShape::ValueEnum:
      case OperandShape::BitEnum:
      case OperandShape::LiteralSpecConstantOpInteger: pattern.selector = static_cast<std::uint8_t>(word); return;
      case OperandShape::LiteralExtInstInteger:
        pattern.selector = static_cast<std::uint8_t>(word);
        pattern.set_word = static_cast<std::uint8_t>(word - 1);
        return;
      case OperandShape::LiteralContextDependentNumber: pattern.selector = 1; return;
      default: return;
    }
  }
  pattern.selector = 0;
}

// Finds the lengths with which an instruction fits the pattern.
void find_glance(IdPattern& pattern, const Grammar& grammar, std::span<const OperandRow> rest, std::uint16_t opcode) {
  constexpr std::uint16_t any = 0xFFFE;
  const auto may_be_absent = [](const OperandRow& operand) { return operand.quantifier != Quantifier::One; };
  const auto is_id = [](const OperandRow& operand) { return operand.shape <= OperandShape::IdMemorySemantics; };
  if (!std::ranges::all_of(rest, may_be_absent)) return;
  pattern.leading = pattern.most;
  if (rest.size() != 1 || rest[0].quantifier != Quantifier::Star) return;
  const OperandRow& repeated = rest[0];
  if (repeated.shape == OperandShape::LiteralInteger && opcode != static_cast<std::uint16_t>(Op::OpSwitch)) {
    pattern.slack = any;
  } else if (is_id(repeated)) {
    pattern.slack = pattern.most = any;
  } else if (repeated.shape == OperandShape::Composite) {
    const auto bases = grammar.operands(grammar.kind(repeated.kind).bases);
    const auto is_one_id = [&](const OperandRow& base) { return is_id(base) && base.quantifier == Quantifier::One; };
    if (bases.size() != 2 || !std::ranges::all_of(bases, is_one_id)) return;
    pattern.slack = pattern.most = any;
    pattern.round_mask = 1;
  }
}

}  // namespace

IdPattern id_pattern_of(const Grammar& grammar, const InstructionRow& row) {
  IdPattern pattern;
  pattern.most = row.leading_ids;
  pattern.has_type = (row.flags & HasResultType) != 0;
  if ((row.flags & HasResult) != 0) pattern.result_word = pattern.has_type ? 2 : 1;
  pattern.first_operand =
      static_cast<std::uint8_t>(1 + (pattern.has_type ? 1 : 0) + (pattern.result_word != 0 ? 1 : 0));
  const std::string_view printing_class = grammar.text(grammar.printing_classes[row.printing_class]);
  for (const ClassKind& known : class_kinds) {
    if (printing_class == known.printing_class) pattern.kind = known.kind;
  }
  pattern.first_use = pattern.first_operand | static_cast<std::uint32_t>(pattern.kind) << 16;
  // Only a loaded grammar could say that a result may be absent.
  if (pattern.first_operand - 1 > pattern.most) return pattern;
  // The walk has to see each of these: formats of literals, and what extended instructions mean, depend on them.
  switch (static_cast<Op>(row.opcode)) {
    case Op::OpTypeInt:
    case Op::OpTypeFloat:
    case Op::OpExtInstImport: return pattern;
    default: break;
  }
  const auto rest = grammar.operands(row.operands).subspan(row.leading_ids);
  find_selector(pattern, rest, row.opcode);
  find_glance(pattern, grammar, rest, row.opcode);
  return pattern;
}

}  // namespace vireo::spirv
