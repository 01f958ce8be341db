// SPDX-License-Identifier: Apache-2.0
//
// Id<Tag>: an index whose type says which table it refers to.
//
// The one idea: each kind of index has its own type, so two kinds cannot be confused; this costs nothing at run time.
// Rows refer to rows by Id, because pointers would need relocation and two to four times the memory.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace vireo {

/// An index into the rows of one kind. `none()` refers to no row; a failed lookup returns it. `Tag` is never defined:
/// it only distinguishes kinds. One value of `Raw` represents none, so a table has at most 2^bits - 1 rows.
template <typename Tag, typename Raw = std::uint16_t>
struct Id {
  Raw raw = static_cast<Raw>(~Raw{0});

  constexpr Id() = default;
  /// `index` must fit in `Raw`. The code that creates the rows checks their number once (rule grammar-limit, for
  /// instance).
  constexpr explicit Id(std::size_t index) : raw(static_cast<Raw>(index)) {}

  [[nodiscard]] static constexpr Id none() { return Id{}; }
  [[nodiscard]] constexpr bool is_none() const { return raw == static_cast<Raw>(~Raw{0}); }
  constexpr explicit operator bool() const { return !is_none(); }
  [[nodiscard]] constexpr std::size_t index() const { return raw; }

  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace vireo
