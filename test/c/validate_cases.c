// SPDX-License-Identifier: Apache-2.0
//
// Validation from C: results, profiles, rules.
#include "c/check.h"
#include "vireo/vireo_rules.h"

static vireo_words* words_of(const char* text) {
  vireo_words* words = NULL;
  CHECK(vireo_assemble(text, strlen(text), NULL, NULL, &words) == VIREO_OK);
  return words;
}

static vireo_status validate(const vireo_words* words, const vireo_profile* profile, vireo_diagnostics* found) {
  return vireo_validate(vireo_words_data(words), vireo_words_count(words), profile, found);
}

void validates_modules(void) {
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic first;
  vireo_words* words = words_of(
      "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
      "%f = OpTypeFloat 32\n%v = OpTypeVector %f 5\n%w = OpTypeVector %f 6\n");
  CHECK(validate(words, NULL, found) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_error_count(found) == 2);
  CHECK(vireo_diagnostics_get(found, 0, &first) == VIREO_OK && is_text(first.rule, "component-count"));
  CHECK(first.where.kind == VIREO_PLACE_WORDS && first.where.instruction == 5);
  vireo_words_destroy(words);

  vireo_diagnostics_clear(found);
  words = shader_words();
  CHECK(validate(words, NULL, found) == VIREO_OK);
  CHECK(vireo_diagnostics_count(found) == 0);
  vireo_words_destroy(words);
  CHECK(vireo_validate(NULL, 0, NULL, found) == VIREO_REPORTED);  // an empty input is not a module
  CHECK(vireo_validate(NULL, 4, NULL, found) == VIREO_BAD_ARGUMENT);
  vireo_diagnostics_destroy(found);
}

void validates_with_a_profile(void) {
  static const char* const no_vectors_of_five = "{\"rules\": {\"component-count\": \"off\"}}";
  static const char* const misspelt = "{\"environment\": \"vulcan1.3\", \"limits\": {\"max-everything\": 1}}";
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_profile* profile = NULL;
  vireo_words* words = words_of(
      "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
      "%f = OpTypeFloat 32\n%v = OpTypeVector %f 5\n");
  CHECK(vireo_profile_read(no_vectors_of_five, strlen(no_vectors_of_five), NULL, found, &profile) == VIREO_OK);
  CHECK(validate(words, NULL, NULL) == VIREO_REPORTED);
  CHECK(validate(words, profile, found) == VIREO_OK);
  vireo_profile_destroy(profile);
  CHECK(vireo_profile_read(misspelt, strlen(misspelt), NULL, found, &profile) == VIREO_REPORTED);
  CHECK(profile == NULL && vireo_diagnostics_error_count(found) == 2);
  CHECK(vireo_profile_create("vulkan1.3", found, &profile) == VIREO_OK);
  CHECK(validate(words, profile, NULL) == VIREO_REPORTED);
  vireo_profile_destroy(profile);
  CHECK(vireo_profile_create("vulkan1.3oops", found, &profile) == VIREO_REPORTED && profile == NULL);
  CHECK(vireo_profile_create(NULL, found, &profile) == VIREO_BAD_ARGUMENT);
  vireo_words_destroy(words);
  vireo_diagnostics_destroy(found);
}

void lists_and_finds_rules(void) {
  vireo_rule rule, again;
  vireo_rule_text text;
  size_t count = 0, examples = 0;
  while (vireo_rule_get(count, &rule) == VIREO_OK) {
    CHECK(vireo_find_rule(rule.name, &again) == VIREO_OK && again.name.data == rule.name.data);
    CHECK(rule.requirement.size != 0 && rule.severity <= VIREO_ERROR);
    CHECK(vireo_find_rule_text(rule.name, &text) == VIREO_OK && text.fix.size != 0 && text.lifted_by.size != 0);
    examples += text.example.size != 0;
    ++count;
  }
  CHECK(count > 200);
  CHECK(examples > 200 && examples <= count);
  CHECK(vireo_find_rule_text(string_of("no-such-rule"), &text) == VIREO_NO_MATCH && text.fix.size == 0);
  CHECK(vireo_find_rule_text(string_of("component-count"), NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_find_rule(string_of("no-such-rule"), &rule) == VIREO_NO_MATCH);
  CHECK(vireo_find_rule(string_of("component-count"), NULL) == VIREO_BAD_ARGUMENT);
}
