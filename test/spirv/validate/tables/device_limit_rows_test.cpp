// SPDX-License-Identifier: Apache-2.0
//
// Table-driven tests of the limits of devices: each module is accepted at the limit that it needs, and rejected below.
//
// A row has a module and, for each limit that concerns it, the number that the module needs. With all
// numbers as limits there is no finding. With one of them less by one there is one finding, for this limit.
//
// Source: Vulkan, "Limits", "Runtime SPIR-V Validation".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/validate/tables/device_rows.h"
#include "spirv/validate/tables/test_shaders.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using test::TestShader;
using testing::ElementsAre;
using testing::IsEmpty;

// "limit: message" for each finding.
std::vector<std::string> found_with(Words words, const std::vector<DeviceLimit>& limits) {
  DeviceSupport device;
  device.limits = limits;
  Diagnostics diagnostics;
  validate(words, {.environment = find_environment("vulkan1.3").value(), .device = &device}, diagnostics);
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    found.push_back(std::string(diagnostic.rule) + ": " + diagnostic.message);
    EXPECT_EQ(diagnostic.rule.starts_with("device-"), diagnostic.requirement.starts_with("VUID-"));
  }
  return found;
}

struct LimitedShader {
  std::string_view name;
  TestShader shader;
  std::vector<DeviceLimit> needs;
};

// A shader with variables that are listed and loaded: "%a %b".
TestShader with(ExecutionModel model, std::string interface_, std::string annotations, std::string declarations,
                std::string body = {}) {
  TestShader shader;
  shader.model = model;
  shader.interface_ = std::move(interface_);
  shader.annotations = std::move(annotations);
  shader.declarations = std::move(declarations);
  shader.body = std::move(body);
  return shader;
}

TestShader with_modes(ExecutionModel model, std::string modes, std::string declarations = {}) {
  TestShader shader = with(model, {}, {}, std::move(declarations));
  shader.modes = std::move(modes);
  shader.has_own_modes = true;
  return shader;
}

std::string at_location(std::string_view id, int number) {
  return "OpDecorate " + std::string(id) + " Location " + std::to_string(number) + "\n";
}

// An input and an output at locations; the input may have an array with an element for each vertex.
TestShader with_locations(ExecutionModel model, bool has_array_in, bool has_array_out, int in, int out) {
  const auto variable = [](std::string_view id, std::string_view storage, bool has_array) {
    const std::string name(storage);
    return "%p" + name + " = OpTypePointer " + name + (has_array ? " %vertices\n" : " %lv4\n") + std::string(id) +
           " = OpVariable %p" + name + " " + name + "\n";
  };
  return with(model, " %in %out", at_location("%in", in) + at_location("%out", out),
              "%lv4 = OpTypeVector %f32 4\n"
              "%vertices = OpTypeArray %lv4 %u3\n" +
                  variable("%in", "Input", has_array_in) + variable("%out", "Output", has_array_out));
}

std::string at_binding(std::string_view id, int set, int binding) {
  const std::string target = "OpDecorate " + std::string(id);
  return target + " DescriptorSet " + std::to_string(set) + "\n" + target + " Binding " + std::to_string(binding) +
         "\n";
}

// A resource of a type in an array of 3, and its copy with the same set and binding, which needs no more descriptors.
TestShader with_resource(std::string_view storage, const std::string& type, const std::string& annotations = {},
                         ExecutionModel model = Fragment) {
  const std::string pointer = "%rp = OpTypePointer " + std::string(storage) + " %ra\n";
  const std::string variable = " = OpVariable %rp " + std::string(storage) + "\n";
  return with(model, " %r %s", annotations + at_binding("%r", 2, 5) + at_binding("%s", 2, 5),
              type + "%ra = OpTypeArray %rt %u3\n" + pointer + "%r" + variable + "%s" + variable,
              "%rx = OpCopyObject %rp %r\n%sx = OpCopyObject %rp %s\n");
}

std::vector<DeviceLimit> descriptors(std::string_view stage, std::string_view set, std::int64_t resources = 3) {
  return {{stage, 3}, {set, 3}, {"maxPerStageResources", resources}, {"maxBoundDescriptorSets", 3}};
}

constexpr std::string_view resource_block = "OpDecorate %rt Block\nOpMemberDecorate %rt 0 Offset 0\n";
constexpr std::string_view resource_texture = "%rt = OpTypeImage %f32 2D 0 0 0 1 Unknown\n";

TestShader with_distances(ExecutionModel model, std::string_view storage) {
  const std::string in(storage);
  return with(model, " %clip %cull", "OpDecorate %clip BuiltIn ClipDistance\nOpDecorate %cull BuiltIn CullDistance\n",
              "%d2 = OpTypeArray %f32 %u2\n"
              "%d3 = OpTypeArray %f32 %u3\n%dp2 = OpTypePointer " +
                  in + " %d2\n%dp3 = OpTypePointer " + in + " %d3\n%clip = OpVariable %dp2 " + in +
                  "\n%cull = OpVariable %dp3 " + in + "\n");
}

std::vector<LimitedShader> limited_shaders() {
  std::vector<LimitedShader> all;
  // --- workgroups ---
  all.push_back({"LocalSize",
                 with_modes(GLCompute, "OpExecutionMode %main LocalSize 3 5 7\n"),
                 {{"maxComputeWorkGroupSize[0]", 3},
                  {"maxComputeWorkGroupSize[1]", 5},
                  {"maxComputeWorkGroupSize[2]", 7},
                  {"maxComputeWorkGroupInvocations", 105}}});
  all.push_back({"LocalSizeId with defaults",
                 with_modes(GLCompute, "OpExecutionModeId %main LocalSizeId %lx %ly %ly\n",
                            "%lx = OpSpecConstant %u32 9\n%ly = OpConstant %u32 2\n"),
                 {{"maxComputeWorkGroupSize[0]", 9}, {"maxComputeWorkGroupInvocations", 36}}});
  TestShader constant = with_modes(GLCompute, "OpExecutionMode %main LocalSize 64 64 64\n",
                                   "%vu3 = OpTypeVector %u32 3\n%sx = OpSpecConstant %u32 9\n"
                                   "%size = OpSpecConstantComposite %vu3 %sx %sx %sx\n");
  constant.annotations = "OpDecorate %size BuiltIn WorkgroupSize\n";
  all.push_back(
      {"WorkgroupSize", constant, {{"maxComputeWorkGroupSize[2]", 9}, {"maxComputeWorkGroupInvocations", 729}}});
  constexpr std::string_view mesh_modes =
      "OpExecutionMode %main LocalSize 3 5 7\nOpExecutionMode %main OutputVertices 9\n"
      "OpExecutionMode %main OutputPrimitivesEXT 11\nOpExecutionMode %main OutputTrianglesEXT\n";
  TestShader mesh = with_modes(MeshEXT, std::string(mesh_modes));
  mesh.body = "OpSetMeshOutputsEXT %u1 %u1\n";
  all.push_back({"mesh",
                 mesh,
                 {{"maxMeshWorkGroupSize[0]", 3},
                  {"maxMeshWorkGroupSize[1]", 5},
                  {"maxMeshWorkGroupSize[2]", 7},
                  {"maxMeshWorkGroupInvocations", 105},
                  {"maxMeshOutputVertices", 9},
                  {"maxMeshOutputPrimitives", 11}}});
  // Sizes: 4 for the boolean and 12 for padding, then two elements of 16 for vectors of three components.
  constexpr std::string_view memory =
      "%mv3 = OpTypeVector %f32 3\n%mn = OpSpecConstant %u32 2\n%ma = OpTypeArray %mv3 %mn\n"
      "%ms = OpTypeStruct %bool %ma\n%mp = OpTypePointer Workgroup %ms\n"
      "%m = OpVariable %mp Workgroup\n";
  for (const auto& [model, limit] : {std::pair{GLCompute, "maxComputeSharedMemorySize"},
                                     {TaskEXT, "maxTaskSharedMemorySize"},
                                     {MeshEXT, "maxMeshSharedMemorySize"}}) {
    std::string body = "%mc = OpCopyObject %mp %m\n";
    all.push_back({limit, with(model, " %m", {}, std::string(memory), std::move(body)), {{limit, 48}}});
  }
  // --- execution modes ---
  all.push_back({"patches",
                 with_modes(TessellationControl, "OpExecutionMode %main OutputVertices 7\n"),
                 {{"maxTessellationPatchSize", 7}}});
  all.push_back({"geometry",
                 with_modes(Geometry,
                            "OpExecutionMode %main InputPoints\nOpExecutionMode %main OutputPoints\n"
                            "OpExecutionMode %main OutputVertices 7\nOpExecutionMode %main Invocations 5\n"),
                 {{"maxGeometryOutputVertices", 7}, {"maxGeometryShaderInvocations", 5}}});
  // --- locations ---
  all.push_back({"vertex",
                 with_locations(Vertex, false, false, 4, 6),
                 {{"maxVertexInputAttributes", 5}, {"maxVertexOutputComponents", 28}}});
  all.push_back({"control",
                 with_locations(TessellationControl, true, true, 4, 6),
                 {{"maxTessellationControlPerVertexInputComponents", 20},
                  {"maxTessellationControlPerVertexOutputComponents", 28}}});
  TestShader patch = with_locations(TessellationControl, true, false, 0, 6);
  patch.annotations += "OpDecorate %out Patch\n";
  all.push_back({"patch", patch, {{"maxTessellationControlPerPatchOutputComponents", 28}}});
  all.push_back(
      {"evaluation",
       with_locations(TessellationEvaluation, true, false, 4, 6),
       {{"maxTessellationEvaluationInputComponents", 20}, {"maxTessellationEvaluationOutputComponents", 28}}});
  all.push_back({"geometry locations",
                 with_locations(Geometry, true, false, 4, 6),
                 {{"maxGeometryInputComponents", 20}, {"maxGeometryOutputComponents", 28}}});
  all.push_back({"fragment",
                 with_locations(Fragment, false, false, 4, 6),
                 {{"maxFragmentInputComponents", 20}, {"maxFragmentOutputAttachments", 7}}});
  // --- built-ins ---
  all.push_back({"distances",
                 with_distances(Vertex, "Output"),
                 {{"maxClipDistances", 2}, {"maxCullDistances", 3}, {"maxCombinedClipAndCullDistances", 5}}});
  all.push_back({"sample mask",
                 with(Fragment, " %mask", "OpDecorate %mask BuiltIn SampleMask\n",
                      "%ki = OpTypeInt 32 1\n%ka = OpTypeArray %ki %u2\n"
                      "%kp = OpTypePointer Output %ka\n%mask = OpVariable %kp Output\n"),
                 {{"maxSampleMaskWords", 2}}});
  // --- resources ---
  all.push_back(
      {"push constants",
       with(Vertex, " %pc", "OpDecorate %pt Block\nOpMemberDecorate %pt 0 Offset 0\nOpMemberDecorate %pt 1 Offset 20\n",
            "%pt = OpTypeStruct %u32 %u32\n%pp = OpTypePointer PushConstant %pt\n"
            "%pc = OpVariable %pp PushConstant\n",
            "%px = OpCopyObject %pp %pc\n"),
       {{"maxPushConstantsSize", 24}}});
  all.push_back(
      {"samplers",
       with_resource("UniformConstant", "%rt = OpTypeSampler\n"),
       {{"maxPerStageDescriptorSamplers", 3}, {"maxDescriptorSetSamplers", 3}, {"maxBoundDescriptorSets", 3}}});
  all.push_back({"uniform buffers", with_resource("Uniform", "%rt = OpTypeStruct %u32\n", std::string(resource_block)),
                 descriptors("maxPerStageDescriptorUniformBuffers", "maxDescriptorSetUniformBuffers")});
  all.push_back({"storage buffers",
                 with_resource("StorageBuffer", "%rt = OpTypeStruct %u32\n", std::string(resource_block), GLCompute),
                 descriptors("maxPerStageDescriptorStorageBuffers", "maxDescriptorSetStorageBuffers")});
  all.push_back({"sampled images", with_resource("UniformConstant", std::string(resource_texture)),
                 descriptors("maxPerStageDescriptorSampledImages", "maxDescriptorSetSampledImages")});
  std::vector<DeviceLimit> combined =
      descriptors("maxPerStageDescriptorSampledImages", "maxDescriptorSetSampledImages");
  combined.push_back({"maxPerStageDescriptorSamplers", 3});
  all.push_back({"combined image samplers",
                 with_resource("UniformConstant",
                               "%ri = OpTypeImage %f32 2D 0 0 0 1 Unknown\n"
                               "%rt = OpTypeSampledImage %ri\n"),
                 combined});
  all.push_back({"storage images", with_resource("UniformConstant", "%rt = OpTypeImage %f32 2D 0 0 0 2 Rgba8\n"),
                 descriptors("maxPerStageDescriptorStorageImages", "maxDescriptorSetStorageImages")});
  all.push_back({"input attachments",
                 with_resource("UniformConstant", "%rt = OpTypeImage %f32 SubpassData 0 0 0 2 Unknown\n",
                               "OpDecorate %r InputAttachmentIndex 0\nOpDecorate %s InputAttachmentIndex 3\n"),
                 descriptors("maxPerStageDescriptorInputAttachments", "maxDescriptorSetInputAttachments")});
  all.push_back({"acceleration structures", with_resource("UniformConstant", "%rt = OpTypeAccelerationStructureKHR\n"),
                 descriptors("maxPerStageDescriptorAccelerationStructures", "maxDescriptorSetAccelerationStructures")});
  return all;
}

TEST(DeviceLimitRows, accept_a_module_at_the_limit_and_reject_it_below) {
  std::set<std::string_view> tested;
  for (const LimitedShader& row : limited_shaders()) {
    const WordBuffer words = test::words_of(row.shader);
    EXPECT_THAT(found_with(words, row.needs), IsEmpty()) << row.name << "\n" << test::text_of(row.shader);
    for (std::size_t i = 0; i < row.needs.size(); ++i) {
      std::vector<DeviceLimit> limits = row.needs;
      const std::string needed = std::to_string(limits[i].value--);
      const std::string name(limits[i].name);
      const std::string end = "; the limit " + name + " of the device is " + std::to_string(limits[i].value);
      EXPECT_THAT(found_with(words, limits),
                  ElementsAre(testing::AllOf(testing::StartsWith("device-limit: entry point \"main\" "),
                                             testing::HasSubstr(needed), testing::EndsWith(end))))
          << row.name;
      tested.insert(limits[i].name);
    }
  }
  // device_pairs_test.cpp has a module for each VUID of runtime validation; one of them is about many limits.
  for (const DeviceBound& row : device_bounds()) {
    const std::string_view name = row.limits.substr(0, row.limits.find(','));
    const bool has_pair = !row.vuid.starts_with("VUID-") && row.vuid != "Location-06272";
    if (!row.is_of_entry_point || has_pair || name == "maxMeshOutputComponents") continue;
    EXPECT_TRUE(tested.contains(name)) << "no module for " << name;
  }
}

// The components of offsets are signed, whatever their type. Gather instructions have limits of their own.
TEST(DeviceLimitRows, limit_texel_offsets) {
  TestShader shader = with(Fragment, " %t %c", at_binding("%t", 0, 0) + "OpDecorate %c Location 0\n",
                           "%i32 = OpTypeInt 32 1\n%i2 = OpTypeVector %i32 2\n%v2 = OpTypeVector %f32 2\n"
                           "%v4 = OpTypeVector %f32 4\n%im = OpTypeImage %f32 2D 0 0 0 1 Unknown\n"
                           "%si = OpTypeSampledImage %im\n%tp = OpTypePointer UniformConstant %si\n"
                           "%cp = OpTypePointer Input %v2\n%t = OpVariable %tp UniformConstant\n"
                           "%c = OpVariable %cp Input\n%low = OpConstant %i32 -5\n%high = OpSpecConstant %i32 3\n"
                           "%offset = OpSpecConstantComposite %i2 %low %high\n%i4 = OpTypeArray %i2 %u4\n"
                           "%zero = OpConstantNull %i2\n"
                           "%offsets = OpSpecConstantComposite %i4 %zero %zero %offset %zero\n",
                           "%tx = OpLoad %si %t\n%cx = OpLoad %v2 %c\n"
                           "%sampled = OpImageSampleImplicitLod %v4 %tx %cx ConstOffset %offset\n"
                           "%gathered = OpImageGather %v4 %tx %cx %u1 ConstOffsets %offsets\n");
  const WordBuffer words = test::words_of(shader);
  const std::vector<DeviceLimit> needs = {
      {"minTexelOffset", -5}, {"maxTexelOffset", 3}, {"minTexelGatherOffset", -5}, {"maxTexelGatherOffset", 3}};
  EXPECT_THAT(found_with(words, needs), IsEmpty());
  EXPECT_THAT(
      found_with(words, {{"minTexelOffset", -4}}),
      ElementsAre(testing::EndsWith("of OpImageSampleImplicitLod has a component -5; the limit minTexelOffset of "
                                    "the device is -4")));
  EXPECT_THAT(found_with(words, {{"maxTexelOffset", 2}}),
              ElementsAre(testing::EndsWith("maxTexelOffset of the device is 2")));
  EXPECT_THAT(found_with(words, {{"minTexelGatherOffset", 0}, {"maxTexelGatherOffset", 2}}),
              ElementsAre(testing::HasSubstr(" of OpImageGather has a component -5"),
                          testing::HasSubstr(" of OpImageGather has a component 3")));
}

// A module does not state which descriptors are updated after they are bound, so the larger limit applies.
TEST(DeviceLimitRows, limits_for_descriptors_that_are_updated_after_they_are_bound) {
  const WordBuffer words = test::words_of(with_resource("UniformConstant", "%rt = OpTypeSampler\n"));
  EXPECT_THAT(
      found_with(words, {{"maxPerStageDescriptorSamplers", 1}, {"maxPerStageDescriptorUpdateAfterBindSamplers", 3}}),
      IsEmpty());
  EXPECT_THAT(
      found_with(words, {{"maxPerStageDescriptorSamplers", 1}, {"maxPerStageDescriptorUpdateAfterBindSamplers", 2}}),
      ElementsAre(testing::EndsWith("maxPerStageDescriptorUpdateAfterBindSamplers of the device is 2")));
}

TEST(DeviceLimitRows, have_a_place_for_the_number_in_the_message) {
  for (const DeviceBound& row : device_bounds())
    EXPECT_NE(row.meaning.find("{}"), std::string_view::npos) << row.limits;
}

// Functions that the entry point does not call do not count.
TEST(DeviceLimitRows, count_only_variables_that_the_entry_point_uses) {
  TestShader shader = with_resource("UniformConstant", "%rt = OpTypeSampler\n");
  shader.body.clear();
  EXPECT_THAT(found_with(test::words_of(shader), {{"maxPerStageDescriptorSamplers", 0}}), IsEmpty());
}

TEST(DeviceLimitRows, apply_in_vulkan) {
  DeviceSupport device;
  device.limits = {{"maxComputeWorkGroupInvocations", 1}};
  Diagnostics diagnostics;
  const WordBuffer words = test::words_of(with_modes(GLCompute, "OpExecutionMode %main LocalSize 8 8 1\n"));
  EXPECT_TRUE(validate(words, {.device = &device}, diagnostics));
}

}  // namespace
}  // namespace vireo::spirv
