// SPDX-License-Identifier: Apache-2.0
//
// From C: parsing with callbacks, names of the grammar, and queries on a module.
#include "c/check.h"

void names_opcodes_kinds_and_enumerants(void) {
  vireo_string name;
  uint32_t kind = 0;
  CHECK(vireo_opcode_name(NULL, 61, &name) == VIREO_OK && is_text(name, "OpLoad"));
  CHECK(vireo_opcode_name(NULL, 65535, &name) == VIREO_NO_MATCH);
  while (vireo_kind_name(NULL, kind, &name) == VIREO_OK && !is_text(name, "StorageClass")) ++kind;
  CHECK(vireo_enumerant_name(NULL, kind, 2, &name) == VIREO_OK && is_text(name, "Uniform"));
  CHECK(vireo_enumerant_name(NULL, kind, 0xFFFFFFFFu, &name) == VIREO_NO_MATCH && name.size == 0);
  while (vireo_kind_name(NULL, kind, &name) == VIREO_OK) {  // an unknown kind or value is out of bounds
    const vireo_status status = vireo_enumerant_name(NULL, kind++, 0, &name);
    CHECK(status == VIREO_OK || status == VIREO_NO_MATCH);
  }
  CHECK(vireo_enumerant_name(NULL, kind, 0, &name) == VIREO_BAD_ARGUMENT);
}

// What the callbacks below record.
typedef struct seen {
  uint32_t bound;
  uint32_t instructions;
  uint32_t words;
  uint32_t complete;
  uint32_t ids;
  uint32_t stop_after;
  vireo_instruction load;
  vireo_instruction constant;
  vireo_operand constant_value;
  vireo_instruction extended;
  vireo_operand location;
} seen;

static int on_header(void* user, const vireo_header* header) {
  ((seen*)user)->bound = header->bound;
  return 1;
}

static int on_instruction(void* user, const vireo_instruction* instruction) {
  seen* all = user;
  uint32_t next = 1;
  CHECK(instruction->index == all->instructions);
  all->instructions += 1;
  all->words += instruction->word_count;
  all->complete += instruction->is_complete;
  for (size_t i = 0; i < instruction->operand_count; ++i) {
    const vireo_operand* operand = &instruction->operands[i];
    CHECK(operand->word == next);  // operands are adjacent, from the first word on
    next += operand->word_count;
    all->ids += operand->shape <= VIREO_SHAPE_SEMANTICS_ID;
  }
  if (instruction->is_complete) CHECK(next == instruction->word_count);
  if (is_text(instruction->name, "OpLoad")) all->load = *instruction;
  if (is_text(instruction->name, "OpExtInst")) all->extended = *instruction;
  if (is_text(instruction->name, "OpConstant")) {
    all->constant = *instruction;
    all->constant_value = instruction->operands[2];
  }
  if (is_text(instruction->name, "OpDecorate")) all->location = instruction->operands[2];
  return all->instructions != all->stop_after;
}

void parses_every_operand(void) {
  vireo_words* words = shader_words();
  vireo_diagnostics* found = vireo_diagnostics_create();
  seen all = {0};
  CHECK(vireo_parse(vireo_words_data(words), vireo_words_count(words), NULL, on_header, on_instruction, &all, found) ==
        VIREO_OK);
  CHECK(vireo_diagnostics_count(found) == 0);
  CHECK(all.bound == vireo_words_data(words)[3]);
  CHECK(all.instructions == 22 && all.complete == 22);
  CHECK(all.words + 5 == vireo_words_count(words));
  CHECK(all.ids == 35);
  CHECK(all.load.opcode == 61 && all.load.word_count == 4 && all.load.words[0] == (4u << 16 | 61u));
  CHECK(all.load.type_id == all.load.words[1] && all.load.result_id == all.load.words[2]);
  CHECK(all.load.words == vireo_words_data(words) + all.load.offset);
  CHECK(all.location.is_parameter == 1 && all.location.shape == VIREO_SHAPE_INTEGER);
  vireo_diagnostics_destroy(found);
  vireo_words_destroy(words);
}

void parses_extended_and_typed_operands(void) {
  vireo_words* words = shader_words();
  seen all = {0};
  CHECK(vireo_parse(vireo_words_data(words), vireo_words_count(words), NULL, NULL, on_instruction, &all, NULL) ==
        VIREO_OK);
  CHECK(all.bound == 0);  // no header callback was passed
  CHECK(is_text(all.extended.inner_name, "FMax") && all.load.inner_name.size == 0);
  CHECK(all.constant.literal_class == VIREO_LITERAL_FLOAT && all.constant.literal_width == 32);
  CHECK(all.constant_value.shape == VIREO_SHAPE_TYPED_NUMBER);
  CHECK(all.constant.words[all.constant_value.word] == 0x40500000u);  // 3.25f
  vireo_words_destroy(words);
}

void continues_after_a_fault(void) {
  const uint32_t module[] = {0x07230203u, 0x00010600u, 0, 9, 0, 1u << 16 | 65535u, 2u << 16 | 17u, 1, 3u << 16 | 19u};
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic fault;
  seen all = {0};
  CHECK(vireo_parse(module, 9, NULL, on_header, on_instruction, &all, found) == VIREO_REPORTED);
  CHECK(all.instructions == 2 && all.complete == 1);  // the third is truncated and not reported
  CHECK(vireo_diagnostics_error_count(found) == 2);
  CHECK(vireo_diagnostics_get(found, 0, &fault) == VIREO_OK && is_text(fault.rule, "unknown-opcode"));
  CHECK(fault.where.kind == VIREO_PLACE_WORDS && fault.where.begin == 5 && fault.where.instruction == 1);
  CHECK(vireo_diagnostics_get(found, 1, &fault) == VIREO_OK && fault.where.begin == 8 && fault.where.instruction == 3);
  vireo_diagnostics_clear(found);
  CHECK(vireo_parse(module, 4, NULL, on_header, on_instruction, &all, found) == VIREO_REPORTED);  // incomplete header
  CHECK(vireo_parse(NULL, 0, NULL, NULL, on_instruction, &all, found) == VIREO_REPORTED);
  CHECK(all.instructions == 2 && vireo_diagnostics_error_count(found) == 2);
  vireo_diagnostics_destroy(found);
}

void stops_if_a_callback_requests_it(void) {
  vireo_words* words = shader_words();
  seen all = {0};
  all.stop_after = 3;
  CHECK(vireo_parse(vireo_words_data(words), vireo_words_count(words), NULL, NULL, on_instruction, &all, NULL) ==
        VIREO_STOPPED);
  CHECK(all.instructions == 3);
  vireo_words_destroy(words);
}

void indexes_a_module(void) {
  vireo_words* words = shader_words();
  vireo_module* module = NULL;
  vireo_header header;
  vireo_function function;
  vireo_block block;
  vireo_instruction instruction;
  uint32_t first = 0;
  uint32_t end = 0;
  uint32_t reached = 0;
  CHECK(vireo_module_read(vireo_words_data(words), vireo_words_count(words), NULL, &module) == VIREO_OK);
  CHECK(vireo_module_instruction_count(module) == 22);
  CHECK(vireo_module_function_count(module) == 1 && vireo_module_block_count(module) == 1);
  CHECK(vireo_module_layout_violation_count(module) == 0);
  CHECK(vireo_module_header(module, &header) == VIREO_OK && header.bound == vireo_module_bound(module));
  CHECK(header.major_version == 1 && header.minor_version == 6);
  for (int section = VIREO_SECTION_CAPABILITIES; section <= VIREO_SECTION_GRAPHS; ++section) {
    CHECK(vireo_module_section(module, (vireo_section)section, &first, &end) == VIREO_OK);
    CHECK(first == reached && end >= first);  // the sections cover the module
    reached = end;
  }
  CHECK(reached == 22);
  CHECK(vireo_module_section(module, (vireo_section)13, &first, &end) == VIREO_BAD_ARGUMENT);

  CHECK(vireo_module_function(module, 0, &function) == VIREO_OK);
  CHECK(vireo_module_definition(module, function.id) == function.first);
  CHECK(vireo_module_block(module, function.first_block, &block) == VIREO_OK && block.function == 0);
  CHECK(block.first == function.first + 1 && block.end == function.end - 1 && block.merge == VIREO_NONE);
  CHECK(vireo_module_instruction(module, block.terminator, &instruction) == VIREO_OK);
  CHECK(is_text(instruction.name, "OpReturn") && instruction.operand_count == 0);
  CHECK(vireo_module_instruction(module, function.first, &instruction) == VIREO_OK);
  CHECK(instruction.result_id == function.id && instruction.index == function.first);
  CHECK(vireo_module_instruction(module, 22, &instruction) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_module_definition(module, 0xFFFFFFFEu) == VIREO_NONE);
  vireo_module_destroy(module);
  vireo_words_destroy(words);
}

void finds_entry_points(void) {
  vireo_words* words = shader_words();
  vireo_module* module = NULL;
  vireo_entry_point entry;
  vireo_function function;
  vireo_instruction variable;
  CHECK(vireo_module_read(vireo_words_data(words), vireo_words_count(words), NULL, &module) == VIREO_OK);
  CHECK(vireo_module_entry_point_count(module) == 1);
  CHECK(vireo_module_entry_point(module, 0, &entry) == VIREO_OK);
  CHECK(is_text(entry.name, "main") && entry.execution_model == 4 && entry.interface_count == 2);
  CHECK(vireo_module_function(module, 0, &function) == VIREO_OK && function.id == entry.function_id);
  CHECK(vireo_module_instruction(module, vireo_module_definition(module, entry.interface_ids[1]), &variable) ==
        VIREO_OK);
  CHECK(is_text(variable.name, "OpVariable") && variable.words[3] == 3);  // Output
  CHECK(vireo_module_entry_point(module, 1, &entry) == VIREO_BAD_ARGUMENT);
  vireo_module_destroy(module);
  vireo_words_destroy(words);
}

void lists_layout_violations_of_a_broken_module(void) {
  const uint32_t words[] = {0x07230203u, 0x00010600u, 0, 9, 0, 2u << 16 | 19u, 1, 2u << 16 | 19u, 1, 0};
  vireo_module* module = NULL;
  vireo_layout_violation violation;
  CHECK(vireo_module_read(words, 10, NULL, &module) == VIREO_OK);
  CHECK(vireo_module_layout_violation_count(module) == 2);
  CHECK(vireo_module_layout_violation(module, 0, &violation) == VIREO_OK);
  CHECK(violation.kind == VIREO_LAYOUT_VIOLATION_DEFINED_TWICE && violation.id == 1 && violation.instruction == 1 &&
        violation.offset == 7);
  CHECK(vireo_module_layout_violation(module, 1, &violation) == VIREO_OK);
  CHECK(violation.kind == VIREO_LAYOUT_VIOLATION_ZERO_WORD_COUNT && violation.instruction == VIREO_NONE &&
        violation.offset == 9);
  vireo_module_destroy(module);
  CHECK(vireo_module_read(NULL, 0, NULL, &module) == VIREO_OK && vireo_module_instruction_count(module) == 0);
  vireo_module_destroy(module);
}
