// SPDX-License-Identifier: Apache-2.0
//
// Executions from C: bytes, images, findings, printed lines, interruption, wrong arguments.
#include "c/check.h"
#include "vireo/vireo_run.h"

// Each invocation replaces its word by `dividend / word * scale`, and prints its result. The dividend has the SpecId 7;
// the scale is a push constant.
static const char* const divide_text =
    "OpCapability Shader\n"
    "OpExtension \"SPV_KHR_non_semantic_info\"\n"
    "%printf = OpExtInstImport \"NonSemantic.DebugPrintf\"\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"divide\" %index %data %push\n"
    "OpExecutionMode %main LocalSize 4 1 1\n"
    "%format = OpString \"result %u\"\n"
    "OpName %divisor \"divisor\"\n"
    "OpDecorate %index BuiltIn LocalInvocationIndex\n"
    "OpDecorate %dividend SpecId 7\n"
    "OpDecorate %words ArrayStride 4\n"
    "OpDecorate %block Block\n"
    "OpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %data DescriptorSet 0\n"
    "OpDecorate %data Binding 1\n"
    "OpDecorate %pushed Block\n"
    "OpMemberDecorate %pushed 0 Offset 0\n"
    "%void = OpTypeVoid\n"
    "%function = OpTypeFunction %void\n"
    "%u32 = OpTypeInt 32 0\n"
    "%zero = OpConstant %u32 0\n"
    "%dividend = OpSpecConstant %u32 8\n"
    "%words = OpTypeRuntimeArray %u32\n"
    "%block = OpTypeStruct %words\n"
    "%pushed = OpTypeStruct %u32\n"
    "%to_block = OpTypePointer StorageBuffer %block\n"
    "%to_word = OpTypePointer StorageBuffer %u32\n"
    "%to_pushed = OpTypePointer PushConstant %pushed\n"
    "%to_scale = OpTypePointer PushConstant %u32\n"
    "%to_index = OpTypePointer Input %u32\n"
    "%data = OpVariable %to_block StorageBuffer\n"
    "%push = OpVariable %to_pushed PushConstant\n"
    "%index = OpVariable %to_index Input\n"
    "%main = OpFunction %void None %function\n"
    "%entry = OpLabel\n"
    "%i = OpLoad %u32 %index\n"
    "%place = OpAccessChain %to_word %data %zero %i\n"
    "%divisor = OpLoad %u32 %place\n"
    "%quotient = OpUDiv %u32 %dividend %divisor\n"
    "%at_scale = OpAccessChain %to_scale %push %zero\n"
    "%scale = OpLoad %u32 %at_scale\n"
    "%result = OpIMul %u32 %quotient %scale\n"
    "OpStore %place %result\n"
    "%printed = OpExtInst %void %printf 1 %format %result\n"
    "OpReturn\n"
    "OpFunctionEnd\n";

static const uint32_t scale = 10;

// What the callbacks saw, and when they stop the dispatch; 0: never.
typedef struct run_calls {
  int lines;
  int last_line;
  int questions;
  int last_question;
  char text[4][16];  // the first lines
  uint32_t x[4];     // and their invocations
} run_calls;

static int keep_line(void* user, const vireo_printed_line* line) {
  run_calls* calls = (run_calls*)user;
  if (calls->lines < 4 && line->text.size < sizeof calls->text[0]) {
    memcpy(calls->text[calls->lines], line->text.data, line->text.size);
    calls->x[calls->lines] = line->invocation[0];
  }
  return ++calls->lines != calls->last_line;
}

static int keep_running(void* user) {
  run_calls* calls = (run_calls*)user;
  return ++calls->questions != calls->last_question;
}

static vireo_words* divide_words(void) {
  vireo_words* words = NULL;
  CHECK(vireo_assemble(divide_text, strlen(divide_text), NULL, NULL, &words) == VIREO_OK);
  return words;
}

// An executor of the shader above with its push constants.
static vireo_executor* divide_executor(const vireo_run_options* options) {
  vireo_executor* executor = NULL;
  vireo_words* words = divide_words();
  CHECK(vireo_executor_create(vireo_words_data(words), vireo_words_count(words), options, NULL, &executor) == VIREO_OK);
  vireo_words_destroy(words);  // the executor has a copy
  CHECK(vireo_executor_push(executor, &scale, sizeof scale) == VIREO_OK);
  return executor;
}

void runs_shaders(void) {
  run_calls calls = {0};
  const vireo_spec_value dividend = {7, 0, 24};
  vireo_run_options options = {0};
  options.entry_point = string_of("divide");
  options.specializations = &dividend;
  options.specialization_count = 1;
  options.on_printed_line = keep_line;
  options.user = &calls;
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_executor* executor = divide_executor(&options);
  vireo_run_report report;
  uint32_t size[3];
  CHECK(is_text(vireo_executor_entry_point(executor), "divide"));
  CHECK(vireo_executor_workgroup_size(executor, size) == VIREO_OK && size[0] == 4 && size[1] == 1 && size[2] == 1);

  // A dispatch without its buffer executes nothing.
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, found, &report) == VIREO_REPORTED);
  CHECK(report.invocations == 0 && vireo_diagnostics_error_count(found) == 1);
  vireo_diagnostics_clear(found);

  uint32_t data[4] = {1, 2, 3, 4};
  CHECK(vireo_executor_bind_buffer(executor, 0, 1, 0, data, sizeof data) == VIREO_OK);
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, found, &report) == VIREO_OK);
  CHECK(data[0] == 240 && data[1] == 120 && data[2] == 80 && data[3] == 60);
  CHECK(report.end == VIREO_DISPATCH_FINISHED && report.invocations == 4 && report.findings == 0);
  CHECK(report.subgroup_instructions != 0 && report.invocation_instructions == 4 * report.subgroup_instructions);
  CHECK(vireo_diagnostics_count(found) == 0);
  CHECK(calls.lines == 4 && strcmp(calls.text[2], "result 80") == 0 && calls.x[2] == 2);

  // Another buffer for the same descriptor; the first one stays as it is.
  uint32_t other[4] = {24, 24, 24, 12};
  CHECK(vireo_executor_bind_buffer(executor, 0, 1, 0, other, sizeof other) == VIREO_OK);
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, found, &report) == VIREO_OK);
  CHECK(other[0] == 10 && other[3] == 20 && data[0] == 240);
  vireo_executor_destroy(executor);
  vireo_diagnostics_destroy(found);
}

void reports_findings_of_executions(void) {
  uint32_t data[4] = {1, 2, 0, 0};
  uint32_t severity = 9;
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_diagnostic first;
  vireo_note note;
  vireo_run_report report;
  vireo_executor* executor = divide_executor(NULL);
  CHECK(vireo_executor_bind_buffer(executor, 0, 1, 0, data, sizeof data) == VIREO_OK);
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, found, &report) == VIREO_OK);
  CHECK(data[0] == 80 && data[1] == 40);
  CHECK(report.end == VIREO_DISPATCH_FINISHED && report.findings == 2 && vireo_diagnostics_count(found) == 1);
  CHECK(vireo_diagnostics_get(found, 0, &first) == VIREO_OK && is_text(first.rule, "zero-divisor"));
  CHECK(is_text(first.message, "%divisor is 0, so the result of OpUDiv is undefined"));
  CHECK(first.severity == VIREO_ERROR && first.where.kind == VIREO_PLACE_WORDS && first.where.instruction == 39);
  CHECK(first.note_count != 0 && vireo_diagnostics_note(found, 0, 0, &note) == VIREO_OK);
  CHECK(is_text(note.message, "in invocation 2,0,0: %divisor = 0; found 2 times"));
  vireo_executor_destroy(executor);
  CHECK(vireo_run_severity(string_of("zero-divisor"), &severity) == VIREO_OK && severity == VIREO_ERROR);
  CHECK(vireo_run_severity(string_of("component-count"), &severity) == VIREO_NO_MATCH);
  CHECK(vireo_run_severity(string_of("zero-divisor"), NULL) == VIREO_BAD_ARGUMENT);

  // A profile chooses severities. Without checks there are no findings.
  const char* json = "{\"environment\": \"vulkan1.3\", \"rules\": {\"zero-divisor\": \"warn\"}}";
  vireo_run_options options = {0};
  vireo_profile* profile = NULL;
  CHECK(vireo_profile_read(json, strlen(json), NULL, NULL, &profile) == VIREO_OK);
  options.profile = profile;
  executor = divide_executor(&options);
  vireo_profile_destroy(profile);  // the executor has a copy
  vireo_diagnostics_clear(found);
  data[3] = 0;
  CHECK(vireo_executor_bind_buffer(executor, 0, 1, 0, data, sizeof data) == VIREO_OK);
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, found, &report) == VIREO_OK);
  CHECK(vireo_diagnostics_error_count(found) == 0 && vireo_diagnostics_warning_count(found) == 1);
  vireo_executor_destroy(executor);

  options.profile = NULL;
  options.flags = VIREO_RUN_NO_CHECKS;
  executor = divide_executor(&options);
  data[3] = 0;
  CHECK(vireo_executor_bind_buffer(executor, 0, 1, 0, data, sizeof data) == VIREO_OK);
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, found, &report) == VIREO_OK);
  CHECK(report.findings == 0 && vireo_diagnostics_count(found) == 1);
  vireo_executor_destroy(executor);
  vireo_diagnostics_destroy(found);
}

void interrupts_executions(void) {
  uint32_t data[4] = {1, 1, 1, 1};
  run_calls calls = {0};
  vireo_run_report report;
  vireo_run_options options = {0};
  options.on_printed_line = keep_line;
  options.keep_running = keep_running;
  options.user = &calls;
  vireo_executor* executor = divide_executor(&options);
  CHECK(vireo_executor_bind_buffer(executor, 0, 1, 0, data, sizeof data) == VIREO_OK);

  // Before the third workgroup.
  calls.last_question = 3;
  CHECK(vireo_executor_dispatch(executor, 100, 1, 1, NULL, &report) == VIREO_STOPPED);
  CHECK(report.end == VIREO_DISPATCH_INTERRUPTED && report.invocations == 8 && calls.questions == 3);
  CHECK(calls.lines == 8);

  // By the second line: no callback is called again.
  memset(&calls, 0, sizeof calls);
  calls.last_line = 2;
  CHECK(vireo_executor_dispatch(executor, 100, 1, 1, NULL, &report) == VIREO_STOPPED);
  CHECK(report.end == VIREO_DISPATCH_INTERRUPTED && calls.lines == 2 && calls.questions == 1);

  // The executor can still run.
  memset(&calls, 0, sizeof calls);
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, NULL, &report) == VIREO_OK && report.invocations == 4);
  vireo_executor_destroy(executor);

  // A limit ends the dispatch as well, but no callback did.
  options.max_steps = 8;
  executor = divide_executor(&options);
  CHECK(vireo_executor_bind_buffer(executor, 0, 1, 0, data, sizeof data) == VIREO_OK);
  CHECK(vireo_executor_dispatch(executor, 100, 1, 1, NULL, &report) == VIREO_OK);
  CHECK(report.end == VIREO_DISPATCH_STEP_LIMIT);
  vireo_executor_destroy(executor);
}

// Each invocation of 2 x 1 x 1 copies the texel that it samples, in the middle of the image, to a storage image.
static const char* const sample_text =
    "OpCapability Shader\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"sample\" %index %texture %sampler %target\n"
    "OpExecutionMode %main LocalSize 2 1 1\n"
    "OpDecorate %index BuiltIn LocalInvocationIndex\n"
    "OpDecorate %texture DescriptorSet 0\n"
    "OpDecorate %texture Binding 0\n"
    "OpDecorate %sampler DescriptorSet 0\n"
    "OpDecorate %sampler Binding 1\n"
    "OpDecorate %target DescriptorSet 0\n"
    "OpDecorate %target Binding 2\n"
    "%void = OpTypeVoid\n"
    "%function = OpTypeFunction %void\n"
    "%u32 = OpTypeInt 32 0\n"
    "%f32 = OpTypeFloat 32\n"
    "%vec2 = OpTypeVector %f32 2\n"
    "%vec4 = OpTypeVector %f32 4\n"
    "%uvec2 = OpTypeVector %u32 2\n"
    "%zero = OpConstant %u32 0\n"
    "%lod = OpConstant %f32 0\n"
    "%half = OpConstant %f32 0.5\n"
    "%middle = OpConstantComposite %vec2 %half %half\n"
    "%sampled = OpTypeImage %f32 2D 0 0 0 1 Unknown\n"
    "%stored = OpTypeImage %f32 2D 0 0 0 2 Rgba8\n"
    "%sampler_type = OpTypeSampler\n"
    "%combined = OpTypeSampledImage %sampled\n"
    "%to_sampled = OpTypePointer UniformConstant %sampled\n"
    "%to_stored = OpTypePointer UniformConstant %stored\n"
    "%to_sampler = OpTypePointer UniformConstant %sampler_type\n"
    "%to_index = OpTypePointer Input %u32\n"
    "%texture = OpVariable %to_sampled UniformConstant\n"
    "%target = OpVariable %to_stored UniformConstant\n"
    "%sampler = OpVariable %to_sampler UniformConstant\n"
    "%index = OpVariable %to_index Input\n"
    "%main = OpFunction %void None %function\n"
    "%entry = OpLabel\n"
    "%i = OpLoad %u32 %index\n"
    "%place = OpCompositeConstruct %uvec2 %i %zero\n"
    "%image = OpLoad %sampled %texture\n"
    "%how = OpLoad %sampler_type %sampler\n"
    "%both = OpSampledImage %combined %image %how\n"
    "%texel = OpImageSampleExplicitLod %vec4 %both %middle Lod %lod\n"
    "%to = OpLoad %stored %target\n"
    "OpImageWrite %to %place %texel\n"
    "OpReturn\n"
    "OpFunctionEnd\n";

void runs_shaders_with_images(void) {
  vireo_words* words = NULL;
  vireo_executor* executor = NULL;
  vireo_run_report report;
  vireo_diagnostics* found = vireo_diagnostics_create();
  CHECK(vireo_assemble(sample_text, strlen(sample_text), NULL, NULL, &words) == VIREO_OK);
  CHECK(vireo_executor_create(vireo_words_data(words), vireo_words_count(words), NULL, found, &executor) == VIREO_OK);
  vireo_words_destroy(words);

  unsigned char texels[8] = {0, 40, 80, 255, 100, 40, 0, 255};
  unsigned char targets[8] = {0};
  vireo_image texture;
  vireo_image target;
  vireo_sampler sampler = {0};
  memset(&texture, 0, sizeof texture);
  texture.format = string_of("R8G8B8A8_UNORM");
  texture.width = 2;
  texture.bytes = texels;
  texture.size = sizeof texels;
  target = texture;
  target.bytes = targets;
  sampler.flags = VIREO_SAMPLER_MAG_LINEAR | VIREO_SAMPLER_MIN_LINEAR;
  CHECK(vireo_executor_bind_image(executor, 0, 0, 0, &texture) == VIREO_OK);
  CHECK(vireo_executor_bind_sampler(executor, 0, 1, 0, &sampler) == VIREO_OK);
  CHECK(vireo_executor_bind_image(executor, 0, 2, 0, &target) == VIREO_OK);
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, found, &report) == VIREO_OK);
  CHECK(vireo_diagnostics_count(found) == 0 && report.invocations == 2);
  CHECK(targets[0] == 50 && targets[1] == 40 && targets[2] == 40 && targets[3] == 255);
  CHECK(memcmp(targets, targets + 4, 4) == 0);

  // The default sampler takes the nearest texel.
  CHECK(vireo_executor_bind_sampler(executor, 0, 1, 0, NULL) == VIREO_OK);
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, found, &report) == VIREO_OK);
  CHECK(memcmp(targets, texels + 4, 4) == 0);

  sampler.address_v = 5;
  CHECK(vireo_executor_bind_sampler(executor, 0, 1, 0, &sampler) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_executor_bind_sampler(NULL, 0, 1, 0, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_executor_bind_image(NULL, 0, 0, 0, &texture) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_executor_bind_image(executor, 0, 0, 0, NULL) == VIREO_BAD_ARGUMENT);
  texture.size = 7;
  CHECK(vireo_executor_bind_image(executor, 0, 0, 0, &texture) == VIREO_BAD_ARGUMENT);
  texture.size = 8;
  texture.format = string_of("R8G8B8A8_WHATEVER");
  CHECK(vireo_executor_bind_image(executor, 0, 0, 0, &texture) == VIREO_BAD_ARGUMENT);
  vireo_executor_destroy(executor);
  vireo_diagnostics_destroy(found);
}

void rejects_arguments_of_executions(void) {
  vireo_words* module = divide_words();
  const uint32_t* words = vireo_words_data(module);
  const size_t count = vireo_words_count(module);
  vireo_diagnostics* found = vireo_diagnostics_create();
  vireo_executor* executor = NULL;
  vireo_run_report report;
  vireo_run_options options = {0};
  uint32_t size[3] = {0, 0, 0};

  CHECK(vireo_executor_create(NULL, 4, NULL, found, &executor) == VIREO_BAD_ARGUMENT && executor == NULL);
  CHECK(vireo_executor_create(words, count, NULL, found, NULL) == VIREO_BAD_ARGUMENT);
  options.flags = 4;
  CHECK(vireo_executor_create(words, count, &options, found, &executor) == VIREO_BAD_ARGUMENT);
  options.flags = 0;
  options.robustness = 3;
  CHECK(vireo_executor_create(words, count, &options, found, &executor) == VIREO_BAD_ARGUMENT);
  options.robustness = 0;
  options.undefined = 3;
  CHECK(vireo_executor_create(words, count, &options, found, &executor) == VIREO_BAD_ARGUMENT);
  options.undefined = 0;
  options.specialization_count = 1;
  CHECK(vireo_executor_create(words, count, &options, found, &executor) == VIREO_BAD_ARGUMENT);
  options.specialization_count = 0;
  options.entry_point.size = 1;
  CHECK(vireo_executor_create(words, count, &options, found, &executor) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_diagnostics_count(found) == 0);

  // Faults of the input: no words, no such entry point, a size of subgroups that is no power of two.
  CHECK(vireo_executor_create(NULL, 0, NULL, found, &executor) == VIREO_REPORTED);
  options.entry_point = string_of("multiply");
  CHECK(vireo_executor_create(words, count, &options, found, &executor) == VIREO_REPORTED);
  options.entry_point = string_of("");
  options.subgroup_size = 12;
  CHECK(vireo_executor_create(words, count, &options, found, &executor) == VIREO_REPORTED && executor == NULL);
  CHECK(vireo_diagnostics_error_count(found) == 3);

  CHECK(is_text(vireo_executor_entry_point(NULL), ""));
  CHECK(vireo_executor_workgroup_size(NULL, size) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_executor_bind_buffer(NULL, 0, 1, 0, NULL, 0) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_executor_push(NULL, &scale, sizeof scale) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_executor_dispatch(NULL, 1, 1, 1, found, &report) == VIREO_BAD_ARGUMENT);
  executor = divide_executor(NULL);
  CHECK(vireo_executor_workgroup_size(executor, NULL) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_executor_bind_buffer(executor, 0, 1, 0, NULL, 4) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_executor_push(executor, NULL, 4) == VIREO_BAD_ARGUMENT);
  CHECK(vireo_executor_dispatch(executor, 1, 1, 1, found, NULL) == VIREO_BAD_ARGUMENT);
  vireo_executor_destroy(executor);
  vireo_executor_destroy(NULL);
  vireo_words_destroy(module);
  vireo_diagnostics_destroy(found);
}
