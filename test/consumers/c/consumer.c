// SPDX-License-Identifier: Apache-2.0
//
// Assembles one instruction and prints its words and its text: the least that an installed library must do for C.
#include <stdio.h>
#include <string.h>
#include <vireo/vireo.h>

int main(void) {
  const char* source = "OpCapability Shader\n";
  vireo_words* words = NULL;
  vireo_text* text = vireo_text_create();
  if (vireo_assemble(source, strlen(source), NULL, NULL, &words) != VIREO_OK) return 1;
  const uint32_t* data = vireo_words_data(words);
  const size_t count = vireo_words_count(words);
  const uint32_t style = VIREO_NO_HEADER | VIREO_NO_INDENT;
  if (vireo_disassemble(data, count, NULL, style, vireo_text_write, text, NULL) != VIREO_OK) return 1;
  printf("%zu words: %s", count, vireo_text_data(text));
  vireo_text_destroy(text);
  vireo_words_destroy(words);
  return 0;
}
