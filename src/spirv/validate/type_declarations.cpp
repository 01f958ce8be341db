// SPDX-License-Identifier: Apache-2.0
//
// Type-declaration instructions (specification 3.42.6): what types are made of.
#include <fmt/format.h>

#include "spirv/validate/checks.h"

namespace vireo::spirv {
namespace {

using enum Op;

// A vector is made of a scalar, of two to four components; more of them need Vector16.
void check_vector(const Context& context, const Visit& visit, Report& report) {
  const TypeRow& component = context.types.of(visit.word(2));
  const bool takes_pointers = context.has(Capability::MaskedGatherScatterINTEL) && component.is(TypeKind::Pointer);
  if (!component.is_scalar() && !takes_pointers) {
    report.add(Rule::TypePart, visit.at(2),
               {"the component", "OpTypeVector", type_text(context, visit.word(2)), "a scalar type"});
  }
  const Word count = visit.word(3);
  const bool is_long = count == 8 || count == 16;
  if ((count >= 2 && count <= 4) || context.has(Capability::LongVectorEXT)) return;
  if (!is_long || !context.has(Capability::Vector16)) {
    report.add(Rule::ComponentCount, visit.at(3),
               {std::to_string(count),
                is_long ? "2 to 4 without the capability Vector16" : "2, 3 or 4 (8 or 16 with Vector16)"});
  }
}

void check_matrix(const Context& context, const Visit& visit, Report& report) {
  const TypeRow& column = context.types.of(visit.word(2));
  if (!column.is(TypeKind::Vector) || !context.types.row(column.component).is(TypeKind::Float)) {
    report.add(Rule::TypePart, visit.at(2),
               {"the column", "OpTypeMatrix", type_text(context, visit.word(2)), "a vector of floats"});
  }
  if (visit.word(3) < 2 || visit.word(3) > 4) {
    report.add(Rule::ComponentCount, visit.at(3), {std::to_string(visit.word(3)), "2, 3 or 4 columns"});
  }
}

constexpr Check checks[] = {
    {OpTypeVector, check_vector},
    {OpTypeMatrix, check_matrix},
};

}  // namespace

std::span<const Check> type_checks() { return checks; }

}  // namespace vireo::spirv
