// SPDX-License-Identifier: Apache-2.0
//
// The built-ins among the members of structures.
//
// The one idea: many entry points list the same few structures, so what a structure holds is read off its decorations
// once. There are few built-ins (numbers that are none are told elsewhere), and two of a kind are as wrong as more; so a
// list is short, however long the structure.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "spirv/validate/context.h"

namespace vireo::spirv {

struct BuiltInMember {
  BuiltIn built_in = BuiltIn::Position;
  bool is_per_primitive = false;
  friend constexpr auto operator<=>(const BuiltInMember&, const BuiltInMember&) = default;
};

class BuiltInMembers {
 public:
  explicit BuiltInMembers(const Context& context) : context_(context) {}

  /// Ascending; what more than two members have alike stands twice. Good as long as this object is.
  std::span<const BuiltInMember> of(Word structure);

 private:
  const Context& context_;
  std::map<Word, std::vector<BuiltInMember>> read_;  // by id of the type
};

}  // namespace vireo::spirv
