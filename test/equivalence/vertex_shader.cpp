// SPDX-License-Identifier: Apache-2.0
//
// The vertex shader for a fragment shader with any inputs (shader_runner.h), assembled from text.
//
// Each location that the fragment shader reads gets a vector of four components, of which the fragment
// shader may read fewer. Its values are first + step * VertexIndex, with other constants for each component.
//
// Source: Vulkan 1.3 specification, 15.1.3 (interface matching: the output may have more components than the input).
#include <stdexcept>

#include "equivalence/shader_runner.h"
#include "vireo/spirv/text/assemble.h"

namespace vireo::equivalence {
namespace {

struct NumberRow {
  std::string_view vector, scalar, add, multiply;
};
constexpr NumberRow number_rows[] = {
    // by NumberKind
    {"%vec4", "%float", "OpFAdd", "OpFMul"},
    {"%ivec4", "%int", "OpIAdd", "OpIMul"},
    {"%uvec4", "%uint", "OpIAdd", "OpIMul"},
};

// A constant vector: components `first` + `step` * i; floats are multiples of 1/8.
std::string constant(const NumberRow& row, const std::string& id, std::uint32_t first, std::uint32_t step) {
  std::string scalars, composite = id + " = OpConstantComposite " + std::string(row.vector);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t value = (first + step * i) % 16;
    const std::string name = id + "_" + std::to_string(i);
    scalars += name + " = OpConstant " + std::string(row.scalar) + " " +
               (row.scalar == "%float" ? std::to_string(value / 8.0) : std::to_string(value)) + "\n";
    composite += " " + name;
  }
  return scalars + composite + "\n";
}

}  // namespace

spirv::WordBuffer vertex_shader_for(const ShaderInterface& entry) {
  std::string names, decorations, globals, body;
  for (const Slot& slot : entry.inputs) {
    const NumberRow& row = number_rows[static_cast<std::size_t>(slot.kind)];
    const std::string number = std::to_string(slot.location), out = "%out" + number, vector(row.vector);
    names += " " + out;
    decorations += "OpDecorate " + out + " Location " + number + "\n";
    globals += constant(row, "%first" + number, slot.location * 5 + 1, 3);
    globals += constant(row, "%step" + number, slot.location * 3 + 2, 5);
    globals += out + " = OpVariable %to_" + vector.substr(1) + " Output\n";
    const std::string product = "%product" + number, sum = "%sum" + number;
    body += product + " = " + std::string(row.multiply) + " " + vector + " %step" + number + " %" + vector.substr(1) +
            "_i\n";
    body += sum + " = " + std::string(row.add) + " " + vector + " %first" + number + " " + product + "\n";
    body += "OpStore " + out + " " + sum + "\n";
  }
  const std::string text = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %index %position)" +
                           names + R"(
OpDecorate %index BuiltIn VertexIndex
OpDecorate %position BuiltIn Position
)" + decorations + R"(
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%vec4 = OpTypeVector %float 4
%ivec4 = OpTypeVector %int 4
%uvec4 = OpTypeVector %uint 4
%from_int = OpTypePointer Input %int
%to_vec4 = OpTypePointer Output %vec4
%to_ivec4 = OpTypePointer Output %ivec4
%to_uvec4 = OpTypePointer Output %uvec4
%index = OpVariable %from_int Input
%position = OpVariable %to_vec4 Output
%int_1 = OpConstant %int 1
%int_2 = OpConstant %int 2
%float_0 = OpConstant %float 0
%float_1 = OpConstant %float 1
%float_3 = OpConstant %float 3
%float_m1 = OpConstant %float -1
)" + globals + R"(
%main = OpFunction %void None %function
%label = OpLabel
%i = OpLoad %int %index
%is_1 = OpIEqual %bool %i %int_1
%is_2 = OpIEqual %bool %i %int_2
%x = OpSelect %float %is_1 %float_3 %float_m1
%y = OpSelect %float %is_2 %float_3 %float_m1
%place = OpCompositeConstruct %vec4 %x %y %float_0 %float_1
OpStore %position %place
%float_i = OpConvertSToF %float %i
%uint_i = OpBitcast %uint %i
%vec4_i = OpCompositeConstruct %vec4 %float_i %float_i %float_i %float_i
%ivec4_i = OpCompositeConstruct %ivec4 %i %i %i %i
%uvec4_i = OpCompositeConstruct %uvec4 %uint_i %uint_i %uint_i %uint_i
)" + body + R"(
OpReturn
OpFunctionEnd
)";
  Diagnostics diagnostics;
  Result<spirv::WordBuffer> words = spirv::assemble({"vertex shader", text}, {}, diagnostics);
  if (!words) throw std::runtime_error("vertex shader: " + diagnostics.all().front().message);
  return std::move(*words);
}

}  // namespace vireo::equivalence
