// SPDX-License-Identifier: Apache-2.0
//
// The rules for instruction set descriptions, for all of src/isa.
//
// Each rule is one row: a stable name, its usual severity, and a sentence with its requirement. Scripts match the name;
// `vireo explain RULE` prints the row. The loader checks the first part of the table, and `vireo isa check` the second.
// The rest applies to other inputs: assembly lines, words, names and values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace vireo::isa {

enum class RuleSeverity : std::uint8_t {
  Error,
  // A separate severity, so that users can migrate a description from Mesa's tools: all faults are reported, but none
  // stops the tool.
  Fault,  ///< an error that Mesa's tools accept; a warning under mesa_compat
  Warning,
};

struct RuleRow {
  std::string_view name;
  RuleSeverity severity;
  std::string_view requirement;  ///< the requirement, as a statement about a valid input
};

namespace rule {
// clang-format off
#define VIREO_ISA_RULES(RULE)                                                                                            \
  /* the document */                                                                                                     \
  RULE(malformed_xml, "malformed-xml", Error, "a description is one well-formed XML element")                            \
  RULE(ignored_doctype, "ignored-doctype", Warning, "a description needs no document type, which has no effect")         \
  RULE(unknown_entity, "unknown-entity", Error, "an entity is one of XML's five, or a character reference")              \
  RULE(unknown_element, "unknown-element", Warning, "an element is allowed in its parent")                               \
  RULE(stray_text, "stray-text", Warning, "text occurs only in elements that use it")                                    \
  RULE(unknown_attribute, "unknown-attribute", Warning, "an attribute is allowed in its element")                        \
  RULE(missing_attribute, "missing-attribute", Error, "an element has its required attributes")                          \
  RULE(malformed_value, "malformed-value", Error, "the value of an attribute has the expected form")                     \
  RULE(limit_exceeded, "limit-exceeded", Error, "a description stays within the loader's limits")                        \
  /* imports */                                                                                                          \
  RULE(cannot_import, "cannot-import", Error, "an imported file is readable")                                            \
  RULE(import_cycle, "import-cycle", Error, "a file does not import itself, directly or indirectly")                     \
  RULE(imported_twice, "imported-twice", Warning, "a file is imported once")                                             \
  /* names */                                                                                                            \
  RULE(duplicate_name, "duplicate-name", Fault, "a name is declared once; leaves of different generations may share one") \
  RULE(unknown_parent, "unknown-parent", Error, "'extends' names a bitset")                                              \
  RULE(unknown_type, "unknown-type", Error, "a type is built in, an enum or a root; a derived field's type is not a root") \
  RULE(unknown_expression, "unknown-expression", Error, "'expr' names an expression")                                    \
  RULE(unresolved_field, "unresolved-field", Warning, "a name has a definition for every word that uses it")             \
  RULE(misspelt_field, "misspelt-field", Fault, "a name that resembles one in scope is the name of a field")             \
  RULE(unknown_param, "unknown-param", Warning, "a param passes an existing field")                                      \
  RULE(ambiguous_variant, "ambiguous-variant", Fault, "a name that several leaves share is neither extended nor a type") \
  /* expressions and displays */                                                                                         \
  RULE(malformed_expression, "malformed-expression", Error, "an expression follows C's syntax")                          \
  RULE(expression_cycle, "expression-cycle", Fault, "a value does not depend on itself")                                 \
  RULE(malformed_display, "malformed-display", Error, "a display is one line of text and names in braces")               \
  RULE(template_cycle, "template-cycle", Error, "a template does not contain itself")                                    \
  RULE(missing_display, "missing-display", Warning, "a leaf has a display of its own or an ancestor's")                  \
  /* bits */                                                                                                             \
  RULE(bad_range, "bad-range", Error, "'low' is at most 'high', and both are within the size")                           \
  RULE(bad_pattern, "bad-pattern", Error, "a pattern has 0, 1 or x for each bit; an assert has 0 or 1")                  \
  RULE(redefined_bits, "redefined-bits", Error, "a bit belongs to one field, pattern or assert, including inherited ones") \
  RULE(undefined_bits, "undefined-bits", Error, "each bit of a leaf belongs to a field, a pattern or an assert")         \
  RULE(size_mismatch, "size-mismatch", Error, "a field is as wide as its type")                                          \
  RULE(bad_size, "bad-size", Error, "only a root has a size; an instruction has whole bytes")                            \
  RULE(missing_width, "missing-width", Fault, "a derived field of a signed or branch type has a width")                  \
  RULE(value_too_wide, "value-too-wide", Warning, "a value of an enum fits in at least one field of that type")          \
  RULE(duplicate_value, "duplicate-value", Fault, "an enum declares each number once")                                   \
  RULE(override_overlap, "override-overlap", Warning, "fields of an override overlap no pattern and not each other")     \
  /* structure */                                                                                                        \
  RULE(extends_cycle, "extends-cycle", Error, "a bitset does not extend itself, directly or indirectly")                 \
  RULE(nesting_cycle, "nesting-cycle", Error, "a bitset does not contain itself through its fields")                     \
  RULE(missing_root, "missing-root", Error, "there is a root '#instruction', or an encoding that names roots")           \
  RULE(bad_generations, "bad-generations", Fault, "a range of generations is not empty, nor wider than the parent's")    \
  RULE(overlapping_generations, "overlapping-generations", Fault, "variants of one name share no generation")            \
  RULE(misplaced_pattern, "misplaced-pattern", Warning, "a pattern is a child of a bitset, not of an override")          \
  RULE(ignored_display, "ignored-display", Warning, "a display occurs once, and only where it has an effect")            \
  /* aliases, marks and defaults for the assembler */                                                                    \
  RULE(bad_default, "bad-default", Error, "a default fits in its field, which is not in an override")                    \
  RULE(misplaced_alias, "misplaced-alias", Error, "an alias is next to the name or display that it replaces")            \
  RULE(ambiguous_alias, "ambiguous-alias", Error, "an alias has only one meaning")                                       \
  RULE(competing_marks, "competing-marks", Error, "at most one of the words with the same text is marked canonical")     \
  /* checked only by `isa check` */                                                                                      \
  RULE(overlapping_leaves, "overlapping-leaves", Fault, "no word matches two leaves of one generation")                  \
  RULE(unreachable_leaf, "unreachable-leaf", Fault, "each leaf is the decoding of at least one word")                    \
  RULE(unused_root, "unused-root", Warning, "a root is the type of a used field, or an instruction root")                \
  RULE(missing_param, "missing-param", Warning, "a field passes the params that the leaves of its type use")             \
  RULE(idle_override, "idle-override", Warning, "an override has an effect for at least one word")                       \
  RULE(hidden_case, "hidden-case", Warning, "an override that hides other definitions has a condition that can be false") \
  RULE(name_collision, "name-collision", Warning, "names of bitsets differ as C identifiers")                            \
  RULE(ambiguous_display, "ambiguous-display", Warning, "words with different meanings have different texts")            \
  /* checked only by `isa check --assembler` */                                                                          \
  RULE(lossy_text, "lossy-text", Warning, "a text determines each bit of its word, or the field has a default")          \
  RULE(equal_texts, "equal-texts", Warning, "if several leaves or cases have the same text, a mark selects one of them") \
  RULE(unread_text, "unread-text", Warning, "each text that is printed without an annotation can be assembled")          \
  /* lines and programs for the assembler */                                                                             \
  RULE(no_instruction, "no-instruction", Error, "an assembled line contains an instruction")                             \
  RULE(unknown_instruction, "unknown-instruction", Error, "an instruction is in the description")                        \
  RULE(malformed_instruction, "malformed-instruction", Error, "an instruction follows one of its displays")              \
  RULE(no_encoding, "no-encoding", Error, "at least one word prints as the line")                                        \
  RULE(malformed_word, "malformed-word", Error, "a word is hexadecimal, with no more digits than an instruction has")    \
  RULE(line_too_long, "line-too-long", Error, "a line has at most 4096 bytes")                                           \
  RULE(duplicate_label, "duplicate-label", Error, "a label is defined once in its section")                              \
  RULE(unknown_label, "unknown-label", Error, "a label that is used is defined in the same section")                     \
  RULE(malformed_directive, "malformed-directive", Error, "a directive has its required operand")                        \
  RULE(ambiguous_text, "ambiguous-text", Warning, "a text has one encoding; reported only with --report-ambiguity")      \
  RULE(missing_entry, "missing-entry", Warning, "each entry of a table has its own label")                               \
  RULE(unsettled_sizes, "unsettled-sizes", Error, "instruction sizes and label distances converge within 16 rounds")     \
  RULE(runs_together, "runs-together", Error, "the bytes after an instruction do not change how it is decoded")          \
  /* other inputs, and generated code */                                                                                 \
  RULE(malformed_input, "malformed-input", Error, "words are hexadecimal, names KIND VALUE NAME, settings FIELD=VALUE")  \
  RULE(vector_differs, "vector-differs", Error, "a recorded word has its recorded text, which assembles to a word")      \
  RULE(model_has_errors, "model-has-errors", Error, "code is generated only from a description without errors")          \
  RULE(bad_name, "bad-name", Error, "a generated name is an identifier of its language")                                 \
  RULE(model_too_large, "model-too-large", Error, "the tables of a generation stay within the decoder's limits")         \
  RULE(wrong_language, "wrong-language", Error, "an encoder is generated in C++, which has types for optional values")   \
  RULE(bad_map, "bad-map", Error, "a map is one expression, and an encode type is a type")                               \
  RULE(no_encode_type, "no-encode-type", Error, "a packer needs an instruction root with an encode type")                \
  RULE(no_decode, "no-decode", Error, "an unpacker needs an instruction root with a decode element")                     \
  RULE(no_map, "no-map", Warning, "a field that a display uses has a map; otherwise its bits are 0")                     \
  /* encoding from values */                                                                                             \
  RULE(unknown_leaf, "unknown-leaf", Error, "the name of an instruction or nested bitset is that of a leaf")             \
  RULE(unclear_leaf, "unclear-leaf", Error, "a nested bitset names its leaf, or its fields determine the leaf")          \
  RULE(unknown_field, "unknown-field", Error, "a field that is set belongs to its leaf")                                 \
  RULE(field_given_twice, "field-given-twice", Error, "a field is set once, either as a whole or by its own fields")     \
  RULE(unknown_value, "unknown-value", Error, "a value is a number, or a name defined by the type of its field")         \
  RULE(unfit_value, "unfit-value", Error, "a value has the kind that its field accepts")                                 \
  RULE(value_out_of_range, "value-out-of-range", Error, "a number fits in the bits of its field")                        \
  RULE(refused_word, "refused-word", Error, "a word is not marked 'never' by its description")                           \
  RULE(no_word, "no-word", Error, "some word decodes to the leaf and all given values")
// clang-format on

#define VIREO_RULE_NAME(identifier, name, severity, requirement) inline constexpr std::string_view identifier = name;
VIREO_ISA_RULES(VIREO_RULE_NAME)
#undef VIREO_RULE_NAME
}  // namespace rule

inline constexpr RuleRow rule_rows[] = {
#define VIREO_RULE_ROW(identifier, name, severity, requirement) {name, RuleSeverity::severity, requirement},
    VIREO_ISA_RULES(VIREO_RULE_ROW)
#undef VIREO_RULE_ROW
};
#undef VIREO_ISA_RULES

/// Returns the row of a rule, or null.
constexpr const RuleRow* find_rule(std::string_view name) {
  const auto* row = std::find_if(std::begin(rule_rows), std::end(rule_rows),
                                 [&](const RuleRow& candidate) { return candidate.name == name; });
  return row == std::end(rule_rows) ? nullptr : row;
}

}  // namespace vireo::isa
