// SPDX-License-Identifier: Apache-2.0
//
// Conflicts between the outputs of a stage and the inputs of the next one.
//
// Source: Vulkan specification, "Interface Matching", "Location Assignment".
#include "vireo/spirv/inspect/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spirv/module/assembled.h"
#include "vireo/spirv/module/facts.h"

namespace vireo::spirv {
namespace {

// The modes that one tessellation stage states for both.
constexpr std::string_view tessellation_modes =
    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputVertices 3\n";

// A stage with one variable %value in its interface.
std::string stage(std::string_view model, std::string_view storage, std::string_view decorations,
                  std::string_view type) {
  std::string text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint ";
  text.append(model).append(" %main \"main\" %value\n");
  if (model == "TessellationControl" && decorations.find("OpExecutionMode") == std::string_view::npos)
    text += tessellation_modes;
  text.append("OpName %block \"block\"\n").append(decorations).append(R"(
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
    // A longer output vector, and a scalar.
    {"Vertex", "OpDecorate %value Location 0", "vec4", "Fragment", "OpDecorate %value Location 0", "vec2"},
    {"Vertex", "OpDecorate %value Location 0", "vec4", "Fragment", "OpDecorate %value Location 0", "float",
     "the output of the Vertex stage at location 0 is vec4, but the input of the Fragment stage is f32"},
    // PrimitiveId, which the device provides if no geometry or mesh stage precedes the fragment stage.
    {"Geometry", "OpDecorate %value BuiltIn PrimitiveId", "uint", "Fragment", "OpDecorate %value BuiltIn PrimitiveId",
     "uint"},
    {"Vertex", "OpDecorate %value BuiltIn PointSize", "float", "Fragment", "OpDecorate %value BuiltIn PrimitiveId",
     "uint"},
    {"Geometry", "OpDecorate %value BuiltIn PointSize", "float", "Fragment", "OpDecorate %value BuiltIn PrimitiveId",
     "uint", "the Fragment stage reads PrimitiveId, but the Geometry stage has no output PrimitiveId"},
    {"MeshEXT", "OpDecorate %value BuiltIn PrimitiveId", "uint", "Fragment", "OpDecorate %value BuiltIn PrimitiveId",
     "uint"},
    {"MeshEXT", "OpDecorate %value BuiltIn PointSize", "float", "Fragment", "OpDecorate %value BuiltIn PrimitiveId",
     "uint", "the Fragment stage reads PrimitiveId, but the MeshEXT stage has no output PrimitiveId"},
};
// clang-format on

// "[rule] message [VUID]" of the conflicts between two stages.
std::string conflicts_of(const std::string& producer, const std::string& consumer, PipelineFeatures features = {}) {
  const WordBuffer first_words = test::assembled(producer), second_words = test::assembled(consumer);
  const Module first = Module::read(first_words), second = Module::read(second_words);
  const Facts first_facts(first), second_facts(second);
  const Reflection first_reflection(first_facts), second_reflection(second_facts);
  const Reflection* const modules[] = {&first_reflection, &second_reflection};
  std::string found;
  for (const PipelineConflict& conflict : reflect_pipeline(modules, {}, features).conflicts) {
    found.append("[").append(conflict.rule).append("] ").append(conflict.message);
    found.append(" [").append(conflict.vuid).append("]");
  }
  return found;
}

TEST(Pipelines, report_interfaces_that_do_not_match) {
  for (const InterfaceCase& each : interface_cases) {
    const std::string found = conflicts_of(stage(each.producer, "Output", each.out_decorations, each.out_type),
                                           stage(each.consumer, "Input", each.in_decorations, each.in_type));
    EXPECT_EQ(found.substr(0, found.rfind(" [")),
              each.message.empty() ? std::string() : "[pipeline-interface] " + std::string(each.message))
        << each.producer << " " << each.out_decorations << " " << each.out_type;
    EXPECT_EQ(found.find("[]"), std::string::npos) << "a conflict without a VUID: " << found;
  }
}

TEST(Pipelines, name_the_vuid_of_a_conflict) {
  const std::string location = "OpDecorate %value Location 0", patch = location + "\nOpDecorate %value Patch";
  const std::string id = "OpDecorate %value BuiltIn PrimitiveId", size = "OpDecorate %value BuiltIn PointSize";
  const auto found = [](std::string_view model, const std::string& out, std::string_view type, std::string_view next,
                        const std::string& in, std::string_view in_type) {
    return conflicts_of(stage(model, "Output", out, type), stage(next, "Input", in, in_type));
  };
  using testing::EndsWith;
  EXPECT_THAT(found("Vertex", location, "vec4", "Fragment", location, "uint"),
              EndsWith("[VUID-RuntimeSpirv-OpEntryPoint-07754]"));
  EXPECT_THAT(found("Vertex", size, "float", "Fragment", location, "uint"),
              EndsWith("[VUID-RuntimeSpirv-OpEntryPoint-08743]"));
  EXPECT_THAT(found("TessellationControl", patch, "vec4", "TessellationEvaluation", location, "vec4s"),
              EndsWith("[VUID-RuntimeSpirv-OpVariable-08746]"));
  EXPECT_THAT(found("Geometry", size, "float", "Fragment", id, "uint"), EndsWith("[VUID-PrimitiveId-Fragment-04331]"));
  EXPECT_THAT(found("MeshEXT", size, "float", "Fragment", id, "uint"), EndsWith("[VUID-PrimitiveId-Fragment-04332]"));
}

// Only vectors may differ in their components, and only with the feature.
TEST(Pipelines, allow_longer_output_vectors_with_maintenance4) {
  const std::string output = stage("Vertex", "Output", "OpDecorate %value Location 0", "vec4");
  const auto input = [](std::string_view type) {
    return stage("Fragment", "Input", "OpDecorate %value Location 0", type);
  };
  EXPECT_EQ(conflicts_of(output, input("vec2")), "");
  EXPECT_EQ(conflicts_of(output, input("vec4"), {.maintenance4 = false}), "");
  EXPECT_EQ(conflicts_of(output, input("vec2"), {.maintenance4 = false}),
            "[pipeline-interface] the output of the Vertex stage at location 0 is vec4, but the input of the Fragment "
            "stage is vec2 (legal with maintenance4) [VUID-RuntimeSpirv-maintenance4-06817]");
  EXPECT_THAT(conflicts_of(output, input("float"), {.maintenance4 = false}),
              testing::EndsWith("[VUID-RuntimeSpirv-OpEntryPoint-07754]"));
}

// Either stage, or both alike.
TEST(Pipelines, compare_the_modes_of_tessellation) {
  const auto found = [](std::string_view control, std::string_view evaluation) {
    const std::string location = "\nOpDecorate %value Location 0";
    return conflicts_of(stage("TessellationControl", "Output", std::string(control) + location, "vec4s"),
                        stage("TessellationEvaluation", "Input", std::string(evaluation) + location, "vec4s"));
  };
  const std::string triangles = "OpExecutionMode %main Triangles", quads = "OpExecutionMode %main Quads";
  const std::string three = "\nOpExecutionMode %main OutputVertices 3",
                    four = "\nOpExecutionMode %main OutputVertices 4";
  EXPECT_EQ(found(triangles + three, ""), "");
  EXPECT_EQ(found(triangles, three), "");
  EXPECT_EQ(found(triangles + three, triangles + three), "");
  EXPECT_EQ(found(three, ""),
            "[pipeline-stage] no tessellation stage states the subdivision (Triangles, Quads or Isolines) "
            "[VUID-VkGraphicsPipelineCreateInfo-pStages-00732]");
  EXPECT_EQ(found(triangles + three, quads),
            "[pipeline-stage] the tessellation stages differ in the subdivision (Triangles, Quads or Isolines) "
            "[VUID-VkGraphicsPipelineCreateInfo-pStages-00733]");
  EXPECT_EQ(found(triangles, ""),
            "[pipeline-stage] no tessellation stage states the patch size (OutputVertices) "
            "[VUID-VkGraphicsPipelineCreateInfo-pStages-00734]");
  EXPECT_EQ(found(triangles + three, four),
            "[pipeline-stage] the tessellation stages differ in the patch size (OutputVertices) "
            "[VUID-VkGraphicsPipelineCreateInfo-pStages-00735]");
}

}  // namespace
}  // namespace vireo::spirv
