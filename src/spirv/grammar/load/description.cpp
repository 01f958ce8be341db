// SPDX-License-Identifier: Apache-2.0
//
// Rows → description, and one description on top of another; see description.h.
#include "spirv/grammar/load/description.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

// Copies throughout: a description outlives the grammar that it was made of, and is edited.
std::vector<std::string> names_in(const Grammar& grammar, Slice slice) {
  std::vector<std::string> names;
  for (const StringRef name : grammar.strings(slice)) names.emplace_back(grammar.text(name));
  return names;
}

// Names again: rows refer to capabilities by index, and an overlay may move every index.
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

// Instructions and enumerants have these in common; rows of both spell them alike.
template <typename Row>
Availability availability_of(const Grammar& grammar, const Row& row) {
  return {capabilities_in(grammar, row.capabilities), names_in(grammar, row.extensions), row.since, row.last,
          (row.flags & Provisional) != 0};
}

// Origins stay empty here: what came from rows has no place in a document, and that is how it is told apart later.
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

/// Puts `added` into `items`: what has the same number or the same name gives way. Near-linear, for hostile sizes.
template <typename Item, typename Number>
void replace_or_add(std::vector<Item>& items, std::vector<Item>&& added, Number Item::*number) {
  std::unordered_map<Number, std::size_t, NumberHash> by_number;
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < added.size(); ++i) {
    by_number.emplace(added[i].*number, i);
    by_name.emplace(added[i].name, i);
  }
  std::erase_if(items, [&](const Item& old) { return by_number.contains(old.*number) || by_name.contains(old.name); });
  // A new primary name is taken away from whatever had it as an alias. Between versions a vendor's name may become an
  // alias, or an alias the name, so the newer document is right; both together would be a duplicate that nobody wrote.
  for (Item& old : items) {
    std::erase_if(old.aliases, [&](const std::string& alias) { return by_name.contains(alias); });
  }
  std::move(added.begin(), added.end(), std::back_inserter(items));
}

// Instructions and enumerants, those of sets included, refer to a capability by its name. Where a document renames one,
// the old name stays as an alias, unless the document gives that name to something else.
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

// What describe() leaves out compact() makes anew: indexes, hashes, shapes, flags. That one is the inverse of the
// other is a test, which is what lets `--grammar` extend the built-in rows without their documents.
GrammarDescription describe(const Grammar& grammar) {
  GrammarDescription result;
  result.major_version = grammar.major_version;
  result.minor_version = grammar.minor_version;
  result.revision = grammar.revision;
  for (const StringRef name : grammar.printing_classes) {
    // Index 0 of the rows is "no class"; compact() puts it back.
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
        std::string(grammar.text(row.name)), row.match, row.is_non_semantic, row.prints_numbers, {}, {}, {}};
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
    // Sets were added before, so their kinds find them.
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
  // The version of the base stays: an extension says what it adds, not which SPIR-V it is for.
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
    // A kind that changed its nature cannot be merged value by value, and the bases of a composite are one whole.
    if (old.category != kind.category || kind.category == Category::Composite) {
      old = std::move(kind);
      continue;
    }
    if (!kind.doc.empty()) old.doc = std::move(kind.doc);
    if (kind.name == "Capability") keep_names_of_capabilities(old.enumerants, kind.enumerants);
    replace_or_add(old.enumerants, std::move(kind.enumerants), &EnumerantDescription::value);
  }
}

// An old core knows fewer kinds and capabilities than our sets were written for. A set without some instructions is
// still of use; a grammar that fails to load because of sets that nobody asked for is not.
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
    if (set.origin.document != Origin::no_document) continue;  // what the user loads is not cut silently
    const auto is_unknown_kind = [&](const OperandDescription& operand) {
      return !core_kinds.contains(operand.kind) &&
             std::none_of(set.kinds.begin(), set.kinds.end(),
                          [&](const auto& kind) { return kind.name == operand.kind; });
    };
    // Instructions and enumerants go as a whole: with an operand missing they would read the wrong words.
    const auto is_unfit = [&](const auto& operands) {
      return std::any_of(operands.begin(), operands.end(), is_unknown_kind);
    };
    const auto prune = [&](Availability& availability) {
      std::erase_if(availability.capabilities, [&](const std::string& name) { return !capabilities.contains(name); });
    };
    for (KindDescription& kind : set.kinds) {
      std::erase_if(kind.enumerants, [&](const EnumerantDescription& row) { return is_unfit(row.parameters); });
      for (EnumerantDescription& row : kind.enumerants) prune(row.availability);
    }
    std::erase_if(set.instructions, [&](const InstructionDescription& row) { return is_unfit(row.operands); });
    for (InstructionDescription& row : set.instructions) prune(row.availability);
  }
}

// Replaced as a whole: documents of sets are complete, and instructions that are gone in a newer one are gone.
void overlay_set(GrammarDescription& base, SetDescription&& set) {
  for (SetDescription& old : base.sets) {
    // "X." as a prefix and "X." as an exact name would be two sets; both can be imported.
    if (old.name != set.name || old.match != set.match) continue;
    old = std::move(set);
    return;
  }
  base.sets.push_back(std::move(set));
}

}  // namespace vireo::spirv
