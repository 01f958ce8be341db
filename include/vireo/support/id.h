// SPDX-License-Identifier: Apache-2.0
//
// Id<Tag>: a number that knows what it numbers.
//
// The one idea: each kind of number that could be confused with another gets its own type, at no cost. Rows refer to
// rows by Id; an IdMap is a vector that can only be indexed by the right kind.
#pragma once

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vireo {

/// An index into the rows of one kind. `none()` refers to nothing; it is what a failed lookup gives.
template <typename Tag, typename Raw = std::uint16_t>
struct Id {
  using RawType = Raw;
  Raw raw = static_cast<Raw>(~Raw{0});

  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : raw(static_cast<Raw>(index)) {}

  [[nodiscard]] static constexpr Id none() { return Id{}; }
  [[nodiscard]] constexpr bool is_none() const { return raw == static_cast<Raw>(~Raw{0}); }
  constexpr explicit operator bool() const { return !is_none(); }
  [[nodiscard]] constexpr std::size_t index() const { return raw; }

  friend constexpr auto operator<=>(Id, Id) = default;
};

/// A vector indexed by one kind of id.
template <typename IdType, typename T>
class IdMap {
 public:
  IdMap() = default;
  explicit IdMap(std::size_t count, const T& value = T{}) : items_(count, value) {}

  T& operator[](IdType id) {
    assert(id.index() < items_.size());
    return items_[id.index()];
  }
  const T& operator[](IdType id) const {
    assert(id.index() < items_.size());
    return items_[id.index()];
  }

  IdType push_back(T value) {
    items_.push_back(std::move(value));
    return IdType{items_.size() - 1};
  }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool contains(IdType id) const { return id.index() < items_.size(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }

 private:
  std::vector<T> items_;
};

}  // namespace vireo
