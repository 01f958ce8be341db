// SPDX-License-Identifier: Apache-2.0
//
// What fields are that nobody gives.
//
// The one idea: zeros would do, but for two things. The description may say otherwise (isa/solve/defaults.h). And a nested
// bitset has to be one of its leaves: where zeros are none, it is the first leaf with what its patterns say. Leaves hold
// further bitsets, so plans and groups are computed from the inside out; the model has checked that nesting ends.
#include <algorithm>

#include "isa/encode/variant.h"

namespace vireo::isa {
namespace {

// The ones of a pattern, run by run. Its zeros need not be said: all else is 0, unless somebody wants it otherwise.
void add_ones(const Bits& bits, std::vector<DefaultBits>& result) {
  for (std::uint32_t low = 0; low < bits.width();) {
    std::uint32_t width = 0;
    while (width < bits_per_word && low + width < bits.width() && bits.test(low + width)) ++width;
    if (width != 0) result.push_back({low, width, low_mask(width)});
    low += std::max(width, 1u);
  }
}

}  // namespace

Defaults::Defaults(const Model& model, const DecodeTables& tables)
    : model_(model),
      tables_(tables),
      plans_(tables.plans.size()),
      open_(tables.plans.size()),
      groups_(tables.groups.size()),
      plan_is_known_(tables.plans.size()),
      group_is_known_(tables.groups.size()) {
  if (tables.is_unusable) return;
  for (std::uint32_t group = 0; group < groups_.size(); ++group) find_group(group);
}

// The recursion group → plan → group is as deep as bitsets are nested: max_nesting_depth.
void Defaults::find_group(std::uint32_t group) {
  if (group_is_known_[group] != 0) return;
  group_is_known_[group] = 1;
  const Group& row = tables_.groups[group];
  const MatchTree& tree = tables_.trees[row.tree];
  for (std::uint32_t i = 0; i < tree.leaves().size(); ++i) find_plan(row.first_plan + i);
  if (tree.leaves().empty()) return;
  const Bits zero(row.size);
  const MatchTree::Match match = tree.find(zero.data());
  std::uint32_t leaf = match.is_none() || match.is_conflict() ? 0 : match.leaf;
  const auto is_refused = [&](std::uint32_t i) { return tables_.plans[row.first_plan + i].is_refused; };
  if (is_refused(leaf)) {
    for (leaf = 0; leaf + 1 < tree.leaves().size() && is_refused(leaf);) ++leaf;
  }
  add_leaf(row.first_plan + leaf, groups_[group]);
}

void Defaults::add_leaf(std::uint32_t plan, std::vector<DefaultBits>& result) const {
  const Bitset& leaf = model_[tables_.plans[plan].leaf];
  add_ones(leaf.match, result);
  result.insert(result.end(), plans_[plan].begin(), plans_[plan].end());
}

void Defaults::find_plan(std::uint32_t plan) {
  if (plan_is_known_[plan] != 0) return;
  plan_is_known_[plan] = 1;
  std::vector<DefaultBits> result;
  const Plan& row = tables_.plans[plan];
  find_defaults(model_, tables_, row, result);
  for (std::uint32_t i = row.fields.first; i < row.fields.first + row.fields.count; ++i) {
    const Run choices = tables_.resolvers[tables_.plan_fields[i]].choices;
    bool is_open = false;
    for (std::uint32_t k = choices.first; k < choices.first + choices.count; ++k) {
      const Choice& choice = tables_.choices[k];
      if (choice.definition == nowhere) continue;
      const Definition& definition = tables_.definitions[choice.definition];
      if (definition.type != FieldType::Bitset || definition.is_passed) continue;
      find_group(definition.group);
      if (groups_[definition.group].empty()) continue;
      if (choice.condition != nowhere || choices.count != 1) {
        is_open = true;
      } else {
        for (const DefaultBits& bits : groups_[definition.group])
          result.push_back({definition.low + bits.low, bits.width, bits.value});
      }
    }
    if (is_open) open_[plan].push_back(tables_.plan_fields[i]);
  }
  plans_[plan] = std::move(result);
}

}  // namespace vireo::isa
