// SPDX-License-Identifier: Apache-2.0
#include "isa/solve/defaults.h"

#include "vireo/isa/expression.h"

namespace vireo::isa {

// A map that is forced to a constant says what a field has to be when nothing else decides.
void find_defaults(const Model& model, const DecodeTables& tables, const Plan& plan, std::vector<DefaultBits>& result) {
  const Bitset& leaf = model[plan.leaf];
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
          if (row.expression == nowhere && row.width <= bits_per_word) result.push_back({row.low, row.width, value});
        }
      }
    }
  }
}

}  // namespace vireo::isa
