// SPDX-License-Identifier: Apache-2.0
//
// The built-ins among the members of structures.
//
// The one idea: many entry points list the same few structures, so the decorations of each are read once. There are few
// built-ins (unknown numbers are reported elsewhere), and two members of a kind are as wrong as more; so a list is
// short, however long the structure is.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

struct BuiltInMember {
  BuiltIn built_in = BuiltIn::Position;
  bool is_per_primitive = false;
  friend constexpr auto operator<=>(const BuiltInMember&, const BuiltInMember&) = default;
};

/// Whether the number behind a decoration BuiltIn is one; others are reported elsewhere.
bool is_known_built_in(const Context& context, BuiltIn built_in);

class BuiltInMembers {
 public:
  explicit BuiltInMembers(const Context& context) : context_(context) {}

  /// Ascending; of members with the same built-in two are listed. Valid as long as this object is.
  std::span<const BuiltInMember> of(Word structure);

 private:
  const Context& context_;
  std::map<Word, std::vector<BuiltInMember>> read_;  // by id of the type
};

}  // namespace vireo::spirv
