// SPDX-License-Identifier: Apache-2.0
//
// The rules of the validator, as an enumeration and a table.
//
// The one idea: a rule is a row of rules.def, and everything that is said of a rule is said there: its name, where the
// specification demands it, what lifts it, and the sentence that is printed when it is broken. Code that finds a fault
// names the rule and what fills the sentence's gaps; it contains no text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/spirv/validate.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

enum class Rule : std::uint16_t {
#define RULE(identifier, name, severity, section, vuid, lifted_by, unsound, demand, message) identifier,
#include "spirv/validate/rules/rules.def"
#undef RULE
};

/// What a finding of a rule makes unsound: checks that rely on it are not made (engine/soundness.h).
enum class Unsound : std::uint8_t {
  Nothing,
  Operand,     ///< the type of the operand at the place; at a result type, the result too
  Type,        ///< the type that the instruction declares, and types made of it
  Capability,  ///< the capability that the instruction declares
};
Unsound unsound_after(Rule rule);

/// What is printed when a rule is broken: `{}` are filled from left to right.
std::string_view message_of(Rule rule);

/// The VUID of a built-in's rule: "VUID-Position-Position-04318".
std::string vuid_of(std::string_view built_in, std::uint16_t number);

/// The row of a rule as users see it.
const ValidationRule& row_of(Rule rule);

}  // namespace vireo::spirv
