// SPDX-License-Identifier: Apache-2.0
//
// Parts of modules, from C.
#include "c/check.h"
#include "vireo/vireo_inspect.h"

static const char* const two_entry_points_text =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %first \"first\"\nOpEntryPoint GLCompute %second \"second\"\n"
    "OpExecutionMode %first LocalSize 1 1 1\nOpExecutionMode %second LocalSize 2 1 1\n"
    "OpName %first \"first\"\nOpName %second \"second\"\nOpName %helper \"helper\"\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
    "%first = OpFunction %void None %fn\n%a = OpLabel\n%call = OpFunctionCall %void %helper\nOpReturn\nOpFunctionEnd\n"
    "%second = OpFunction %void None %fn\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n"
    "%helper = OpFunction %void None %fn\n%c = OpLabel\nOpReturn\nOpFunctionEnd\n";

static int stops_parts(void* user, const char* chunk, size_t size) {
  (void)user;
  (void)chunk;
  (void)size;
  return 0;
}

void extracts_parts_of_modules(void) {
  vireo_words* words = NULL;
  vireo_module* module = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  CHECK(vireo_assemble(two_entry_points_text, strlen(two_entry_points_text), NULL, NULL, &words) == VIREO_OK);
  CHECK(vireo_module_read(vireo_words_data(words), vireo_words_count(words), NULL, &module) == VIREO_OK);

  // Roots by name and by id. The count is complete even if nothing can be stored.
  uint32_t root = VIREO_NONE;
  size_t count = 0;
  CHECK(vireo_module_find_roots(module, string_of("first"), VIREO_ROOT_ENTRY_POINT, &root, 1, &count, found) == VIREO_OK);
  vireo_entry_point entry;
  CHECK(vireo_module_entry_point(module, 0, &entry) == VIREO_OK);
  CHECK(count == 1 && root == entry.instruction);
  CHECK(vireo_module_find_roots(module, string_of("helper"), VIREO_ROOT_FUNCTION, NULL, 0, &count, found) == VIREO_OK);
  CHECK(count == 1 && vireo_diagnostics_count(found) == 0);

  // The part is a valid module with one entry point and the function that it calls.
  vireo_words* part = NULL;
  vireo_module* of_part = NULL;
  CHECK(vireo_module_part(module, &root, 1, &part) == VIREO_OK);
  CHECK(vireo_validate(vireo_words_data(part), vireo_words_count(part), NULL, found) == VIREO_OK);
  CHECK(vireo_module_read(vireo_words_data(part), vireo_words_count(part), NULL, &of_part) == VIREO_OK);
  CHECK(vireo_module_entry_point_count(of_part) == 1 && vireo_module_function_count(of_part) == 2);
  vireo_module_destroy(of_part);
  vireo_words_destroy(part);

  vireo_text* text = vireo_text_create();
  CHECK(vireo_module_disassemble_part(module, &root, 1, VIREO_NO_HEADER, vireo_text_write, text, found) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "%helper = OpFunction") != NULL);
  CHECK(strstr(vireo_text_data(text), "%second") == NULL);
  vireo_text_clear(text);
  CHECK(vireo_module_disassemble_part(module, &root, 1, VIREO_JSON, vireo_text_write, text, found) == VIREO_OK);
  CHECK(vireo_text_data(text)[0] == '{');
  CHECK(vireo_module_disassemble_part(module, &root, 1, 0, stops_parts, NULL, found) == VIREO_STOPPED);
  vireo_text_destroy(text);

  // Unknown names, and wrong arguments.
  vireo_diagnostic fault;
  CHECK(vireo_module_find_roots(module, string_of("frist"), VIREO_ROOT_FUNCTION, &root, 1, &count, found) ==
        VIREO_REPORTED);
  CHECK(count == 0 && vireo_diagnostics_get(found, 0, &fault) == VIREO_OK);
  CHECK(is_text(fault.rule, "unknown-function") && is_text(fault.hint, "expected first, helper or second; did you mean 'first'?"));
  CHECK(vireo_module_find_roots(module, string_of("first"), 2, &root, 1, &count, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_module_find_roots(module, string_of("first"), 0, NULL, 1, &count, found) == VIREO_BAD_ARGUMENT);
  root = vireo_module_instruction_count(module);
  CHECK(vireo_module_part(module, &root, 1, &part) == VIREO_BAD_ARGUMENT && part == NULL);
  CHECK(vireo_module_part(NULL, &root, 1, &part) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_module_disassemble_part(module, NULL, 0, 1u << 30, stops_parts, NULL, NULL) == VIREO_BAD_ARGUMENT);
  vireo_module_destroy(module);
  vireo_words_destroy(words);
  vireo_diagnostics_destroy(found);
}
