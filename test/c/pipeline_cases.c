// SPDX-License-Identifier: Apache-2.0
//
// Pipelines, from C.
#include "c/check.h"
#include "vireo/vireo_inspect.h"

static const char* const vertex_text =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" %colour\n"
    "OpName %Scene \"Scene\"\nOpName %scene \"scene\"\nOpName %colour \"colour\"\nOpName %scale \"scale\"\n"
    "OpDecorate %Scene Block\nOpMemberDecorate %Scene 0 Offset 0\n"
    "OpDecorate %scene DescriptorSet 0\nOpDecorate %scene Binding 3\nOpDecorate %colour Location 0\n"
    "OpDecorate %scale SpecId 5\nOpDecorate %Push Block\nOpMemberDecorate %Push 0 Offset 0\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f32 = OpTypeFloat 32\n%vec4 = OpTypeVector %f32 4\n"
    "%scale = OpSpecConstant %f32 1\n%Scene = OpTypeStruct %vec4\n%Scene_ptr = OpTypePointer Uniform %Scene\n"
    "%scene = OpVariable %Scene_ptr Uniform\n%Push = OpTypeStruct %vec4\n%Push_ptr = OpTypePointer PushConstant %Push\n"
    "%push = OpVariable %Push_ptr PushConstant\n%vec4_ptr = OpTypePointer Output %vec4\n"
    "%colour = OpVariable %vec4_ptr Output\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n%value = OpLoad %Scene %scene\n%block = OpLoad %Push %push\n"
    "%copy = OpCopyObject %f32 %scale\nOpReturn\nOpFunctionEnd\n";

// Another descriptor type at the binding.
static const char* const fragment_text =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\"\n"
    "OpExecutionMode %main OriginUpperLeft\nOpName %sampler \"linear\"\n"
    "OpDecorate %sampler DescriptorSet 0\nOpDecorate %sampler Binding 3\n"
    "OpDecorate %samplers DescriptorSet 0\nOpDecorate %samplers Binding 4\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u32 = OpTypeInt 32 0\n%2 = OpConstant %u32 2\n"
    "%sampler_type = OpTypeSampler\n%sampler_ptr = OpTypePointer UniformConstant %sampler_type\n"
    "%sampler = OpVariable %sampler_ptr UniformConstant\n%array = OpTypeArray %sampler_type %2\n"
    "%array_ptr = OpTypePointer UniformConstant %array\n%samplers = OpVariable %array_ptr UniformConstant\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n%value = OpLoad %sampler_type %sampler\n"
    "%values = OpLoad %array %samplers\nOpReturn\nOpFunctionEnd\n";

static vireo_reflection* reflected_text(const char* text) {
  vireo_words* words = NULL;
  vireo_reflection* made = NULL;
  CHECK(vireo_assemble(text, strlen(text), NULL, NULL, &words) == VIREO_OK);
  CHECK(vireo_reflection_create(vireo_words_data(words), vireo_words_count(words), NULL, &made) == VIREO_OK);
  vireo_words_destroy(words);
  return made;
}

void merges_pipelines(void) {
  vireo_reflection* modules[] = {reflected_text(fragment_text), reflected_text(vertex_text)};
  const vireo_reflection* const borrowed[] = {modules[0], modules[1]};
  vireo_pipeline* pipeline = NULL;
  CHECK(vireo_pipeline_create(borrowed, 2, string_of(""), &pipeline) == VIREO_OK);

  vireo_pipeline_stage stage;
  CHECK(vireo_pipeline_stage_count(pipeline) == 2);  // in the order of the pipeline
  CHECK(vireo_pipeline_get_stage(pipeline, 0, &stage) == VIREO_OK && stage.module == 1 && stage.flag == 1);
  CHECK(vireo_pipeline_get_stage(pipeline, 1, &stage) == VIREO_OK && stage.module == 0 && stage.flag == 16);
  CHECK(stage.execution_model == 4 && stage.entry_point == 0);

  vireo_pipeline_binding binding;
  CHECK(vireo_pipeline_binding_count(pipeline) == 3);  // a row for each descriptor type of a binding
  CHECK(vireo_pipeline_get_binding(pipeline, 0, &binding) == VIREO_OK && binding.set == 0 && binding.binding == 3);
  CHECK(binding.descriptor_type == VIREO_DESCRIPTOR_UNIFORM_BUFFER && binding.stages == 1);
  CHECK(binding.block_size == 16 && binding.array_count == 0 && binding.array == NULL);
  CHECK(binding.variable_count == 1 && binding.variables[0].module == 1 && is_text(binding.variables[0].name, "scene"));
  CHECK(vireo_pipeline_get_binding(pipeline, 1, &binding) == VIREO_OK && binding.set == 0 && binding.binding == 3);
  CHECK(binding.descriptor_type == VIREO_DESCRIPTOR_SAMPLER && binding.stages == 16);
  CHECK(binding.variable_count == 1 && binding.variables[0].module == 0 && is_text(binding.variables[0].name, "linear"));
  CHECK(vireo_pipeline_get_binding(pipeline, 2, &binding) == VIREO_OK && binding.array_count == 1);
  CHECK(binding.array[0].count == 2 && binding.array[0].spec_id == VIREO_NONE && binding.stages == 16);

  vireo_pipeline_push_range range;
  CHECK(vireo_pipeline_push_range_count(pipeline) == 1);
  CHECK(vireo_pipeline_get_push_range(pipeline, 0, &range) == VIREO_OK && range.end == 16 && range.stages == 1);
  vireo_pipeline_spec_constant constant;
  CHECK(vireo_pipeline_spec_constant_count(pipeline) == 1);
  CHECK(vireo_pipeline_get_spec_constant(pipeline, 0, &constant) == VIREO_OK && constant.spec_id == 5);
  CHECK(is_text(constant.first.name, "scale") && constant.first.module == 1 && constant.first.id != 0);
  vireo_pipeline_conflict conflict;
  CHECK(vireo_pipeline_conflict_count(pipeline) == 1);
  CHECK(vireo_pipeline_get_conflict(pipeline, 0, &conflict) == VIREO_OK);
  CHECK(is_text(conflict.rule, "pipeline-binding") && is_text(conflict.second.name, "linear"));
  CHECK(conflict.severity == VIREO_ERROR && conflict.vuid.size == 0);

  vireo_text* text = vireo_text_create();
  const vireo_string files[] = {string_of("a.spv"), string_of("b.spv")};
  CHECK(vireo_pipeline_json(pipeline, files, 2, vireo_text_write, text) == VIREO_OK);
  CHECK(strstr(vireo_text_data(text), "\"entry_point\":\"main\",\"file\":\"b.spv\"") != NULL);
  CHECK(vireo_pipeline_json(pipeline, files, 1, vireo_text_write, text) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_pipeline_json(pipeline, files, 2, NULL, NULL) == VIREO_BAD_ARGUMENT);
  vireo_text_destroy(text);
  vireo_pipeline_destroy(pipeline);

  // A name selects entry points.
  CHECK(vireo_pipeline_create(borrowed, 2, string_of("other"), &pipeline) == VIREO_OK);
  CHECK(vireo_pipeline_stage_count(pipeline) == 0 && vireo_pipeline_binding_count(pipeline) == 0);
  CHECK(vireo_pipeline_get_stage(pipeline, 0, &stage) == VIREO_BAD_ARGUMENT);
  vireo_pipeline_destroy(pipeline);
  vireo_reflection_destroy(modules[0]);
  vireo_reflection_destroy(modules[1]);
}

void rejects_arguments_of_pipelines(void) {
  const vireo_reflection* const missing[] = {NULL};
  vireo_pipeline* pipeline = NULL;
  CHECK(vireo_pipeline_create(missing, 1, string_of(""), &pipeline) == VIREO_BAD_ARGUMENT && pipeline == NULL);
  CHECK(vireo_pipeline_create(NULL, 1, string_of(""), &pipeline) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_pipeline_create(missing, 1, string_of(""), NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_pipeline_stage_count(NULL) == 0 && vireo_pipeline_conflict_count(NULL) == 0);
  CHECK(vireo_pipeline_get_binding(NULL, 0, NULL) == VIREO_BAD_ARGUMENT);
  vireo_pipeline_destroy(NULL);
  // A pipeline without modules is empty.
  CHECK(vireo_pipeline_create(NULL, 0, string_of(""), &pipeline) == VIREO_OK);
  CHECK(vireo_pipeline_push_range_count(pipeline) == 0 && vireo_pipeline_spec_constant_count(pipeline) == 0);
  vireo_pipeline_destroy(pipeline);
}
