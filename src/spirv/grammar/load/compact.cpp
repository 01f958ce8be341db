// SPDX-License-Identifier: Apache-2.0
//
// Converts a description to rows (compact.h).
#include "spirv/grammar/load/compact.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "spirv/grammar/grammar_rules.h"
#include "spirv/grammar/load/pools.h"
#include "spirv/grammar/pattern_cursor.h"
#include "spirv/grammar/row_names.h"
#include "spirv/grammar/special_cases.h"
#include "support/nearest.h"

namespace vireo::spirv {
namespace {

// The kinds of category Id and Literal that have their own shape. An unknown kind of id is decoded as an IdRef. An
// unknown kind of literal cannot be loaded, as its size is unknown.
constexpr std::span<const std::string_view> known_kinds(shape_names.data(), std::size_t{11});
static_assert(known_kinds.back() == name_of(OperandShape::LiteralSpecConstantOpInteger));

/// In the scopes of names (name_scope), kinds are below 0x8000 and sets above. The limits are one lower than possible,
/// as the last value of an index means "none".
constexpr std::size_t max_kinds = 0x7FFE;
constexpr std::size_t max_sets = 0x7FFE;

// The shape of enumerations depends on the category only, so new ones need no C++.
std::optional<OperandShape> shape_of(const KindDescription& kind) {
  switch (kind.category) {
    case Category::BitEnum: return OperandShape::BitEnum;
    case Category::ValueEnum: return OperandShape::ValueEnum;
    case Category::Composite: return OperandShape::Composite;
    case Category::Id:
    case Category::Literal: break;
  }
  const auto known = std::ranges::find(known_kinds, kind.name);
  if (known != known_kinds.end()) return static_cast<OperandShape>(known - known_kinds.begin());
  if (kind.category == Category::Id) return OperandShape::IdRef;
  return std::nullopt;
}

/// Shapes that are only valid for operands of an instruction itself, not for parameters, bases or operands of
/// extended instructions.
constexpr bool belongs_to_instructions(OperandShape shape) {
  return shape == OperandShape::IdResultType || shape == OperandShape::IdResult ||
         shape == OperandShape::LiteralContextDependentNumber || shape == OperandShape::LiteralExtInstInteger ||
         shape == OperandShape::LiteralSpecConstantOpInteger;
}

// Orderings for the maps of the pools. They compare references, not characters: equal strings have equal references, so
// this is exact and cheap. The shape follows from the kind.
struct OperandOrder {
  bool operator()(const OperandRow& a, const OperandRow& b) const {
    const auto key = [](const OperandRow& row) {
      return std::tuple{row.kind, row.quantifier, row.name.offset, row.name.length};
    };
    return key(a) < key(b);
  }
};
struct StringOrder {
  bool operator()(StringRef a, StringRef b) const {
    return std::tie(a.offset, a.length) < std::tie(b.offset, b.length);
  }
};

class Compactor {
 public:
  Compactor(const GrammarDescription& description, GrammarFaults& faults)
      : description_(description), faults_(faults), rows_(new GrammarData::Rows) {}

  Owned<GrammarData::Rows> run();

 private:
  // The owner of a list of operands determines which shapes are valid, and in which set's kinds names are looked up.
  enum class Owner { Instruction, ExtInst, Enumerant, Composite };
  struct Place {
    Owner owner;
    ExtInstSetId set;
  };
  using KindNames = std::unordered_map<std::string_view, KindId>;

  bool add_kinds(const std::vector<KindDescription>& kinds, ExtInstSetId set);
  void add_enumerants();
  void add_instructions();
  void count_leading_ids(InstructionRow& row);
  void add_sets();
  void check_incomplete(const std::vector<IncompleteDescription>& items, Owner owner, ExtInstSetId set);
  void check_nesting();
  void index_opcodes();
  void index_names();

  [[nodiscard]] KindId find_kind(std::string_view name, ExtInstSetId set) const;
  Slice operands(const std::vector<OperandDescription>& list, Place place);
  void check_order(const std::vector<OperandDescription>& list, const std::vector<OperandRow>& rows, Place place);
  Slice capabilities(const Availability& availability, Origin origin);
  Slice strings(const std::vector<std::string>& list);
  std::uint8_t printing_class(std::string_view name, Origin origin);
  void add_name(std::uint16_t scope, std::string_view name, std::size_t row, Origin origin);
  bool within_limit(std::size_t count, std::string_view what, Origin origin);

  const GrammarDescription& description_;
  GrammarFaults& faults_;
  Owned<GrammarData::Rows> rows_;
  // Set with every report. Rows are still made to find all faults, and discarded at the end.
  bool failed_ = false;
  bool are_capabilities_wrong_ = false;

  CharPool chars_;
  SlicePool<OperandRow, OperandOrder> operand_lists_;
  SlicePool<std::uint16_t, std::less<>> capability_lists_;
  SlicePool<StringRef, StringOrder> string_lists_;
  std::vector<KindNames> kind_names_;                                 // [0]: core; [1 + set]: kinds of a set
  std::vector<const KindDescription*> kind_sources_;                  // parallel to rows_->kinds
  std::vector<std::vector<const EnumerantDescription*>> enumerants_;  // the same, ascending by value
  // Keys that are views point into the description, which outlives the compactor.
  std::unordered_map<std::string_view, std::uint16_t> capability_rows_;  // names and aliases → enumerant
  std::unordered_map<std::string_view, std::uint8_t> class_indexes_;
  std::unordered_map<std::string, std::size_t> names_;  // scope and name → entry
};

bool Compactor::within_limit(std::size_t count, std::string_view what, Origin origin) {
  if (count <= 0xFFFE) return true;  // one value of an index means "none", one of a slot means "empty"
  faults_.error(rule::grammar_limit, origin, fmt::format("{} {}; expected at most 65534", count, what));
  failed_ = true;
  return false;
}

// A set uses its own kinds first, then the core's (JSON schema, extended sets: `operand_kinds`), but not those of
// other sets.
KindId Compactor::find_kind(std::string_view name, ExtInstSetId set) const {
  if (!set.is_none()) {
    const KindNames& own = kind_names_[1 + set.index()];
    if (const auto found = own.find(name); found != own.end()) return found->second;
  }
  const auto found = kind_names_[0].find(name);
  return found == kind_names_[0].end() ? KindId::none() : found->second;
}

// --- kinds and enumerants -------------------------------------------------------------------------------------------------

// Kinds are added first: operands refer to them by id, and capabilities are enumerants of a kind. Returns false if
// there are too many.
bool Compactor::add_kinds(const std::vector<KindDescription>& kinds, ExtInstSetId set) {
  KindNames& names = kind_names_.emplace_back();
  for (const KindDescription& kind : kinds) {
    const KindId id{rows_->kinds.size()};
    if (rows_->kinds.size() >= max_kinds) {
      faults_.error(rule::grammar_limit, kind.origin, fmt::format("more than {} operand kinds", max_kinds));
      failed_ = true;
      return false;
    }
    // Duplicates within one owner only: a set may repeat a name of the core, and several do.
    if (!names.emplace(kind.name, id).second) {
      faults_.error(rule::grammar_duplicate_kind, kind.origin,
                    fmt::format("operand kind '{}' is defined twice", kind.name));
      failed_ = true;
      continue;
    }
    const std::optional<OperandShape> shape = shape_of(kind);
    if (!shape) {
      faults_.error(rule::grammar_unknown_kind, kind.origin,
                    fmt::format("unknown literal kind '{}', so its number of words is unknown", kind.name));
      failed_ = true;
    }
    rows_->kinds.push_back({chars_.intern(kind.name),
                            chars_.intern(kind.doc),
                            kind.category,
                            shape.value_or(OperandShape::IdRef),
                            set,
                            {},
                            {}});
    kind_sources_.push_back(&kind);
    // Capability is the only kind whose enumerants other rows refer to by index.
    if (set.is_none() && kind.name == "Capability") {
      rows_->capability_kind = id;
      if (kind.category != Category::ValueEnum) {
        // Reported once: every row that needs a capability would repeat it.
        faults_.error(rule::grammar_duplicate_kind, kind.origin,
                      fmt::format("operand kind 'Capability' is a {}; expected a ValueEnum", name_of(kind.category)));
        failed_ = are_capabilities_wrong_ = true;
      }
    }

    // Enumerant rows are numbered now, as capability lists of all rows refer to them.
    std::vector<const EnumerantDescription*> sorted;
    for (const EnumerantDescription& enumerant : kind.enumerants) sorted.push_back(&enumerant);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->value < b->value; });
    const std::size_t first = rows_->enumerants.size();
    if (!within_limit(first + sorted.size(), "enumerants", kind.origin)) return false;
    rows_->kinds.back().enumerants = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(sorted.size())};
    rows_->enumerants.resize(first + sorted.size());
    if (rows_->capability_kind == id) {
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        const auto row = static_cast<std::uint16_t>(first + i);
        capability_rows_.emplace(sorted[i]->name, row);
        for (const std::string& alias : sorted[i]->aliases) capability_rows_.emplace(alias, row);
      }
    }
    enumerants_.push_back(std::move(sorted));
  }
  return true;
}

// Fills the enumerant rows, which add_kinds() has numbered.
void Compactor::add_enumerants() {
  for (std::size_t k = 0; k < rows_->kinds.size(); ++k) {
    const KindDescription& source = *kind_sources_[k];
    const ExtInstSetId set = rows_->kinds[k].set;
    const std::uint16_t scope = name_scope::of_kind(KindId{k});
    rows_->kinds[k].bases = operands(source.bases, {Owner::Composite, set});
    if (source.category == Category::Composite && source.bases.empty()) {
      faults_.error_at_key(rule::grammar_bad_value, source.origin, "bases", "a composite kind has at least one base");
      failed_ = true;
    }
    // This needs a second pass: only now does the kind of each parameter have an id.
    std::size_t row = rows_->kinds[k].enumerants.first;
    // In the order of add_kinds(), which reserved the rows.
    for (const EnumerantDescription* enumerant : enumerants_[k]) {
      EnumerantRow& into = rows_->enumerants[row];
      into.name = chars_.intern(enumerant->name);
      into.value = enumerant->value;
      into.parameters = operands(enumerant->parameters, {Owner::Enumerant, set});
      into.capabilities = capabilities(enumerant->availability, enumerant->origin);
      into.extensions = strings(enumerant->availability.extensions);
      into.aliases = strings(enumerant->aliases);
      into.since = enumerant->availability.since;
      into.last = enumerant->availability.last;
      into.flags = enumerant->availability.is_provisional ? Provisional : 0;
      add_name(scope, enumerant->name, row, enumerant->origin);
      for (const std::string& alias : enumerant->aliases) add_name(scope, alias, row, enumerant->origin);
      ++row;
    }
  }
}

/// The depth of a kind is 0 without parameters, else one more than that of its deepest parameter. The function relaxes
/// all depths a fixed number of times, without recursion. A kind whose depth then exceeds the limit is nested too
/// deeply or part of a cycle.
void Compactor::check_nesting() {
  std::vector<int> depth(rows_->kinds.size(), 0);
  const auto deepest = [&](std::span<const OperandRow> list, int so_far) {
    for (const OperandRow& operand : list) so_far = std::max(so_far, 1 + depth[operand.kind.index()]);
    return so_far;
  };
  const auto list_of = [&](Slice slice) { return std::span(operand_lists_.items()).subspan(slice.first, slice.count); };
  for (int round = 0; round <= max_kind_nesting; ++round) {
    for (std::size_t k = 0; k < depth.size(); ++k) {
      const KindRow& kind = rows_->kinds[k];
      // Relaxation: after round n all depths up to n are exact. Depths are clamped, so that the depth of a cycle stops
      // one above the limit.
      int found = deepest(list_of(kind.bases), 0);
      for (std::size_t i = 0; i < kind.enumerants.count; ++i) {
        found = deepest(list_of(rows_->enumerants[kind.enumerants.first + i].parameters), found);
      }
      depth[k] = std::min(found, max_kind_nesting + 1);
    }
  }
  for (std::size_t k = 0; k < depth.size(); ++k) {
    if (depth[k] <= max_kind_nesting) continue;
    faults_.error(rule::grammar_kind_nesting, kind_sources_[k]->origin,
                  fmt::format("parameters of kind '{}' contain it or nest more than {} levels", kind_sources_[k]->name,
                              max_kind_nesting));
    failed_ = true;
  }
}

// --- shared by instructions and enumerants ---------------------------------------------------------------------------

// An operand of an unknown kind is reported and omitted; the incomplete row is discarded later.
Slice Compactor::operands(const std::vector<OperandDescription>& list, Place place) {
  std::vector<OperandRow> rows;
  rows.reserve(list.size());
  for (const OperandDescription& operand : list) {
    const KindId kind = find_kind(operand.kind, place.set);
    if (operand.kind.empty()) {  // the reader has reported it
      failed_ = true;
      continue;
    }
    if (kind.is_none()) {
      NearestNames nearest(operand.kind);
      for (const auto& [known, id] : kind_names_[0]) nearest.offer(known);
      faults_.error_at_key(rule::grammar_unknown_kind, operand.origin, place.owner == Owner::Composite ? "" : "kind",
                           fmt::format("unknown operand kind '{}'", operand.kind), did_you_mean(nearest.names()));
      failed_ = true;
      continue;
    }
    rows.push_back({rows_->kinds[kind.index()].shape, operand.quantifier, kind, chars_.intern(operand.name)});
  }
  // If an operand was omitted, the order is not the document's and cannot be checked.
  if (rows.size() == list.size()) check_order(list, rows, place);
  return operand_lists_.intern(rows);
}

// Checks the order that every walk over operands relies on. When the words end, all remaining operands must be
// optional. The result must be word 1 or 2 (specification 2.3, table 2: type, then result, then operands).
void Compactor::check_order(const std::vector<OperandDescription>& list, const std::vector<OperandRow>& rows,
                            Place place) {
  const auto fault = [&](std::string_view rule, std::size_t i, std::string message) {
    faults_.error(rule, list[i].origin, std::move(message));
    failed_ = true;
  };
  bool has_type = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const OperandRow& row = rows[i];
    if (i > 0 && rows[i - 1].quantifier == Quantifier::Star) {
      fault(rule::grammar_operand_order, i, "an operand follows an operand with quantifier '*'");
    } else if (i > 0 && rows[i - 1].quantifier == Quantifier::Optional && row.quantifier == Quantifier::One) {
      fault(rule::grammar_operand_order, i, "a required operand follows an optional operand");
    }
    if (place.owner != Owner::Instruction) {
      if (belongs_to_instructions(row.shape)) {
        fault(rule::grammar_result_place, i,
              fmt::format("kind '{}' can only be an operand of an instruction", list[i].kind));
      }
    } else if (row.shape == OperandShape::IdResultType) {
      has_type = true;
      const bool result_follows = rows.size() > 1 && rows[1].shape == OperandShape::IdResult;
      if (i != 0 || !result_follows || row.quantifier != Quantifier::One) {
        fault(rule::grammar_result_place, i,
              "a result type must be the first operand, required, and followed by the result");
      }
    } else if (row.shape == OperandShape::IdResult &&
               (i != (has_type ? 1u : 0u) || row.quantifier != Quantifier::One)) {
      fault(rule::grammar_result_place, i,
            "a result must be required, and the first operand or the second after its type");
    }
  }
}

// Converts the names of the documents (or aliases) to row indexes.
Slice Compactor::capabilities(const Availability& availability, Origin origin) {
  std::vector<std::uint16_t> list;
  for (const std::string& name : availability.capabilities) {
    const auto found = capability_rows_.find(name);
    if (found != capability_rows_.end()) {
      list.push_back(found->second);
      continue;
    }
    if (are_capabilities_wrong_) continue;
    NearestNames nearest(name);
    for (const auto& [known, row] : capability_rows_) nearest.offer(known);
    faults_.error_at_key(rule::grammar_unknown_capability, origin, "capabilities",
                         fmt::format("unknown capability '{}'", name), did_you_mean(nearest.names()));
    failed_ = true;
  }
  return capability_lists_.intern(list);
}

Slice Compactor::strings(const std::vector<std::string>& list) {
  std::vector<StringRef> refs;
  refs.reserve(list.size());
  for (const std::string& text : list) refs.push_back(chars_.intern(text));
  return string_lists_.intern(refs);
}

/// Classes are numbered in the order of the list, followed by classes that are used and not listed. 0 is "no class".
std::uint8_t Compactor::printing_class(std::string_view name, Origin origin) {
  if (name.empty()) return 0;
  const auto [entry, is_new] =
      class_indexes_.try_emplace(name, static_cast<std::uint8_t>(rows_->printing_classes.size()));
  if (!is_new) return entry->second;
  // InstructionRow stores the class in one byte.
  if (rows_->printing_classes.size() > 0xFF || name.size() > 0xFFFF) {
    // Reported once: each instruction would repeat it.
    if (!failed_)
      faults_.error(rule::grammar_limit, origin, "more than 255 printing classes, or a class name that is too long");
    failed_ = true;
    class_indexes_.erase(entry);
    return 0;
  }
  rows_->printing_classes.push_back(chars_.intern(name));
  return entry->second;
}

void Compactor::add_name(std::uint16_t scope, std::string_view name, std::size_t row, Origin origin) {
  // Names are unique within their scope only: `None` is a value of a dozen kinds.
  std::string key(reinterpret_cast<const char*>(&scope), sizeof scope);
  const auto [entry, is_new] = names_.try_emplace(key.append(name), row);
  if (!is_new) {
    if (entry->second == row) return;  // an alias that repeats the name
    faults_.error(rule::grammar_duplicate_name, origin, fmt::format("duplicate name '{}'", name));
    failed_ = true;
    return;
  }
  rows_->name_entries.push_back({chars_.intern(name), scope, static_cast<std::uint16_t>(row)});
}

// --- instructions ---------------------------------------------------------------------------------------------------------

// Rows ascend by opcode, whatever the order of the document, because lookups rely on it. In a diff of generated tables,
// a new opcode is at the position of its number.
void Compactor::add_instructions() {
  std::vector<const InstructionDescription*> sorted;
  for (const InstructionDescription& instruction : description_.instructions) sorted.push_back(&instruction);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->opcode < b->opcode; });
  if (!within_limit(sorted.size(), "instructions", {})) return;

  for (const InstructionDescription* source : sorted) {
    // The opcode is half a word (specification 2.3, table 2). The loader accepts larger numbers so that they are
    // reported here.
    if (source->opcode > 0xFFFF) {
      faults_.error_at_key(rule::grammar_limit, source->origin, "opcode",
                           fmt::format("opcode {} is above 65535", source->opcode));
      failed_ = true;
    }
    InstructionRow row;
    row.name = chars_.intern(source->name);
    row.opcode = static_cast<Op>(source->opcode);
    row.printing_class = printing_class(source->printing_class, source->origin);
    row.operands = operands(source->operands, {Owner::Instruction, {}});
    row.capabilities = capabilities(source->availability, source->origin);
    row.extensions = strings(source->availability.extensions);
    row.aliases = strings(source->aliases);
    row.since = source->availability.since;
    row.last = source->availability.last;
    unsigned flags = 0;
    if (source->availability.is_provisional) flags |= Provisional;
    // The kind decides, not the position: check_order() has reported a result in the wrong place.
    for (const OperandDescription& operand : source->operands) {
      if (operand.kind == "IdResultType") flags |= HasResultType;
      if (operand.kind == "IdResult") flags |= HasResult;
    }
    const bool has_result_alone = (flags & (HasResult | HasResultType)) == HasResult;
    if (has_result_alone && names_type(source->name, row.opcode)) flags |= DeclaresType;
    row.flags = static_cast<std::uint8_t>(flags);
    count_leading_ids(row);
    const std::size_t index = rows_->instructions.size();
    rows_->instructions.push_back(row);
    add_name(name_scope::opcodes, source->name, index, source->origin);
    for (const std::string& alias : source->aliases) add_name(name_scope::opcodes, alias, index, source->origin);
  }
}

// Counts the required ids at the start of a pattern, which walks decode without checking quantifiers. The count is at
// most 255: the general code decodes the rest of a longer run.
void Compactor::count_leading_ids(InstructionRow& row) {
  const auto pattern = std::span(operand_lists_.items()).subspan(row.operands.first, row.operands.count);
  const auto first_other = std::ranges::find_if_not(pattern, [](const OperandRow& operand) {
    return operand.shape <= OperandShape::IdMemorySemantics && operand.quantifier == Quantifier::One;
  });
  row.leading_ids = static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(first_other - pattern.begin(), 0xFF));
}

// Reports the other faults of items that make no row.
void Compactor::check_incomplete(const std::vector<IncompleteDescription>& items, Owner owner, ExtInstSetId set) {
  for (const IncompleteDescription& item : items) {
    (void)operands(item.operands, {item.is_enumerant ? Owner::Enumerant : owner, set});
    (void)capabilities(item.availability, item.origin);
  }
}

// Like add_instructions(), for each set; numbers and names are unique within a set.
void Compactor::add_sets() {
  for (std::size_t s = 0; s < description_.sets.size(); ++s) {
    const SetDescription& set = description_.sets[s];
    const ExtInstSetId id{s};
    std::vector<const InstructionDescription*> sorted;
    for (const InstructionDescription& instruction : set.instructions) sorted.push_back(&instruction);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->opcode < b->opcode; });

    // The rows of a set are contiguous, so that a set is a slice of the table.
    const std::size_t first = rows_->ext_instructions.size();
    if (!within_limit(first + sorted.size(), "extended instructions", set.origin)) return;
    rows_->sets.push_back({chars_.intern(set.name),
                           set.match,
                           set.is_non_semantic,
                           set.prints_numbers,
                           {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(sorted.size())}});
    for (const InstructionDescription* source : sorted) {
      const std::size_t index = rows_->ext_instructions.size();
      rows_->ext_instructions.push_back(
          {chars_.intern(source->name), source->opcode, operands(source->operands, {Owner::ExtInst, id}),
           capabilities(source->availability, source->origin), strings(source->availability.extensions)});
      add_name(name_scope::of_set(id), source->name, index, source->origin);
      for (const std::string& alias : source->aliases) add_name(name_scope::of_set(id), alias, index, source->origin);
    }
    check_incomplete(set.incomplete, Owner::ExtInst, id);
  }
}

// --- indexes --------------------------------------------------------------------------------------------------------------

void Compactor::index_opcodes() {
  if (rows_->instructions.empty()) return;
  // Dense up to the highest opcode: with 16 bits, at most 128 KiB for any document.
  rows_->opcode_index.assign(static_cast<std::size_t>(rows_->instructions.back().opcode) + 1, 0);
  for (std::size_t i = 0; i < rows_->instructions.size(); ++i) {
    rows_->opcode_index[static_cast<std::size_t>(rows_->instructions[i].opcode)] = static_cast<std::uint16_t>(i + 1);
  }
}

// The table for Grammar::find_name(); linear probing, as slots are small and contiguous.
void Compactor::index_names() {
  std::size_t size = 16;
  // At most half full: an empty slot ends the search of find_name().
  while (size < 2 * rows_->name_entries.size() + 1) size *= 2;
  rows_->name_slots.assign(size, 0);
  for (std::size_t i = 0; i < rows_->name_entries.size(); ++i) {
    const NameEntry& entry = rows_->name_entries[i];
    const std::uint32_t hash =
        hash_name(entry.scope, std::string_view(chars_.chars()).substr(entry.text.offset, entry.text.length));
    std::size_t slot = hash & (size - 1);
    while (rows_->name_slots[slot] != 0) slot = (slot + 1) & (size - 1);
    // The low half of the hash determines the slot; the high half distinguishes names.
    rows_->name_slots[slot] = (hash & 0xFFFF0000) | static_cast<std::uint32_t>(i + 1);
  }
}

// Adds kinds, then everything that refers to them, then runs the checks of the whole grammar. Stops early only if all
// further faults would be consequences of the first.
Owned<GrammarData::Rows> Compactor::run() {
  rows_->major_version = description_.major_version;
  rows_->minor_version = description_.minor_version;
  rows_->revision = description_.revision;
  if (description_.sets.size() > max_sets) {
    faults_.error(rule::grammar_limit, {}, fmt::format("more than {} extended sets", max_sets));
    return {};
  }
  // Index 0 is "no class", the default of a row.
  rows_->printing_classes.push_back(chars_.intern(""));
  for (const std::string& name : description_.printing_classes) printing_class(name, {});

  bool has_all_kinds = add_kinds(description_.kinds, {});
  for (std::size_t s = 0; s < description_.sets.size() && has_all_kinds; ++s)
    has_all_kinds = add_kinds(description_.sets[s].kinds, ExtInstSetId{s});
  // Without all kinds, all further faults would be consequences of the first.
  if (!has_all_kinds) return {};
  // The order of these calls is the order of first use in the pools, so the generated files depend on it.
  // References to an enumerant without a number are not at fault; its row is never used.
  for (const IncompleteDescription& item : description_.incomplete) {
    if (item.is_enumerant) capability_rows_.emplace(item.name, std::uint16_t{0});
  }
  add_instructions();
  check_incomplete(description_.incomplete, Owner::Instruction, {});
  add_enumerants();
  add_sets();
  check_nesting();
  if (operand_lists_.overflowed() || capability_lists_.overflowed() || string_lists_.overflowed()) {
    faults_.error(rule::grammar_limit, {}, "a pool of operands, capabilities or names has more than 65535 rows");
    failed_ = true;
  }
  within_limit(rows_->name_entries.size(), "names", {});
  if (chars_.chars().size() > 0x7FFFFFFF) {
    faults_.error(rule::grammar_limit, {}, "the names together exceed 2 GiB");
    failed_ = true;
  }
  if (failed_) return {};

  index_opcodes();
  index_names();
  rows_->operand_pool = std::move(operand_lists_.items());
  rows_->capability_pool = std::move(capability_lists_.items());
  rows_->string_pool = std::move(string_lists_.items());
  rows_->chars = std::move(chars_.chars());
  // Padding permits reads of chars_padding bytes from the start of the last name as well.
  rows_->chars.append(chars_padding, '\0');
  return std::move(rows_);
}

}  // namespace

Owned<GrammarData::Rows> compact(const GrammarDescription& description, GrammarFaults& faults) {
  return Compactor(description, faults).run();
}

}  // namespace vireo::spirv
