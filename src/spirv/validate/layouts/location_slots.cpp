// SPDX-License-Identifier: Apache-2.0
//
// One pass over all types. The parts of a type precede it, so its slots are computed from the slots of its parts
// (location_slots.h).
#include "spirv/validate/layouts/location_slots.h"

#include <algorithm>

namespace vireo::spirv {

LocationSlots::LocationSlots(const ModuleCheck& c) : c_(c), slots_(c.types.rows().size()) {
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] = read(TypeIndex(i));
}

// Returns the slots of a scalar or vector. A location has four components, and a larger type continues at the next
// location.
LocationSlots::Slots LocationSlots::of_components(std::uint64_t count) {
  // One bit for each component. `odd` has the components of the second location, which may be the next array element.
  if (count <= 4) return {true, 1, (1u << count) - 1, (1u << count) - 1};
  return {true, (count + 3) / 4, whole, count % 4 == 0 ? whole : (1u << count % 4) - 1};
}

// The slots of a part; empty if the part is not declared before the type.
LocationSlots::Slots LocationSlots::of(TypeIndex whole_type, Word part) const {
  const TypeIndex index = c_.types.index_of(part);
  return index.is_none() || index >= whole_type ? Slots{} : slots_[index.index()];
}

LocationSlots::Slots LocationSlots::read(TypeIndex index) const {
  const TypeRow& type = c_.types.row(index);
  switch (type.kind) {
    case TypeKind::Bool: return of_components(1);  // another check reports booleans
    case TypeKind::Int:
    case TypeKind::Float: return of_components(type.width == 64 ? 2 : 1);
    case TypeKind::Pointer:
    case TypeKind::UntypedPointer:
      // A physical pointer has 64 bits, so it takes two components. Other pointers cannot be interface variables.
      return type.storage == StorageClass::PhysicalStorageBuffer ? of_components(2) : Slots{};
    case TypeKind::Vector:
    case TypeKind::LongVector: {
      const TypeRow& component = type.component();
      // If only specialization determines the length, it is treated as one, so that findings are valid for every
      // specialization.
      const std::uint64_t count = type.count != 0 ? type.count : c_.constants.as_u64(type.length).value_or(1);
      return of_components(std::min(count, most) * (component.width == 64 ? 2 : 1));
    }
    case TypeKind::Matrix:
    case TypeKind::Array:
    case TypeKind::RuntimeArray: {
      // Each element begins at a new location and takes the same components. So an array only extends the intervals of
      // the same lanes.
      Slots slots = of(index, type.element);
      const std::uint64_t count =
          type.count != 0 ? type.count : c_.constants.as_u64(type.length, ValueUse::OrDefault).value_or(1);
      // The division prevents an overflow, because the count may be any number.
      const bool is_more = count != 0 && slots.locations > most / count;
      slots.locations = is_more ? most : slots.locations * count;
      return slots;
    }
    case TypeKind::Struct: {
      // Each member begins at a new location, so no other variable fits between two members.
      Slots sum{true, 0, whole, whole};
      for (const Word member : c_.types.members(type)) {
        const Slots part = of(index, member);
        sum.is_numeric = sum.is_numeric && part.is_numeric;
        sum.locations = std::min(sum.locations + part.locations, most);
      }
      return sum;
    }
    // Opaque types and other types without components.
    default: return {};
  }
}

bool LocationSlots::place(Word type, LocationInterval at, Word location, Word component,
                          std::vector<LocationInterval>& intervals) const {
  const TypeIndex index = c_.types.index_of(type);
  if (index.is_none()) return true;  // not a type
  const Slots& slots = slots_[index.index()];
  if (!slots.is_numeric) return false;
  // Another check reports a component above 3. The shift by four clears all components.
  const unsigned shift = std::min<Word>(component, 4);
  for (unsigned parity = 0; parity < 2; ++parity) {
    // The first location has the components of `even`, and the next one those of `odd`. They have different parities.
    const bool is_first = parity == location % 2;
    const unsigned components = ((is_first ? slots.even : slots.odd) << shift) & whole;
    const std::uint64_t end = std::uint64_t{location} + slots.locations;
    // The interval contains the numbers n of the locations 2n + parity.
    at.begin = (std::uint64_t{location} + (is_first ? 0 : 1)) / 2;
    // The end is the first n whose location 2n + parity is not below the end of the type.
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
