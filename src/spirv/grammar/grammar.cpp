// SPDX-License-Identifier: Apache-2.0
//
// Implements the lookups in a grammar (grammar.h).
//
// A name lookup takes one hash, mostly one probe, and one comparison. The upper half of each slot
// contains half of the hash, so most slots of other names are skipped without comparing characters.
#include "vireo/spirv/grammar/grammar.h"

#include <algorithm>
#include <cstring>

namespace vireo::spirv {

const NameEntry* Grammar::find_name(std::uint16_t scope, std::string_view name) const {
  if (name_slots.empty()) return nullptr;
  // name_slots has 2^n entries (checked for built-in rows, ensured for loaded ones), so masking gives the remainder.
  const std::size_t mask = name_slots.size() - 1;
  const std::uint32_t hash = hash_name(scope, name);
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const std::uint32_t slot = name_slots[i];
    if (slot == 0) return nullptr;  // at least half of the slots are empty, so the loop ends
    // This is the slot of another name. Only one in 65,536 such slots reaches the comparison of characters.
    if ((slot ^ hash) >> 16 != 0) continue;
    const NameEntry& entry = name_entries[(slot & 0xFFFF) - 1];
    if (entry.scope == scope && text(entry.text) == name) return &entry;
  }
}

const InstructionRow* Grammar::find_instruction(std::string_view name) const {
  const NameEntry* entry = find_name(name_scope::opcodes, name);
  return entry == nullptr ? nullptr : &instructions[entry->row];
}

const EnumerantRow* Grammar::find_enumerant(KindId kind, std::string_view name) const {
  const NameEntry* entry = kind.is_none() ? nullptr : find_name(name_scope::of_kind(kind), name);
  return entry == nullptr ? nullptr : &enumerants[entry->row];
}

const EnumerantRow* Grammar::search_value(const KindRow& kind_row, std::uint32_t value) const {
  const std::span<const EnumerantRow> rows = enumerants_of(kind_row);
  // Most enumerations skip a few values. The row at index `value` states how many, so the second guess is often right.
  if (value < rows.size() && rows[value].value > value) {
    const std::uint32_t skipped = rows[value].value - value;
    if (skipped <= value && rows[value - skipped].value == value) return &rows[value - skipped];
  }
  const auto row = std::ranges::lower_bound(rows, value, {}, &EnumerantRow::value);
  return row != rows.end() && row->value == value ? &*row : nullptr;
}

// Linear over about ninety rows: kinds are looked up by name only during loading and for rare spellings; operands
// contain the id. If a set defines a kind of the same name as the core, instructions of the set use the set's kind.
KindId Grammar::find_kind(std::string_view name, ExtInstSetId set) const {
  KindId of_core;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (text(kinds[i].name) != name) continue;
    if (kinds[i].set == set) return KindId{i};
    if (kinds[i].set.is_none()) of_core = KindId{i};
  }
  return of_core;
}

// Exact names take precedence over prefixes, so a set that is published for one version ("OpenCL.DebugInfo.100") is
// not matched by a more general row. The longest prefix takes precedence, whatever the order of the rows.
ExtInstSetId Grammar::find_set(std::string_view import_name) const {
  ExtInstSetId best;
  std::size_t best_length = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::string_view name = text(sets[i].name);
    if (sets[i].match == SetMatch::Exact) {
      if (name == import_name) return ExtInstSetId{i};
    } else if (name.size() > best_length && import_name.starts_with(name)) {
      best = ExtInstSetId{i};
      best_length = name.size();
    }
  }
  return best;
}

const ExtInstRow* Grammar::find_ext_inst(ExtInstSetId set, std::string_view name) const {
  const NameEntry* entry = set.is_none() ? nullptr : find_name(name_scope::of_set(set), name);
  return entry == nullptr ? nullptr : &ext_instructions[entry->row];
}

const ExtInstRow* Grammar::find_ext_inst(ExtInstSetId set, std::uint32_t number) const {
  if (set.is_none()) return nullptr;
  const std::span<const ExtInstRow> rows = instructions_of(sets[set.index()]);
  // Sets numbered from 0 without gaps need no search; GLSL.std.450 is numbered from 1 and takes the slow path.
  if (number < rows.size() && rows[number].number == number) return &rows[number];
  const auto row = std::lower_bound(rows.begin(), rows.end(), number,
                                    [](const ExtInstRow& a, std::uint32_t b) { return a.number < b; });
  return row != rows.end() && row->number == number ? &*row : nullptr;
}

}  // namespace vireo::spirv
