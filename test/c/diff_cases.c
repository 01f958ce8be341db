// SPDX-License-Identifier: Apache-2.0
//
// Comparison of modules, from C.
#include "c/check.h"
#include "vireo/vireo_inspect.h"

static int stops_at_once(void* user, const char* chunk, size_t size) {
  (void)user;
  (void)chunk;
  (void)size;
  return 0;
}

void compares_modules(void) {
  vireo_words* module = shader_words();
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_text* text = vireo_text_create();
  const uint32_t* words = vireo_words_data(module);
  const size_t size = vireo_words_count(module);
  int is_equal = 0;
  CHECK(vireo_diff(words, size, words, size, NULL, NULL, &is_equal, vireo_text_write, text, found) == VIREO_OK);
  CHECK(is_equal == 1 && vireo_text_size(text) == 0);

  // Another version in the header.
  uint32_t changed[1024];
  CHECK(size <= 1024);
  memcpy(changed, words, size * sizeof(uint32_t));
  changed[1] = 0x10100;
  vireo_diff_options options = {0};
  options.before_name = string_of("a.spv");
  CHECK(vireo_diff(words, size, changed, size, &options, NULL, &is_equal, vireo_text_write, text, found) == VIREO_OK);
  CHECK(is_equal == 0);
  CHECK(strstr(vireo_text_data(text), "--- a.spv\n+++ after\n") == vireo_text_data(text));
  CHECK(strstr(vireo_text_data(text), "+; Version: 1.1\n") != NULL);
  vireo_text_clear(text);
  options.flags = VIREO_DIFF_JSON;
  CHECK(vireo_diff(words, size, changed, size, &options, NULL, &is_equal, vireo_text_write, text, found) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "\"equal\":false") != NULL);
  CHECK(vireo_diff(words, size, changed, size, NULL, NULL, &is_equal, NULL, NULL, found) == VIREO_OK && !is_equal);
  CHECK(vireo_diff(words, size, changed, size, NULL, NULL, &is_equal, stops_at_once, NULL, found) == VIREO_STOPPED);
  changed[1] = words[1];
  changed[2] = words[2] + 1;  // the generator
  options.flags = VIREO_DIFF_IGNORE_DEBUG;
  CHECK(vireo_diff(words, size, changed, size, &options, NULL, &is_equal, NULL, NULL, found) == VIREO_OK && is_equal);
  CHECK(vireo_diff(words, size, changed, size, NULL, NULL, &is_equal, NULL, NULL, found) == VIREO_OK && !is_equal);
  CHECK(vireo_diagnostics_count(found) == 0);

  // Errors, and wrong arguments.
  CHECK(vireo_diff(words, 3, words, size, NULL, NULL, &is_equal, NULL, NULL, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_error_count(found) == 1 && is_equal == 0);
  options.flags = 1u << 5;
  CHECK(vireo_diff(words, size, words, size, &options, NULL, &is_equal, NULL, NULL, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_diff(words, size, words, size, NULL, NULL, NULL, NULL, NULL, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_diff(NULL, 1, words, size, NULL, NULL, &is_equal, NULL, NULL, NULL) == VIREO_BAD_ARGUMENT);
  vireo_text_destroy(text);
  vireo_diagnostics_destroy(found);
  vireo_words_destroy(module);
}
