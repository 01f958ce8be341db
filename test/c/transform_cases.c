// SPDX-License-Identifier: Apache-2.0
//
// Transforms, from C.
#include <stdio.h>

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

static vireo_specializer* specializer_of(const char* text, vireo_diagnostics* found) {
  vireo_words* module = NULL;
  vireo_specializer* specializer = NULL;
  CHECK(vireo_assemble(text, strlen(text), NULL, NULL, &module) == VIREO_OK);
  CHECK(vireo_specializer_create(vireo_words_data(module), vireo_words_count(module), NULL, found, &specializer) ==
        VIREO_OK);
  vireo_words_destroy(module);  // its words were copied
  return specializer;
}

// The literal of the first constant with an id; 0 if there is none.
static uint32_t literal_of(const uint32_t* words, size_t count, uint32_t id) {
  const uint32_t op_constant = 43;
  for (size_t at = 5; at < count; at += words[at] >> 16) {
    if ((words[at] & 0xFFFF) == op_constant && words[at + 2] == id) return words[at + 3];
  }
  return 0;
}

void specializes_modules(void) {
  const char* text =
      "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\nOpName %size \"size\"\n"
      "OpDecorate %size SpecId 3\nOpDecorate %fast SpecId 7\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n"
      "%size = OpSpecConstant %uint 4\n%fast = OpSpecConstantTrue %bool\n"
      "%twice = OpSpecConstantOp %uint IAdd %size %size\n%array = OpTypeArray %uint %size\n";
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_specializer* specializer = specializer_of(text, found);
  vireo_specializer_memory* memory = vireo_specializer_memory_create();
  uint32_t out[128];
  size_t count = 0;
  vireo_spec_constant constant;
  CHECK(vireo_specializer_constant_count(specializer) == 2);
  CHECK(vireo_specializer_constant(specializer, 0, &constant) == VIREO_OK);
  CHECK(constant.spec_id == 3 && constant.kind == VIREO_SPEC_INT && constant.width == 32 && constant.is_signed == 0);
  CHECK(constant.default_bits == 4 && is_text(constant.name, "size"));
  CHECK(vireo_specializer_constant(specializer, 2, &constant) == VIREO_NO_MATCH);
  CHECK(vireo_specializer_memory_words(memory, &count) == NULL && count == 0);

  vireo_spec_value value, values[4];
  CHECK(vireo_specializer_parse(specializer, string_of("size"), string_of("0x40"), found, &value) == VIREO_OK);
  CHECK(value.spec_id == 3 && value.bits == 64);
  CHECK(vireo_specializer_parse_json(specializer, string_of("{\"3\": 5, \"7\": false}"), values, 4, &count, found) ==
        VIREO_OK);
  CHECK(count == 2 && values[0].bits == 5 && values[1].spec_id == 7 && values[1].bits == 0);
  CHECK(vireo_specialize(specializer, &value, 1, 0, memory, out, 128, &count, found) == VIREO_OK);
  CHECK(literal_of(out, count, constant.id) == 64);
  size_t kept_count = 0;
  const uint32_t* kept = vireo_specializer_memory_words(memory, &kept_count);
  CHECK(kept_count == count && memcmp(kept, out, count * sizeof(uint32_t)) == 0);
  // Too little space.
  CHECK(vireo_specialize(specializer, &value, 1, 0, memory, out, 5, &count, found) == VIREO_BAD_ARGUMENT);
  CHECK(count == kept_count && vireo_diagnostics_count(found) == 0);

  // The layout of Vulkan: the value of SpecId 9, which the module lacks, has no effect.
  const uint32_t data[] = {32, 0, 1};
  vireo_specialization_entry entries[] = {{3, 0, 4}, {7, 4, 4}, {9, 8, 4}};
  vireo_specialization_info info = {3, entries, sizeof data, data};
  CHECK(vireo_specialize_info(specializer, &info, 0, memory, out, 128, &count, found) == VIREO_OK);
  CHECK(literal_of(out, count, constant.id) == 32);
  entries[1].size = 1;
  CHECK(vireo_specialize_info(specializer, &info, 0, memory, out, 128, &count, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_count(found) == 1);

  // An unknown SpecId, an array of length 0, wrong arguments.
  vireo_diagnostic diagnostic;
  value.spec_id = 4;
  CHECK(vireo_specialize(specializer, &value, 1, 0, memory, out, 128, &count, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_get(found, 1, &diagnostic) == VIREO_OK && is_text(diagnostic.rule, "spec-value"));
  value.spec_id = 3;
  value.bits = 0;
  CHECK(vireo_specialize(specializer, &value, 1, 0, memory, out, 128, &count, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_get(found, 2, &diagnostic) == VIREO_OK && is_text(diagnostic.rule, "length-positive"));
  CHECK(vireo_specialize(specializer, &value, 1, 4, memory, out, 128, &count, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_specialize(specializer, &value, 1, 0, NULL, out, 128, &count, found) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_specialize(NULL, &value, 1, 0, memory, out, 128, &count, found) == VIREO_BAD_ARGUMENT);
  vireo_specializer_memory_destroy(memory);
  vireo_specializer_destroy(specializer);
  vireo_diagnostics_destroy(found);
}

static vireo_words* module_of(const char* linkage) {
  char text[512];
  (void)snprintf(text, sizeof text,
                 "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n"
                 "OpDecorate %%f LinkageAttributes \"f\" %s\n%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n"
                 "%%f = OpFunction %%void None %%fn\n%sOpFunctionEnd\n",
                 linkage, strcmp(linkage, "Export") == 0 ? "%label = OpLabel\nOpReturn\n" : "");
  vireo_words* module = NULL;
  CHECK(vireo_assemble(text, strlen(text), NULL, NULL, &module) == VIREO_OK);
  return module;
}

void links_modules(void) {
  vireo_words *importing = module_of("Import"), *exporting = module_of("Export");
  vireo_diagnostics* found = vireo_diagnostics_create();
  const vireo_link_input inputs[] = {
      {vireo_words_data(importing), vireo_words_count(importing), {"a.spv", 5}},
      {vireo_words_data(exporting), vireo_words_count(exporting), {"b.spv", 5}},
      {vireo_words_data(exporting), vireo_words_count(exporting), {"", 0}},
  };
  uint32_t out[128];
  size_t count = 0, library = 0;
  CHECK(vireo_link(inputs, 2, 0, NULL, out, 128, &count, found) == VIREO_OK);
  CHECK(count == vireo_words_count(exporting) - 5);  // without the decoration
  CHECK(vireo_link(inputs, 2, VIREO_LINK_LIBRARY, NULL, NULL, 0, &library, found) == VIREO_OK && library == count + 5);
  CHECK(vireo_link(inputs, 1, VIREO_LINK_PARTIAL, NULL, NULL, 0, &count, NULL) == VIREO_OK);
  CHECK(vireo_diagnostics_count(found) == 0);
  // A conflict has both places.
  CHECK(vireo_link(inputs, 3, 0, NULL, out, 128, &count, found) == VIREO_REPORTED);
  vireo_diagnostic diagnostic;
  vireo_note note;
  CHECK(vireo_diagnostics_count(found) == 1 && vireo_diagnostics_get(found, 0, &diagnostic) == VIREO_OK);
  CHECK(diagnostic.where.kind == VIREO_PLACE_WORDS && diagnostic.note_count == 1);
  CHECK(vireo_diagnostics_note(found, 0, 0, &note) == VIREO_OK && note.where.instruction == diagnostic.where.instruction);
  uint32_t input = 0;
  CHECK(vireo_link_place_input(found, 0, 0, &input) == VIREO_OK && input == 2);
  CHECK(vireo_link_place_input(found, 0, 1, &input) == VIREO_OK && input == 1);
  CHECK(vireo_link_place_input(found, 0, 2, &input) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_link_place_input(found, 1, 0, &input) == VIREO_BAD_ARGUMENT);
  // Wrong arguments.
  CHECK(vireo_link(NULL, 1, 0, NULL, out, 128, &count, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_link(inputs, 2, 32, NULL, out, 128, &count, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_link(inputs, 2, 0, NULL, out, 5, &count, NULL) == VIREO_BAD_ARGUMENT && count == library - 5);
  CHECK(vireo_link(NULL, 0, 0, NULL, out, 128, &count, NULL) == VIREO_REPORTED);
  vireo_diagnostics_destroy(found);
  vireo_words_destroy(importing);
  vireo_words_destroy(exporting);
}
