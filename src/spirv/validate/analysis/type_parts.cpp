// SPDX-License-Identifier: Apache-2.0
//
// One pass over all types for each PartSort that somebody asks for (type_parts.h).
#include "spirv/validate/analysis/type_parts.h"

#include <algorithm>

namespace vireo::spirv {
namespace {

// Whether a type is of a sort by itself, whatever its parts are.
bool is_of(const Context& context, const TypeRow& type, PartSort sort) {
  const auto length = [&] { return context.constants.as_u64(type.length); };
  switch (sort) {
    case PartSort::LogicalPointer: return type.is_pointer() && type.storage != StorageClass::PhysicalStorageBuffer;
    case PartSort::TinyFloat: return type.is(TypeKind::Float) && (type.width == 4 || type.width == 6);
    case PartSort::WideVector:
      // A length that is specialized may turn out long, so it counts as five.
      return type.is_vector() && (type.is(TypeKind::LongVector) ? length().value_or(5) : type.count) > 4;
    case PartSort::OpenVector: return type.is(TypeKind::LongVector) && !length();
  }
  return false;
}

}  // namespace

const TypeRow* TypeParts::find(const TypeRow& type, PartSort sort) {
  const auto& parts = parts_[static_cast<std::size_t>(sort)];
  if (parts.empty()) read(sort);
  const TypeIndex part = parts[context_.types.index_of(type.id).index()];
  return part.is_none() ? nullptr : &context_.types.row(part);
}

void TypeParts::read(PartSort sort) {
  const Types& types = context_.types;
  auto& parts = parts_[static_cast<std::size_t>(sort)];
  parts.resize(types.rows().size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TypeRow& type = types.rows()[i];
    // A part that is declared later than its user is a pointer that was announced, or a fault that is reported
    // elsewhere. Only the part itself is looked at then, so nothing goes round in circles.
    const auto part_of = [&](Word id) {
      const TypeIndex index = types.index_of(id);
      if (index.is_none() || index.index() < i) return index.is_none() ? index : parts[index.index()];
      return is_of(context_, types.row(index), sort) ? index : TypeIndex::none();
    };
    if (is_of(context_, type, sort)) {
      parts[i] = TypeIndex(i);
    } else if (type.is(TypeKind::Struct)) {
      const Words members = types.members(type);
      for (std::size_t k = members.size(); k-- > 0 && parts[i].is_none();) parts[i] = part_of(members[k]);
    } else if (type.is_composite()) {
      parts[i] = part_of(type.element);
    }
  }
}

Word TypeParts::other_member(const TypeRow& structure) {
  const Types& types = context_.types;
  if (other_members_.empty()) {
    other_members_.resize(types.rows().size());
    for (std::size_t i = 0; i < other_members_.size(); ++i) {
      if (!types.rows()[i].is(TypeKind::Struct)) continue;
      const Words members = types.members(types.rows()[i]);
      const auto other = std::ranges::find_if(members, [&](Word member) { return member != members.front(); });
      if (other != members.end()) other_members_[i] = *other;
    }
  }
  return other_members_[types.index_of(structure.id).index()];
}

}  // namespace vireo::spirv
