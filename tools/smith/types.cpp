// SPDX-License-Identifier: Apache-2.0
//
// The types of a random module (types.h).
#include "smith/types.h"

#include <bit>
#include <utility>

namespace vireo::spirv {

using Kind = SmithType::Kind;

// All scalar types, in the order that integer() and floating() assume.
SmithTypes::SmithTypes(Builder& builder) : b_(builder) {
  add({.kind = Kind::Bool, .width = 1, .parts = {}, .id = b_.OpTypeBool()});
  for (const std::uint32_t width : {8u, 16u, 32u, 64u}) {
    for (const bool is_signed : {false, true}) {
      const TypeId id = b_.OpTypeInt(width, is_signed ? 1 : 0);
      add({.kind = Kind::Int, .is_signed = is_signed, .width = width, .parts = {}, .id = id});
    }
  }
  for (const std::uint32_t width : {16u, 32u, 64u}) {
    add({.kind = Kind::Float, .width = width, .parts = {}, .id = b_.OpTypeFloat(width)});
  }
}

TypeRef SmithTypes::add(SmithType type) {
  types_.push_back(std::move(type));
  return static_cast<TypeRef>(types_.size() - 1);
}

TypeRef SmithTypes::integer(std::uint32_t width, bool is_signed) const {
  const auto row = static_cast<TypeRef>(std::countr_zero(width) - std::countr_zero(8u));
  return 1 + 2 * row + (is_signed ? 1 : 0);
}

TypeRef SmithTypes::floating(std::uint32_t width) const {
  return 9 + static_cast<TypeRef>(std::countr_zero(width) - std::countr_zero(16u));
}

TypeRef SmithTypes::of_parts(Kind kind, TypeRef part, std::uint32_t count) {
  for (TypeRef type = 0; type < types_.size(); ++type) {
    const SmithType& each = types_[type];
    if (each.kind == kind && each.count == count && each.parts[0] == part) return type;
  }
  const TypeId of = types_[part].id;
  const TypeId id = kind == Kind::Vector ? b_.OpTypeVector(of, count) : b_.OpTypeMatrix(of, count);
  return add({.kind = kind, .count = count, .parts = {part}, .scalars = count * types_[part].scalars, .id = id});
}

TypeRef SmithTypes::vector(TypeRef component, std::uint32_t count) {
  return count == 1 ? component : of_parts(Kind::Vector, component, count);
}

TypeRef SmithTypes::matrix(TypeRef column, std::uint32_t count) { return of_parts(Kind::Matrix, column, count); }

TypeRef SmithTypes::array(TypeRef element, ValueId length, std::uint32_t count) {
  const TypeId id = b_.OpTypeArray(types_[element].id, length);
  const std::uint32_t scalars = count * types_[element].scalars;
  return add({.kind = Kind::Array, .count = count, .parts = {element}, .scalars = scalars, .length = length, .id = id});
}

TypeRef SmithTypes::structure(std::vector<TypeRef> members) {
  for (TypeRef type = 0; type < types_.size(); ++type) {
    if (types_[type].kind == Kind::Struct && types_[type].parts == members) return type;
  }
  std::vector<TypeId> ids;
  std::uint32_t scalars = 0;
  for (const TypeRef member : members) {
    ids.push_back(types_[member].id);
    scalars += types_[member].scalars;
  }
  const auto count = static_cast<std::uint32_t>(members.size());
  const TypeId id = b_.OpTypeStruct(ids);
  return add({.kind = Kind::Struct, .count = count, .parts = std::move(members), .scalars = scalars, .id = id});
}

TypeRef SmithTypes::scalar_of(TypeRef type) const {
  return types_[type].kind == Kind::Vector ? types_[type].parts[0] : type;
}

std::uint32_t SmithTypes::components_of(TypeRef type) const {
  return types_[type].kind == Kind::Vector ? types_[type].count : 1;
}

bool SmithTypes::contains(TypeRef whole, TypeRef part) const {
  if (whole == part) return true;
  for (const TypeRef each : types_[whole].parts) {
    if (contains(each, part)) return true;
  }
  return false;
}

}  // namespace vireo::spirv
