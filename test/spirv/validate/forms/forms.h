// SPDX-License-Identifier: Apache-2.0
//
// Forms: changes that write a module in another way, to which the same rules apply.
//
// A rule must hold for all forms of its subject: a constant and a specialization constant, a
// decoration and a decoration through a group, a variable and a variable in an array, each storage class, each execution
// model. A form changes the two modules of a rule's example. Then one must still break the rule, and the other none.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "spirv/validate/forms/module_text.h"

namespace vireo::spirv::test {

struct Form {
  std::string name;         ///< "decoration-group", "model-Vertex"
  std::string description;  ///< a sentence without a full stop
  /// Changes the module. False if the module has nothing to change; it is then unusable.
  std::function<bool(ModuleText&)> apply;
};

std::span<const Form> forms();

}  // namespace vireo::spirv::test
