// SPDX-License-Identifier: Apache-2.0
//
// Chooses types of C for types of a module (c_layout.h).
#include "spirv/inspect/reflect/c_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace vireo::spirv {
namespace {

// Arrays with more dimensions are bytes: compilers limit the nesting of declarations.
constexpr std::size_t max_dimensions = 16;

struct ScalarRow {
  TypeKind kind;
  bool is_signed;
  std::uint32_t width;
  std::string_view name;
};
constexpr ScalarRow scalar_rows[] = {
    {TypeKind::Int, true, 8, "int8_t"},     {TypeKind::Int, false, 8, "uint8_t"},
    {TypeKind::Int, true, 16, "int16_t"},   {TypeKind::Int, false, 16, "uint16_t"},
    {TypeKind::Int, true, 32, "int32_t"},   {TypeKind::Int, false, 32, "uint32_t"},
    {TypeKind::Int, true, 64, "int64_t"},   {TypeKind::Int, false, 64, "uint64_t"},
    {TypeKind::Float, false, 8, "uint8_t"}, {TypeKind::Float, false, 16, "uint16_t"},
    {TypeKind::Float, false, 32, "float"},  {TypeKind::Float, false, 64, "double"},
};

std::optional<CType> scalar(const TypeRow& row) {
  const auto found = std::ranges::find_if(scalar_rows, [&](const ScalarRow& each) {
    const bool has_sign = row.is(TypeKind::Float) || each.is_signed == row.is_signed;
    return each.kind == row.kind && each.width == row.width && has_sign;
  });
  if (found == std::end(scalar_rows)) return std::nullopt;
  return CType{std::string(found->name), "", row.width / 8, row.width / 8};
}

// An element in an array with a stride.
CType strided(const CType& element, std::uint64_t stride) {
  if (element.size > stride || stride % element.align != 0) return c_bytes(stride);
  if (element.size == stride) return element;
  std::string padded =
      fmt::format("struct {{ {}; uint8_t padding[{}]; }}", element.declare("value"), stride - element.size);
  return {std::move(padded), "", stride, element.align};
}

std::optional<CType> array_of(const CType& element, std::uint64_t count) {
  if (count == 0 || element.size == 0 || count > CLayout::max_bytes / element.size) return std::nullopt;
  return CType{element.base, fmt::format("[{}]{}", count, element.dims), count * element.size, element.align};
}

}  // namespace

std::string CType::declare(std::string_view name) const { return fmt::format("{} {}{}", base, name, dims); }

CType c_bytes(std::uint64_t count) { return {"uint8_t", fmt::format("[{}]", count), count, 1}; }

// Each column, or each row of a row-major matrix, is an array; a longer stride makes it longer.
std::optional<CType> CLayout::matrix(const TypeRow& row, const ReflectedMember& member) const {
  const TypeRow& column = row.element_type();
  const std::optional<CType> component = scalar(row.component());
  if (!component) return std::nullopt;
  const std::uint64_t vectors = member.is_row_major ? column.count : row.count;
  const std::uint64_t components = member.is_row_major ? row.count : column.count;
  const std::uint64_t stride = member.matrix_stride == 0 ? components * component->size : member.matrix_stride;
  const bool is_array = stride % component->size == 0 && stride / component->size >= components;
  const std::optional<CType> vector =
      is_array ? array_of(*component, stride / component->size) : std::optional(c_bytes(stride));
  return vector ? array_of(*vector, vectors) : std::nullopt;
}

std::optional<CType> CLayout::innermost(const TypeRow& row, const ReflectedMember& member) const {
  switch (row.kind) {
    case TypeKind::Int:
    case TypeKind::Float: return scalar(row);
    case TypeKind::Vector: {
      const std::optional<CType> component = scalar(row.component());
      return component ? array_of(*component, row.count) : std::nullopt;
    }
    case TypeKind::Matrix: return matrix(row, member);
    case TypeKind::Struct: {
      const auto structure = structures_.find(row.id);
      return structure == structures_.end() ? std::nullopt : std::optional(structure->second);
    }
    case TypeKind::Pointer:
    case TypeKind::UntypedPointer:
      if (row.storage == StorageClass::PhysicalStorageBuffer) return CType{"uint64_t", "", 8, 8};
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<CType> CLayout::type_of(Word type, const ReflectedMember& member) const {
  std::vector<const TypeRow*> arrays;
  const TypeRow* row = &facts_.types().of(type);
  for (; row->is(TypeKind::Array); row = &row->element_type()) {
    if (arrays.size() == max_dimensions) return std::nullopt;
    arrays.push_back(row);
  }
  std::optional<CType> made = innermost(*row, member);
  for (; made && !arrays.empty(); arrays.pop_back()) {
    const ArrayLayout& array = layouts_.array(facts_.types().index_of(arrays.back()->id));
    made = array_of(strided(*made, array.stride.value), array.count);
  }
  return made;
}

std::optional<CType> CLayout::type_of(const ReflectedMember& member) const { return type_of(member.type, member); }

std::optional<CType> CLayout::element_of(const ReflectedMember& member) const {
  if (member.array_stride == 0) return std::nullopt;
  const std::optional<CType> element = type_of(facts_.types().of(member.type).element, member);
  return strided(element.value_or(c_bytes(member.array_stride)), member.array_stride);
}

}  // namespace vireo::spirv
