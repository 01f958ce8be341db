// SPDX-License-Identifier: Apache-2.0
//
// Instruction sets from descriptions, from C.
#include "c/check.h"

// Two instructions of 16 bits: add, whose operand is a nested bitset, and a relative jump. The operand is in a separate
// file, so that the tests cover imports.
static const char* const operand_xml =
    "<isa>\n"
    "  <bitset name='#reg' size='4'>\n"
    "    <display>r{N}</display>\n"
    "    <field name='N' low='0' high='3' type='uint'/>\n"
    "  </bitset>\n"
    "</isa>\n";
static const char* const isa_xml =
    "<isa>\n"
    "  <import file='operand.xml'/>\n"
    "  <bitset name='#instruction' size='16'/>\n"
    "  <bitset name='add' extends='#instruction'>\n"
    "    <display>{NAME} {DST}, {VALUE}</display>\n"
    "    <field name='DST' low='0' high='3' type='#reg'/>\n"
    "    <field name='VALUE' low='4' high='7' type='int'/>\n"
    "    <pattern low='8' high='15'>00000001</pattern>\n"
    "  </bitset>\n"
    "  <bitset name='jump' extends='#instruction'>\n"
    "    <display>{NAME} {TO}</display>\n"
    "    <field name='TO' low='0' high='7' type='branch'/>\n"
    "    <pattern low='8' high='15'>00000010</pattern>\n"
    "  </bitset>\n"
    "  <bitset name='nop' extends='#instruction'>\n"
    "    <display>{NAME}</display>\n"
    "    <assert low='0' high='7'>00000000</assert>\n"
    "    <pattern low='8' high='15'>00000011</pattern>\n"
    "  </bitset>\n"
    "</isa>\n";

static int give_operand(void* user, const char* path, size_t size, vireo_text* into) {
  CHECK(size == strlen("operand.xml") && memcmp(path, "operand.xml", size) == 0);
  ++*(int*)user;
  return vireo_text_write(into, operand_xml, strlen(operand_xml));
}

static vireo_isa* load(void) {
  int asked = 0;
  vireo_isa* isa = NULL;
  CHECK(vireo_isa_load_text(string_of("our.xml"), isa_xml, strlen(isa_xml), give_operand, &asked, 0, NULL, &isa) ==
        VIREO_OK);
  CHECK(asked == 1);
  return isa;
}

void decodes_words_of_an_instruction_set(void) {
  const uint64_t add = 0x01F3;
  const uint64_t odd_nop = 0x0301;
  const uint64_t nothing = 0xFF00;
  vireo_isa* isa = load();
  vireo_decoder* decoder = NULL;
  vireo_decoded* decoded = vireo_decoded_create();
  vireo_scope scope;
  vireo_field field;
  vireo_string fault;
  CHECK(vireo_isa_unit_bits(isa) == 16);
  CHECK(vireo_decoder_create(isa, 0, 0, &decoder) == VIREO_OK);
  CHECK(vireo_decoded_find(decoded, "DST", 3, &field) == VIREO_NO_MATCH);  // nothing has been decoded yet
  CHECK(vireo_decode(decoder, &add, 16, decoded) == VIREO_OK);
  CHECK(vireo_decoded_scope_count(decoded) == 2 && vireo_decoded_fault_count(decoded) == 0);
  CHECK(vireo_decoded_scope(decoded, 0, &scope) == VIREO_OK);
  CHECK(is_text(scope.name, "add") && is_text(scope.display, "add"));
  CHECK(scope.parent == VIREO_NONE && scope.width == 16 && scope.field_count == 2);
  CHECK(vireo_decoded_find(decoded, "VALUE", 5, &field) == VIREO_OK);
  CHECK(field.value == 15 && field.low == 4 && field.width == 4 && field.is_shown == 1 && field.nested == VIREO_NONE);
  CHECK(vireo_decoded_find(decoded, "DST.N", 5, &field) == VIREO_OK && field.value == 3 && field.width == 4);
  CHECK(vireo_decoded_find(decoded, "DST", 3, &field) == VIREO_OK && field.nested == 1);
  CHECK(vireo_decoded_scope(decoded, field.nested, &scope) == VIREO_OK && scope.parent == 0 && scope.low == 0);
  CHECK(vireo_decoded_field(decoded, scope.first_field, &field) == VIREO_OK && is_text(field.name, "N"));
  CHECK(vireo_decoded_field(decoded, vireo_decoded_field_count(decoded), &field) == VIREO_BAD_ARGUMENT);

  CHECK(vireo_decode(decoder, &odd_nop, 16, decoded) == VIREO_OK && vireo_decoded_fault_count(decoded) == 1);
  CHECK(vireo_decoded_fault(decoded, 0, &fault) == VIREO_OK && fault.size > 0);
  CHECK(vireo_decode(decoder, &nothing, 16, decoded) == VIREO_NO_MATCH);
  CHECK(vireo_decoded_scope_count(decoded) == 0 && vireo_decoded_fault_count(decoded) == 0);
  CHECK(vireo_decoded_fault(decoded, 0, &fault) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_decode(decoder, &add, 0, decoded) == VIREO_BAD_ARGUMENT);
  vireo_decoded_destroy(decoded);
  vireo_decoder_destroy(decoder);
  vireo_isa_destroy(isa);
}

void prints_programs_of_an_instruction_set(void) {
  const unsigned char program[] = {0xF3, 1, 0xFF, 2, 0x99};  // with a last byte that is not a whole unit
  const uint64_t add = 0x01F3;
  const uint64_t nothing = 0xFF00;
  vireo_isa* isa = load();
  vireo_decoder* decoder = NULL;
  vireo_text* text = vireo_text_create();
  CHECK(vireo_decoder_create(isa, 0, 0, &decoder) == VIREO_OK);
  CHECK(vireo_isa_disassemble(decoder, program, sizeof program, 0, vireo_text_write, text) == VIREO_OK);
  CHECK(strcmp(vireo_text_data(text), "add r3, -1\njump -1\n") == 0);
  vireo_text_clear(text);
  CHECK(vireo_isa_disassemble(decoder, program, sizeof program, VIREO_LABELS, vireo_text_write, text) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "l0:") != NULL && strstr(vireo_text_data(text), "jump l0") != NULL);
  vireo_text_clear(text);
  CHECK(vireo_isa_print_word(decoder, &add, 16, 0, vireo_text_write, text) == VIREO_OK);
  CHECK(strcmp(vireo_text_data(text), "add r3, -1") == 0);
  vireo_text_clear(text);
  CHECK(vireo_isa_print_word(decoder, &nothing, 16, 0, vireo_text_write, text) == VIREO_NO_MATCH);
  CHECK(strcmp(vireo_text_data(text), "no match: ff00") == 0);
  CHECK(vireo_isa_disassemble(decoder, program, 2, 1u << 31, vireo_text_write, text) == VIREO_BAD_ARGUMENT);
  vireo_text_destroy(text);
  vireo_decoder_destroy(decoder);
  vireo_isa_destroy(isa);
}

void assembles_for_an_instruction_set(void) {
  static const char program[] = "back: add r3, -1\njump back\n";
  static const char broken[] = "add r3, 9\nad r1, 1\n";
  vireo_isa* isa = load();
  vireo_decoder* decoder = NULL;
  vireo_text* bytes = vireo_text_create();
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic fault;
  CHECK(vireo_decoder_create(isa, 0, 0, &decoder) == VIREO_OK);
  CHECK(vireo_isa_assemble(decoder, program, strlen(program), found, vireo_text_write, bytes) == VIREO_OK);
  CHECK(vireo_text_size(bytes) == 4 && memcmp(vireo_text_data(bytes), "\xF3\x01\xFF\x02", 4) == 0);
  CHECK(vireo_isa_assemble(decoder, broken, strlen(broken), found, vireo_text_write, bytes) == VIREO_REPORTED);
  CHECK(vireo_text_size(bytes) == 4);
  CHECK(vireo_diagnostics_count(found) == 2);
  CHECK(vireo_diagnostics_get(found, 1, &fault) == VIREO_OK);
  CHECK(is_text(fault.rule, "unknown-instruction") && fault.where.kind == VIREO_PLACE_TEXT && fault.where.begin == 10);
  CHECK(vireo_isa_assemble(decoder, program, 4, found, NULL, NULL) == VIREO_BAD_ARGUMENT);
  vireo_diagnostics_destroy(found);
  vireo_text_destroy(bytes);
  vireo_decoder_destroy(decoder);
  vireo_isa_destroy(isa);
}

static vireo_setting number(const char* path, int64_t value) {
  vireo_setting setting;
  memset(&setting, 0, sizeof setting);
  setting.path = string_of(path);
  setting.kind = VIREO_VALUE_SIGNED;
  setting.value.signed_number = value;
  return setting;
}

void encodes_words_from_values(void) {
  vireo_isa* isa = load();
  vireo_decoder* decoder = NULL;
  vireo_encoder* encoder = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic fault;
  vireo_setting settings[2];
  uint64_t word = 0;
  uint32_t bits = 0;
  const uint64_t wide[] = {3};
  CHECK(vireo_decoder_create(isa, 0, 0, &decoder) == VIREO_OK);
  CHECK(vireo_encoder_create(decoder, &encoder) == VIREO_OK);
  settings[0] = number("DST.N", 3);
  settings[1] = number("VALUE", -1);
  CHECK(vireo_encode(encoder, string_of("add"), settings, 2, found, &word, 1, &bits) == VIREO_OK);
  CHECK(word == 0x01F3 && bits == 16);
  settings[1].kind = VIREO_VALUE_TEXT;
  settings[1].value.text = string_of("-2");
  settings[0].path = string_of("DST");
  settings[0].kind = VIREO_VALUE_BITS;
  settings[0].bits = 4;
  settings[0].value.words = wide;
  CHECK(vireo_encode(encoder, string_of("add"), settings, 2, found, &word, 1, &bits) == VIREO_OK && word == 0x01E3);
  CHECK(vireo_encode(encoder, string_of("nop"), NULL, 0, NULL, &word, 1, &bits) == VIREO_OK && word == 0x0300);
  // All faults are reported, and the word is not changed.
  settings[0] = number("DTS", 3);
  settings[1] = number("VALUE", 8);
  CHECK(vireo_encode(encoder, string_of("add"), settings, 2, found, &word, 1, &bits) == VIREO_REPORTED);
  CHECK(word == 0x0300 && vireo_diagnostics_count(found) == 2);
  CHECK(vireo_diagnostics_get(found, 0, &fault) == VIREO_OK && is_text(fault.rule, "unknown-field"));
  CHECK(is_text(fault.hint, "did you mean 'DST'?") && fault.where.kind == VIREO_PLACE_NONE);
  CHECK(vireo_encode(encoder, string_of("nop"), NULL, 0, NULL, NULL, 0, &bits) == VIREO_BAD_ARGUMENT && bits == 16);
  settings[0].kind = 99;
  CHECK(vireo_encode(encoder, string_of("add"), settings, 1, found, &word, 1, &bits) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_encode(NULL, string_of("add"), NULL, 0, found, &word, 1, &bits) == VIREO_BAD_ARGUMENT);
  vireo_encoder_destroy(encoder);
  vireo_diagnostics_destroy(found);
  vireo_decoder_destroy(decoder);
  vireo_isa_destroy(isa);
}

void fills_in_forms(void) {
  vireo_isa* isa = load();
  vireo_decoder* decoder = NULL;
  vireo_encoder* encoder = NULL;
  vireo_form* form = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic fault;
  vireo_setting settings[2];
  uint64_t values[] = {3, (uint64_t)-1};
  uint64_t word = 0;
  CHECK(vireo_decoder_create(isa, 0, 0, &decoder) == VIREO_OK);
  CHECK(vireo_encoder_create(decoder, &encoder) == VIREO_OK);
  settings[0] = settings[1] = number("DST.N", 0);
  settings[0].kind = VIREO_VALUE_BLANK;
  settings[1].path = string_of("VALUE");
  settings[1].kind = VIREO_VALUE_BLANK;
  CHECK(vireo_form_create(encoder, string_of("add"), settings, 2, found, &form) == VIREO_OK);
  CHECK(vireo_form_bits(form) == 16 && vireo_form_blank_count(form) == 2);
  CHECK(vireo_form_encode(form, values, 2, found, &word, 1) == VIREO_OK && word == 0x01F3);
  values[0] = 16;
  CHECK(vireo_form_encode(form, values, 2, found, &word, 1) == VIREO_REPORTED && word == 0x01F3);
  CHECK(vireo_diagnostics_count(found) == 1 && vireo_diagnostics_get(found, 0, &fault) == VIREO_OK);
  CHECK(is_text(fault.message, "16 is out of range for 'DST.N': 4 bits, 0 to 15"));
  CHECK(vireo_form_encode(form, values, 1, found, &word, 1) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_form_encode(form, values, 2, found, &word, 0) == VIREO_BAD_ARGUMENT);
  vireo_form_destroy(form);
  CHECK(vireo_form_create(encoder, string_of("sub"), NULL, 0, found, &form) == VIREO_REPORTED && form == NULL);
  vireo_encoder_destroy(encoder);
  vireo_diagnostics_destroy(found);
  vireo_decoder_destroy(decoder);
  vireo_isa_destroy(isa);
}

static int give_nothing(void* user, const char* path, size_t size, vireo_text* into) {
  (void)user, (void)path, (void)size, (void)into;
  return 0;
}

void loads_imports_by_callback(void) {
  vireo_isa* isa = load();
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic fault;
  vireo_isa_destroy(isa);
  CHECK(vireo_isa_load_text(string_of("our.xml"), isa_xml, strlen(isa_xml), give_nothing, NULL, 0, found, &isa) ==
        VIREO_REPORTED);
  CHECK(isa == NULL && vireo_diagnostics_error_count(found) > 0);
  CHECK(vireo_diagnostics_get(found, 0, &fault) == VIREO_OK && is_text(fault.source, "our.xml"));
  vireo_diagnostics_destroy(found);
}

void reports_faults_of_descriptions_by_file(void) {
  // The field covers bits that the pattern fixes. This concerns two places, so the diagnostic has a note.
  const char* text =
      "<isa><bitset name='#instruction' size='32'/><bitset name='a' extends='#instruction'><display>a</display>"
      "<field name='F' low='0' high='3' type='uint'/><pattern low='3' high='31'>"
      "00000000000000000000000000000</pattern></bitset></isa>";
  vireo_isa* isa = NULL;
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic fault;
  vireo_note note;
  CHECK(vireo_isa_load_text(string_of("a.xml"), text, strlen(text), NULL, NULL, 0, found, &isa) == VIREO_REPORTED);
  CHECK(vireo_diagnostics_get(found, 0, &fault) == VIREO_OK);
  CHECK(fault.note_count == 1 && vireo_diagnostics_note(found, 0, 0, &note) == VIREO_OK && note.message.size > 0);
  CHECK(note.where.kind == VIREO_PLACE_TEXT && note.where.begin != fault.where.begin);
  CHECK(is_text(fault.source, "a.xml") && fault.where.kind == VIREO_PLACE_TEXT && fault.where.end <= strlen(text));
  vireo_diagnostics_clear(found);
  CHECK(vireo_isa_load_file(string_of("/nowhere/to/be/found.xml"), 0, found, &isa) == VIREO_REPORTED);
  CHECK(isa == NULL && vireo_diagnostics_error_count(found) == 1);
  CHECK(vireo_isa_load_text(string_of("a.xml"), text, strlen(text), NULL, NULL, 2, found, &isa) == VIREO_BAD_ARGUMENT);
  vireo_diagnostics_destroy(found);
}
