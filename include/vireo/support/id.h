// SPDX-License-Identifier: Apache-2.0
//
// Id<Tag>: a number that knows what it numbers.
//
// The one idea: each kind of number that could be confused with another gets its own type, at no cost. Rows refer to
// rows by Id, since pointers would need relocation and twice to four times the room.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace vireo {

/// An index into the rows of one kind. `none()` refers to nothing; it is what a failed lookup gives. `Tag` is never
/// defined: it only keeps kinds apart. One value of `Raw` is spent on none, so there are at most 2^bits - 1 rows.
template <typename Tag, typename Raw = std::uint16_t>
struct Id {
  Raw raw = static_cast<Raw>(~Raw{0});

  constexpr Id() = default;
  /// `index` must fit; whoever makes rows checks their number once (grammar-limit, for instance).
  constexpr explicit Id(std::size_t index) : raw(static_cast<Raw>(index)) {}

  [[nodiscard]] static constexpr Id none() { return Id{}; }
  [[nodiscard]] constexpr bool is_none() const { return raw == static_cast<Raw>(~Raw{0}); }
  constexpr explicit operator bool() const { return !is_none(); }
  [[nodiscard]] constexpr std::size_t index() const { return raw; }

  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace vireo
