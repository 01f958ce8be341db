// SPDX-License-Identifier: Apache-2.0
//
// The rules of the validator, as an enumeration and a table.
//
// A rule is a stanza of rules.def, which contains its name, section, requirement, message, fix and example. A check that
// finds a violation supplies the rule and the arguments of the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vireo/spirv/validate/validate.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

enum class Rule : std::uint16_t {
#define RULE(identifier, ...) identifier,
#include "spirv/validate/rules/rules.def"
#undef RULE
};

/// What a finding of a rule makes unsound. Checks that depend on it are skipped (core/soundness.h).
enum class Unsound : std::uint8_t {
  Nothing,
  Operand,      ///< the operand at the place or its type; if that is the result type, also the result
  Instruction,  ///< the opcode: the instruction is not allowed here
  Type,         ///< the type that the instruction declares, and types that contain it; or the declared variable
  Capability,   ///< the capability that the instruction declares
};

/// A string literal of a stanza. It knows its length: compilers limit the steps that count characters in constants.
struct Literal {
  std::string_view text;
  template <std::size_t size>
  constexpr Literal(const char (&characters)[size]) : text(characters, size - 1) {}  // NOLINT: converts implicitly
};

/// A stanza of rules.def, which explains the members.
struct RuleStanza {
  Rule rule;
  Literal name, section;
  Literal vuids = "";
  Severity severity = Severity::Error;
  bool is_off = false;
  Unsound unsound = Unsound::Nothing;
  Literal requirement, message, fix;
  Literal lifted_by = "nothing";
  Literal options = "";
  Literal example = "";
};

/// All stanzas, by rule.
std::span<const RuleStanza> rule_stanzas();
const RuleStanza& stanza_of(Rule rule);

/// The VUID of a built-in's rule: "VUID-Position-Position-04318".
std::string vuid_of(std::string_view built_in, std::uint16_t number);

/// Whether users may call a rule by this name: its own, an old one, or that of its group.
bool is_named(std::string_view rule, std::string_view name);

/// Whether report_conflicts() checks the rule (vireo/spirv/inspect/pipeline.h), and validate() does not.
bool is_of_pipelines(const ValidationRule& rule);

/// Whether executions report the rule (vireo/spirv/run.h), and validate() does not.
bool is_of_runs(const ValidationRule& rule);

/// The row of a rule as users see it.
const ValidationRule& row_of(Rule rule);

}  // namespace vireo::spirv
