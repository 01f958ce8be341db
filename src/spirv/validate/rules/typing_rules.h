// SPDX-License-Identifier: Apache-2.0
//
// The rules of types of results and operands: three for each family of instructions (rules.def).
#pragma once

#include <string_view>

#include "spirv/validate/rules/rules.h"

namespace vireo::spirv {

/// The rules of one family.
struct TypingRules {
  Rule result_type, operand_type, type_match;
};

/// The rules of a class of instructions of the grammar ("Arithmetic"), or of an extended instruction set
/// ("GLSL.std.450"). Classes and sets without a family of their own have the rules of extensions, so a newer grammar
/// may add some.
TypingRules typing_rules(std::string_view class_or_set);

}  // namespace vireo::spirv
