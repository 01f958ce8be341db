// SPDX-License-Identifier: Apache-2.0
//
// Verification: decodes a word and compares it with the requested values.
//
// The decoder's own tables and walk determine the meaning of the word. They choose the leaf, resolve
// names, compute values and check asserts. Only names with a setting are resolved, and no display is walked, so this
// costs less than decoding the word.
#include <algorithm>

#include "isa/encode/form.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

// Records asserts that do not hold. Ignores names without a definition, which are errors of the description.
struct Listener {
  const Model& model;
  std::vector<Difference>* differences;
  bool is_sound = true;

  void fault(const WalkFault& fault) {
    if (fault.kind != DecodeFault::Kind::UnexpectedBits) return;
    is_sound = false;
    if (differences == nullptr) return;
    differences->push_back(
        {.kind = Difference::Kind::Assert, .low = fault.low, .width = fault.width, .owner = fault.first});
  }
  [[nodiscard]] std::string_view name_of(NameId name) const { return model.text(name); }
};

// Returns whether a nested bitset matches the picked leaf and no other. Two matches are a conflict, as in the decoder.
bool is_leaf(const DecodeTables& tables, const PickedLeaf& picked, const BitWord* words) {
  const Group& group = tables.groups[picked.group];
  if (group.is_certain) return true;
  // The tree expects the bitset's bits from bit 0 on, and zeros above.
  BitWord value[words_for(max_bitset_size)];
  value[0] = slice_of(words, picked.low, std::min(group.size, bits_per_word));
  for (std::uint32_t at = bits_per_word; at < group.size; at += bits_per_word) {
    value[at / bits_per_word] = slice_of(words, picked.low + at, std::min(group.size - at, bits_per_word));
  }
  const MatchTree::Match match = tables.trees[group.tree].find(value);
  return !match.is_conflict() && !match.is_none() && group.first_plan + match.leaf == picked.plan;
}

// Compares raw bits, which is the form that read_value() produces.
bool has_wide_value(const Part& part, const BitWord* words) {
  for (std::uint32_t at = 0; at < part.width; at += bits_per_word) {
    const std::uint32_t width = std::min(part.width - at, bits_per_word);
    if (slice_of(words, part.low + at, width) != part.value.wide.data()[at / bits_per_word]) return false;
  }
  return true;
}

}  // namespace

bool proves(const Model& model, const DecodeTables& tables, Variant& variant, std::span<const std::uint64_t> values,
            const BitWord* words, std::vector<Difference>* differences) {
  bool is_sound = true;
  const auto differ = [&](Difference difference) {
    is_sound = false;
    if (differences != nullptr) differences->push_back(difference);
    return differences != nullptr;
  };
  // Without `differences`, the function returns at the first difference: the caller needs only the result, for many
  // words. A word with the instruction's pattern may still be another instruction: another leaf or an earlier root may
  // match too.
  const PickedLeaf& instruction = variant.leaves.front();
  const ChosenLeaf chosen = choose_leaf(tables, words, tables.plans[instruction.plan].size);
  const bool is_instruction = chosen.root != nullptr && !chosen.match.is_none() && !chosen.match.is_conflict() &&
                              tables.groups[chosen.root->group].first_plan + chosen.match.leaf == instruction.plan;
  if (!is_instruction && !differ({.kind = Difference::Kind::Leaf, .owner = {}})) return false;

  Listener listener{model, differences};
  // The walk has no memory of its own; each scope of the variant has its own (open_for_proof). Reset its cached values,
  // which belong to the previous word.
  Walk<Listener> walk(tables, {}, listener);
  walk.take(words);
  std::fill(variant.states.begin(), variant.states.end(), std::uint8_t{0});
  for (std::uint32_t i = 0; i < variant.parts.size(); ++i) {
    const Part& part = variant.parts[i];
    const Scope& scope = variant.opened[part.scope];
    const Definition& definition = tables.definitions[part.definition];
    const auto found = walk.resolve(scope, part.resolver);
    // The name must resolve to the definition with which its value was read. Another definition of the same bits would
    // interpret them differently.
    if (found.definition == nullptr || found.definition->field != definition.field || found.owner != &scope) {
      if (!differ({.kind = Difference::Kind::Missing, .part = i, .owner = {}})) return false;
      continue;
    }
    if (part.nested != nowhere) {
      if (!is_leaf(tables, variant.leaves[part.nested], words) &&
          !differ({.kind = Difference::Kind::Nested, .part = i, .owner = {}})) {
        return false;
      }
      continue;
    }
    const auto value = static_cast<BitWord>(walk.value_of(*found.definition, scope));
    const BitWord wanted = part.value.blank == nowhere ? part.value.value : values[part.value.blank];
    bool is_same = false;
    switch (part.value.kind) {
      case ReadValue::Kind::Bits: is_same = ((value ^ wanted) & low_mask(part.width)) == 0; break;
      case ReadValue::Kind::Wide: is_same = has_wide_value(part, words); break;
      case ReadValue::Kind::Equals:
        is_same = ((value ^ wanted) & variant.constraints[part.constraint].mask) == 0;
        break;
      case ReadValue::Kind::IsTrue: is_same = value != 0; break;
      case ReadValue::Kind::IsFalse: is_same = value == 0; break;
    }
    if (!is_same && !differ({.kind = Difference::Kind::Value, .part = i, .found = value, .owner = {}})) return false;
  }
  // Check refusals on the whole word: a refusal may read bits that no setting determines.
  for (const std::uint32_t scope : variant.refusing) {
    const Plan& plan = *variant.opened[scope].plan;
    for (std::uint32_t i = plan.refusals.first; i < plan.refusals.first + plan.refusals.count; ++i) {
      const bool is_refused = walk.holds(variant.opened[scope], tables.refusals[i]);
      if (is_refused && !differ({.kind = Difference::Kind::Refused, .owner = plan.name})) return false;
    }
  }
  // The search for the display checks the asserts up to it, and the listener receives the failures.
  for (const std::uint32_t scope : variant.asserts) walk.find_display(variant.opened[scope]);
  return is_sound && listener.is_sound;
}

}  // namespace vireo::isa
