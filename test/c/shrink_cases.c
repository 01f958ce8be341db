// SPDX-License-Identifier: Apache-2.0
//
// Shrinking, from C.
#include "c/check.h"
#include "vireo/vireo_transform.h"

typedef struct shrink_calls {
  int count;  // calls of the test
  int stop;   // the call that ends the search; 0: none
} shrink_calls;

// Interesting: a module with OpFAdd.
static int has_float_addition(void* user, const uint32_t* words, size_t count) {
  shrink_calls* calls = (shrink_calls*)user;
  if (++calls->count == calls->stop) return -1;
  for (size_t at = 5; at < count && words[at] >> 16 != 0; at += words[at] >> 16) {
    if ((words[at] & 0xFFFF) == 129) return 1;
  }
  return 0;
}

static int is_never_interesting(void* user, const uint32_t* words, size_t count) {
  (void)user;
  (void)words;
  return count == 0;
}

void shrinks_modules(void) {
  const char* text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\"\nOpName %main \"main\"\n"
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%one = OpConstant %float 1\n"
      "%main = OpFunction %void None %fn\n%entry = OpLabel\n%a = OpFMul %float %one %one\n%b = OpFAdd %float %a %a\n"
      "%c = OpFSub %float %b %a\nOpReturn\nOpFunctionEnd\n";
  vireo_words* module = NULL;
  vireo_words* small = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  CHECK(vireo_assemble(text, strlen(text), NULL, NULL, &module) == VIREO_OK);
  const uint32_t* words = vireo_words_data(module);
  const size_t size = vireo_words_count(module);

  shrink_calls calls = {0, 0};
  CHECK(vireo_shrink(words, size, 0, NULL, has_float_addition, &calls, found, &small) == VIREO_OK);
  // Without OpName, OpFMul and OpFSub.
  CHECK(vireo_words_count(small) <= size - 14 && calls.count > 2 && vireo_diagnostics_count(found) == 0);
  CHECK(vireo_validate(vireo_words_data(small), vireo_words_count(small), NULL, found) == VIREO_OK);
  vireo_words_destroy(small);

  // Ended by the test: the best module so far, which is the module itself.
  shrink_calls stopped = {0, 2};
  CHECK(vireo_shrink(words, size, 0, NULL, has_float_addition, &stopped, found, &small) == VIREO_STOPPED);
  CHECK(small != NULL && vireo_words_count(small) == size && stopped.count == 2);
  vireo_words_destroy(small);

  // Not interesting, not decodable, wrong arguments.
  CHECK(vireo_shrink(words, size, 0, NULL, is_never_interesting, NULL, found, &small) == VIREO_REPORTED);
  CHECK(small == NULL && vireo_diagnostics_count(found) == 1);
  CHECK(vireo_shrink(words, size - 1, 0, NULL, has_float_addition, &calls, found, &small) == VIREO_REPORTED);
  CHECK(vireo_shrink(words, size, 0, NULL, NULL, NULL, found, &small) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_shrink(words, size, 4, NULL, has_float_addition, &calls, found, &small) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_shrink(NULL, 1, 0, NULL, has_float_addition, &calls, found, &small) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_shrink(words, size, 0, NULL, has_float_addition, &calls, found, NULL) == VIREO_BAD_ARGUMENT);
  vireo_words_destroy(module);
  vireo_diagnostics_destroy(found);
}
