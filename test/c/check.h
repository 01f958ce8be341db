// SPDX-License-Identifier: Apache-2.0
//
// Helpers for tests in C: checks that report to the test framework, and the list of all cases.
//
// The cases are compiled as C99, like the code of C users; c_test.cpp runs each one as a test.
#pragma once

#include <stddef.h>
#include <string.h>

#include "vireo/vireo.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reports a failed check to the running test.
void check_failed(const char* file, int line, const char* what);

#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

/// Whether a text of the library equals the expected one.
static inline int is_text(vireo_string text, const char* expected) {
  return text.size == strlen(expected) && memcmp(text.data, expected, text.size) == 0;
}
static inline vireo_string string_of(const char* text) {
  vireo_string result;
  result.data = text;
  result.size = strlen(text);
  return result;
}

/// A small shader with one entry point, two interface variables and a function of one block; and its words.
extern const char* const shader_text;
vireo_words* shader_words(void);

// Each case is a function in one of the .c files.
#define FOR_EACH_CASE(CASE)                        \
  CASE(returns_its_version)                        \
  CASE(assembles_and_disassembles)                 \
  CASE(reports_every_fault_of_a_text)              \
  CASE(keeps_an_error_after_many_warnings)         \
  CASE(reads_bytes_of_either_order)                \
  CASE(accepts_flags_and_rejects_unknown_ones)     \
  CASE(stops_if_a_writer_requests_it)              \
  CASE(loads_a_grammar)                            \
  CASE(names_opcodes_kinds_and_enumerants)         \
  CASE(parses_every_operand)                       \
  CASE(parses_extended_and_typed_operands)         \
  CASE(continues_after_a_fault)                    \
  CASE(stops_if_a_callback_requests_it)            \
  CASE(indexes_a_module)                           \
  CASE(finds_entry_points)                         \
  CASE(lists_layout_violations_of_a_broken_module) \
  CASE(describes_types)                            \
  CASE(describes_constants)                        \
  CASE(lists_names_and_decorations)                \
  CASE(lists_uses)                                 \
  CASE(describes_control_flow)                     \
  CASE(writes_literal_strings)                     \
  CASE(builds_in_any_order)                        \
  CASE(reports_misuse_of_a_builder)                \
  CASE(edits_a_module)                             \
  CASE(edits_by_typed_instructions)                \
  CASE(strips_modules)                             \
  CASE(trims_modules)                              \
  CASE(links_modules)                              \
  CASE(cleans_modules)                             \
  CASE(specializes_modules)                        \
  CASE(shrinks_modules)                            \
  CASE(runs_shaders)                               \
  CASE(reports_findings_of_executions)             \
  CASE(interrupts_executions)                      \
  CASE(runs_shaders_with_images)                   \
  CASE(rejects_arguments_of_executions)            \
  CASE(describes_modules_as_json)                  \
  CASE(draws_modules)                              \
  CASE(compares_modules)                           \
  CASE(validates_modules)                          \
  CASE(validates_with_a_profile)                   \
  CASE(lists_and_finds_rules)                      \
  CASE(renders_findings_of_words)                  \
  CASE(validates_texts_with_allow_comments)        \
  CASE(decodes_words_of_an_instruction_set)        \
  CASE(prints_programs_of_an_instruction_set)      \
  CASE(assembles_for_an_instruction_set)           \
  CASE(encodes_words_from_values)                  \
  CASE(fills_in_forms)                             \
  CASE(loads_imports_by_callback)                  \
  CASE(reports_faults_of_descriptions_by_file)     \
  CASE(reflects_entry_points_and_resources)        \
  CASE(reflects_variables_and_structures)          \
  CASE(reflects_descriptor_heaps)                  \
  CASE(writes_reflections)                         \
  CASE(merges_pipelines)                           \
  CASE(rejects_arguments_of_pipelines)             \
  CASE(extracts_parts_of_modules)                  \
  CASE(accepts_null_for_results)

#define DECLARE_CASE(name) void name(void);
FOR_EACH_CASE(DECLARE_CASE)
#undef DECLARE_CASE

#ifdef __cplusplus
}
#endif
