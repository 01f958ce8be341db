// SPDX-License-Identifier: Apache-2.0
//
// One pass over all types: parts stand in front of what they are parts of, so each footprint is made of earlier ones
// (location_footprints.h).
#include "spirv/validate/analysis/location_footprints.h"

#include <algorithm>

namespace vireo::spirv {

LocationFootprints::LocationFootprints(const Context& context)
    : context_(context), footprints_(context.types.rows().size()) {
  for (std::size_t i = 0; i < footprints_.size(); ++i) footprints_[i] = read(TypeIndex(i));
}

// Four components a location; what does not go into one begins at the next.
LocationFootprints::Footprint LocationFootprints::of_components(std::uint64_t count) {
  // A bit for each component; `odd` is for the next element, should this be one of an array.
  if (count <= 4) return {true, 1, (1u << count) - 1, (1u << count) - 1};
  return {true, (count + 3) / 4, whole, count % 4 == 0 ? whole : (1u << count % 4) - 1};
}

// Of a part; nothing for one that is not declared before the whole, which is told elsewhere.
LocationFootprints::Footprint LocationFootprints::of(TypeIndex whole_type, Word part) const {
  const TypeIndex index = context_.types.index_of(part);
  return index.is_none() || index >= whole_type ? Footprint{} : footprints_[index.index()];
}

LocationFootprints::Footprint LocationFootprints::read(TypeIndex index) const {
  const TypeRow& type = context_.types.row(index);
  switch (type.kind) {
    case TypeKind::Bool: return of_components(1);  // a fault of its own
    case TypeKind::Int:
    case TypeKind::Float: return of_components(type.width == 64 ? 2 : 1);
    case TypeKind::Pointer:
    case TypeKind::UntypedPointer:
      // An address is a number of 64 bits, two components; other pointers are handed to nobody.
      return type.storage == StorageClass::PhysicalStorageBuffer ? of_components(2) : Footprint{};
    case TypeKind::Vector:
    case TypeKind::LongVector: {
      const TypeRow& component = context_.types.row(type.component);
      // A length that only specialization knows counts as one: nothing is told of what may not be.
      const std::uint64_t count = type.count != 0 ? type.count : context_.constants.as_u64(type.length).value_or(1);
      return of_components(std::min(count, most) * (component.width == 64 ? 2 : 1));
    }
    case TypeKind::Matrix:
    case TypeKind::Array:
    case TypeKind::RuntimeArray: {
      // Elements follow each other at whole locations, and each takes the same components: a longer interval of the
      // same lanes.
      Footprint footprint = of(index, type.element);
      const std::uint64_t count =
          type.count != 0 ? type.count : context_.constants.as_u64(type.length, ValueUse::OrDefault).value_or(1);
      // Types may say any count, so what is more than `most` is found by dividing.
      const bool is_more = count != 0 && footprint.locations > most / count;
      footprint.locations = is_more ? most : footprint.locations * count;
      return footprint;
    }
    case TypeKind::Struct: {
      // Members begin at locations of their own, so nothing else lies between them.
      Footprint sum{true, 0, whole, whole};
      for (const Word member : context_.types.members(type)) {
        const Footprint part = of(index, member);
        sum.is_numeric = sum.is_numeric && part.is_numeric;
        sum.locations = std::min(sum.locations + part.locations, most);
      }
      return sum;
    }
    // Handles, and whatever else has no components.
    default: return {};
  }
}

bool LocationFootprints::place(Word type, LocationInterval at, Word location, Word component,
                               std::vector<LocationInterval>& intervals) const {
  const TypeIndex index = context_.types.index_of(type);
  if (index.is_none()) return true;  // reported elsewhere
  const Footprint& footprint = footprints_[index.index()];
  if (!footprint.is_numeric) return false;
  // A component beyond 3 is told elsewhere; shifted by four nothing is left to compare.
  const unsigned shift = std::min<Word>(component, 4);
  for (unsigned parity = 0; parity < 2; ++parity) {
    // Of the two parities one has the first location, and with it the components of `even`.
    const bool is_first = parity == location % 2;
    const unsigned components = ((is_first ? footprint.even : footprint.odd) << shift) & whole;
    const std::uint64_t end = std::uint64_t{location} + footprint.locations;
    // Locations 2n + parity, by n.
    at.begin = (std::uint64_t{location} + (is_first ? 0 : 1)) / 2;
    // The numbers n with 2n + parity below the end.
    at.end = end > parity ? (end - parity + 1) / 2 : 0;
    for (unsigned c = 0; c < 4 && at.begin < at.end; ++c) {
      if ((components >> c & 1) == 0) continue;
      at.lane = c * 2 + parity;
      intervals.push_back(at);
    }
  }
  return true;
}

}  // namespace vireo::spirv
