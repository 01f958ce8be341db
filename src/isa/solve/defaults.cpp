// SPDX-License-Identifier: Apache-2.0
//
// Collects default bits: declared defaults of fields, and maps that are forced to a constant.
#include "isa/solve/defaults.h"

#include <algorithm>

#include "vireo/isa/expression.h"

namespace vireo::isa {

// Declared defaults take precedence. Maps that are forced to a constant come next; Mesa's encoder writes the same
// constants.
void find_defaults(const Model& model, const DecodeTables& tables, const Plan& plan, std::vector<DefaultBits>& result) {
  const Bitset& leaf = model[plan.leaf];
  const std::size_t first = result.size();
  for (const BitsetId id : model.chain(leaf)) {
    // Only the last case, which has no condition, may declare defaults. Its defaults also apply to the bits of an
    // override's fields.
    for (const Field& field : model.fields(model.cases(model[id]).back())) {
      if (!field.default_value) continue;
      result.push_back({field.low, std::min(field.width, bits_per_word), *field.default_value});
    }
  }
  const std::size_t declared = result.size();
  const auto is_declared = [&](const Definition& row) {
    return std::any_of(
        result.begin() + static_cast<std::ptrdiff_t>(first), result.begin() + static_cast<std::ptrdiff_t>(declared),
        [&](const DefaultBits& bits) { return bits.low < row.low + row.width && row.low < bits.low + bits.width; });
  };
  for (const BitsetId id : model.chain(leaf)) {
    for (const EncodeMap& map : model.maps(model[id])) {
      if (!map.is_forced) continue;
      const ParsedExpression parsed = parse_expression(map.text);
      if (!parsed.ok() || !parsed.names.empty()) continue;
      const auto value = static_cast<BitWord>(evaluate(parsed.steps, nullptr, tables.gen));
      for (std::uint32_t i = 0; i < plan.fields.count; ++i) {
        if (tables.plan_field_names[plan.fields.first + i] != map.field) continue;
        const NameResolver& names = tables.resolvers[tables.plan_fields[plan.fields.first + i]];
        for (std::uint32_t k = 0; k < names.choices.count; ++k) {
          const std::uint32_t definition = tables.choices[names.choices.first + k].definition;
          if (definition == nowhere) continue;
          const Definition& row = tables.definitions[definition];
          if (row.expression != nowhere || row.width > bits_per_word || is_declared(row)) continue;
          result.push_back({row.low, row.width, value});
        }
      }
    }
  }
}

}  // namespace vireo::isa
