// SPDX-License-Identifier: Apache-2.0
//
// Lookups by name in the model.
//
// Searches by name are linear, because only users' programs and the comparison of two models need them. Other code uses
// indexes.
#include "vireo/isa/model.h"

#include <algorithm>

namespace vireo::isa {

NameId Model::find_name(std::string_view name) const {
  const auto found = rows_.name_index.find(std::string(name));
  return found == rows_.name_index.end() ? NameId::none() : NameId(found->second);
}

BitsetId Model::find_bitset(std::string_view name) const {
  const NameId id = find_name(name);
  const auto found =
      std::find_if(rows_.bitsets.begin(), rows_.bitsets.end(), [&](const Bitset& b) { return b.name == id; });
  return id.is_none() || found == rows_.bitsets.end() ? BitsetId::none() : id_of(*found);
}

EnumId Model::find_enum(std::string_view name) const {
  const NameId id = find_name(name);
  const auto found = std::find_if(rows_.enums.begin(), rows_.enums.end(), [&](const Enum& e) { return e.name == id; });
  return id.is_none() || found == rows_.enums.end() ? EnumId::none() : EnumId(index_in(rows_.enums, *found));
}

// A child's meta takes precedence over its parent's, so the search starts at the leaf.
const Meta* Model::find_meta(const Bitset& b, std::string_view key) const {
  for (const BitsetId id : chain(b)) {
    const std::span<const Meta> own = metas((*this)[id]);
    const auto found = std::find_if(own.rbegin(), own.rend(), [&](const Meta& meta) { return meta.key == key; });
    if (found != own.rend()) return &*found;  // the last of several elements is used
  }
  return nullptr;
}

// Marks are inherited like meta, so a mark applies to all descendants.
AssemblyMark Model::assembly_mark(const Bitset& b) const {
  for (const BitsetId id : chain(b)) {
    if ((*this)[id].mark != AssemblyMark::Unspecified) return (*this)[id].mark;
  }
  return AssemblyMark::Normal;
}

const EnumValue* Model::find_value(const Enum& e, std::uint64_t number) const {
  for (const EnumValue& value : values(e)) {
    // The first of equal numbers applies, as in Mesa's decoder: `300` and `0x12c` are two rows.
    if (value.number == number) return &value;
  }
  return nullptr;
}

}  // namespace vireo::isa
