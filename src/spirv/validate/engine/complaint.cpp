// SPDX-License-Identifier: Apache-2.0
//
// The sentences of Complaint. They fill the gaps of the rules that typing rows report under as well (rules.def, "types of
// results and operands"), so that a user meets one rule for one requirement, whichever way it is checked.
#include "spirv/validate/engine/complaint.h"

#include <fmt/format.h>

namespace vireo::spirv {

std::string Complaint::named(std::size_t word, std::string_view name) const {
  return fmt::format("{} of {}, {},", name, instruction_text(context, visit), id_text(context, visit.word(word)));
}

void Complaint::result(std::string_view expected) const {
  report.add(Rule::ResultShape, visit.at(1),
             {instruction_text(context, visit), type_text(context, visit.type), expected});
}

void Complaint::operand(std::size_t word, std::string_view name, std::string_view expected) const {
  report.add(Rule::OperandShape, visit.at(word),
             {named(word, name), type_of_text(context, visit.word(word)), expected});
}

void Complaint::relation(std::size_t word, std::string_view name, std::string_view expected, Word type) const {
  if (context.is_no_type(type) || context.is_no_type(context.type_id_of(visit.word(word)))) return;
  if (type == visit.type && report.is_refused(visit.at(1))) return;  // a result that is wrong is no measure
  // The sentence has "expected RELATION WHAT, TYPE".
  report.add(Rule::OperandRelation, visit.at(word),
             {named(word, name), type_of_text(context, visit.word(word)), "to agree with", expected,
              type_text(context, type)});
}

void Complaint::result_relation(std::string_view expected, Word type) const {
  if (context.is_no_type(type)) return;
  report.add(Rule::OperandRelation, visit.at(1),
             {fmt::format("the result of {}", instruction_text(context, visit)), type_text(context, visit.type),
              "to agree with", expected, type_text(context, type)});
}

void Complaint::not_constant(std::size_t word, std::string_view name) const {
  report.add(Rule::ConstantOperand, visit.at(word),
             {named(word, name), op_text(context, context.op_of(visit.word(word)))});
}

void Complaint::part(std::size_t word, std::string_view name, std::string_view expected) const {
  report.add(Rule::TypePart, visit.at(word),
             {name, instruction_text(context, visit), type_text(context, visit.word(word)), expected});
}

}  // namespace vireo::spirv
