// SPDX-License-Identifier: Apache-2.0
//
// The rules for grammar documents; the rules for modules and text are in spirv/rules.h.
//
// A rule is a row with a name and a requirement. Loading reports errors; the lints are warnings of `vireo grammar
// check`.
#pragma once

#include <string_view>

#include "spirv/rules.h"

namespace vireo::spirv {

namespace rule {
// clang-format off
#define VIREO_GRAMMAR_RULES(RULE)                                                                                        \
  /* a document that breaks one of these is not loaded */                                                                \
  RULE(grammar_json_syntax, "grammar-json-syntax", "a grammar document is JSON")                                         \
  RULE(grammar_missing_key, "grammar-missing-key", "an object of a grammar has the keys that its kind requires")         \
  RULE(grammar_wrong_type, "grammar-wrong-type", "the value of a key has the type that the schema names")                \
  RULE(grammar_bad_value, "grammar-bad-value", "the value of a key is one that the schema permits")                      \
  RULE(grammar_limit, "grammar-limit", "names have at most 65535 bytes, tables at most 65535 rows")                      \
  RULE(grammar_unknown_kind, "grammar-unknown-kind", "the kind of an operand is defined, in the set or in the core")     \
  RULE(grammar_unknown_capability, "grammar-unknown-capability", "a capability is an enumerant of the kind Capability")  \
  RULE(grammar_duplicate_opcode, "grammar-duplicate-opcode", "entries with the same number are names of the same thing") \
  RULE(grammar_duplicate_kind, "grammar-duplicate-kind", "an operand kind is defined once, or again with the same category") \
  RULE(grammar_duplicate_name, "grammar-duplicate-name", "a name denotes one instruction or one value of its kind")      \
  RULE(grammar_operand_order, "grammar-operand-order", "'*' is the last operand; no required operand follows '?'")       \
  RULE(grammar_result_place, "grammar-result-place", "a result type is the first operand, directly followed by the result") \
  RULE(grammar_kind_nesting, "grammar-kind-nesting", "parameters nest at most eight levels, without cycles")             \
  /* lints */                                                                                                            \
  RULE(grammar_mask_bits, "grammar-mask-bits", "a value of a mask is one bit, or 0")                                     \
  RULE(grammar_capability_cycle, "grammar-capability-cycle", "no capability implies itself through others")              \
  RULE(grammar_unknown_class, "grammar-unknown-class", "an instruction's class is in the list of printing classes")      \
  RULE(grammar_versions, "grammar-versions", "lastVersion is not below version")                                         \
  RULE(grammar_unreachable, "grammar-unreachable", "an entry without a version has an extension or a capability")        \
  RULE(grammar_magic, "grammar-magic", "the magic number is 0x07230203")
// clang-format on

// The list is expanded twice: to a constant for each rule, which the loader uses in reports, and to the table of
// `explain`.
#define VIREO_RULE_NAME(identifier, name, requirement) inline constexpr std::string_view identifier = name;
VIREO_GRAMMAR_RULES(VIREO_RULE_NAME)
#undef VIREO_RULE_NAME
}  // namespace rule

inline constexpr RuleRow grammar_rule_rows[] = {
#define VIREO_RULE_ROW(identifier, name, requirement) {name, requirement},
    VIREO_GRAMMAR_RULES(VIREO_RULE_ROW)
#undef VIREO_RULE_ROW
};
#undef VIREO_GRAMMAR_RULES

}  // namespace vireo::spirv
