// SPDX-License-Identifier: Apache-2.0
//
// Id<Tag>: an index whose type names the table that it refers to.
//
// Each table has an index type of its own, so an index into one table cannot be used for another. This
// costs nothing at run time. Rows refer to rows by Id, because pointers would need relocation and two to four times the
// memory.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "vireo/support/cpp20.h"

namespace vireo {

/// An index into one table, counted from 0. `none()` refers to no row; a failed lookup returns it. `Tag` is never
/// defined: it only makes the types distinct. The largest value of `Raw` represents none, so a table with an N-bit
/// `Raw` has at most 2^N - 1 rows.
template <typename Tag, typename Raw = std::uint16_t>
struct Id {
  Raw raw = static_cast<Raw>(~Raw{0});

  constexpr Id() = default;
  /// `index` must fit in `Raw`, which is not checked here: the code that fills a table limits its number of rows.
  constexpr explicit Id(std::size_t index) : raw(static_cast<Raw>(index)) {}

  [[nodiscard]] static constexpr Id none() { return Id{}; }
  [[nodiscard]] constexpr bool is_none() const { return raw == static_cast<Raw>(~Raw{0}); }
  constexpr explicit operator bool() const { return !is_none(); }
  [[nodiscard]] constexpr std::size_t index() const { return raw; }

  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace vireo
