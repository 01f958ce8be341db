// SPDX-License-Identifier: Apache-2.0
//
// LocationSlots: the location slots that each type takes, and the slots of a variable that begins at a given
// location and component.
//
// A type takes consecutive locations, and the same components of each. Only vectors of three and four
// 64-bit components take all of one location and part of the next. So eight lanes are enough: four components of even
// locations and four of odd locations. A variable takes one interval in each of its lanes, so a large array takes no
// more memory than a scalar.
//
// Source: Vulkan, "Location and Component Assignment".
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// An interface namespace. Variables in different namespaces never share a location.
struct InterfaceNamespace {
  bool is_output = false;
  Word index = 0;  ///< value of the decoration Index: the color input of dual-source blending
  bool is_patch = false;
  Word stream = 0;
  friend auto operator<=>(const InterfaceNamespace&, const InterfaceNamespace&) = default;
};

/// One component of the locations 2n (or 2n + 1), for each n from `begin` up to but not including `end`.
struct LocationInterval {
  InterfaceNamespace space;
  unsigned lane = 0;                 ///< component, and parity of the location
  std::uint64_t begin = 0, end = 0;  ///< location numbers divided by two
  std::uint32_t order = 0;           ///< index of the variable in the interface list of the entry point
  Word variable = 0;
  Word member = no_member;
  Word block = 0;  ///< the structure that has the member

  [[nodiscard]] unsigned component() const { return lane / 2; }
  [[nodiscard]] std::uint64_t location() const { return begin * 2 + lane % 2; }
};

class LocationSlots {
 public:
  /// Linear in the types and their parts.
  explicit LocationSlots(const ModuleCheck& c);

  /// Adds the intervals of a type that begins at a location and component: copies of `at` with the lanes and ends set.
  /// Returns false if the type cannot take locations. Adds nothing for an id that is not a type.
  bool place(Word type, LocationInterval at, Word location, Word component,
             std::vector<LocationInterval>& intervals) const;

 private:
  // The location slots of a type.
  struct Slots {
    bool is_numeric = false;      // false: the type cannot take locations
    std::uint64_t locations = 0;  // capped at `most`: more would not change a finding
    unsigned even = 0, odd = 0;   // components of the first location and the next; differ only for long 64-bit vectors
  };
  static constexpr std::uint64_t most = std::uint64_t{1} << 40;  // above all 32-bit numbers
  static constexpr unsigned whole = 0b1111;                      // all components of a location

  static Slots of_components(std::uint64_t count);
  [[nodiscard]] Slots of(TypeIndex whole_type, Word part) const;
  [[nodiscard]] Slots read(TypeIndex index) const;

  const ModuleCheck& c_;
  std::vector<Slots> slots_;  // by type
};

}  // namespace vireo::spirv
