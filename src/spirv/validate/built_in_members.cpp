// SPDX-License-Identifier: Apache-2.0
//
// Decorations of a structure's members, picked for built-ins. Source: specification 3.20, 3.21.
#include "spirv/validate/built_in_members.h"

#include <algorithm>

namespace vireo::spirv {

std::span<const BuiltInMember> BuiltInMembers::of(Word structure) {
  const auto [found, is_new] = read_.try_emplace(structure);
  std::vector<BuiltInMember>& members = found->second;
  if (!is_new) return members;
  for (const DecorationRow& row : context_.decorations.all_of(structure)) {
    if (row.member == no_member || row.decoration != Decoration::BuiltIn) continue;
    members.push_back({static_cast<BuiltIn>(context_.decorations.operand_or(row, 0)),
                       context_.decorations.has(structure, row.member, Decoration::PerPrimitiveEXT)});
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
