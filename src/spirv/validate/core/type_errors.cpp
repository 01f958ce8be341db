// SPDX-License-Identifier: Apache-2.0
//
// The type errors that check functions have in common. They use the rules of the typing rows (rules.def, "types of
// results and operands"). So a requirement has one rule, whether a typing row or a check function tests it.
#include <fmt/format.h>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {
namespace {

std::string has_type(const InstructionCheck& c, Word type, Word other = 0) {
  return type == 0 ? "has no type" : "has type " + type_name_beside(c, type, other);
}

}  // namespace

std::string InstructionCheck::named(AnyOperand operand, std::string_view operand_name) const {
  return fmt::format("{} ({}) of {}", operand_name, id_text(*this, operand), name());
}

void InstructionCheck::wrong_result(std::string_view expected) const {
  report(rules_of_types(*this).result_type, at_type(), {name(), type, expected});
}

void InstructionCheck::wrong_operand(AnyOperand operand, std::string_view operand_name,
                                     std::string_view expected) const {
  report(rules_of_types(*this).operand_type, at(operand),
         {named(operand, operand_name), has_type(*this, module.type_of(operand)), expected});
}

// The message is "the object (%x) of OpStore has type vec2; expected the pointee type (vec3)".
void InstructionCheck::mismatch(AnyOperand operand, std::string_view operand_name, std::string_view expected,
                                Word other) const {
  const Word found = module.type_of(operand);
  if (is_invalid_type(other) || is_invalid_type(type_id_of(operand))) return;
  if (other == type && !soundness.is_sound_word(at_type())) return;  // a wrong result type is not compared
  report(rules_of_types(*this).type_match, at(operand),
         {named(operand, operand_name), has_type(*this, found, other),
          fmt::format("{} ({})", expected, type_name_beside(*this, other, found))});
}

void InstructionCheck::result_mismatch(std::string_view expected, Word other) const {
  if (is_invalid_type(other)) return;
  report(rules_of_types(*this).type_match, at_type(),
         {fmt::format("result type of {}", name()), "is " + type_name_beside(*this, type, other),
          fmt::format("{} ({})", expected, type_name_beside(*this, other, type))});
}

void InstructionCheck::not_constant(AnyOperand operand, std::string_view operand_name) const {
  report(Rule::ConstantOperand, at(operand), {named(operand, operand_name), op_of(operand)});
}

void InstructionCheck::wrong_part(AnyOperand operand, std::string_view operand_name, std::string_view expected) const {
  const bool is_type = types.find(operand) != nullptr;
  report(Rule::TypeConstituent, at(operand),
         {operand_name, name(),
          is_type ? type_name(*this, operand)
                  : fmt::format("{}, the result of {}", id_text(*this, operand), op_text(*this, op_of(operand))),
          expected});
}

}  // namespace vireo::spirv
