// SPDX-License-Identifier: Apache-2.0
//
// Computes sizes of types in memory (type_sizes.h).
#include "spirv/inspect/reflect/type_sizes.h"

#include <algorithm>

namespace vireo::spirv {
namespace {

// Larger arrays have this size, so that sums of sizes and offsets do not wrap.
constexpr std::uint64_t max_size = std::uint64_t{1} << 62;

}  // namespace

std::uint32_t TypeSizes::operand(Word target, Word member, Decoration decoration, std::uint32_t otherwise) const {
  const DecorationRow* row = decorations_.find(target, member, decoration);
  return row == nullptr ? otherwise : decorations_.operand_or(*row, otherwise);
}

MemberDecorations::MemberDecorations(const Decorations& decorations, Word structure)
    : rest_(decorations.all_of(structure)) {
  // Those of the structure itself come first.
  while (!rest_.empty() && rest_.front().member == no_member) rest_ = rest_.subspan(1);
}

std::span<const DecorationRow> MemberDecorations::of(std::uint32_t member) {
  std::size_t begin = 0;
  while (begin < rest_.size() && rest_[begin].member < member) ++begin;
  std::size_t end = begin;
  while (end < rest_.size() && rest_[end].member == member) ++end;
  const std::span<const DecorationRow> rows = rest_.subspan(begin, end - begin);
  rest_ = rest_.subspan(end);
  return rows;
}

// The first decoration of each kind counts, as for Decorations::find().
DecoratedLayout TypeSizes::layout_of(std::span<const DecorationRow> member) const {
  DecoratedLayout layout;
  bool has_stride = false;
  for (const DecorationRow& row : member) {
    if (row.decoration == Decoration::Offset && !layout.offset) layout.offset = decorations_.operand_or(row, 0);
    if (row.decoration == Decoration::RowMajor) layout.is_row_major = true;
    if (row.decoration == Decoration::MatrixStride && !has_stride) {
      layout.matrix_stride = decorations_.operand_or(row, 0);
      has_stride = true;
    }
  }
  return layout;
}

std::uint64_t TypeSizes::length_of(const TypeRow& array) const {
  if (array.count != 0 || array.length == 0) return array.count;
  return constants_.as_u64(array.length, ValueUse::OrDefault).value_or(0);
}

// A structure is declared after the structures in it, so their sizes are known. In an invalid module that declares them
// later, the outer structure has no size.
TypeSizes::TypeSizes(const Facts& facts)
    : types_(facts.types()), constants_(facts.constants()), decorations_(facts.decorations()) {
  for (const TypeRow& structure : types_.rows()) {
    // A second declaration of an id has no effect. Its decorations would be read again.
    if (!structure.is(TypeKind::Struct) || &structure != &types_.of(structure.id)) continue;
    std::uint64_t end = 0;
    bool has_size = true;
    MemberDecorations decorations(decorations_, structure.id);
    std::uint32_t number = 0;
    for (const Word type : types_.members(structure)) {
      const DecoratedLayout layout = layout_of(decorations.of(number++));
      const std::optional<std::uint64_t> size = size_of_member(type, layout);
      has_size = size && layout.offset;
      if (!has_size) break;
      end = std::max(end, std::uint64_t{*layout.offset} + *size);
    }
    if (has_size) sizes_.emplace(structure.id, end);
  }
}

std::optional<std::uint64_t> TypeSizes::size_of_structure(Word structure) const {
  const auto size = sizes_.find(structure);
  return size == sizes_.end() ? std::nullopt : std::optional(size->second);
}

std::optional<std::uint64_t> TypeSizes::size_of(const TypeRow& type, std::uint32_t matrix_stride,
                                                bool is_row_major) const {
  switch (type.kind) {
    case TypeKind::Int:
    case TypeKind::Float: return (std::uint64_t{type.width} + 7) / 8;
    case TypeKind::Vector: return type.has_known_size() ? std::optional(type.bits / 8) : std::nullopt;
    case TypeKind::Matrix: {
      const TypeRow& column = type.element_type();
      const TypeRow& component = type.component();
      const std::uint64_t columns = type.count, rows = column.count, bytes = component.width / 8;
      if (matrix_stride == 0) return columns * rows * bytes;
      return matrix_stride * (is_row_major ? rows : columns);
    }
    case TypeKind::Array:
    case TypeKind::RuntimeArray: {
      const std::uint64_t length = type.is(TypeKind::RuntimeArray) ? 0 : length_of(type);
      if (const DecorationRow* stride = decorations_.find(type.id, Decoration::ArrayStride)) {
        const std::uint64_t bytes = decorations_.operand_or(*stride, 0);
        return bytes != 0 && length > max_size / bytes ? max_size : length * bytes;
      }
      // Without a stride, as in an interface, no size is stated.
      return std::nullopt;
    }
    case TypeKind::Struct: return size_of_structure(type.id);
    case TypeKind::Pointer:
    case TypeKind::UntypedPointer:
      if (type.storage == StorageClass::PhysicalStorageBuffer) return 8;
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace vireo::spirv
