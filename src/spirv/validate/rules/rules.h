// SPDX-License-Identifier: Apache-2.0
//
// The rules of the validator, as an enumeration and a table.
//
// The one idea: a rule is a row of rules.def, which contains its name, its section of the specification, the feature
// that disables it, its requirement and its message. A check that finds a violation supplies the rule and the arguments
// of the message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/spirv/validate.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

enum class Rule : std::uint16_t {
#define RULE(identifier, name, severity, section, vuid, lifted_by, unsound, requirement, message) identifier,
#include "spirv/validate/rules/rules.def"
#undef RULE
};

/// What a finding of a rule makes unsound. Checks that depend on it are skipped (engine/soundness.h).
enum class Unsound : std::uint8_t {
  Nothing,
  Operand,      ///< the operand at the place or its type; if that is the result type, also the result
  Instruction,  ///< the opcode: the instruction is not allowed here
  Type,         ///< the type that the instruction declares, and types that contain it; or the declared variable
  Capability,   ///< the capability that the instruction declares
};
Unsound unsound_after(Rule rule);

/// The message of a rule. The placeholders `{}` are filled from left to right.
std::string_view message_of(Rule rule);

/// The VUID of a built-in's rule: "VUID-Position-Position-04318".
std::string vuid_of(std::string_view built_in, std::uint16_t number);

/// Whether users may call a rule by this name: its own, an old one, or that of its group.
bool is_named(std::string_view rule, std::string_view name);

/// The row of a rule as users see it.
const ValidationRule& row_of(Rule rule);

}  // namespace vireo::spirv
