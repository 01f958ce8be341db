// SPDX-License-Identifier: Apache-2.0
//
// Making and changing modules, from C.
#include "c/check.h"

/// Adds an instruction by name and returns its result id.
static uint32_t add(vireo_builder* builder, const char* opcode, const uint32_t* operands, size_t count) {
  uint32_t number = 0, result = 0;
  CHECK(vireo_find_opcode(NULL, string_of(opcode), &number) == VIREO_OK);
  CHECK(vireo_builder_add(builder, number, operands, count, &result, NULL) == VIREO_OK);
  return result;
}
#define ADD(builder, opcode, ...) \
  add(builder, opcode, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/// Checks the text of a module, without header and names.
static void check_text(const vireo_words* words, const char* expected) {
  vireo_text* text = vireo_text_create();
  CHECK(vireo_disassemble(vireo_words_data(words), vireo_words_count(words), NULL,
                          VIREO_NO_HEADER | VIREO_NO_INDENT | VIREO_RAW_IDS, vireo_text_write, text, NULL) == VIREO_OK);
  CHECK(strcmp(vireo_text_data(text), expected) == 0);
  vireo_text_destroy(text);
}

void writes_literal_strings(void) {
  uint32_t words[3] = {9, 9, 9};
  CHECK(vireo_string_words(string_of("main"), NULL, 0) == 2);
  CHECK(vireo_string_words(string_of("main"), words, 3) == 2);
  CHECK(words[0] == 0x6E69616Du && words[1] == 0 && words[2] == 9);
  CHECK(vireo_string_words(string_of("abcde"), words, 1) == 2 && words[0] == 0x64636261u && words[1] == 0);
  CHECK(vireo_string_words(string_of(""), words, 3) == 1 && words[0] == 0);
}

void builds_in_any_order(void) {
  vireo_builder* b = NULL;
  vireo_words* words = NULL;
  uint32_t name[2], nothing, type, main_, end = 0;
  CHECK(vireo_builder_create(1, 5, &b) == VIREO_OK);
  CHECK(vireo_string_words(string_of("main"), name, 2) == 2);
  nothing = add(b, "OpTypeVoid", NULL, 0);
  CHECK(add(b, "OpTypeVoid", NULL, 0) == nothing);  // equal types are merged
  type = ADD(b, "OpTypeFunction", nothing);
  main_ = ADD(b, "OpFunction", nothing, 0, type);
  add(b, "OpLabel", NULL, 0);
  CHECK(vireo_builder_reserve(b, 248, &end, NULL) == VIREO_OK && end != 0);
  ADD(b, "OpBranch", end);
  CHECK(vireo_builder_add(b, 248, NULL, 0, &end, NULL) == VIREO_OK);
  add(b, "OpReturn", NULL, 0);
  add(b, "OpFunctionEnd", NULL, 0);
  ADD(b, "OpExecutionMode", main_, 17, 8, 4, 1);  // LocalSize, with its parameters
  ADD(b, "OpEntryPoint", 5, main_, name[0], name[1]);
  ADD(b, "OpMemoryModel", 0, 1);
  CHECK(vireo_builder_add_requirements(b, NULL) == VIREO_OK);
  CHECK(vireo_builder_build(b, NULL, &words) == VIREO_OK);
  CHECK(vireo_words_data(words)[1] == 0x10500u);
  check_text(words,
             "OpCapability Shader\n"
             "OpMemoryModel Logical GLSL450\n"
             "OpEntryPoint GLCompute %3 \"main\"\n"
             "OpExecutionMode %3 LocalSize 8 4 1\n"
             "%1 = OpTypeVoid\n"
             "%2 = OpTypeFunction %1\n"
             "%3 = OpFunction %1 None %2\n"
             "%4 = OpLabel\n"
             "OpBranch %5\n"
             "%5 = OpLabel\n"
             "OpReturn\n"
             "OpFunctionEnd\n");
  vireo_words_destroy(words);
  vireo_builder_destroy(b);
}

void reports_misuse_of_a_builder(void) {
  const uint32_t twice[] = {32, 0, 7}, short_of[] = {32}, foreign[] = {99};
  vireo_builder* b = NULL;
  vireo_words* words = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic fault;
  uint32_t id = 0;
  const struct {
    uint32_t opcode;
    const uint32_t* operands;
    size_t count;
    const char* rule;
  } rows[] = {
      {21, twice, 3, "surplus-operand"},  {21, short_of, 1, "missing-operand"}, {249, foreign, 1, "foreign-id"},
      {253, NULL, 0, "outside-of-block"}, {65535, NULL, 0, "unknown-opcode"},
  };
  CHECK(vireo_builder_create(1, 6, &b) == VIREO_OK);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    vireo_diagnostics_clear(found);
    CHECK(vireo_builder_add(b, rows[i].opcode, rows[i].operands, rows[i].count, NULL, found) == VIREO_REPORTED);
    CHECK(vireo_diagnostics_count(found) == 1);
    CHECK(vireo_diagnostics_get(found, 0, &fault) == VIREO_OK && is_text(fault.rule, rows[i].rule));
  }
  CHECK(vireo_builder_reserve(b, 253, &id, found) == VIREO_REPORTED && id == 0);  // OpReturn has no result
  CHECK(vireo_builder_build(b, found, &words) == VIREO_REPORTED && words == NULL);
  CHECK(vireo_builder_add(NULL, 17, foreign, 1, NULL, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_builder_add(b, 65536, NULL, 0, NULL, NULL) == VIREO_BAD_ARGUMENT);
  vireo_builder_destroy(b);
  CHECK(vireo_builder_create(256, 0, &b) == VIREO_BAD_ARGUMENT && b == NULL);
  vireo_diagnostics_destroy(found);
}

void edits_a_module(void) {
  vireo_words *words = shader_words(), *changed = NULL;
  vireo_module *module = NULL, *again = NULL;
  vireo_edit* edit = NULL;
  vireo_constant constant;
  vireo_string name;
  uint32_t pi = 0, fresh = 0, modes = 0;
  uint32_t named[3] = {3u << 16 | 5u, 0, 0};  // OpName
  vireo_instruction instruction;
  CHECK(vireo_module_read(vireo_words_data(words), vireo_words_count(words), NULL, &module) == VIREO_OK);
  for (uint32_t i = 0; vireo_module_instruction(module, i, &instruction) == VIREO_OK; ++i) {
    if (is_text(instruction.name, "OpConstant")) pi = instruction.result_id;
  }
  CHECK(vireo_edit_create(module, &edit) == VIREO_OK);
  fresh = vireo_edit_fresh_id(edit);
  CHECK(fresh == vireo_words_data(words)[3] && vireo_edit_fresh_id(edit) == fresh + 1);
  CHECK(vireo_edit_set_word(edit, vireo_module_definition(module, pi), 3, 0x40000000u) == VIREO_OK);
  named[1] = pi;
  CHECK(vireo_string_words(string_of("two"), named + 2, 1) == 1);
  CHECK(vireo_edit_add(edit, named, 3) == VIREO_OK);
  CHECK(vireo_edit_remove(edit, 4) == VIREO_OK);  // OpExecutionMode
  CHECK(vireo_edit_apply(edit, NULL, &changed) == VIREO_OK);
  CHECK(vireo_words_count(changed) == vireo_words_count(words));  // three words more, three fewer
  CHECK(vireo_module_read(vireo_words_data(changed), vireo_words_count(changed), NULL, &again) == VIREO_OK);
  CHECK(vireo_module_constant(again, pi, &constant) == VIREO_OK && constant.bits == 0x40000000u);
  CHECK(vireo_module_name(again, pi, VIREO_NONE, &name) == VIREO_OK && is_text(name, "two"));
  for (uint32_t i = 0; vireo_module_instruction(again, i, &instruction) == VIREO_OK; ++i)
    modes += is_text(instruction.name, "OpExecutionMode");
  CHECK(modes == 0);
  vireo_words_destroy(changed);
  vireo_edit_destroy(edit);

  // An invalid position is reported when the edit is applied.
  CHECK(vireo_edit_create(module, &edit) == VIREO_OK);
  CHECK(vireo_edit_insert_before(edit, 9999, named, 3) == VIREO_OK);
  CHECK(vireo_edit_replace(edit, 1, named, 2) == VIREO_OK);  // incomplete instruction
  CHECK(vireo_edit_apply(edit, NULL, &changed) == VIREO_REPORTED && changed == NULL);
  vireo_edit_destroy(edit);
  vireo_module_destroy(again);
  vireo_module_destroy(module);

  // An edit of a truncated module or of no module is rejected.
  const size_t counts[] = {6, 3, 0};  // OpCapability without its operand, half a header, nothing
  for (int i = 0; i < 3; ++i) {
    vireo_diagnostics* found = NULL;
    CHECK((found = vireo_diagnostics_create()) != NULL);
    CHECK(vireo_module_read(vireo_words_data(words), counts[i], NULL, &module) == VIREO_OK);
    CHECK(vireo_edit_create(module, &edit) == VIREO_OK);
    CHECK(vireo_edit_fresh_id(edit) != 0);
    CHECK(vireo_edit_apply(edit, found, &changed) == VIREO_REPORTED && changed == NULL);
    CHECK(vireo_diagnostics_count(found) != 0);
    vireo_diagnostics_destroy(found);
    vireo_edit_destroy(edit);
    vireo_module_destroy(module);
  }
  vireo_words_destroy(words);
}

/// Makes an instruction by name with an edit.
static uint32_t make(vireo_edit* edit, vireo_edit_place place, uint32_t at, const char* opcode,
                     const uint32_t* operands, size_t count) {
  uint32_t number = 0, result = 0;
  CHECK(vireo_find_opcode(NULL, string_of(opcode), &number) == VIREO_OK);
  CHECK(vireo_edit_make(edit, place, at, number, operands, count, &result) == VIREO_OK);
  return result;
}
#define MAKE(edit, place, at, opcode, ...)                       \
  make(edit, place, at, opcode, (const uint32_t[]){__VA_ARGS__}, \
       sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

void edits_by_typed_instructions(void) {
  const char* text =
      "OpCapability Shader\n"
      "OpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %3 \"main\"\n"
      "OpExecutionMode %3 LocalSize 1 1 1\n"
      "OpName %7 \"sum\"\n"
      "%1 = OpTypeVoid\n"
      "%2 = OpTypeFunction %1\n"
      "%5 = OpTypeInt 32 0\n"
      "%6 = OpConstant %5 7\n"
      "%3 = OpFunction %1 None %2\n"
      "%4 = OpLabel\n"
      "%7 = OpIAdd %5 %6 %6\n"
      "OpReturn\n"
      "OpFunctionEnd\n";
  const vireo_assemble_options options = {NULL, VIREO_PRESERVE_NUMERIC_IDS, 1, 5};
  vireo_words *words = NULL, *changed = NULL;
  vireo_edit* edit = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic fault;
  uint32_t buffer[128], eight, product, id;
  size_t count = 0;
  CHECK(vireo_assemble(text, strlen(text), &options, NULL, &words) == VIREO_OK);
  CHECK(vireo_edit_create_from_words(vireo_words_data(words), vireo_words_count(words), NULL, &edit) == VIREO_OK);
  CHECK(MAKE(edit, VIREO_EDIT_ADD, 0, "OpTypeInt", 32, 0) == 5);  // an existing declaration is reused
  CHECK(MAKE(edit, VIREO_EDIT_ADD, 0, "OpConstant", 5, 7) == 6);
  eight = MAKE(edit, VIREO_EDIT_ADD, 0, "OpConstant", 5, 8);
  CHECK(eight == 8 && MAKE(edit, VIREO_EDIT_ADD, 0, "OpConstant", 5, 8) == 8);
  CHECK(MAKE(edit, VIREO_EDIT_REPLACE, 11, "OpISub", 5, 6, eight) == 7);
  product = MAKE(edit, VIREO_EDIT_AFTER, 11, "OpIMul", 5, 7, eight);
  id = vireo_edit_fresh_id(edit);
  CHECK(vireo_edit_make(edit, VIREO_EDIT_AT_BEGIN, 0, 200, (const uint32_t[]){5, 6}, 2, &id) == VIREO_OK);  // OpNot
  CHECK(id == product + 1);
  CHECK(vireo_edit_remove_with_annotations(edit, 9999) == VIREO_OK);
  CHECK(vireo_edit_apply(edit, found, &changed) == VIREO_REPORTED && changed == NULL);
  vireo_edit_destroy(edit);

  CHECK(vireo_edit_create_from_words(vireo_words_data(words), vireo_words_count(words), NULL, &edit) == VIREO_OK);
  eight = MAKE(edit, VIREO_EDIT_ADD, 0, "OpConstant", 5, 8);
  product = MAKE(edit, VIREO_EDIT_BEFORE, 12, "OpIMul", 5, eight, 6);
  CHECK(vireo_edit_remove_with_annotations(edit, 11) == VIREO_OK);
  CHECK(vireo_edit_move_before(edit, 0, 1, 0) == VIREO_OK);
  CHECK(vireo_edit_add_requirements(edit) == VIREO_OK);
  CHECK(vireo_edit_apply(edit, NULL, &changed) == VIREO_OK);
  check_text(changed,
             "OpCapability Shader\n"
             "OpMemoryModel Logical GLSL450\n"
             "OpEntryPoint GLCompute %3 \"main\"\n"
             "OpExecutionMode %3 LocalSize 1 1 1\n"
             "%1 = OpTypeVoid\n"
             "%2 = OpTypeFunction %1\n"
             "%5 = OpTypeInt 32 0\n"
             "%6 = OpConstant %5 7\n"
             "%8 = OpConstant %5 8\n"
             "%3 = OpFunction %1 None %2\n"
             "%4 = OpLabel\n"
             "%9 = OpIMul %5 %8 %6\n"
             "OpReturn\n"
             "OpFunctionEnd\n");
  // The same words, written to a buffer of the caller.
  CHECK(vireo_edit_apply_into(edit, NULL, 0, &count, NULL) == VIREO_OK && count == vireo_words_count(changed));
  CHECK(vireo_edit_apply_into(edit, buffer, count - 1, &count, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_edit_apply_into(edit, buffer, sizeof buffer / sizeof *buffer, &count, NULL) == VIREO_OK);
  CHECK(memcmp(buffer, vireo_words_data(changed), count * sizeof *buffer) == 0);
  vireo_words_destroy(changed);

  // Misuse is reported when the edit is applied.
  vireo_diagnostics_clear(found);
  CHECK(vireo_edit_make(edit, VIREO_EDIT_BEFORE, 12, 128, (const uint32_t[]){5, 6, 99}, 3, &id) == VIREO_OK);
  CHECK(vireo_edit_apply_into(edit, buffer, sizeof buffer / sizeof *buffer, &count, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_get(found, 0, &fault) == VIREO_OK && is_text(fault.rule, "foreign-id"));
  CHECK(vireo_edit_make(edit, (vireo_edit_place)9, 12, 128, NULL, 0, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_edit_make(NULL, VIREO_EDIT_ADD, 0, 128, NULL, 0, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_edit_apply_into(edit, buffer, 4, NULL, NULL) == VIREO_BAD_ARGUMENT);
  vireo_edit_destroy(edit);
  vireo_words_destroy(words);
  vireo_diagnostics_destroy(found);
}
