// SPDX-License-Identifier: Apache-2.0
//
// The built-ins of structure members.
//
// Many entry points list the same few structures, so the decorations of each structure are read once.
// Built-ins are few (unknown numbers are skipped), and checks need at most two members of the same built-in. So a list
// is short, however long the structure is.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "spirv/validate/core/check.h"
#include "spirv/validate/tables/built_in_rows.h"

namespace vireo::spirv {

struct BuiltInMember {
  BuiltIn built_in = BuiltIn::Position;
  bool is_per_primitive = false;
  friend constexpr auto operator<=>(const BuiltInMember&, const BuiltInMember&) = default;
};

/// Whether a type has the shape of a built-in (built_in_rows.h).
bool is_of_shape(const ModuleCheck& c, const BuiltInShape& shape, const TypeRow& type);
/// Whether Vulkan requires another type for a built-in. Arrays with an element for each vertex or primitive are
/// accepted, whatever the stage. built_ins.cpp reports wrong types, so other checks report no consequences of them.
bool has_wrong_type(const ModuleCheck& c, BuiltIn built_in, const TypeRow& type);

/// Whether the operand of a BuiltIn decoration is a known enumerant. Other checks report unknown ones.
bool is_known_built_in(const ModuleCheck& c, BuiltIn built_in);

class BuiltInMembers {
 public:
  explicit BuiltInMembers(const ModuleCheck& c) : c_(c) {}

  /// The built-ins of a structure in ascending order, at most two members for each. The result is valid as long as this
  /// object exists.
  std::span<const BuiltInMember> of(Word structure);

 private:
  const ModuleCheck& c_;
  std::map<Word, std::vector<BuiltInMember>> read_;  // by id of the type
};

}  // namespace vireo::spirv
