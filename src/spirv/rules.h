// SPDX-License-Identifier: Apache-2.0
//
// The names of the rules that the reader, the assembler, the disassembler and the builder report.
//
// The one idea: a rule is a row. Its name is stable (scripts match it, `vireo explain RULE` prints it); its text states
// the requirement. The rules of grammar documents are in grammar/grammar_rules.h.
#pragma once

#include <array>
#include <string_view>

namespace vireo::spirv {

struct RuleRow {
  std::string_view name;
  std::string_view requirement;  ///< the requirement on the input
};

namespace rule {
// clang-format off
#define VIREO_SPIRV_RULES(RULE)                                                                                          \
  /* size and header of the binary */                                                                                    \
  RULE(empty_module, "empty-module", "a module has at least a header of five words")                                     \
  RULE(odd_size, "odd-size", "the size of a module in bytes is a multiple of four")                                      \
  RULE(truncated_header, "truncated-header", "a module begins with five words of header")                                \
  RULE(bad_magic, "bad-magic", "the first word is 0x07230203 in one of the two byte orders")                             \
  RULE(bad_version, "bad-version", "the version word is 0x00MMmm00 and names a version that exists")                     \
  RULE(newer_version, "newer-version", "the version of a module is not newer than the grammar's")                        \
  RULE(bad_hex_text, "bad-hex-text", "hexadecimal text uses one notation, for words or for bytes")                       \
  /* instructions of the binary */                                                                                       \
  RULE(zero_word_count, "zero-word-count", "an instruction has at least one word")                                       \
  RULE(truncated_instruction, "truncated-instruction", "an instruction ends within the module")                          \
  RULE(unknown_opcode, "unknown-opcode", "the grammar has an instruction for each opcode")                               \
  RULE(unknown_enumerant, "unknown-enumerant", "the grammar has an enumerant for each value and each bit of a mask")     \
  RULE(unknown_extended_instruction, "unknown-extended-instruction", "the imported set has the instruction")             \
  RULE(unknown_extended_set, "unknown-extended-set", "an imported set is in the grammar or non-semantic")                \
  RULE(set_not_imported, "set-not-imported", "an extended instruction names a set that was imported above it")           \
  RULE(bad_spec_opcode, "bad-spec-opcode", "OpSpecConstantOp contains one of the opcodes that it permits")               \
  RULE(missing_operand, "missing-operand", "an instruction has all operands that its grammar requires")                  \
  RULE(surplus_operand, "surplus-operand", "an instruction has no operands beyond its grammar's")                        \
  RULE(unterminated_string, "unterminated-string", "a literal string ends within its instruction")                       \
  RULE(truncated_literal, "truncated-literal", "a literal has as many words as its type needs")                          \
  RULE(literal_type_unknown, "literal-type-unknown", "a constant's type is an integer or float type declared before it") \
  RULE(unsupported_width, "unsupported-width", "literal numbers have at most 64 bits, and a width the format has")       \
  RULE(selector_type, "selector-type", "the selector of OpSwitch with labels has an integer type declared before it")    \
  RULE(bad_encoding, "bad-encoding", "a float type's encoding exists and has the width of the type")                     \
  RULE(zero_id, "zero-id", "an id is never 0")                                                                           \
  RULE(duplicate_id, "duplicate-id", "an id is defined once")                                                            \
  /* text */                                                                                                             \
  RULE(expected_instruction, "expected-instruction", "an instruction begins with an opcode or a result id")              \
  RULE(expected_equals, "expected-equals", "a result id at the start of an instruction is followed by '='")              \
  RULE(expected_opcode, "expected-opcode", "an opcode follows '='")                                                      \
  RULE(unknown_instruction, "unknown-instruction", "an opcode's name is one that the grammar has in this version")       \
  RULE(result_required, "result-required", "an instruction with a result is written '%id = Op...'")                      \
  RULE(result_forbidden, "result-forbidden", "an instruction without a result is written without '%id ='")               \
  RULE(bad_id, "bad-id", "an id is '%' and letters, digits or underscores")                                              \
  RULE(bad_enumerant, "bad-enumerant", "an enumerant is written as one of its names")                                    \
  RULE(bad_mask, "bad-mask", "a mask is a list of bit names joined by '|'")                                              \
  RULE(bad_integer, "bad-integer", "an integer literal is decimal, octal or hexadecimal and fits its type")              \
  RULE(bad_float, "bad-float", "a float literal is decimal or hexadecimal and fits its type")                            \
  RULE(bad_string, "bad-string", "a literal string is enclosed in double quotes")                                        \
  RULE(instruction_too_long, "instruction-too-long", "an instruction has at most 65535 words")                           \
  RULE(bad_raw_word, "bad-raw-word", "a raw word is '!' and an unsigned 32-bit number")                                  \
  RULE(bad_raw_operand, "bad-raw-operand", "only ids, numbers, strings and raw words follow a raw word")                 \
  RULE(bad_unknown_instruction, "bad-unknown-instruction", "OpUnknown is written OpUnknown(opcode, word count) ...")     \
  RULE(bad_header_comment, "bad-header-comment", "under --exact, header comments have the disassembler's form")          \
  /* building */                                                                                                         \
  RULE(foreign_id, "foreign-id", "an id is used only with the builder that created it, and as its kind")                 \
  RULE(undefined_id, "undefined-id", "an id that was reserved is the result of an instruction")                          \
  RULE(forward_reference, "forward-reference", "a use precedes its definition only where the specification permits it")  \
  RULE(literal_range, "literal-range", "a literal has the class of its type and fits its width")                         \
  RULE(spec_default, "spec-default", "a default value is written ID:VALUE and fits the type of the constant")            \
  RULE(spec_value, "spec-value", "a value is for a specialization constant of the module and fits its type")             \
  RULE(spec_undefined, "spec-undefined", "the values of an OpSpecConstantOp give it a defined result")                   \
  RULE(pipeline_stage, "pipeline-stage", "a pipeline has a stage, and at most one of each kind, except ray tracing")     \
  RULE(pipeline_binding, "pipeline-binding", "stages agree in type, array length and block layout of a binding")         \
  RULE(pipeline_interface, "pipeline-interface", "an input is an output of the previous stage, with the same type")      \
  RULE(pipeline_spec_id, "pipeline-spec-id", "constants of a pipeline with the same SpecId have the same type")          \
  RULE(not_interesting, "not-interesting", "the command of 'vireo shrink' succeeds for the module itself")               \
  RULE(cannot_run, "cannot-run", "'vireo shrink' can start its command and wait for it")                                \
  RULE(outside_of_block, "outside-of-block", "an instruction of a function is in an open block")                         \
  RULE(block_not_ended, "block-not-ended", "a block ends with a terminator before the next one begins")                  \
  RULE(outside_of_function, "outside-of-function", "labels, parameters and OpFunctionEnd are in a function")             \
  RULE(function_not_ended, "function-not-ended", "a function ends with OpFunctionEnd before the next one begins")        \
  RULE(merge_without_branch, "merge-without-branch", "a merge instruction is followed by the branch that ends its block")\
  RULE(memory_model, "memory-model", "a module has one OpMemoryModel")                                                   \
  RULE(profile_syntax, "profile-syntax", "a profile is a JSON document")                                                 \
  RULE(profile_value, "profile-value", "a profile has only known keys, with values of the right form")                   \
  RULE(edit_place, "edit-place", "an edit places each instruction in its section of the logical layout")                 \
  RULE(edit_instruction, "edit-instruction", "an edit reads and inserts only whole instructions")                        \
  RULE(edit_bound, "edit-bound", "an edit defines only fresh ids, and leaves a bound above all ids")                     \
  /* linking */                                                                                                          \
  RULE(link_module, "link-module", "at least one module is linked, and each has one OpMemoryModel")                      \
  RULE(link_version, "link-version", "linked modules have the same version of SPIR-V, unless the highest is chosen")     \
  RULE(link_memory_model, "link-memory-model", "linked modules have one addressing model, memory model, kind of buffers")  \
  RULE(link_entry_point, "link-entry-point", "entry points of linked modules differ in name or execution model")         \
  RULE(link_duplicate, "link-duplicate", "a name is exported once, unless all its definitions are LinkOnceODR")          \
  RULE(link_unresolved, "link-unresolved", "an imported name is exported by one of the linked modules")                  \
  RULE(link_type, "link-type", "declarations with one linkage name have the same type")                                  \
  RULE(link_decoration, "link-decoration", "an import has the decorations of its export")                                \
  RULE(link_limit, "link-limit", "the ids and decorations of linked modules fit into one module")                        \
  /* inspecting */                                                                                                       \
  RULE(condition_syntax, "condition-syntax", "a condition is FIELD OPERATOR VALUE, joined by 'and', 'or' and 'not'")     \
  RULE(unknown_field, "unknown-field", "a condition names fields that 'vireo info --fields' lists")                      \
  RULE(condition_value, "condition-value", "the operator and the value of a comparison fit the field")                   \
  RULE(unknown_function, "unknown-function", "a part is selected by the name of a function or an entry point, or by an id")\
  RULE(folded_graph, "folded-graph", "a picture within its limits shows all parts of the module")                        \
  RULE(target_block, "target-block", "a branch or merge instruction refers to a block of its function")
// clang-format on

// The list is expanded twice: to a constant for each rule, for reports, and to the table that `explain` prints.
#define VIREO_RULE_NAME(identifier, name, requirement) inline constexpr std::string_view identifier = name;
VIREO_SPIRV_RULES(VIREO_RULE_NAME)
#undef VIREO_RULE_NAME
}  // namespace rule

inline constexpr RuleRow rule_rows[] = {
#define VIREO_RULE_ROW(identifier, name, requirement) {name, requirement},
    VIREO_SPIRV_RULES(VIREO_RULE_ROW)
#undef VIREO_RULE_ROW
};
#undef VIREO_SPIRV_RULES

}  // namespace vireo::spirv
