// SPDX-License-Identifier: Apache-2.0
//
// Properties of modules, from C.
#include "c/check.h"
#include "vireo/vireo_inspect.h"

static int stop_at_once(void* user, const char* chunk, size_t size) {
  (void)user, (void)chunk, (void)size;
  return 0;
}

void describes_modules_as_json(void) {
  const char* text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n";
  vireo_words* module = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_text* json = vireo_text_create();
  CHECK(vireo_assemble(text, strlen(text), NULL, NULL, &module) == VIREO_OK);
  const uint32_t* words = vireo_words_data(module);
  const size_t size = vireo_words_count(module);
  CHECK(vireo_info_json(words, size, NULL, vireo_text_write, json, found) == VIREO_OK);
  CHECK(strstr(vireo_text_data(json), "\"capability\":[\"Shader\"]") != NULL);
  CHECK(vireo_info_json(words, size, NULL, stop_at_once, NULL, found) == VIREO_STOPPED);
  CHECK(vireo_info_json(words, size, NULL, NULL, NULL, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_info_json(NULL, 1, NULL, vireo_text_write, json, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_diagnostics_count(found) == 0);
  // A broken module is described nevertheless; other words are not.
  vireo_text_clear(json);
  CHECK(vireo_info_json(words, size - 1, NULL, vireo_text_write, json, found) == VIREO_REPORTED);
  CHECK(strstr(vireo_text_data(json), "\"faults\":1,") != NULL);
  vireo_text_clear(json);
  CHECK(vireo_info_json(words, 4, NULL, vireo_text_write, json, found) == VIREO_REPORTED);
  CHECK(vireo_text_size(json) == 0 && vireo_diagnostics_count(found) == 2);

  const vireo_string holds = {"types = 1 and capability = Shader", 33}, wrong = {"type = 1", 8}, fails = {"bytes<4", 7};
  int matches = 2;
  CHECK(vireo_info_matches(words, size, NULL, holds, &matches, found) == VIREO_OK && matches == 1);
  CHECK(vireo_info_matches(words, size, NULL, fails, &matches, found) == VIREO_OK && matches == 0);
  CHECK(vireo_info_matches(words, size, NULL, holds, NULL, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_diagnostics_count(found) == 2);
  matches = 1;
  CHECK(vireo_info_matches(words, size, NULL, wrong, &matches, found) == VIREO_REPORTED && matches == 0);
  CHECK(vireo_info_matches(words, 4, NULL, holds, &matches, found) == VIREO_REPORTED && matches == 0);
  CHECK(vireo_diagnostics_count(found) == 4);
  vireo_text_destroy(json);
  vireo_diagnostics_destroy(found);
  vireo_words_destroy(module);
}
