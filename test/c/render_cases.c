// SPDX-License-Identifier: Apache-2.0
//
// Findings as documents, and allow comments, from C.
#include "vireo/vireo_render.h"

#include "c/check.h"

static const char* const vector_of_five =
    "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
    "%f = OpTypeFloat 32\n%v = OpTypeVector %f 5\n";

static int stop_at_once(void* user, const char* chunk, size_t size) {
  (void)user, (void)chunk, (void)size;
  return 0;
}

static int contains(const vireo_text* text, const char* part) { return strstr(vireo_text_data(text), part) != NULL; }

void renders_findings_of_words(void) {
  vireo_words* module = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_text* out = vireo_text_create();
  CHECK(vireo_assemble(vector_of_five, strlen(vector_of_five), NULL, NULL, &module) == VIREO_OK);
  const uint32_t* words = vireo_words_data(module);
  const size_t count = vireo_words_count(module);
  const vireo_string name = string_of("five.spv");
  CHECK(vireo_validate(words, count, NULL, found) == VIREO_REPORTED);
  CHECK(vireo_render_words(name, words, count, NULL, found, VIREO_FORMAT_HUMAN, vireo_text_write, out) == VIREO_OK);
  CHECK(contains(out, "five.spv:10:") && contains(out, "OpTypeVector %float 5") && contains(out, "^"));
  vireo_text_clear(out);
  CHECK(vireo_render_words(name, words, count, NULL, found, VIREO_FORMAT_SARIF, vireo_text_write, out) == VIREO_OK);
  CHECK(contains(out, "\"component-count\"") && contains(out, "\"startLine\"") && contains(out, "shortDescription"));
  vireo_text_clear(out);
  CHECK(vireo_validate_and_render(name, words, count * 4, NULL, VIREO_FORMAT_SHORT, vireo_text_write, out) ==
        VIREO_REPORTED);
  CHECK(contains(out, "five.spv:10:") && contains(out, "[component-count]"));
  CHECK(vireo_render_words(name, words, count, NULL, found, VIREO_FORMAT_JSON, stop_at_once, NULL) == VIREO_STOPPED);
  CHECK(vireo_render_words(name, words, count, NULL, found, 5, vireo_text_write, out) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_render_words(name, NULL, 1, NULL, found, 0, vireo_text_write, out) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_render_words(name, words, count, NULL, NULL, 0, vireo_text_write, out) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_validate_and_render(name, words, count * 4, NULL, 0, NULL, NULL) == VIREO_BAD_ARGUMENT);
  vireo_words_destroy(module);
  module = shader_words();
  vireo_text_clear(out);
  CHECK(vireo_validate_and_render(name, vireo_words_data(module), vireo_words_count(module) * 4, NULL,
                                  VIREO_FORMAT_HUMAN, vireo_text_write, out) == VIREO_OK);
  CHECK(vireo_text_size(out) == 0);
  vireo_words_destroy(module);
  vireo_text_destroy(out);
  vireo_diagnostics_destroy(found);
}

void validates_texts_with_allow_comments(void) {
  static const char* const allowed =
      "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
      "%f = OpTypeFloat 32\n%v = OpTypeVector %f 5 ; vireo: allow component-count\n";
  static const char* const misspelt = "OpCapability Shadre\n";
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_text* out = vireo_text_create();
  vireo_diagnostic first;
  CHECK(vireo_validate_text(allowed, strlen(allowed), NULL, found) == VIREO_OK);
  CHECK(vireo_diagnostics_count(found) == 0);
  CHECK(vireo_validate_text(vector_of_five, strlen(vector_of_five), NULL, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_get(found, 0, &first) == VIREO_OK && first.where.kind == VIREO_PLACE_TEXT);
  CHECK(vireo_render(string_of("five.spvasm"), string_of(vector_of_five), found, VIREO_FORMAT_HUMAN, vireo_text_write,
                     out) == VIREO_OK);
  CHECK(contains(out, "five.spvasm:5:") && contains(out, "%v = OpTypeVector %f 5"));
  vireo_diagnostics_clear(found);
  CHECK(vireo_validate_text(misspelt, strlen(misspelt), NULL, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_error_count(found) == 1);
  CHECK(vireo_validate_text(NULL, 3, NULL, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_render(string_of(""), string_of(""), NULL, 0, vireo_text_write, out) == VIREO_BAD_ARGUMENT);
  vireo_text_destroy(out);
  vireo_diagnostics_destroy(found);
}
