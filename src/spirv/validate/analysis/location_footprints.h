// SPDX-License-Identifier: Apache-2.0
//
// LocationFootprints: which locations and components a type takes, and where it lies that begins at one of them.
//
// The one idea: a type takes a run of locations, and the same components of each; only vectors of three and four 64-bit
// numbers take all of one location and some of the next. So there are eight lanes, four components of even locations
// and four of odd ones, and what a variable takes is one interval in each of its lanes: the largest array costs no more
// than a scalar.
//
// Source: Vulkan, "Location and Component Assignment".
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// Variables of different spaces never share a location.
struct LocationSpace {
  bool is_output = false;
  Word index = 0;  ///< as the decoration: of the two colours that are blended
  bool is_patch = false;
  Word stream = 0;
  friend auto operator<=>(const LocationSpace&, const LocationSpace&) = default;
};

/// One component of every second location, from `begin` to `end`: the locations 2n or 2n + 1, counted by n.
struct LocationInterval {
  LocationSpace space;
  unsigned lane = 0;                 ///< component, and parity of the location
  std::uint64_t begin = 0, end = 0;  ///< halves of locations
  std::uint32_t order = 0;           ///< of the variable among those that the entry point lists
  Word variable = 0;
  Word member = no_member;
  Word block = 0;  ///< the structure that has the member

  [[nodiscard]] unsigned component() const { return lane / 2; }
  [[nodiscard]] std::uint64_t location() const { return begin * 2 + lane % 2; }
};

class LocationFootprints {
 public:
  /// Linear in the types and their parts.
  explicit LocationFootprints(const Context& context);

  /// Adds the intervals of a type that begins at a location and component: `at`, with lanes and ends. False when the
  /// type takes no locations; what is no type was reported elsewhere, and adds nothing.
  bool place(Word type, LocationInterval at, Word location, Word component,
             std::vector<LocationInterval>& intervals) const;

 private:
  // What a type takes.
  struct Footprint {
    bool is_numeric = false;      // else it takes no locations at all
    std::uint64_t locations = 0;  // capped at `most`: more would not change a finding
    unsigned even = 0, odd = 0;  // components of the first location, and of the next; equal but for long 64-bit vectors
  };
  static constexpr std::uint64_t most = std::uint64_t{1} << 40;  // beyond all numbers of 32 bits
  static constexpr unsigned whole = 0b1111;                      // all components of a location

  static Footprint of_components(std::uint64_t count);
  [[nodiscard]] Footprint of(TypeIndex whole_type, Word part) const;
  [[nodiscard]] Footprint read(TypeIndex index) const;

  const Context& context_;
  std::vector<Footprint> footprints_;  // by type
};

}  // namespace vireo::spirv
