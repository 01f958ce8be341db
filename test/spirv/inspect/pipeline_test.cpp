// SPDX-License-Identifier: Apache-2.0
//
// Conflicts between the outputs of a stage and the inputs of the next one.
//
// Source: Vulkan specification, "Interface Matching", "Location Assignment".
#include "vireo/spirv/inspect/pipeline.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spirv/module/assembled.h"
#include "vireo/spirv/module/facts.h"

namespace vireo::spirv {
namespace {

// A stage with one variable %value in its interface.
std::string stage(std::string_view model, std::string_view storage, std::string_view decorations,
                  std::string_view type) {
  std::string text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint ";
  text.append(model).append(" %main \"main\" %value\nOpName %block \"block\"\n").append(decorations).append(R"(
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%mat2 = OpTypeMatrix %vec2 2
%three = OpConstant %uint 3
%array = OpTypeArray %float %three
%vec4s = OpTypeArray %vec4 %three
%block = OpTypeStruct %mat2 %float
%blocks = OpTypeArray %block %three
%pointer = OpTypePointer )");
  text.append(storage).append(" %").append(type).append("\n%value = OpVariable %pointer ").append(storage);
  return text + "\n%main = OpFunction %void None %function\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
}

struct InterfaceCase {
  std::string_view producer, out_decorations, out_type;
  std::string_view consumer, in_decorations, in_type;
  std::string_view message = "";  ///< of the only conflict; empty: none
};

// clang-format off
constexpr InterfaceCase interface_cases[] = {
    {"Vertex", "OpDecorate %value Location 1", "vec4", "Fragment", "OpDecorate %value Location 1", "vec4"},
    {"Vertex", "OpDecorate %value Location 1", "vec4", "Fragment", "OpDecorate %value Location 0", "vec4",
     "the Fragment stage reads location 0, but the Vertex stage has no output there"},
    // Patch.
    {"TessellationControl", "OpDecorate %value Location 0\nOpDecorate %value Patch", "vec4",
     "TessellationEvaluation", "OpDecorate %value Location 0\nOpDecorate %value Patch", "vec4"},
    {"TessellationControl", "OpDecorate %value Location 0", "vec4s",
     "TessellationEvaluation", "OpDecorate %value Location 0", "vec4s"},
    {"TessellationControl", "OpDecorate %value Location 0\nOpDecorate %value Patch", "vec4",
     "TessellationEvaluation", "OpDecorate %value Location 0", "vec4s",
     "the output of the TessellationControl stage at location 0 has the decoration Patch, but the input of the "
     "TessellationEvaluation stage lacks it"},
    {"TessellationControl", "OpDecorate %value Location 0", "vec4s",
     "TessellationEvaluation", "OpDecorate %value Location 0\nOpDecorate %value Patch", "vec4",
     "the output of the TessellationControl stage at location 0 lacks the decoration Patch, but the input of the "
     "TessellationEvaluation stage has it"},
    // PerPrimitiveEXT, of a variable and of the members of a block.
    {"MeshEXT", "OpDecorate %value Location 2\nOpDecorate %value PerPrimitiveEXT", "vec4s",
     "Fragment", "OpDecorate %value Location 2\nOpDecorate %value PerPrimitiveEXT", "vec4"},
    {"MeshEXT", "OpDecorate %value Location 2\nOpDecorate %value PerPrimitiveEXT", "vec4s",
     "Fragment", "OpDecorate %value Location 2", "vec4",
     "the output of the MeshEXT stage at location 2 has the decoration PerPrimitiveEXT, but the input of the Fragment "
     "stage lacks it"},
    {"MeshEXT", "OpDecorate %value Location 2", "vec4s",
     "Fragment", "OpDecorate %value Location 2\nOpDecorate %value PerPrimitiveEXT", "vec4",
     "the output of the MeshEXT stage at location 2 lacks the decoration PerPrimitiveEXT, but the input of the "
     "Fragment stage has it"},
    {"MeshEXT", "OpDecorate %block Block\nOpDecorate %value Location 0\nOpMemberDecorate %block 0 PerPrimitiveEXT\n"
                "OpMemberDecorate %block 1 PerPrimitiveEXT", "blocks",
     "Fragment", "OpDecorate %value Location 2", "float",
     "the output of the MeshEXT stage at location 2 has the decoration PerPrimitiveEXT, but the input of the Fragment "
     "stage lacks it"},
    // Outputs that take several locations or components.
    {"Vertex", "OpDecorate %value Location 2", "mat2", "Fragment", "OpDecorate %value Location 3", "vec2",
     "the Fragment stage reads location 3, but the output of the Vertex stage there is mat2, which begins at "
     "location 2"},
    {"Vertex", "OpDecorate %value Location 2", "array", "Fragment", "OpDecorate %value Location 4", "float",
     "the Fragment stage reads location 4, but the output of the Vertex stage there is f32[3], which begins at "
     "location 2"},
    {"Vertex", "OpDecorate %value Location 2", "array", "Fragment", "OpDecorate %value Location 5", "float",
     "the Fragment stage reads location 5, but the Vertex stage has no output there"},
    {"Vertex", "OpDecorate %value Location 2", "block", "Fragment", "OpDecorate %value Location 4", "float",
     "the Fragment stage reads location 4, but the output of the Vertex stage there is block, which begins at "
     "location 2"},
    {"Vertex", "OpDecorate %value Location 2", "vec4",
     "Fragment", "OpDecorate %value Location 2\nOpDecorate %value Component 1", "float",
     "the Fragment stage reads location 2, component 1, but the output of the Vertex stage there is vec4, which begins "
     "at location 2"},
    {"Vertex", "OpDecorate %value Location 2", "vec2",
     "Fragment", "OpDecorate %value Location 2\nOpDecorate %value Component 2", "float",
     "the Fragment stage reads location 2, component 2, but the Vertex stage has no output there"},
};
// clang-format on

TEST(Pipelines, report_interfaces_that_do_not_match) {
  for (const InterfaceCase& each : interface_cases) {
    const WordBuffer producer = test::assembled(stage(each.producer, "Output", each.out_decorations, each.out_type));
    const WordBuffer consumer = test::assembled(stage(each.consumer, "Input", each.in_decorations, each.in_type));
    const Module first = Module::read(producer), second = Module::read(consumer);
    const Facts first_facts(first), second_facts(second);
    const Reflection first_reflection(first_facts), second_reflection(second_facts);
    const Reflection* const modules[] = {&first_reflection, &second_reflection};
    const PipelineReflection pipeline = reflect_pipeline(modules, {});
    std::string messages;
    for (const PipelineConflict& conflict : pipeline.conflicts) {
      EXPECT_EQ(conflict.rule, "pipeline-interface");
      messages += (messages.empty() ? "" : "; ") + conflict.message;
    }
    EXPECT_EQ(messages, each.message) << each.producer << " " << each.out_decorations << " " << each.out_type;
  }
}

}  // namespace
}  // namespace vireo::spirv
