// SPDX-License-Identifier: Apache-2.0
//
// Modules with capabilities that the grammar does not require, and those that a module still needs. The tests of trim
// and of reflect use them.
#pragma once

#include <string>
#include <string_view>

namespace vireo::spirv::test {

struct TrimCase {
  std::string_view declared;  ///< capabilities after Shader, each followed by a blank
  std::string_view kept;      ///< those that the module needs, likewise
  std::string_view annotations = "";
  std::string_view globals = "";
  std::string_view code = "";
  std::string_view entry_point = "";  ///< another one
};

/// The module of a case: a compute shader with these parts.
inline std::string text_of(const TrimCase& each) {
  std::string text = "OpCapability Shader\n";
  for (std::string_view rest = each.declared; !rest.empty(); rest.remove_prefix(rest.find(' ') + 1)) {
    text.append("OpCapability ").append(rest.substr(0, rest.find(' '))).append("\n");
  }
  text.append(
          "OpMemoryModel Logical GLSL450\n"
          "OpEntryPoint GLCompute %main \"main\"\n")
      .append(each.entry_point)
      .append("\nOpExecutionMode %main LocalSize 1 1 1\n")
      .append(each.annotations)
      .append(
          "\n%void = OpTypeVoid\n"
          "%function = OpTypeFunction %void\n"
          "%uint = OpTypeInt 32 0\n"
          "%float = OpTypeFloat 32\n"
          "%zero = OpConstant %uint 0\n"
          "%two = OpConstant %uint 2\n")
      .append(each.globals)
      .append("\n%main = OpFunction %void None %function\n%entry = OpLabel\n%index = OpIAdd %uint %zero %two\n")
      .append(each.code)
      .append("\nOpReturn\nOpFunctionEnd\n");
  return text;
}

inline constexpr std::string_view block_array = R"(
%floats = OpTypeArray %float %two
%block = OpTypeStruct %floats
%blocks = OpTypeArray %block %two
%blocks_pointer = OpTypePointer Uniform %blocks
%float_pointer = OpTypePointer Uniform %float
%buffers = OpVariable %blocks_pointer Uniform)";
inline constexpr std::string_view block_annotations = R"(
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %floats ArrayStride 16
OpDecorate %buffers DescriptorSet 0
OpDecorate %buffers Binding 0)";
inline constexpr std::string_view image_array = R"(
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%images = OpTypeRuntimeArray %sampled
%images_pointer = OpTypePointer UniformConstant %images
%sampled_pointer = OpTypePointer UniformConstant %sampled
%textures = OpVariable %images_pointer UniformConstant)";
inline constexpr std::string_view texel_buffers = R"(
%image = OpTypeImage %float Buffer 0 0 0 1 R32f
%images = OpTypeArray %image %two
%images_pointer = OpTypePointer UniformConstant %images
%image_pointer = OpTypePointer UniformConstant %image
%texels = OpVariable %images_pointer UniformConstant)";

inline constexpr TrimCase trim_cases[] = {
    {"Geometry ", ""},
    // Images.
    {"SampledCubeArray ImageCubeArray ", "SampledCubeArray ", "", "%cubes = OpTypeImage %float Cube 0 1 0 1 Unknown"},
    {"ImageCubeArray ", "ImageCubeArray ", "", "%cubes = OpTypeImage %float Cube 0 1 0 1 Unknown"},
    {"SampledCubeArray ImageCubeArray ", "ImageCubeArray ", "", "%cubes = OpTypeImage %float Cube 0 1 0 2 R32f"},
    {"SampledCubeArray SampledCubeArray ", "SampledCubeArray ", "", "%cubes = OpTypeImage %float Cube 0 1 0 1 Unknown"},
    {"SampledCubeArray ImageCubeArray ", "", "", "%cube = OpTypeImage %float Cube 0 0 0 1 Unknown"},
    {"Sampled1D Image1D ", "Image1D ", "", "%line = OpTypeImage %float 1D 0 0 0 2 R32f"},
    {"Sampled1D Image1D ", "Sampled1D ", "", "%line = OpTypeImage %float 1D 0 0 0 1 Unknown"},
    {"StorageImageMultisample ImageMSArray ", "StorageImageMultisample ", "",
     "%samples = OpTypeImage %float 2D 0 0 1 2 R32f"},
    {"Int64 Int64ImageEXT ", "Int64ImageEXT ", "",
     "%long = OpTypeInt 64 0\n%wide = OpTypeImage %long 2D 0 0 0 2 R64ui"},
    {"InputAttachment StorageImageReadWithoutFormat ", "InputAttachment ", "",
     "%vec4 = OpTypeVector %float 4\n%int = OpTypeInt 32 1\n%ivec2 = OpTypeVector %int 2\n"
     "%origin = OpConstantNull %ivec2\n%input = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n"
     "%pointer = OpTypePointer UniformConstant %input\n%attachment = OpVariable %pointer UniformConstant",
     "%loaded = OpLoad %input %attachment\n%texel = OpImageRead %vec4 %loaded %origin"},
    // Operations of subgroups.
    {"GroupNonUniformArithmetic GroupNonUniformBallot GroupNonUniformClustered ",
     "GroupNonUniformArithmetic GroupNonUniformBallot GroupNonUniformClustered ", "",
     "%bool = OpTypeBool\n%true = OpConstantTrue %bool\n%uvec4 = OpTypeVector %uint 4\n"
     "%three = OpConstant %uint 3\n%eight = OpConstant %uint 8",
     "%ballot = OpGroupNonUniformBallot %uvec4 %three %true\n"
     "%sum = OpGroupNonUniformIAdd %uint %three Reduce %index\n"
     "%part = OpGroupNonUniformIAdd %uint %three ClusteredReduce %index %eight"},
    {"AtomicStorage AtomicStorageOps ", "", "",
     "%pointer = OpTypePointer Workgroup %uint\n%count = OpVariable %pointer Workgroup",
     "%old = OpAtomicIAdd %uint %count %two %zero %two"},
    // Small scalars in memory.
    {"StorageBuffer16BitAccess UniformAndStorageBuffer16BitAccess StoragePushConstant16 StorageInputOutput16 ",
     "StorageBuffer16BitAccess ", "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0",
     "%half = OpTypeFloat 16\n%block = OpTypeStruct %half\n%pointer = OpTypePointer StorageBuffer %block"},
    {"StorageBuffer16BitAccess UniformAndStorageBuffer16BitAccess Float16 ",
     "UniformAndStorageBuffer16BitAccess Float16 ", "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0",
     "%half = OpTypeFloat 16\n%block = OpTypeStruct %half\n%pointer = OpTypePointer Uniform %block"},
    {"StoragePushConstant16 StorageInputOutput16 Int16 ", "StorageInputOutput16 Int16 ", "",
     "%short = OpTypeInt 16 0\n%pointer = OpTypePointer Output %short"},
    {"Int8 StoragePushConstant8 StorageBuffer8BitAccess ", "Int8 StoragePushConstant8 ",
     "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0",
     "%byte = OpTypeInt 8 0\n%block = OpTypeStruct %byte\n%pointer = OpTypePointer PushConstant %block"},
    // Arrays of resources.
    {"UniformBufferArrayDynamicIndexing StorageBufferArrayDynamicIndexing UniformBufferArrayNonUniformIndexing ",
     "UniformBufferArrayDynamicIndexing ", block_annotations, block_array,
     "%element = OpAccessChain %float_pointer %buffers %index %zero %zero"},
    {"UniformBufferArrayDynamicIndexing ", "", block_annotations, block_array,
     "%element = OpAccessChain %float_pointer %buffers %zero %zero %index"},
    {"SampledImageArrayDynamicIndexing RuntimeDescriptorArray SampledImageArrayNonUniformIndexing ShaderNonUniform "
     "StorageImageArrayDynamicIndexing ",
     "SampledImageArrayDynamicIndexing RuntimeDescriptorArray SampledImageArrayNonUniformIndexing ",
     "OpDecorate %index NonUniform\nOpDecorate %textures DescriptorSet 0\nOpDecorate %textures Binding 0", image_array,
     "%texture = OpAccessChain %sampled_pointer %textures %index"},
    {"UniformTexelBufferArrayDynamicIndexing StorageTexelBufferArrayDynamicIndexing ",
     "UniformTexelBufferArrayDynamicIndexing ", "OpDecorate %texels DescriptorSet 0\nOpDecorate %texels Binding 0",
     texel_buffers, "%texel = OpAccessChain %image_pointer %texels %index"},
    // A built-in that needs a capability in some stages only.
    {"Geometry GeometryPointSize TessellationPointSize ", "GeometryPointSize ", "OpDecorate %size BuiltIn PointSize",
     "%output = OpTypePointer Output %float\n%size = OpVariable %output Output", "",
     "OpEntryPoint Geometry %main \"geometry\" %size"},
};

}  // namespace vireo::spirv::test
