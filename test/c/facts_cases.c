// SPDX-License-Identifier: Apache-2.0
//
// Facts of a module from C: types, constants, names, decorations, uses, control flow.
#include "c/check.h"

static const char* const branching_text =
    "          OpCapability Shader\n"
    "          OpMemoryModel Logical GLSL450\n"
    "          OpEntryPoint GLCompute %main \"main\"\n"
    "          OpExecutionMode %main LocalSize 1 1 1\n"
    "          OpName %Pair \"Pair\"\n"
    "          OpMemberName %Pair 1 \"second\"\n"
    "          OpDecorate %count SpecId 7\n"
    "          OpMemberDecorate %Pair 1 Offset 16\n"
    "  %void = OpTypeVoid\n"
    "    %fn = OpTypeFunction %void\n"
    "  %bool = OpTypeBool\n"
    "   %yes = OpConstantTrue %bool\n"
    "   %u32 = OpTypeInt 32 0\n"
    "     %3 = OpConstant %u32 3\n"
    " %count = OpSpecConstant %u32 4\n"
    "   %sum = OpSpecConstantOp %u32 IAdd %count %3\n"
    "   %f32 = OpTypeFloat 32\n"
    "  %zero = OpConstantNull %f32\n"
    "  %vec3 = OpTypeVector %f32 3\n"
    " %zeros = OpConstantNull %vec3\n"
    " %bvec2 = OpTypeVector %bool 2\n"
    "  %both = OpConstantComposite %bvec2 %yes %yes\n"
    " %array = OpTypeArray %vec3 %3\n"
    "  %Pair = OpTypeStruct %u32 %array\n"
    "  %main = OpFunction %void None %fn\n"
    " %entry = OpLabel\n"
    "          OpSelectionMerge %end None\n"
    "          OpBranchConditional %yes %then %end\n"
    "  %then = OpLabel\n"
    "          OpBranch %end\n"
    "   %end = OpLabel\n"
    "          OpReturn\n"
    "          OpFunctionEnd\n";

/// A module and the words that it refers to.
typedef struct subject {
  vireo_words* words;
  vireo_module* module;
} subject;

static subject branching(void) {
  subject made = {NULL, NULL};
  CHECK(vireo_assemble(branching_text, strlen(branching_text), NULL, NULL, &made.words) == VIREO_OK);
  CHECK(vireo_module_read(vireo_words_data(made.words), vireo_words_count(made.words), NULL, &made.module) == VIREO_OK);
  return made;
}
static void drop(subject made) {
  vireo_module_destroy(made.module);
  vireo_words_destroy(made.words);
}

/// The id of the n-th result of an opcode, counted from 0.
static uint32_t result_of(const vireo_module* module, const char* opcode, uint32_t n) {
  vireo_instruction instruction;
  for (uint32_t i = 0; vireo_module_instruction(module, i, &instruction) == VIREO_OK; ++i) {
    if (is_text(instruction.name, opcode) && n-- == 0) return instruction.result_id;
  }
  return 0;
}

void describes_types(void) {
  const subject made = branching();
  vireo_type type;
  const uint32_t u32 = result_of(made.module, "OpTypeInt", 0), vec3 = result_of(made.module, "OpTypeVector", 0);
  const uint32_t array = result_of(made.module, "OpTypeArray", 0), pair = result_of(made.module, "OpTypeStruct", 0);
  CHECK(vireo_module_type(made.module, u32, &type) == VIREO_OK);
  CHECK(type.opcode == 21 && type.width == 32 && type.is_signed == 0 && type.bits == 32 && type.element == 0);
  CHECK(type.instruction == vireo_module_definition(made.module, u32));
  CHECK(vireo_module_type(made.module, vec3, &type) == VIREO_OK);
  CHECK(type.component_count == 3 && type.bits == 96 && type.element == result_of(made.module, "OpTypeFloat", 0));
  CHECK(vireo_module_type(made.module, array, &type) == VIREO_OK);
  CHECK(type.component_count == 3 && type.element == vec3 && type.length == result_of(made.module, "OpConstant", 0));
  CHECK(vireo_module_type(made.module, pair, &type) == VIREO_OK);
  CHECK(type.member_count == 2 && type.members[0] == u32 && type.members[1] == array && type.component_count == 0);
  CHECK(vireo_module_type(made.module, result_of(made.module, "OpFunction", 0), &type) == VIREO_NO_MATCH);
  CHECK(vireo_module_type(made.module, 99999, &type) == VIREO_NO_MATCH);
  drop(made);
}

void describes_constants(void) {
  const subject made = branching();
  vireo_constant constant;
  CHECK(vireo_module_constant(made.module, result_of(made.module, "OpConstant", 0), &constant) == VIREO_OK);
  CHECK(constant.is_scalar == 1 && constant.bits == 3 && constant.certainty == VIREO_CONSTANT_KNOWN);
  CHECK(constant.is_specialization == 0 && constant.type_id == result_of(made.module, "OpTypeInt", 0));
  CHECK(vireo_module_constant(made.module, result_of(made.module, "OpSpecConstantOp", 0), &constant) == VIREO_OK);
  CHECK(constant.is_scalar == 1 && constant.bits == 7 && constant.certainty == VIREO_CONSTANT_DEFAULT);
  CHECK(constant.is_specialization == 1);
  CHECK(vireo_module_constant(made.module, result_of(made.module, "OpConstantNull", 0), &constant) == VIREO_OK);
  CHECK(constant.is_scalar == 1 && constant.bits == 0 && constant.certainty == VIREO_CONSTANT_KNOWN);
  CHECK(vireo_module_constant(made.module, result_of(made.module, "OpConstantNull", 1), &constant) == VIREO_OK);
  CHECK(constant.is_scalar == 0 && constant.bits == 0 && constant.certainty == VIREO_CONSTANT_KNOWN);
  CHECK(vireo_module_constant(made.module, result_of(made.module, "OpConstantComposite", 0), &constant) == VIREO_OK);
  CHECK(constant.is_scalar == 0 && constant.bits == 0 && constant.certainty == VIREO_CONSTANT_KNOWN);
  CHECK(vireo_module_constant(made.module, result_of(made.module, "OpTypeInt", 0), &constant) == VIREO_NO_MATCH);
  drop(made);
}

void lists_names_and_decorations(void) {
  const subject made = branching();
  vireo_string name;
  const uint32_t* operands = NULL;
  size_t count = 0;
  uint32_t offset = 0, spec_id = 0;
  const uint32_t pair = result_of(made.module, "OpTypeStruct", 0);
  const uint32_t constant = result_of(made.module, "OpSpecConstant", 0);
  CHECK(vireo_find_enumerant(NULL, string_of("Decoration"), string_of("Offset"), &offset) == VIREO_OK && offset == 35);
  CHECK(vireo_find_enumerant(NULL, string_of("Decoration"), string_of("SpecId"), &spec_id) == VIREO_OK);
  CHECK(vireo_find_enumerant(NULL, string_of("Decoration"), string_of("Offside"), &offset) == VIREO_NO_MATCH);
  CHECK(vireo_module_name(made.module, pair, VIREO_NONE, &name) == VIREO_OK && is_text(name, "Pair"));
  CHECK(vireo_module_name(made.module, pair, 1, &name) == VIREO_OK && is_text(name, "second"));
  CHECK(vireo_module_name(made.module, pair, 0, &name) == VIREO_NO_MATCH && name.size == 0);
  CHECK(vireo_module_decoration(made.module, pair, 1, 35, &operands, &count) == VIREO_OK);
  CHECK(count == 1 && operands[0] == 16);
  CHECK(vireo_module_decoration(made.module, constant, VIREO_NONE, spec_id, &operands, &count) == VIREO_OK);
  CHECK(count == 1 && operands[0] == 7);
  CHECK(vireo_module_decoration(made.module, pair, 0, 35, &operands, &count) == VIREO_NO_MATCH && operands == NULL);
  drop(made);
}

typedef struct counted_uses {
  uint32_t by_kind[5];
  uint32_t stop_after;
  uint32_t seen;
} counted_uses;

static int count_use(void* user, const vireo_use* use) {
  counted_uses* counted = user;
  CHECK(use->kind <= VIREO_USE_ANNOTATION && use->word > 0);
  counted->by_kind[use->kind] += 1;
  return ++counted->seen != counted->stop_after;
}

void lists_uses(void) {
  const subject made = branching();
  counted_uses of_pair = {{0}, 0, 0}, of_u32 = {{0}, 0, 0}, first = {{0}, 1, 0};
  const uint32_t u32 = result_of(made.module, "OpTypeInt", 0);
  CHECK(vireo_module_uses(made.module, result_of(made.module, "OpTypeStruct", 0), count_use, &of_pair) == VIREO_OK);
  CHECK(of_pair.by_kind[VIREO_USE_DEBUG] == 2 && of_pair.by_kind[VIREO_USE_ANNOTATION] == 1 && of_pair.seen == 3);
  CHECK(vireo_module_uses(made.module, u32, count_use, &of_u32) == VIREO_OK);
  CHECK(of_u32.by_kind[VIREO_USE_RESULT_TYPE] == 3 && of_u32.by_kind[VIREO_USE_OPERAND] == 1);
  CHECK(vireo_module_uses(made.module, u32, count_use, &first) == VIREO_STOPPED && first.seen == 1);
  CHECK(vireo_module_uses(made.module, 99999, count_use, &first) == VIREO_OK && first.seen == 1);
  drop(made);
}

void describes_control_flow(void) {
  const subject made = branching();
  vireo_flow* flow = NULL;
  const uint32_t* blocks = NULL;
  size_t count = 0;
  CHECK(vireo_flow_read(made.module, 1, &flow) == VIREO_BAD_ARGUMENT && flow == NULL);
  CHECK(vireo_flow_read(made.module, 0, &flow) == VIREO_OK && vireo_flow_block_count(flow) == 3);
  CHECK(vireo_flow_successors(flow, 0, &blocks, &count) == VIREO_OK);
  CHECK(count == 2 && blocks[0] == 1 && blocks[1] == 2);
  CHECK(vireo_flow_predecessors(flow, 2, &blocks, &count) == VIREO_OK && count == 2);
  CHECK(vireo_flow_successors(flow, 2, &blocks, &count) == VIREO_OK && count == 0);
  CHECK(vireo_flow_successors(flow, 3, &blocks, &count) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_flow_dominator(flow, 0) == VIREO_NONE && vireo_flow_dominator(flow, 1) == 0);
  CHECK(vireo_flow_dominator(flow, 2) == 0 && vireo_flow_post_dominator(flow, 1) == 2);
  CHECK(vireo_flow_post_dominator(flow, 0) == 2 && vireo_flow_post_dominator(flow, 2) == VIREO_NONE);
  CHECK(vireo_flow_dominates(flow, 0, 2) == 1 && vireo_flow_dominates(flow, 1, 2) == 0);
  CHECK(vireo_flow_dominates(flow, 0, 99) == 0);
  vireo_flow_destroy(flow);
  drop(made);
}
