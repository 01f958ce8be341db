// SPDX-License-Identifier: Apache-2.0
//
// The rules of instruction set descriptions, for all rooms below src/isa.
//
// The one idea: a rule is a row. Its name is stable (scripts match it, `vireo explain RULE` prints it); its severity is
// the usual one; its sentence says what the rule demands. The loader reports most of them, `vireo isa check` the next part,
// and the last ones are said of what is read by means of a description: lines of its assembly language, words, names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace vireo::isa {

enum class RuleSeverity : std::uint8_t {
  Error,
  // The middle one is why severities are no booleans: who migrates a description wants to see all of these, and go on.
  Fault,  ///< an error that Mesa's tools overlook; for who wants their view, a warning
  Warning,
};

struct RuleRow {
  std::string_view name;
  RuleSeverity severity;
  std::string_view demand;  ///< what a sound description does
};

namespace rule {
// clang-format off
#define VIREO_ISA_RULES(RULE)                                                                                            \
  /* the document */                                                                                                     \
  RULE(malformed_xml, "malformed-xml", Error, "a description is one XML element, well formed")                           \
  RULE(ignored_doctype, "ignored-doctype", Warning, "a description needs no document type: nothing of it is used")       \
  RULE(unknown_entity, "unknown-entity", Error, "an entity is one of the five of XML, or a character's number")          \
  RULE(unknown_element, "unknown-element", Warning, "an element has a meaning where it stands")                          \
  RULE(stray_text, "stray-text", Warning, "text stands in an element that has one")                                      \
  RULE(unknown_attribute, "unknown-attribute", Warning, "an attribute has a meaning in its element")                     \
  RULE(missing_attribute, "missing-attribute", Error, "an element has the attributes that it needs")                     \
  RULE(malformed_value, "malformed-value", Error, "the value of an attribute is a number, or a name, where one is due")  \
  RULE(limit_exceeded, "limit-exceeded", Error, "a description stays within bounds far beyond what people write")        \
  /* imports */                                                                                                          \
  RULE(cannot_import, "cannot-import", Error, "an imported file can be read")                                            \
  RULE(import_cycle, "import-cycle", Error, "no file imports itself through others")                                     \
  RULE(imported_twice, "imported-twice", Warning, "a file is imported once")                                             \
  /* names */                                                                                                            \
  RULE(duplicate_name, "duplicate-name", Fault, "a name is declared once; leaves of different generations may share one") \
  RULE(unknown_parent, "unknown-parent", Error, "'extends' names a bitset")                                              \
  RULE(unknown_type, "unknown-type", Error, "a type is built in, an enum or a root; a derived field's is no root")       \
  RULE(unknown_expression, "unknown-expression", Error, "'expr' names an expression")                                    \
  RULE(unresolved_field, "unresolved-field", Warning, "a name means something for every word in whose text it stands")   \
  RULE(unknown_param, "unknown-param", Warning, "a param hands in a field that exists")                                  \
  RULE(ambiguous_variant, "ambiguous-variant", Fault, "a name that several leaves share is neither extended nor a type") \
  /* expressions and displays */                                                                                         \
  RULE(malformed_expression, "malformed-expression", Error, "an expression is written as in C")                          \
  RULE(expression_cycle, "expression-cycle", Fault, "no value needs itself to be computed")                              \
  RULE(malformed_display, "malformed-display", Error, "a display is one line of text and names in braces")               \
  RULE(template_cycle, "template-cycle", Error, "no template contains itself")                                           \
  RULE(missing_display, "missing-display", Warning, "a leaf has a display, be it an ancestor's")                         \
  /* bits */                                                                                                             \
  RULE(bad_range, "bad-range", Error, "'low' is not above 'high', and both lie within the size")                         \
  RULE(bad_pattern, "bad-pattern", Error, "a pattern has one of 0, 1 and x for each bit; an assert 0 or 1")              \
  RULE(redefined_bits, "redefined-bits", Error, "a bit belongs to one field, pattern or assert, with all ancestors")     \
  RULE(undefined_bits, "undefined-bits", Error, "each bit of a leaf belongs to a field, a pattern or an assert")         \
  RULE(size_mismatch, "size-mismatch", Error, "a field is as wide as its type")                                          \
  RULE(bad_size, "bad-size", Error, "a root has a size, and nobody else; instructions have whole bytes")                 \
  RULE(value_too_wide, "value-too-wide", Warning, "a value of an enum fits into some field of that type")                \
  RULE(duplicate_value, "duplicate-value", Fault, "a number stands once in an enum")                                     \
  RULE(override_overlap, "override-overlap", Warning, "a field of an override shares no bits with patterns, nor its like") \
  /* structure */                                                                                                        \
  RULE(extends_cycle, "extends-cycle", Error, "no bitset extends itself through others")                                 \
  RULE(nesting_cycle, "nesting-cycle", Error, "no bitset contains itself through fields")                                \
  RULE(missing_root, "missing-root", Error, "there is a root '#instruction', or an encoding that names roots")           \
  RULE(bad_generations, "bad-generations", Fault, "a range of generations is not empty, nor wider than the parent's")    \
  RULE(overlapping_generations, "overlapping-generations", Fault, "variants of one name share no generation")            \
  RULE(misplaced_pattern, "misplaced-pattern", Warning, "a pattern stands directly in a bitset")                         \
  RULE(ignored_display, "ignored-display", Warning, "a display stands where it is used, and once")                       \
  /* what is said for the assembler */                                                                                   \
  RULE(bad_default, "bad-default", Error, "a default fits into its field, which is one of the bitset's own")             \
  RULE(misplaced_alias, "misplaced-alias", Error, "an alias stands beside what it is another form of")                   \
  RULE(ambiguous_alias, "ambiguous-alias", Error, "an alias is no text that means something else already")               \
  RULE(competing_marks, "competing-marks", Error, "of words with one text, one is marked canonical")                     \
  /* what only `isa check` looks for */                                                                                  \
  RULE(overlapping_leaves, "overlapping-leaves", Fault, "no word is matched by two leaves of one generation")            \
  RULE(unreachable_leaf, "unreachable-leaf", Fault, "there is a word for which a leaf is chosen")                        \
  RULE(unused_root, "unused-root", Warning, "a root is the type of some field in use, or one of instructions")           \
  RULE(missing_param, "missing-param", Warning, "a field hands in what the leaves of its type read from outside")        \
  RULE(idle_override, "idle-override", Warning, "there is a word for which an override says something")                  \
  RULE(hidden_case, "hidden-case", Warning, "an override does not hold always, if others define what it defines")        \
  RULE(name_collision, "name-collision", Warning, "bitsets keep different names as identifiers of C")                    \
  RULE(ambiguous_display, "ambiguous-display", Warning, "two words that mean different things have different texts")     \
  /* what `isa check --assembler` looks for, too */                                                                       \
  RULE(lossy_text, "lossy-text", Warning, "a text says each bit of a word, or the field has a default")                  \
  RULE(equal_texts, "equal-texts", Warning, "of leaves and cases with one text, the author says which is meant")         \
  RULE(unread_text, "unread-text", Warning, "a word is found for each text that is printed without a remark")            \
  /* lines and programs for the assembler */                                                                             \
  RULE(no_instruction, "no-instruction", Error, "a line that is to be a word holds an instruction")                      \
  RULE(unknown_instruction, "unknown-instruction", Error, "an instruction is one that the description has")              \
  RULE(malformed_instruction, "malformed-instruction", Error, "an instruction is written as a display has it")           \
  RULE(no_encoding, "no-encoding", Error, "there is a word that the decoder prints as the line")                         \
  RULE(malformed_word, "malformed-word", Error, "a word is hexadecimal, with no more digits than an instruction has")    \
  RULE(line_too_long, "line-too-long", Error, "a line has at most 4096 bytes")                                           \
  RULE(duplicate_label, "duplicate-label", Error, "a label is defined once in its section")                              \
  RULE(unknown_label, "unknown-label", Error, "a label that is used is defined in the same section")                     \
  RULE(malformed_directive, "malformed-directive", Error, "a directive has the operand that it needs")                   \
  RULE(ambiguous_text, "ambiguous-text", Warning, "a text has one word; told only who asks with --report-ambiguity")     \
  RULE(missing_entry, "missing-entry", Warning, "each entry of a table has a label of its own")                          \
  RULE(unsettled_sizes, "unsettled-sizes", Error, "sizes of instructions and distances of labels settle within 16 rounds") \
  RULE(runs_together, "runs-together", Error, "what follows an instruction leaves it the instruction that it is")        \
  /* what else is read or made */                                                                                        \
  RULE(malformed_input, "malformed-input", Error, "words are hexadecimal, names KIND VALUE NAME, settings FIELD=VALUE")     \
  RULE(vector_differs, "vector-differs", Error, "a recorded word has its recorded text, and the text has a word")        \
  RULE(model_has_errors, "model-has-errors", Error, "code is generated of a description without errors")                 \
  RULE(bad_name, "bad-name", Error, "what is generated is called by a name of its language")                             \
  RULE(model_too_large, "model-too-large", Error, "the tables of a generation stay within bounds far beyond what people need") \
  RULE(wrong_language, "wrong-language", Error, "an encoder is made in C++, which has types for what may be absent")      \
  RULE(bad_map, "bad-map", Error, "a map is one expression, and an encode type is a type")                               \
  RULE(no_encode_type, "no-encode-type", Error, "a packer is made where a root of instructions has an encode type")      \
  RULE(no_decode, "no-decode", Error, "an unpacker is made where such a root has a decode element")                      \
  RULE(no_map, "no-map", Warning, "a field that a display needs has a map, or its bits are 0")                           \
  /* encoding from values */                                                                                             \
  RULE(unknown_leaf, "unknown-leaf", Error, "an instruction, or a nested bitset, is called by the name of a leaf")       \
  RULE(unclear_leaf, "unclear-leaf", Error, "the fields of a nested bitset say which leaf it is, or it is named")        \
  RULE(unknown_field, "unknown-field", Error, "a field that is given is one of its leaf")                                \
  RULE(field_given_twice, "field-given-twice", Error, "a field is given once, as a whole or by its own fields")          \
  RULE(unknown_value, "unknown-value", Error, "a value is a number, or a name that the type of its field has")           \
  RULE(unfit_value, "unfit-value", Error, "a value is of the kind that its field takes")                                 \
  RULE(value_out_of_range, "value-out-of-range", Error, "a number fits into the bits of its field")                      \
  RULE(refused_word, "refused-word", Error, "a word is none that its description marks as never made")                   \
  RULE(no_word, "no-word", Error, "some word decodes to the leaf and to all values that are given")
// clang-format on

#define VIREO_RULE_NAME(identifier, name, severity, demand) inline constexpr std::string_view identifier = name;
VIREO_ISA_RULES(VIREO_RULE_NAME)
#undef VIREO_RULE_NAME
}  // namespace rule

inline constexpr RuleRow rule_rows[] = {
#define VIREO_RULE_ROW(identifier, name, severity, demand) {name, RuleSeverity::severity, demand},
    VIREO_ISA_RULES(VIREO_RULE_ROW)
#undef VIREO_RULE_ROW
};
#undef VIREO_ISA_RULES

/// The row of a rule; null when there is none of this name.
constexpr const RuleRow* find_rule(std::string_view name) {
  const auto* row = std::find_if(std::begin(rule_rows), std::end(rule_rows),
                                 [&](const RuleRow& candidate) { return candidate.name == name; });
  return row == std::end(rule_rows) ? nullptr : row;
}

}  // namespace vireo::isa
