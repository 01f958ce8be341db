// SPDX-License-Identifier: Apache-2.0
//
// Computes the default values of fields that have no setting.
//
// Unset fields are zero, with two exceptions. First, the description may declare a default
// (isa/solve/defaults.h). Second, a nested bitset must match one of its leaves: if zeros match no leaf, it gets the
// pattern of its first leaf. Leaves contain further bitsets, so the search recurses as deep as the description nests
// them (max_nesting_depth).
#include <algorithm>

#include "isa/encode/variant.h"

namespace vireo::isa {
namespace {

// Adds the ones of a pattern, run by run. Its zeros are not added: bits are 0 unless another default sets them.
void add_ones(const Bits& bits, std::vector<DefaultBits>& result) {
  for (std::uint32_t low = 0; low < bits.width();) {
    std::uint32_t width = 0;
    while (width < bits_per_word && low + width < bits.width() && bits.test(low + width)) ++width;
    if (width != 0) result.push_back({low, width, low_mask(width)});
    low += std::max(width, 1u);
  }
}

}  // namespace

std::vector<DefaultBits> defaults_of_group(const Model& model, const DecodeTables& tables, std::uint32_t group) {
  const Group& row = tables.groups[group];
  const MatchTree& tree = tables.trees[row.tree];
  const auto count = static_cast<std::uint32_t>(tree.leaves().size());
  if (count == 0) return {};
  const MatchTree::Match match = tree.find(Bits(row.size).data());
  std::uint32_t leaf = match.is_none() || match.is_conflict() ? 0 : match.leaf;
  const auto is_refused = [&](std::uint32_t i) { return tables.plans[row.first_plan + i].is_refused; };
  if (is_refused(leaf)) {
    for (leaf = 0; leaf + 1 < count && is_refused(leaf);) ++leaf;
  }
  std::vector<DefaultBits> result;
  add_ones(model[tables.plans[row.first_plan + leaf].leaf].match, result);
  const ScopeDefaults own = defaults_of_plan(model, tables, row.first_plan + leaf);
  result.insert(result.end(), own.bits.begin(), own.bits.end());
  return result;
}

// Defaults that the enclosing field declares come first, so they take precedence over those of the nested leaf.
ScopeDefaults defaults_of_plan(const Model& model, const DecodeTables& tables, std::uint32_t plan) {
  ScopeDefaults result;
  const Plan& row = tables.plans[plan];
  find_defaults(model, tables, row, result.bits);
  for (std::uint32_t i = row.fields.first; i < row.fields.first + row.fields.count; ++i) {
    const Run choices = tables.resolvers[tables.plan_fields[i]].choices;
    for (std::uint32_t k = choices.first; k < choices.first + choices.count; ++k) {
      const Choice& choice = tables.choices[k];
      if (choice.definition == nowhere) continue;
      const Definition& definition = tables.definitions[choice.definition];
      if (definition.type != FieldType::Bitset || definition.is_passed) continue;
      if (choice.condition != nowhere || choices.count != 1) {
        result.open.push_back(tables.plan_fields[i]);
        break;
      }
      for (const DefaultBits& bits : defaults_of_group(model, tables, definition.group))
        result.bits.push_back({definition.low + bits.low, bits.width, bits.value});
    }
  }
  return result;
}

}  // namespace vireo::isa
