// SPDX-License-Identifier: Apache-2.0
//
// TypeCells: the scalars of each type, as cells of values and as bytes in memory.
//
// A value of a type is one cell for each scalar in it, in order. In memory, types with an explicit layout have the
// offsets and strides of their decorations; other types have a layout of our own, because no code outside the module
// can see it: scalars at multiples of their size, booleans in 4 bytes, pointers in 8.
//
// Source: Vulkan, "Shader Resource Interface"; specification 2.18.1.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/execute/program/program.h"
#include "spirv/module/layouts/type_layouts.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

/// How a pointer sees the matrix that it points into; it belongs to the member that contains the matrix.
struct MatrixView {
  std::uint64_t stride = 0;  ///< bytes between columns, or between rows if `is_row_major`; 0: no matrix
  bool is_row_major = false;
  friend auto operator<=>(const MatrixView&, const MatrixView&) = default;
};

/// A type in memory.
struct PlacedType {
  Word type = 0;
  bool is_explicit = false;
  MatrixView matrix;
  bool is_coherent = false;  ///< a member on the way to it is Coherent or Volatile
  friend auto operator<=>(const PlacedType&, const PlacedType&) = default;
};

/// The type of the values of a scalar or pointer type.
CellType cell_type_of(const TypeRow& type);

class TypeCells {
 public:
  explicit TypeCells(const Facts& facts);

  /// The cells of a value; nullopt if the type has no values of known size, or too many cells.
  [[nodiscard]] std::optional<std::uint32_t> count(Word type) const;
  /// The type of a scalar, or of the scalars of a vector or matrix.
  [[nodiscard]] CellType scalar(Word id) const;
  /// The types of all scalars of a type, in order.
  [[nodiscard]] std::vector<CellType> scalars(Word type) const;
  /// The cells before a member, element, column or component.
  [[nodiscard]] std::uint32_t before(Word id, std::uint64_t index) const;

  /// Bytes in memory; 0 for runtime arrays.
  [[nodiscard]] std::uint64_t size(const PlacedType& placed) const;
  [[nodiscard]] std::uint64_t alignment(const PlacedType& placed) const;
  /// Bytes from one element, column or component to the next one.
  [[nodiscard]] std::uint64_t stride(const PlacedType& placed) const;
  /// Bytes before a member, and its type in memory.
  [[nodiscard]] std::pair<std::uint64_t, PlacedType> member(const PlacedType& placed, std::uint64_t index) const;
  /// An element, column or component.
  [[nodiscard]] PlacedType element(const PlacedType& placed) const;
  /// The scalars of a type in memory, in the order of its cells; nullopt if they are too many.
  [[nodiscard]] std::optional<MemoryShape> shape(const PlacedType& placed) const;

  /// The number of elements of an array, members of a structure, columns or components; 0 if it is unknown.
  [[nodiscard]] std::uint64_t part_count(Word id) const;

  static constexpr std::uint32_t max_cells = 1u << 20;

 private:
  struct OwnLayout {
    std::uint64_t size = 0, alignment = 1;
  };
  /// Nothing for 0: an untyped variable may have no type.
  [[nodiscard]] OwnLayout own(Word type) const {
    const TypeIndex index = types_.index_of(type);
    return index.is_none() ? OwnLayout() : own_[index.index()];
  }
  void read(TypeIndex index);

  const Facts& facts_;
  const Types& types_;
  TypeLayouts layouts_;
  std::vector<std::uint32_t> cells_;  // by type; 0: none
  std::vector<OwnLayout> own_;        // by type
};

}  // namespace vireo::spirv
