// SPDX-License-Identifier: Apache-2.0
//
// Transforms, from C.
#include "c/check.h"
#include "vireo/vireo_transform.h"

void strips_modules(void) {
  const char* text =
      "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%file = OpString \"a\"\n"
      "OpName %void \"void\"\n%void = OpTypeVoid\n";
  vireo_words* module = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  uint32_t out[64];
  size_t count = 0, without_names = 0;
  CHECK(vireo_assemble(text, strlen(text), NULL, NULL, &module) == VIREO_OK);
  const uint32_t* words = vireo_words_data(module);
  const size_t size = vireo_words_count(module);
  // The size alone, then the words.
  CHECK(vireo_strip(words, size, VIREO_STRIP_ALL, NULL, NULL, 0, &count, found) == VIREO_OK);
  CHECK(count == size - 3 - 4);  // OpString and OpName
  CHECK(vireo_strip(words, size, VIREO_STRIP_ALL, NULL, out, 64, &count, found) == VIREO_OK && count == size - 7);
  CHECK(memcmp(out, words, 5 * sizeof(uint32_t)) == 0);  // the header
  CHECK(vireo_strip(words, size, VIREO_STRIP_NAMES, NULL, out, 64, &without_names, found) == VIREO_OK);
  CHECK(without_names == size - 4);
  CHECK(vireo_strip(words, size, 0, NULL, out, 64, &count, found) == VIREO_OK && count == size);
  // Too little space.
  count = 0;
  CHECK(vireo_strip(words, size, VIREO_STRIP_ALL, NULL, out, 5, &count, found) == VIREO_BAD_ARGUMENT);
  CHECK(count == size - 7);
  // Wrong arguments, and a module that cannot be divided into instructions.
  CHECK(vireo_strip(NULL, 1, VIREO_STRIP_ALL, NULL, out, 64, &count, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_strip(words, size, 16, NULL, out, 64, &count, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_strip(words, size, VIREO_STRIP_ALL, NULL, out, 64, NULL, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_diagnostics_count(found) == 0);
  CHECK(vireo_strip(words, size - 1, VIREO_STRIP_ALL, NULL, out, 64, &count, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_count(found) == 1);
  vireo_diagnostics_destroy(found);
  vireo_words_destroy(module);
}

void trims_modules(void) {
  const char* text =
      "OpCapability Shader\nOpCapability Linkage\nOpCapability Geometry\nOpExtension \"SPV_KHR_ray_query\"\n"
      "OpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n";
  vireo_words* module = NULL;
  uint32_t out[64];
  size_t count = 0;
  CHECK(vireo_assemble(text, strlen(text), NULL, NULL, &module) == VIREO_OK);
  const uint32_t* words = vireo_words_data(module);
  const size_t size = vireo_words_count(module);
  CHECK(vireo_trim(words, size, VIREO_TRIM_CAPABILITIES, NULL, out, 64, &count, NULL) == VIREO_OK);
  CHECK(count == size - 2);  // Geometry
  CHECK(vireo_trim(words, size, VIREO_TRIM_EXTENSIONS, NULL, NULL, 0, &count, NULL) == VIREO_OK);
  CHECK(count == size - 6);
  CHECK(vireo_trim(words, size, VIREO_TRIM_INTERFACES, NULL, NULL, 0, &count, NULL) == VIREO_OK && count == size);
  CHECK(vireo_trim(words, size, 8, NULL, out, 64, &count, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_trim(words, size - 1, VIREO_TRIM_CAPABILITIES, NULL, out, 64, &count, NULL) == VIREO_REPORTED);
  vireo_words_destroy(module);
}

void cleans_modules(void) {
  const char* text =
      "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n"
      "%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
  vireo_words* module = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  uint32_t out[128];
  size_t count = 0;
  CHECK(vireo_assemble(text, strlen(text), NULL, NULL, &module) == VIREO_OK);
  const uint32_t* words = vireo_words_data(module);
  const size_t size = vireo_words_count(module);
  CHECK(vireo_clean(words, size, VIREO_CLEAN_FUNCTIONS, NULL, out, 128, &count, found) == VIREO_OK);
  CHECK(count == size - 5 - 2 - 1 - 1);  // the function
  CHECK(vireo_clean(words, size, VIREO_CLEAN_DEFAULT, NULL, out, 128, &count, found) == VIREO_OK);
  CHECK(count == size - 9 - 2 - 3);  // its types as well
  CHECK(vireo_clean(words, size, VIREO_CLEAN_TYPES, NULL, NULL, 0, &count, found) == VIREO_OK && count == size);
  CHECK(vireo_clean(words, size, 1u << 11, NULL, out, 128, &count, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_diagnostics_count(found) == 0);
  CHECK(vireo_clean(words, size - 1, VIREO_CLEAN_DEFAULT, NULL, out, 128, &count, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_count(found) == 1);  // the function has no end
  vireo_diagnostics_destroy(found);
  vireo_words_destroy(module);
}
