// SPDX-License-Identifier: Apache-2.0
//
// Reflection, from C.
#include "c/check.h"
#include "vireo/vireo_inspect.h"

static const char* const reflected_text =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %index\nOpExecutionMode %main LocalSize 8 2 1\n"
    "OpName %Scene \"Scene\"\nOpMemberName %Scene 1 \"weights\"\nOpName %textures \"textures\"\n"
    "OpDecorate %Scene Block\nOpMemberDecorate %Scene 0 Offset 0\nOpMemberDecorate %Scene 1 Offset 16\n"
    "OpDecorate %weights ArrayStride 16\nOpDecorate %camera DescriptorSet 1\nOpDecorate %camera Binding 2\n"
    "OpDecorate %Push Block\nOpMemberDecorate %Push 0 Offset 8\n"
    "OpDecorate %count SpecId 7\nOpDecorate %index BuiltIn GlobalInvocationId\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n"
    "%uvec3 = OpTypeVector %u32 3\n%3 = OpConstant %u32 3\n%count = OpSpecConstant %u32 4\n"
    "%weights = OpTypeArray %f32 %3\n%Scene = OpTypeStruct %u32 %weights\n%Scene_ptr = OpTypePointer Uniform %Scene\n"
    "%camera = OpVariable %Scene_ptr Uniform\n%sampler = OpTypeSampler\n%samplers = OpTypeArray %sampler %count\n"
    "%samplers_ptr = OpTypePointer UniformConstant %samplers\n%textures = OpVariable %samplers_ptr UniformConstant\n"
    "%Push = OpTypeStruct %f32\n%Push_ptr = OpTypePointer PushConstant %Push\n"
    "%push = OpVariable %Push_ptr PushConstant\n%uvec3_ptr = OpTypePointer Input %uvec3\n"
    "%index = OpVariable %uvec3_ptr Input\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n%sum = OpCopyObject %u32 %count\n"
    "%scene = OpLoad %Scene %camera\nOpReturn\nOpFunctionEnd\n";

// The words are destroyed, because the reflection copies them.
static vireo_reflection* reflected(void) {
  vireo_words* words = NULL;
  vireo_reflection* made = NULL;
  CHECK(vireo_assemble(reflected_text, strlen(reflected_text), NULL, NULL, &words) == VIREO_OK);
  CHECK(vireo_reflection_create(vireo_words_data(words), vireo_words_count(words), NULL, &made) == VIREO_OK);
  vireo_words_destroy(words);
  return made;
}

void reflects_entry_points_and_resources(void) {
  vireo_reflection* reflection = reflected();
  vireo_reflected_entry_point entry;
  CHECK(vireo_reflection_entry_point_count(reflection) == 1);
  CHECK(vireo_reflection_entry_point(reflection, 0, &entry) == VIREO_OK && is_text(entry.name, "main"));
  CHECK(entry.has_workgroup == 1 && entry.workgroup[0].size == 8 && entry.workgroup[1].size == 2);
  CHECK(entry.workgroup[0].spec_id == VIREO_NONE);
  CHECK(entry.resource_count == 1 && entry.resources[0] == 0);
  CHECK(entry.push_constant_count == 0 && entry.push_constants == NULL);
  CHECK(entry.variable_count == 1 && entry.spec_constant_count == 1);
  CHECK(entry.built_in_count == 1 && entry.built_ins[0] == 28);  // GlobalInvocationId

  vireo_reflected_resource resource;
  CHECK(vireo_reflection_resource_count(reflection) == 2);
  CHECK(vireo_reflection_resource(reflection, 0, &resource) == VIREO_OK && is_text(resource.name, "Scene"));
  CHECK(resource.descriptor_type == VIREO_DESCRIPTOR_UNIFORM_BUFFER && resource.set == 1 && resource.binding == 2);
  CHECK(resource.block_size == 64 && resource.array_count == 0 && resource.flags == 0);
  CHECK(is_text(vireo_descriptor_type_name(resource.descriptor_type), "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER"));
  CHECK(is_text(vireo_descriptor_type_name(99), ""));
  vireo_type type;
  CHECK(vireo_module_type(vireo_reflection_module(reflection), resource.type, &type) == VIREO_OK);
  CHECK(type.member_count == 2);
  CHECK(vireo_reflection_resource(reflection, 1, &resource) == VIREO_OK && resource.set == VIREO_NONE);
  CHECK(resource.array_count == 1 && resource.array[0].count == 4 && resource.array[0].spec_id == 7);
  CHECK(vireo_reflection_resource(reflection, 2, &resource) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_reflection_resource(reflection, 0, NULL) == VIREO_BAD_ARGUMENT);
  vireo_reflection_destroy(reflection);
}

void reflects_variables_and_structures(void) {
  vireo_reflection* reflection = reflected();
  vireo_reflected_push_constants push;
  CHECK(vireo_reflection_push_constant_count(reflection) == 1);
  CHECK(vireo_reflection_push_constants(reflection, 0, &push) == VIREO_OK && push.begin == 8 && push.end == 12);
  vireo_reflected_variable variable;
  CHECK(vireo_reflection_variable_count(reflection) == 1);
  CHECK(vireo_reflection_variable(reflection, 0, &variable) == VIREO_OK && variable.built_in == 28);
  CHECK(variable.location == VIREO_NONE && variable.flags == 0);
  CHECK(is_text(variable.vulkan_format, "VK_FORMAT_R32G32B32_UINT"));
  vireo_reflected_spec_constant constant;
  CHECK(vireo_reflection_spec_constant_count(reflection) == 1);
  CHECK(vireo_reflection_spec_constant(reflection, 0, &constant) == VIREO_OK);
  CHECK(constant.spec_id == 7 && constant.default_bits == 4);

  vireo_reflected_structure structure;
  vireo_reflected_member member;
  CHECK(vireo_reflection_structure_count(reflection) == 2);
  CHECK(vireo_reflection_structure(reflection, 0, &structure) == VIREO_OK && is_text(structure.name, "Scene"));
  CHECK(structure.member_count == 2 && vireo_reflection_find_structure(reflection, structure.id) == 0);
  CHECK(vireo_reflection_find_structure(reflection, push.type) == 1);
  CHECK(vireo_reflection_find_structure(reflection, 0) == VIREO_NONE);
  CHECK(vireo_reflection_member(reflection, 0, 0, &member) == VIREO_OK && member.padding == 12);
  CHECK(vireo_reflection_member(reflection, 0, 1, &member) == VIREO_OK && is_text(member.name, "weights"));
  CHECK(member.component == VIREO_NONE && member.location == VIREO_NONE);
  CHECK(member.offset == 16 && member.has_size == 1 && member.size == 48 && member.array_stride == 16);
  CHECK(vireo_reflection_member(reflection, 0, 2, &member) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_reflection_member(reflection, 2, 0, &member) == VIREO_BAD_ARGUMENT);
  vireo_reflection_destroy(reflection);
}

static const char* const heap_text =
    "OpCapability Shader\nOpCapability TileImageColorReadAccessEXT\nOpCapability UntypedPointersKHR\n"
    "OpCapability DescriptorHeapEXT\nOpExtension \"SPV_EXT_shader_tile_image\"\n"
    "OpExtension \"SPV_KHR_untyped_pointers\"\nOpExtension \"SPV_EXT_descriptor_heap\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %heap %tile\n"
    "OpExecutionMode %main OriginUpperLeft\nOpName %tile \"tile\"\nOpDecorate %tile Location 1\n"
    "OpDecorate %heap BuiltIn ResourceHeapEXT\nOpDecorate %first SpecId 7\nOpDecorate %textures ArrayStride 64\n"
    "OpDecorate %Camera Block\nOpMemberDecorate %Camera 0 Offset 0\n"
    "OpMemberDecorate %table 0 Offset 0\nOpMemberDecorate %table 1 Offset 256\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n"
    "%vec4 = OpTypeVector %f32 4\n%0 = OpConstant %u32 0\n%1 = OpConstant %u32 1\n"
    "%first = OpSpecConstant %u32 16\n%texture = OpTypeImage %f32 2D 0 0 0 1 Unknown\n"
    "%textures = OpTypeRuntimeArray %texture\n%buffer = OpTypeBufferEXT Uniform\n"
    "%table = OpTypeStruct %buffer %buffer\n%Camera = OpTypeStruct %vec4\n"
    "%UniformPtr = OpTypeUntypedPointerKHR Uniform\n%handle = OpTypeUntypedPointerKHR UniformConstant\n"
    "%heap = OpUntypedVariableKHR %handle UniformConstant\n"
    "%tile_type = OpTypeImage %f32 TileImageDataEXT 0 0 0 2 Unknown\n"
    "%tile_ptr = OpTypePointer TileImageEXT %tile_type\n%tile = OpVariable %tile_ptr TileImageEXT\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
    "%p = OpUntypedAccessChainKHR %handle %textures %heap %first\n%t = OpLoad %texture %p\n"
    "%index = OpUndef %u32\n%q = OpUntypedAccessChainKHR %handle %textures %heap %index\n%u = OpLoad %texture %q\n"
    "%r = OpUntypedAccessChainKHR %handle %table %heap %1\n%data = OpBufferPointerEXT %UniformPtr %r\n"
    "%s = OpUntypedAccessChainKHR %UniformPtr %Camera %data %0\n%v = OpLoad %vec4 %s\n"
    "%c = OpLoad %tile_type %tile\nOpReturn\nOpFunctionEnd\n";

void reflects_descriptor_heaps(void) {
  vireo_words* words = NULL;
  vireo_reflection* reflection = NULL;
  CHECK(vireo_assemble(heap_text, strlen(heap_text), NULL, NULL, &words) == VIREO_OK);
  CHECK(vireo_reflection_create(vireo_words_data(words), vireo_words_count(words), NULL, &reflection) == VIREO_OK);
  vireo_words_destroy(words);
  vireo_reflected_entry_point entry;
  CHECK(vireo_reflection_entry_point(reflection, 0, &entry) == VIREO_OK && entry.heap_access_count == 3);
  CHECK(entry.heap_accesses[2] == 2 && entry.other_variable_count == 1 && entry.other_variables[0] == 0);

  vireo_reflected_heap_access access;
  vireo_reflected_heap_step step;
  CHECK(vireo_reflection_heap_access_count(reflection) == 3);
  CHECK(vireo_reflection_heap_access(reflection, 0, &access) == VIREO_OK);
  CHECK(access.descriptor_type == VIREO_DESCRIPTOR_SAMPLED_IMAGE && access.step_count == 1 && access.block_count == 0);
  CHECK(access.built_in == 5123 && access.blocks == NULL && access.block_size == 0);  // ResourceHeapEXT
  CHECK(access.offset.has_value == 1 && access.offset.value == 1024);
  CHECK(is_text(access.offset.expression, "SpecId 7 * 64"));
  CHECK(access.offset.spec_id_count == 1 && access.offset.spec_ids[0] == 7);
  CHECK(vireo_reflection_heap_step(reflection, 0, 0, &step) == VIREO_OK && step.member == VIREO_NONE);
  CHECK(step.index.value == 16 && is_text(step.index.expression, "SpecId 7"));
  CHECK(step.bytes.has_value == 1 && step.bytes.value == 64 && step.bytes.expression.size == 0);

  // The shader knows the index, so there is no offset.
  CHECK(vireo_reflection_heap_access(reflection, 1, &access) == VIREO_OK && access.offset.has_value == 0);
  CHECK(vireo_reflection_heap_step(reflection, 1, 0, &step) == VIREO_OK && step.index.has_value == 0);
  CHECK(step.index.expression.size == 0 && step.index.spec_ids == NULL);

  CHECK(vireo_reflection_heap_access(reflection, 2, &access) == VIREO_OK && access.block_count == 1);
  CHECK(access.descriptor_type == VIREO_DESCRIPTOR_UNIFORM_BUFFER && access.block_size == 16);
  CHECK(vireo_reflection_find_structure(reflection, access.blocks[0]) != VIREO_NONE);
  CHECK(access.offset.value == 256 && vireo_reflection_heap_step(reflection, 2, 0, &step) == VIREO_OK);
  CHECK(step.member == 1 && step.bytes.value == 256);
  CHECK(vireo_reflection_heap_access(reflection, 3, &access) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_reflection_heap_access(reflection, 0, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_reflection_heap_step(reflection, 2, 1, &step) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_reflection_heap_step(NULL, 0, 0, &step) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_reflection_heap_access_count(NULL) == 0);

  vireo_reflected_other_variable other;
  CHECK(vireo_reflection_other_variable_count(reflection) == 1);
  CHECK(vireo_reflection_other_variable(reflection, 0, &other) == VIREO_OK && is_text(other.name, "tile"));
  CHECK(other.storage_class == 4172 && other.location == 1);  // TileImageEXT
  CHECK(other.array_count == 0 && other.block_size == 0);
  CHECK(vireo_reflection_other_variable(reflection, 1, &other) == VIREO_BAD_ARGUMENT);

  const vireo_reflection* const modules[] = {reflection};
  vireo_pipeline* pipeline = NULL;
  vireo_pipeline_heap_access use;
  CHECK(vireo_pipeline_create(modules, 1, string_of(""), &pipeline) == VIREO_OK);
  CHECK(vireo_pipeline_heap_access_count(pipeline) == 3);
  CHECK(vireo_pipeline_get_heap_access(pipeline, 0, &use) == VIREO_OK && use.module == 0 && use.stages == 16);
  CHECK(vireo_pipeline_get_heap_access(pipeline, 3, &use) == VIREO_BAD_ARGUMENT);
  vireo_pipeline_destroy(pipeline);
  vireo_reflection_destroy(reflection);
}

static int stops_at_once(void* user, const char* chunk, size_t size) {
  return user != NULL && chunk != NULL && size == 0;
}

void writes_reflections(void) {
  vireo_reflection* reflection = reflected();
  vireo_text* text = vireo_text_create();
  const vireo_string none = string_of("");
  CHECK(vireo_reflection_json(reflection, string_of("a.spv"), none, vireo_text_write, text) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "{\"file\":\"a.spv\"") == vireo_text_data(text));
  CHECK(strstr(vireo_text_data(text), "\"textures\"") != NULL);
  vireo_text_clear(text);
  CHECK(vireo_reflection_json(reflection, none, string_of("other"), vireo_text_write, text) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "\"textures\"") == NULL);
  vireo_text_clear(text);
  CHECK(vireo_reflection_header(reflection, none, string_of("a"), VIREO_HEADER_C, vireo_text_write, text) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "enum { a_Scene_binding = 2 };") != NULL);
  vireo_text_clear(text);
  CHECK(vireo_reflection_header(reflection, none, none, VIREO_HEADER_CPP, vireo_text_write, text) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "inline constexpr uint32_t Scene_binding = 2u;") != NULL);
  CHECK(vireo_reflection_header(reflection, none, none, 2, vireo_text_write, text) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_reflection_json(reflection, none, none, NULL, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_reflection_json(reflection, none, none, stops_at_once, NULL) == VIREO_STOPPED);
  vireo_text_destroy(text);
  vireo_reflection_destroy(reflection);
  // No reflection, and a module without instructions.
  CHECK(vireo_reflection_create(NULL, 1, NULL, &reflection) == VIREO_BAD_ARGUMENT && reflection == NULL);
  CHECK(vireo_reflection_resource_count(NULL) == 0 && vireo_reflection_module(NULL) == NULL);
  CHECK(vireo_reflection_create(NULL, 0, NULL, &reflection) == VIREO_OK);
  CHECK(vireo_reflection_entry_point_count(reflection) == 0);
  vireo_reflection_destroy(reflection);
  vireo_reflection_destroy(NULL);
}
