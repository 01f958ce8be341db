// SPDX-License-Identifier: Apache-2.0
//
// Converts rows to a description, and merges descriptions (description.h).
#include "spirv/grammar/load/description.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

// All strings are copied: a description is edited and outlives its grammar.
std::vector<std::string> names_in(const Grammar& grammar, Slice slice) {
  std::vector<std::string> names;
  for (const StringRef name : grammar.strings(slice)) names.emplace_back(grammar.text(name));
  return names;
}

// The description has names, not indexes: a merge may change the index of each capability.
std::vector<std::string> capabilities_in(const Grammar& grammar, Slice slice) {
  std::vector<std::string> names;
  for (const std::uint16_t row : grammar.capabilities(slice))
    names.emplace_back(grammar.text(grammar.enumerants[row].name));
  return names;
}

std::vector<OperandDescription> operands_in(const Grammar& grammar, Slice slice) {
  std::vector<OperandDescription> operands;
  for (const OperandRow& row : grammar.operands(slice)) {
    operands.push_back({std::string(grammar.text(grammar.kind(row.kind).name)),
                        row.quantifier,
                        std::string(grammar.text(row.name)),
                        {}});
  }
  return operands;
}

// The fields that the rows of instructions and enumerants share.
template <typename Row>
Availability availability_of(const Grammar& grammar, const Row& row) {
  return {capabilities_in(grammar, row.capabilities), names_in(grammar, row.extensions), row.since, row.last,
          (row.flags & Provisional) != 0};
}

// Origins stay empty: this marks the parts that come from rows.
KindDescription describe_kind(const Grammar& grammar, const KindRow& row) {
  KindDescription kind{
      std::string(grammar.text(row.name)), std::string(grammar.text(row.doc)), row.category, {}, {}, {}};
  for (const EnumerantRow& enumerant : grammar.enumerants_of(row)) {
    kind.enumerants.push_back({std::string(grammar.text(enumerant.name)),
                               enumerant.value,
                               operands_in(grammar, enumerant.parameters),
                               names_in(grammar, enumerant.aliases),
                               availability_of(grammar, enumerant),
                               {}});
  }
  kind.bases = operands_in(grammar, row.bases);
  return kind;
}

/// Merges `added` into `items`, replacing items with the same number or name. The cost is near-linear, even for
/// adversarial inputs.
template <typename Item, typename Number>
void replace_or_add(std::vector<Item>& items, std::vector<Item>&& added, Number Item::*number) {
  std::unordered_map<Number, std::size_t, NumberHash> by_number;
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < added.size(); ++i) {
    by_number.emplace(added[i].*number, i);
    by_name.emplace(added[i].name, i);
  }
  std::erase_if(items, [&](const Item& old) { return by_number.contains(old.*number) || by_name.contains(old.name); });
  // A new primary name is removed from the aliases of other items. Between versions, a vendor's name may become an
  // alias, or an alias may become the primary name; the newer document takes precedence. Keeping both would make a
  // duplicate that neither document contains.
  for (Item& old : items) {
    std::erase_if(old.aliases, [&](const std::string& alias) { return by_name.contains(alias); });
  }
  std::move(added.begin(), added.end(), std::back_inserter(items));
}

// Instructions and enumerants, including those of sets, refer to a capability by name. If a document renames one, the
// old name becomes an alias, unless the document uses it for another capability.
void keep_names_of_capabilities(const std::vector<EnumerantDescription>& old,
                                std::vector<EnumerantDescription>& added) {
  std::unordered_map<std::uint32_t, EnumerantDescription*, NumberHash> by_value;
  std::unordered_set<std::string> taken;
  for (EnumerantDescription& row : added) {
    by_value.emplace(row.value, &row);
    taken.insert(row.name);
    taken.insert(row.aliases.begin(), row.aliases.end());
  }
  for (const EnumerantDescription& row : old) {
    const auto found = by_value.find(row.value);
    if (found != by_value.end() && !taken.contains(row.name)) found->second->aliases.push_back(row.name);
  }
}

}  // namespace

// describe() omits the data that compact() computes: indexes, hashes, shapes, flags. A test checks that the two
// functions are inverse. So `--grammar` can extend the built-in rows without their documents.
GrammarDescription describe(const Grammar& grammar) {
  GrammarDescription result;
  result.major_version = grammar.major_version;
  result.minor_version = grammar.minor_version;
  result.revision = grammar.revision;
  for (const StringRef name : grammar.printing_classes) {
    // Index 0 of the rows is "no class"; compact() adds it again.
    if (name.length != 0) result.printing_classes.emplace_back(grammar.text(name));
  }
  for (const InstructionRow& row : grammar.instructions) {
    result.instructions.push_back({std::string(grammar.text(row.name)),
                                   static_cast<std::uint32_t>(row.opcode),
                                   std::string(grammar.text(grammar.printing_classes[row.printing_class])),
                                   operands_in(grammar, row.operands),
                                   names_in(grammar, row.aliases),
                                   availability_of(grammar, row),
                                   {}});
  }
  for (const ExtInstSetRow& row : grammar.sets) {
    SetDescription set{
        std::string(grammar.text(row.name)), row.match, row.is_non_semantic, row.prints_numbers, {}, {}, {}, {}};
    for (const ExtInstRow& instruction : grammar.instructions_of(row)) {
      set.instructions.push_back({std::string(grammar.text(instruction.name)),
                                  instruction.number,
                                  {},
                                  operands_in(grammar, instruction.operands),
                                  {},
                                  {capabilities_in(grammar, instruction.capabilities),
                                   names_in(grammar, instruction.extensions),
                                   // Extended instructions have no version of their own.
                                   {1, 0},
                                   {},
                                   false},
                                  {}});
    }
    result.sets.push_back(std::move(set));
  }
  for (const KindRow& row : grammar.kinds) {
    // The sets exist already, so their kinds can be added to them.
    std::vector<KindDescription>& kinds = row.set.is_none() ? result.kinds : result.sets[row.set.index()].kinds;
    kinds.push_back(describe_kind(grammar, row));
  }
  return result;
}

void overlay_core(GrammarDescription& base, GrammarDescription&& extension) {
  for (std::string& name : extension.printing_classes) {
    if (std::find(base.printing_classes.begin(), base.printing_classes.end(), name) == base.printing_classes.end()) {
      base.printing_classes.push_back(std::move(name));
    }
  }
  std::move(extension.incomplete.begin(), extension.incomplete.end(), std::back_inserter(base.incomplete));
  // The version of the base stays: an extension does not state a version.
  replace_or_add(base.instructions, std::move(extension.instructions), &InstructionDescription::opcode);

  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < base.kinds.size(); ++i) known.emplace(base.kinds[i].name, i);
  for (KindDescription& kind : extension.kinds) {
    const auto found = known.find(kind.name);
    if (found == known.end()) {
      base.kinds.push_back(std::move(kind));
      continue;
    }
    KindDescription& old = base.kinds[found->second];
    // If the category of a kind changed, its values cannot be merged; the bases of a composite are replaced as a
    // whole.
    if (old.category != kind.category || kind.category == Category::Composite) {
      old = std::move(kind);
      continue;
    }
    if (!kind.doc.empty()) old.doc = std::move(kind.doc);
    if (kind.name == "Capability") keep_names_of_capabilities(old.enumerants, kind.enumerants);
    replace_or_add(old.enumerants, std::move(kind.enumerants), &EnumerantDescription::value);
  }
}

// An old core has fewer kinds and capabilities than the built-in sets use. So this function removes instructions from
// the sets; otherwise a built-in set would make the load of an old core fail.
void fit_sets_to_core(GrammarDescription& grammar) {
  std::unordered_set<std::string_view> core_kinds;
  std::unordered_set<std::string_view> capabilities;
  for (const KindDescription& kind : grammar.kinds) {
    core_kinds.insert(kind.name);
    if (kind.name != "Capability") continue;
    for (const EnumerantDescription& enumerant : kind.enumerants) {
      capabilities.insert(enumerant.name);
      capabilities.insert(enumerant.aliases.begin(), enumerant.aliases.end());
    }
  }
  for (SetDescription& set : grammar.sets) {
    if (set.origin.document != Origin::no_document) continue;  // loaded documents are not changed silently
    const auto is_unknown_kind = [&](const OperandDescription& operand) {
      return !core_kinds.contains(operand.kind) &&
             std::none_of(set.kinds.begin(), set.kinds.end(),
                          [&](const auto& kind) { return kind.name == operand.kind; });
    };
    // An instruction or enumerant is removed as a whole: without one of its operands it would be decoded wrongly.
    const auto has_unknown_kind = [&](const auto& operands) {
      return std::any_of(operands.begin(), operands.end(), is_unknown_kind);
    };
    const auto prune = [&](Availability& availability) {
      std::erase_if(availability.capabilities, [&](const std::string& name) { return !capabilities.contains(name); });
    };
    for (KindDescription& kind : set.kinds) {
      std::erase_if(kind.enumerants, [&](const EnumerantDescription& row) { return has_unknown_kind(row.parameters); });
      for (EnumerantDescription& row : kind.enumerants) prune(row.availability);
    }
    std::erase_if(set.instructions, [&](const InstructionDescription& row) { return has_unknown_kind(row.operands); });
    for (InstructionDescription& row : set.instructions) prune(row.availability);
  }
}

// A set is replaced as a whole: documents of sets are complete, and instructions that a newer one lacks are removed.
void overlay_set(GrammarDescription& base, SetDescription&& set) {
  for (SetDescription& old : base.sets) {
    // "X." as a prefix and "X." as an exact name are two sets; both can be imported.
    if (old.name != set.name || old.match != set.match) continue;
    old = std::move(set);
    return;
  }
  base.sets.push_back(std::move(set));
}

}  // namespace vireo::spirv
