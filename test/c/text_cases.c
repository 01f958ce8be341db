// SPDX-License-Identifier: Apache-2.0
//
// Assembling, disassembling, diagnostics and grammars, from C.
#include "c/check.h"

const char* const shader_text =
    "               OpCapability Shader\n"
    "          %ext = OpExtInstImport \"GLSL.std.450\"\n"
    "               OpMemoryModel Logical GLSL450\n"
    "               OpEntryPoint Fragment %main \"main\" %in %out\n"
    "               OpExecutionMode %main OriginUpperLeft\n"
    "               OpDecorate %in Location 0\n"
    "               OpDecorate %out Location 1\n"
    "       %void = OpTypeVoid\n"
    "   %function = OpTypeFunction %void\n"
    "      %float = OpTypeFloat 32\n"
    "         %pi = OpConstant %float 3.25\n"
    "   %ptr_in   = OpTypePointer Input %float\n"
    "   %ptr_out  = OpTypePointer Output %float\n"
    "         %in = OpVariable %ptr_in Input\n"
    "        %out = OpVariable %ptr_out Output\n"
    "       %main = OpFunction %void None %function\n"
    "      %label = OpLabel\n"
    "          %x = OpLoad %float %in\n"
    "          %y = OpExtInst %float %ext FMax %x %pi\n"
    "               OpStore %out %y\n"
    "               OpReturn\n"
    "               OpFunctionEnd\n";

vireo_words* shader_words(void) {
  vireo_words* words = NULL;
  CHECK(vireo_assemble(shader_text, strlen(shader_text), NULL, NULL, &words) == VIREO_OK);
  return words;
}

void returns_its_version(void) {
  CHECK(vireo_version() == (VIREO_VERSION_MAJOR << 16 | VIREO_VERSION_MINOR << 8 | VIREO_VERSION_PATCH));
}

void assembles_and_disassembles(void) {
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_text* text = vireo_text_create();
  vireo_words* words = shader_words();
  vireo_words* again = NULL;
  CHECK(vireo_words_count(words) > 5);
  CHECK(vireo_words_data(words)[0] == 0x07230203u);
  CHECK(vireo_disassemble(vireo_words_data(words), vireo_words_count(words), NULL, VIREO_RAW_IDS, vireo_text_write,
                          text, found) == VIREO_OK);
  CHECK(vireo_diagnostics_count(found) == 0);
  CHECK(strncmp(vireo_text_data(text), "; SPIR-V", 8) == 0);
  CHECK(strlen(vireo_text_data(text)) == vireo_text_size(text));

  // The text must assemble to the same words.
  const vireo_assemble_options options = {.flags = VIREO_EXACT | VIREO_PRESERVE_NUMERIC_IDS};
  CHECK(vireo_assemble(vireo_text_data(text), vireo_text_size(text), &options, found, &again) == VIREO_OK);
  CHECK(vireo_words_count(again) == vireo_words_count(words));
  CHECK(memcmp(vireo_words_data(again), vireo_words_data(words), vireo_words_count(words) * 4) == 0);
  vireo_words_destroy(again);
  vireo_words_destroy(words);
  vireo_text_destroy(text);
  vireo_diagnostics_destroy(found);
}

void reports_every_fault_of_a_text(void) {
  const char* text =
      "OpMemoryModel Logical GLSL540\n"
      "%a = OpTypeInt 32 0\n"
      "%a = OpTypeVoid\n"
      "OpNonsense\n";
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_words* words = (vireo_words*)found;  // any value: on failure NULL must be written
  vireo_diagnostic first;
  vireo_diagnostic second;
  vireo_note note;
  uint64_t line = 0;
  uint64_t column = 0;
  CHECK(vireo_assemble(text, strlen(text), NULL, found, &words) == VIREO_REPORTED);
  CHECK(words == NULL);
  CHECK(vireo_diagnostics_count(found) == 3);
  CHECK(vireo_diagnostics_error_count(found) == 3);
  CHECK(vireo_diagnostics_warning_count(found) == 0);

  CHECK(vireo_diagnostics_get(found, 0, &first) == VIREO_OK);
  CHECK(is_text(first.rule, "bad-enumerant"));
  CHECK(first.severity == VIREO_ERROR);
  CHECK(first.where.kind == VIREO_PLACE_TEXT);
  CHECK(first.where.begin == 22 && first.where.end == 29);
  CHECK(is_text(first.hint, "did you mean 'GLSL450'?"));
  CHECK(first.message.size > 0 && first.source.size == 0);
  CHECK(vireo_locate(text, strlen(text), first.where.begin, &line, &column) == VIREO_OK);
  CHECK(line == 1 && column == 23);

  CHECK(vireo_diagnostics_get(found, 1, &second) == VIREO_OK);
  CHECK(is_text(second.rule, "duplicate-id"));
  CHECK(second.where.begin == 50 && second.where.end == 52 && second.note_count == 0);
  CHECK(vireo_diagnostics_note(found, 1, 0, &note) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_diagnostics_get(found, 3, &second) == VIREO_BAD_ARGUMENT);

  vireo_diagnostics_clear(found);
  CHECK(vireo_diagnostics_count(found) == 0 && vireo_diagnostics_error_count(found) == 0);
  vireo_diagnostics_destroy(found);
}

// The list is full of warnings (for an unknown version), but the error that made a call fail is kept.
void keeps_an_error_after_many_warnings(void) {
  const uint32_t newer[] = {0x07230203u, 0x00016300u, 0, 1, 0};
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_text* text = vireo_text_create();
  vireo_diagnostic last;
  vireo_words* words = NULL;
  for (int i = 0; i < 1002; ++i) {
    CHECK(vireo_disassemble(newer, 5, NULL, 0, vireo_text_write, text, found) == VIREO_OK);
  }
  CHECK(vireo_diagnostics_count(found) == 1000 && vireo_diagnostics_warning_count(found) == 1002);
  CHECK(vireo_assemble("OpNonsense", 10, NULL, found, &words) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_count(found) == 1001);
  CHECK(vireo_diagnostics_get(found, 1000, &last) == VIREO_OK && last.severity == VIREO_ERROR);
  vireo_text_destroy(text);
  vireo_diagnostics_destroy(found);
}

void reads_bytes_of_either_order(void) {
  const unsigned char little[] = {3, 2, 0x23, 7, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  const unsigned char big[] = {7, 0x23, 2, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  vireo_words* first = NULL;
  vireo_words* second = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  CHECK(vireo_words_read(little, sizeof little, found, &first) == VIREO_OK);
  CHECK(vireo_words_read(big, sizeof big, found, &second) == VIREO_OK);
  CHECK(vireo_words_count(first) == 5 && vireo_words_count(second) == 5);
  CHECK(memcmp(vireo_words_data(first), vireo_words_data(second), 20) == 0);
  vireo_words_destroy(first);
  vireo_words_destroy(second);

  CHECK(vireo_words_read(little, 19, found, &first) == VIREO_REPORTED);
  CHECK(first == NULL && vireo_diagnostics_error_count(found) == 1);
  CHECK(vireo_words_read(NULL, 0, found, &first) == VIREO_REPORTED);
  vireo_diagnostics_destroy(found);
}

void accepts_flags_and_rejects_unknown_ones(void) {
  vireo_words* words = shader_words();
  vireo_words* none = NULL;
  const uint32_t* data = vireo_words_data(words);
  const size_t count = vireo_words_count(words);
  const vireo_assemble_options unknown = {.flags = 1u << 31};
  const vireo_assemble_options old = {.major_version = 1, .minor_version = 1};
  vireo_text* text = vireo_text_create();
  CHECK(vireo_disassemble(data, count, NULL, VIREO_NO_HEADER | VIREO_NO_INDENT, vireo_text_write, text, NULL) ==
        VIREO_OK);
  CHECK(strncmp(vireo_text_data(text), "OpCapability Shader\n", 20) == 0);
  vireo_text_clear(text);
  CHECK(vireo_disassemble(data, count, NULL, VIREO_JSON, vireo_text_write, text, NULL) == VIREO_OK);
  CHECK(vireo_text_data(text)[0] == '{');
  CHECK(vireo_disassemble(data, count, NULL, 1u << 31, vireo_text_write, text, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_assemble("", 0, &unknown, NULL, &none) == VIREO_BAD_ARGUMENT && none == NULL);
  CHECK(vireo_assemble("", 0, &old, NULL, &none) == VIREO_OK);
  CHECK(vireo_words_count(none) == 5 && vireo_words_data(none)[1] == 0x00010100u);
  vireo_words_destroy(none);
  vireo_text_destroy(text);
  vireo_words_destroy(words);
}

static int refuse(void* user, const char* chunk, size_t size) {
  CHECK(chunk != NULL && size > 0);
  ++*(int*)user;
  return 0;
}

void stops_if_a_writer_requests_it(void) {
  vireo_words* words = shader_words();
  int calls = 0;
  CHECK(vireo_disassemble(vireo_words_data(words), vireo_words_count(words), NULL, 0, refuse, &calls, NULL) ==
        VIREO_STOPPED);
  CHECK(calls == 1);
  vireo_words_destroy(words);
}

void loads_a_grammar(void) {
  const char* json =
      "{\"instructions\": [{\"opname\": \"OpOurOwn\", \"opcode\": 60000, \"operands\": []}], \"operand_kinds\": []}";
  const char* text = "OpOurOwn\n";
  vireo_grammar* grammar = NULL;
  vireo_words* words = NULL;
  vireo_string name;
  vireo_diagnostics* found = vireo_diagnostics_create();
  CHECK(vireo_grammar_load(string_of("own.grammar.json"), json, strlen(json), NULL, found, &grammar) == VIREO_OK);
  CHECK(vireo_diagnostics_count(found) == 0);
  CHECK(vireo_opcode_name(grammar, 60000, &name) == VIREO_OK && is_text(name, "OpOurOwn"));
  CHECK(vireo_opcode_name(NULL, 60000, &name) == VIREO_NO_MATCH && name.size == 0);
  const vireo_assemble_options options = {.grammar = grammar};
  CHECK(vireo_assemble(text, strlen(text), &options, found, &words) == VIREO_OK);
  CHECK(vireo_words_count(words) == 6 && vireo_words_data(words)[5] == (1u << 16 | 60000u));
  vireo_words_destroy(words);
  vireo_grammar_destroy(grammar);

  vireo_diagnostic fault;
  CHECK(vireo_grammar_load(string_of("bad.json"), "{", 1, NULL, found, &grammar) == VIREO_REPORTED);
  CHECK(grammar == NULL && vireo_diagnostics_get(found, 0, &fault) == VIREO_OK && fault.message.size > 0);
  vireo_diagnostics_destroy(found);
}

void accepts_null_for_results(void) {
  vireo_words* words = NULL;
  vireo_module* module = NULL;
  vireo_isa* isa = NULL;
  vireo_decoder* decoder = NULL;
  vireo_string string = {NULL, 0};
  vireo_diagnostics_destroy(NULL);
  vireo_diagnostics_clear(NULL);
  vireo_text_destroy(NULL);
  vireo_text_clear(NULL);
  vireo_words_destroy(NULL);
  vireo_grammar_destroy(NULL);
  vireo_module_destroy(NULL);
  vireo_flow_destroy(NULL);
  vireo_builder_destroy(NULL);
  vireo_edit_destroy(NULL);
  vireo_isa_destroy(NULL);
  vireo_decoder_destroy(NULL);
  vireo_decoded_destroy(NULL);
  CHECK(vireo_diagnostics_count(NULL) == 0 && vireo_words_count(NULL) == 0 && vireo_text_size(NULL) == 0);
  CHECK(vireo_module_instruction_count(NULL) == 0 && vireo_module_definition(NULL, 1) == VIREO_NONE);
  CHECK(vireo_assemble(NULL, 1, NULL, NULL, &words) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_assemble("", 0, NULL, NULL, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_disassemble(NULL, 5, NULL, 0, vireo_text_write, NULL, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_disassemble(NULL, 0, NULL, 0, NULL, NULL, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_parse(NULL, 0, NULL, NULL, NULL, NULL, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_module_read(NULL, 1, NULL, &module) == VIREO_BAD_ARGUMENT && module == NULL);
  CHECK(vireo_edit_create(NULL, NULL) == VIREO_BAD_ARGUMENT && vireo_edit_add(NULL, NULL, 0) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_builder_build(NULL, NULL, &words) == VIREO_BAD_ARGUMENT && words == NULL);
  CHECK(vireo_module_uses(NULL, 1, NULL, NULL) == VIREO_BAD_ARGUMENT && vireo_flow_block_count(NULL) == 0);
  CHECK(vireo_isa_load_file(string, 0, NULL, &isa) == VIREO_BAD_ARGUMENT && isa == NULL);
  CHECK(vireo_decoder_create(NULL, 0, 0, &decoder) == VIREO_BAD_ARGUMENT && decoder == NULL);
  CHECK(vireo_text_write(NULL, "x", 1) == 0);
}
