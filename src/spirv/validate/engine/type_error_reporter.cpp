// SPDX-License-Identifier: Apache-2.0
//
// The messages of TypeErrorReporter. They use the rules of the typing rows (rules.def, "types of results and
// operands"). So a requirement has one rule, whether a typing row or a check function tests it.
#include "spirv/validate/engine/type_error_reporter.h"

#include <fmt/format.h>

namespace vireo::spirv {

std::string TypeErrorReporter::named(AnyOperand operand, std::string_view name) const {
  return fmt::format("{} ({}) of {}", name, id_text(context, operand), instruction_text(context, visit));
}

void TypeErrorReporter::result(std::string_view expected) const {
  report.add(rules_of_types(context, visit).result_type, visit.at_type(),
             {instruction_text(context, visit), type_name(context, visit.type), expected});
}

void TypeErrorReporter::operand(AnyOperand operand, std::string_view name, std::string_view expected) const {
  const Word type = context.module.type_of(operand);
  report.add(rules_of_types(context, visit).operand_type, visit.at(operand),
             {named(operand, name), type == 0 ? "has no type" : "has type " + type_name(context, type), expected});
}

// The message is "the object (%x) of OpStore has type vec2; expected the pointee type (vec3)".
void TypeErrorReporter::relation(AnyOperand operand, std::string_view name, std::string_view expected,
                                 Word type) const {
  const Word found = context.module.type_of(operand);
  if (context.is_invalid_type(type) || context.is_invalid_type(context.type_id_of(operand))) return;
  if (type == visit.type && !context.soundness.is_sound_word(visit.at_type()))
    return;  // a wrong result type is not compared
  report.add(rules_of_types(context, visit).type_match, visit.at(operand),
             {named(operand, name), found == 0 ? "has no type" : "has type " + type_name_beside(context, found, type),
              fmt::format("{} ({})", expected, type_name_beside(context, type, found))});
}

void TypeErrorReporter::result_relation(std::string_view expected, Word type) const {
  if (context.is_invalid_type(type)) return;
  report.add(rules_of_types(context, visit).type_match, visit.at_type(),
             {"result type of " + instruction_text(context, visit), "is " + type_name_beside(context, visit.type, type),
              fmt::format("{} ({})", expected, type_name_beside(context, type, visit.type))});
}

void TypeErrorReporter::not_constant(AnyOperand operand, std::string_view name) const {
  report.add(Rule::ConstantOperand, visit.at(operand),
             {named(operand, name), op_text(context, context.op_of(operand))});
}

void TypeErrorReporter::part(AnyOperand operand, std::string_view name, std::string_view expected) const {
  const bool is_type = context.types.find(operand) != nullptr;
  report.add(Rule::TypeConstituent, visit.at(operand),
             {name, instruction_text(context, visit),
              is_type ? type_name(context, operand)
                      : fmt::format("{}, the result of {}", id_text(context, operand),
                                    op_text(context, context.op_of(operand))),
              expected});
}

}  // namespace vireo::spirv
