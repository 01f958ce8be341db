// SPDX-License-Identifier: Apache-2.0
//
// Nesting of structures (specification 2.16.1, 2.17, 3.20): limits on the depth, and structures that must not contain
// each other.
//
// Types are declared before they are used. So one pass in declaration order computes the contents of each
// type from the contents of its parts, without recursion, and visits each structure once.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

/// The contents of a type, including the type itself.
struct Held {
  Word depth = 0;            ///< levels of nested structures; an array resets the count
  Word block = 0;            ///< a structure decorated with Block or BufferBlock, also in arrays; 0: none
  bool has_builtin = false;  ///< a structure whose members are built-ins
};

class NestingCheck {
 public:
  explicit NestingCheck(const ModuleCheck& c) : c_(c), held_(c.types.rows().size()) {}

  void run() {
    const auto rows = c_.types.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const TypeRow& type = rows[i];
      // An array has the contents of its element, but its nesting depth is 0.
      if (type.is_array() && !type.element_row.is_none()) {
        held_[i] = held_[type.element_row.index()];
        held_[i].depth = 0;
      } else if (type.is(TypeKind::Struct)) {
        held_[i] = structure(type);
      }
    }
  }

 private:
  Held structure(const TypeRow& type) {
    const Words members = c_.types.members(type);
    const Limits& limits = c_.options.limits;
    const Place place{type.declaration, 0};
    // The options hold the limits of 2.17; a profile may change them.
    if (members.size() > limits.struct_members) {
      limit(place, fmt::format("structure {} has {} members", id_text(c_, type.id), members.size()),
            &Limits::struct_members);
    }
    Held inner;
    std::optional<std::size_t> builtin_member;  // the first member that is a structure of built-ins
    for (std::size_t i = 0; i < members.size(); ++i) {
      const TypeIndex member = c_.types.index_of(members[i]);
      // A member type that is declared later is a pointer, and a pointer does not contain its pointee.
      if (member.is_none() || c_.types.row(member).declaration >= type.declaration) continue;
      const Held& part = held_[member.index()];
      inner.depth = std::max(inner.depth, part.depth);
      if (inner.block == 0) inner.block = part.block;
      // A block in an array is also nested. Built-in members count only if the member itself is a structure.
      if (!builtin_member && part.has_builtin && c_.types.row(member).is(TypeKind::Struct)) builtin_member = i;
    }
    ++inner.depth;
    if (inner.depth > limits.struct_depth) {
      limit(place, fmt::format("structure {} is nested {} levels deep", id_text(c_, type.id), inner.depth),
            &Limits::struct_depth);
    }
    const bool is_one = is_block(c_, type.id);
    if (is_one && inner.block != 0) {
      c_.report(Rule::NestedBlock, place, {type.id, inner.block});
      c_.findings.name_cause(Rule::NestedBlock, std::to_string(inner.block));
      c_.note({c_.module.definition(inner.block), 0}, "inner block declared here");
    }
    if (builtin_member) report_builtin(type, *builtin_member);
    if (is_one) inner.block = type.id;
    inner.has_builtin = check_builtins(type, members.size());
    return inner;
  }

  void report_builtin(const TypeRow& type, std::size_t member) {
    constexpr std::size_t first_member = 2;  // word of OpTypeStruct
    const Word inner = c_.types.members(type)[member];
    c_.report(Rule::NestedBuiltIn, {type.declaration, static_cast<std::uint16_t>(first_member + member)},
              {member_text(c_, type.id, static_cast<Word>(member)), inner});
    c_.note({c_.module.definition(inner), 0}, "structure of built-ins declared here");
  }

  // Either all members are built-ins or none is. Returns whether the structure has built-in members.
  bool check_builtins(const TypeRow& type, std::size_t member_count) {
    std::size_t builtins = 0;
    Word last = no_member, first_without = 0;
    for (const DecorationRow& row : c_.decorations.all_of(type.id)) {
      // Rows of one member are adjacent, so a member that is decorated twice counts once.
      if (row.member == no_member || row.decoration != Decoration::BuiltIn || row.member == last) continue;
      last = row.member;
      if (last == first_without) ++first_without;  // rows are sorted by member
      ++builtins;
    }
    if (builtins != 0 && builtins < member_count) {
      c_.report(Rule::BuiltInMembers, {type.declaration, 0}, {builtins, member_count, type.id});
      if (builtins + 1 == member_count)
        c_.findings.await_counterpart({Report::DecorationFault::Missing, Decoration::BuiltIn, type.id, first_without});
    }
    return builtins != 0;
  }

  void limit(Place place, const std::string& found, Word Limits::*most) {
    c_.report(Rule::UniversalLimit, place, {found, c_.options.limits.*most});
    hint_limit(c_, most);
  }

  const ModuleCheck& c_;
  std::vector<Held> held_;  // indexed by TypeIndex
};

}  // namespace

void check_type_nesting(const ModuleCheck& c) { NestingCheck(c).run(); }

}  // namespace vireo::spirv
