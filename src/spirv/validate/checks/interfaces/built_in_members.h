// SPDX-License-Identifier: Apache-2.0
//
// The built-ins of structure members.
//
// The one idea: many entry points list the same few structures, so the decorations of each structure are read once.
// Built-ins are few (unknown numbers are skipped), and checks need at most two members of the same built-in. So a list
// is short, however long the structure is.
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

/// Whether the operand of a BuiltIn decoration is a known enumerant. Other checks report unknown ones.
bool is_known_built_in(const Context& context, BuiltIn built_in);

class BuiltInMembers {
 public:
  explicit BuiltInMembers(const Context& context) : context_(context) {}

  /// The built-ins of a structure in ascending order, at most two members for each. The result is valid as long as this
  /// object exists.
  std::span<const BuiltInMember> of(Word structure);

 private:
  const Context& context_;
  std::map<Word, std::vector<BuiltInMember>> read_;  // by id of the type
};

}  // namespace vireo::spirv
