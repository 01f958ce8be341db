// SPDX-License-Identifier: Apache-2.0
//
// Cells and layouts of types (type_cells.h).
//
// A type is declared before its uses, so one pass computes the cells of all types from their parts.
#include "spirv/execute/program/type_cells.h"

#include <algorithm>

#include "vireo/spirv/module/constants.h"

namespace vireo::spirv {
namespace {

constexpr std::uint64_t bool_bytes = 4, pointer_bytes = 8;

bool is_matrix_array(const TypeRow& type) {
  return type.is(TypeKind::Matrix) || (type.is_array() && type.innermost().is(TypeKind::Matrix));
}

}  // namespace

TypeCells::TypeCells(const Facts& facts)
    : facts_(facts),
      types_(facts.types()),
      layouts_(facts, LayoutKind::Padded),
      cells_(types_.rows().size()),
      own_(types_.rows().size()) {
  for (std::size_t i = 0; i < cells_.size(); ++i) read(TypeIndex(i));
}

void TypeCells::read(TypeIndex index) {
  const TypeRow& type = types_.row(index);
  std::uint64_t cells = 0;
  OwnLayout layout;
  const auto add = [&](Word part, std::uint64_t count) {
    const TypeIndex row = types_.index_of(part);
    if (row.is_none() || row.index() >= index.index() || cells_[row.index()] == 0) return false;
    cells += std::min<std::uint64_t>(count, max_cells) * cells_[row.index()];
    const OwnLayout& inner = own_[row.index()];
    layout.alignment = std::max(layout.alignment, inner.alignment);
    layout.size =
        round_up(layout.size, inner.alignment) + bounded_product(round_up(inner.size, inner.alignment), count);
    return true;
  };
  switch (type.kind) {
    case TypeKind::Bool: cells = 1, layout = {bool_bytes, bool_bytes}; break;
    case TypeKind::Int:
    case TypeKind::Float:
      if (type.width <= 64) cells = 1, layout = {type.width / 8, std::max<std::uint64_t>(type.width / 8, 1)};
      break;
    case TypeKind::Pointer:
    case TypeKind::UntypedPointer: cells = 1, layout = {pointer_bytes, pointer_bytes}; break;
    case TypeKind::Vector:
    case TypeKind::LongVector:
    case TypeKind::Matrix:
    case TypeKind::Array: add(type.element, part_count(type.id)); break;
    case TypeKind::RuntimeArray:
      if (add(type.element, 1)) cells = 0, layout.size = 0;
      break;
    case TypeKind::Struct:
      for (const Word member : types_.members(type)) {
        if (add(member, 1)) continue;
        if (types_.of(member).is(TypeKind::RuntimeArray)) continue;  // the last member of a block has no size
        cells = 0;
        break;
      }
      break;
    default:
      if (type.is_opaque()) cells = 1, layout = {pointer_bytes, pointer_bytes};
      break;
  }
  cells_[index.index()] = cells > max_cells ? 0 : static_cast<std::uint32_t>(cells);
  layout.size = round_up(layout.size, layout.alignment);
  own_[index.index()] = layout;
}

std::uint64_t TypeCells::part_count(Word id) const {
  const TypeRow& type = types_.of(id);
  if (type.length == 0) return type.count;
  return facts_.constants().as_u64(type.length, ValueUse::OrDefault).value_or(0);
}

std::optional<std::uint32_t> TypeCells::count(Word type) const {
  const TypeIndex index = types_.index_of(type);
  if (index.is_none() || cells_[index.index()] == 0) return std::nullopt;
  return cells_[index.index()];
}

CellType cell_type_of(const TypeRow& type) {
  switch (type.kind) {
    case TypeKind::Bool: return {CellType::Kind::Bool, 1};
    case TypeKind::Int:
      return {CellType::Kind::Int, static_cast<std::uint8_t>(type.width), FloatFormat::Single, type.is_signed};
    case TypeKind::Float:
      return {CellType::Kind::Float, static_cast<std::uint8_t>(type.width),
              Types::float_format(type).value_or(FloatFormat::Single)};
    default: return {type.is_pointer() ? CellType::Kind::Pointer : CellType::Kind::Opaque, 64};
  }
}

CellType TypeCells::scalar(Word id) const {
  const TypeRow& type = types_.of(id);
  return cell_type_of(type.is_scalar() || type.is_pointer() ? type : type.component());
}

std::vector<CellType> TypeCells::scalars(Word type) const {
  std::vector<CellType> result;
  // The types that are still to be read, the next one last.
  std::vector<Word> open{type};
  while (!open.empty() && result.size() < max_cells) {
    const Word id = open.back();
    open.pop_back();
    const TypeRow& row = types_.of(id);
    if (row.is(TypeKind::Struct)) {
      const Words members = types_.members(row);
      open.insert(open.end(), members.rbegin(), members.rend());
    } else if (row.is(TypeKind::Array) || row.is(TypeKind::Matrix)) {
      open.insert(open.end(), static_cast<std::size_t>(std::min<std::uint64_t>(part_count(id), max_cells)),
                  row.element);
    } else {
      result.insert(result.end(), row.is_vector() ? static_cast<std::size_t>(part_count(id)) : 1, scalar(id));
    }
  }
  return result;
}

std::uint32_t TypeCells::before(Word id, std::uint64_t index) const {
  const TypeRow& type = types_.of(id);
  if (!type.is(TypeKind::Struct)) return static_cast<std::uint32_t>(index) * count(type.element).value_or(0);
  std::uint32_t cells = 0;
  for (const Word member : types_.members(type).first(static_cast<std::size_t>(index)))
    cells += count(member).value_or(0);
  return cells;
}

std::uint64_t TypeCells::size(const PlacedType& placed) const {
  const TypeRow& type = types_.of(placed.type);
  if (!placed.is_explicit) return own(placed.type).size;
  if (is_matrix_array(type) && placed.matrix.stride != 0) {
    if (type.is_array()) return bounded_product(part_count(type.id), stride(placed));
    const std::uint64_t rows = part_count(type.element), columns = part_count(type.id);
    return placed.matrix.stride * (placed.matrix.is_row_major ? rows : columns);
  }
  const TypeIndex index = types_.index_of(placed.type);
  if (index.is_none()) return 0;
  const Extent& extent = layouts_.extent(index);
  return extent.is_known ? extent.size : 0;
}

std::uint64_t TypeCells::alignment(const PlacedType& placed) const {
  if (!placed.is_explicit) return own(placed.type).alignment;
  return std::max<std::uint64_t>(types_.of(placed.type).component().width / 8, 1);
}

std::uint64_t TypeCells::stride(const PlacedType& placed) const {
  const TypeRow& type = types_.of(placed.type);
  if (type.is_vector() && placed.matrix.is_row_major && placed.matrix.stride != 0) return placed.matrix.stride;
  if (type.is_vector()) return own(type.element).size;
  if (type.is(TypeKind::Matrix) && placed.matrix.stride != 0)
    return placed.matrix.is_row_major ? own(type.component().id).size : placed.matrix.stride;
  if (placed.is_explicit) {
    const LayoutNumber& number = layouts_.array(types_.index_of(type.id)).stride;
    if (!number.is_missing()) return number.value;
  }
  const OwnLayout inner = own(type.element);
  return round_up(inner.size, inner.alignment);
}

std::pair<std::uint64_t, PlacedType> TypeCells::member(const PlacedType& placed, std::uint64_t index) const {
  const TypeRow& type = types_.of(placed.type);
  const Words members = types_.members(type);
  const Word inner = members[static_cast<std::size_t>(index)];
  const auto rows = layouts_.members(types_.index_of(type.id));
  if (placed.is_explicit && index < rows.size()) {
    const MemberLayout& row = rows[static_cast<std::size_t>(index)];
    const MatrixView matrix{row.matrix_stride.is_missing() ? 0 : row.matrix_stride.value, row.is_row_major};
    return {row.offset.value, {inner, true, matrix, placed.is_coherent}};
  }
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i <= index; ++i) {
    const OwnLayout layout = own(members[i]);
    offset = round_up(offset, layout.alignment);
    if (i < index) offset += layout.size;
  }
  return {offset, {inner, false, {}, placed.is_coherent}};
}

PlacedType TypeCells::element(const PlacedType& placed) const {
  const TypeRow& type = types_.of(placed.type);
  return {type.element, placed.is_explicit, is_matrix_array(type) || type.is_vector() ? placed.matrix : MatrixView{},
          placed.is_coherent};
}

std::optional<MemoryShape> TypeCells::shape(const PlacedType& placed) const {
  const auto cells = count(placed.type);
  if (!cells) return std::nullopt;
  MemoryShape shape{{}, size(placed), static_cast<std::uint32_t>(alignment(placed))};
  shape.scalars.reserve(*cells);
  struct Part {
    PlacedType type;
    std::uint64_t offset;
  };
  std::vector<Part> open{{placed, 0}};
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    const TypeRow& type = types_.of(part.type.type);
    if (!type.is_composite()) {
      shape.scalars.push_back({static_cast<std::uint32_t>(part.offset), scalar(type.id)});
      continue;
    }
    const std::uint64_t parts = part_count(type.id);
    for (std::uint64_t i = parts; i-- > 0;) {
      if (type.is(TypeKind::Struct)) {
        const auto [offset, inner] = member(part.type, i);
        open.push_back({inner, part.offset + offset});
      } else {
        open.push_back({element(part.type), part.offset + i * stride(part.type)});
      }
    }
  }
  return shape;
}

}  // namespace vireo::spirv
