// SPDX-License-Identifier: Apache-2.0
//
// Collects the BuiltIn decorations of a structure's members. Source: specification 3.20, 3.21.
#include "spirv/validate/analysis/built_in_members.h"

#include <algorithm>

namespace vireo::spirv {

bool is_of_shape(const ModuleCheck& c, const BuiltInShape& shape, const TypeRow& type) {
  if (shape.elements != 0 && type.is_array() && type.count != shape.elements) return false;
  const TypeRow* inner = &type;
  for (std::uint32_t i = 0; i < shape.arrays; ++i) {
    if (!inner->is_array()) return false;
    inner = &inner->element_type();
  }
  if (shape.may_nest && inner->is_array()) inner = &inner->element_type();
  const TypeRow& row = *inner;
  if (shape.is_unsigned && row.component().is_signed) return false;
  // Vectors and scalars have one column. A width or length of 0 in the row matches any value.
  const spirv::Shape found = c.types.shape(row);
  return found.scalar == shape.scalar && (shape.width == 0 || found.width == shape.width) &&
         found.rows >= shape.components && found.rows <= shape.most_components && found.columns == shape.columns;
}

bool has_wrong_type(const ModuleCheck& c, BuiltIn built_in, const TypeRow& type) {
  if (!c.is_vulkan()) return false;
  const auto rows = built_in_rows();
  const auto row = std::ranges::find(rows, built_in, &BuiltInRow::built_in);
  if (row == rows.end() || row->shape.scalar == TypeKind::None || is_of_shape(c, row->shape, type)) return false;
  return row->arrayed == 0 || !type.is_array() || !is_of_shape(c, row->shape, type.element_type());
}

bool is_known_built_in(const ModuleCheck& c, BuiltIn built_in) {
  const KindId kind = c.kinds.built_in;
  return !kind.is_none() && c.grammar().find_value(kind, static_cast<Word>(built_in)) != nullptr;
}

std::span<const BuiltInMember> BuiltInMembers::of(Word structure) {
  const auto [found, is_new] = read_.try_emplace(structure);
  std::vector<BuiltInMember>& members = found->second;
  if (!is_new) return members;
  // The rows of a member are adjacent and may be many, so PerPrimitiveEXT is looked up once for each member.
  Word of_member = no_member;
  bool is_per_primitive = false;
  for (const DecorationRow& row : c_.decorations.all_of(structure)) {
    if (row.member == no_member || row.decoration != Decoration::BuiltIn) continue;
    const auto built_in = static_cast<BuiltIn>(c_.decorations.operand_or(row, 0));
    if (!is_known_built_in(c_, built_in)) continue;
    if (row.member == of_member) {
      // The decoration checks report a repeated decoration of one member.
      if (members.back().built_in == built_in) continue;
    } else {
      of_member = row.member;
      is_per_primitive = c_.decorations.has(structure, of_member, Decoration::PerPrimitiveEXT);
    }
    members.push_back({built_in, is_per_primitive});
  }
  std::sort(members.begin(), members.end());
  std::size_t kept = 0;
  for (const BuiltInMember& member : members) {
    if (kept < 2 || members[kept - 2] != member) members[kept++] = member;
  }
  members.resize(kept);
  return members;
}

}  // namespace vireo::spirv
