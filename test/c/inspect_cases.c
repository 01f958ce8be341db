// SPDX-License-Identifier: Apache-2.0
//
// Pictures of modules, from C.
#include "c/check.h"
#include "vireo/vireo_inspect.h"

static int stops(void* user, const char* chunk, size_t size) {
  (void)chunk;
  (void)size;
  ++*(int*)user;
  return 0;
}

void draws_modules(void) {
  vireo_words* module = shader_words();
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_text* text = vireo_text_create();
  const uint32_t* words = vireo_words_data(module);
  const size_t size = vireo_words_count(module);
  CHECK(vireo_write_control_flow_graph(words, size, NULL, NULL, vireo_text_write, text, found) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "digraph \"main\"") != NULL);
  CHECK(strstr(vireo_text_data(text), "OpReturn") == NULL);
  vireo_text_clear(text);
  CHECK(vireo_write_call_graph(words, size, NULL, NULL, vireo_text_write, text, found) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "digraph \"calls\"") != NULL);

  const vireo_string names[] = {string_of("main"), string_of("lost")};
  vireo_dot_options options = {names, 1, VIREO_DOT_INSTRUCTIONS, 0, 0, 0};
  vireo_text_clear(text);
  CHECK(vireo_write_control_flow_graph(words, size, &options, NULL, vireo_text_write, text, found) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "OpReturn") != NULL);
  CHECK(vireo_diagnostics_count(found) == 0);
  options.function_count = 2;  // one of them does not exist
  vireo_text_clear(text);
  CHECK(vireo_write_control_flow_graph(words, size, &options, NULL, vireo_text_write, text, found) == VIREO_REPORTED);
  CHECK(vireo_text_size(text) == 0 && vireo_diagnostics_error_count(found) == 1);

  // A callback that stops; wrong arguments.
  int calls = 0;
  CHECK(vireo_write_call_graph(words, size, NULL, NULL, stops, &calls, NULL) == VIREO_STOPPED && calls == 1);
  CHECK(vireo_write_call_graph(words, size, NULL, NULL, NULL, NULL, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_write_call_graph(NULL, 1, NULL, NULL, vireo_text_write, text, NULL) == VIREO_BAD_ARGUMENT);
  options.flags = 2;
  CHECK(vireo_write_call_graph(words, size, &options, NULL, vireo_text_write, text, NULL) == VIREO_BAD_ARGUMENT);
  options.flags = 0;
  options.functions = NULL;
  CHECK(vireo_write_call_graph(words, size, &options, NULL, vireo_text_write, text, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_write_call_graph(words, 3, NULL, NULL, vireo_text_write, text, NULL) == VIREO_REPORTED);
  vireo_text_destroy(text);
  vireo_diagnostics_destroy(found);
  vireo_words_destroy(module);
}
