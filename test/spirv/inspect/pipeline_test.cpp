// SPDX-License-Identifier: Apache-2.0
//
// Conflicts between the outputs of a stage and the inputs of the next one.
//
// Source: Vulkan specification, "Interface Matching", "Location Assignment".
#include "vireo/spirv/inspect/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"
#include "vireo/spirv/module/facts.h"

namespace vireo::spirv {
namespace {

// The modes that one tessellation stage states for both.
constexpr std::string_view tessellation_modes =
    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputVertices 3\n";

// A stage with one variable %value in its interface, which it reads or writes.
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
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%array = OpTypeArray %float %three
%vec4s = OpTypeArray %vec4 %three
%block = OpTypeStruct %mat2 %float
%mixed = OpTypeStruct %uint %float
%blocks = OpTypeArray %block %three
%pointer = OpTypePointer )");
  text.append(storage).append(" %").append(type).append("\n%value = OpVariable %pointer ").append(storage);
  text.append("\n%null = OpConstantNull %").append(type);
  text.append("\n%main = OpFunction %void None %function\n%entry = OpLabel\n");
  if (storage == "Input") text.append("%read = OpLoad %").append(type).append(" %value\n");
  else text.append("OpStore %value %null\n");
  return text + "OpReturn\nOpFunctionEnd\n";
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
    {"Vertex", "OpDecorate %value Location 2", "mat2", "Fragment", "OpDecorate %value Location 3", "vec2"},
    {"Vertex", "OpDecorate %value Location 2", "array", "Fragment", "OpDecorate %value Location 4", "float"},
    {"Vertex", "OpDecorate %value Location 2", "array", "Fragment", "OpDecorate %value Location 5", "float",
     "the Fragment stage reads location 5, but the Vertex stage has no output there"},
    {"Vertex", "OpDecorate %value Location 2", "array", "Fragment", "OpDecorate %value Location 3", "uint",
     "the output of the Vertex stage at location 2 is f32[3], but the input of the Fragment stage at location 3 is u32"},
    {"Vertex", "OpDecorate %value Location 2", "block", "Fragment", "OpDecorate %value Location 4", "float"},
    {"Vertex", "OpDecorate %value Location 2", "mixed", "Fragment", "OpDecorate %value Location 2", "vec4",
     "the output of the Vertex stage at location 2 is a structure, but the input of the Fragment stage is vec4"},
    {"Vertex", "OpDecorate %value Location 2", "vec4",
     "Fragment", "OpDecorate %value Location 2\nOpDecorate %value Component 1", "float"},
    {"Vertex", "OpDecorate %value Location 2", "vec4",
     "Fragment", "OpDecorate %value Location 2\nOpDecorate %value Component 2", "vec2"},
    {"Vertex", "OpDecorate %value Location 2", "vec2",
     "Fragment", "OpDecorate %value Location 2\nOpDecorate %value Component 2", "float",
     "the Fragment stage reads location 2, component 2, but the Vertex stage has no output there"},
    {"Vertex", "OpDecorate %value Location 2", "vec2", "Fragment", "OpDecorate %value Location 2", "vec4",
     "the Fragment stage reads location 2, component 2, but the Vertex stage has no output there"},
    // A longer output vector, and a scalar.
    {"Vertex", "OpDecorate %value Location 0", "vec4", "Fragment", "OpDecorate %value Location 0", "vec2"},
    {"Vertex", "OpDecorate %value Location 0", "vec4", "Fragment", "OpDecorate %value Location 0", "float"},
    {"Vertex", "OpDecorate %value Location 0", "vec4", "Fragment", "OpDecorate %value Location 0", "uint",
     "the output of the Vertex stage at location 0 is vec4, but the input of the Fragment stage is u32"},
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

// "[rule] message [VUID]" of the conflicts between some stages.
std::string conflicts_of(const std::vector<std::string>& stages, const PipelineOptions& options = {}) {
  struct Stage {
    explicit Stage(const std::string& text)
        : words(test::assembled(text)), module(Module::read(words)), facts(module), reflection(facts) {}
    WordBuffer words;
    Module module;
    Facts facts;
    Reflection reflection;
  };
  std::deque<Stage> read;
  std::vector<const Reflection*> modules;
  for (const std::string& each : stages) modules.push_back(&read.emplace_back(each).reflection);
  std::string found;
  for (const PipelineConflict& conflict : reflect_pipeline(modules, {}, options).conflicts) {
    found.append("[").append(conflict.rule).append("] ").append(conflict.message);
    found.append(" [").append(conflict.vuid).append("]");
  }
  return found;
}

// The same for two stages after a vertex stage, if they need one.
std::string conflicts_of(const std::string& producer, const std::string& consumer,
                         const PipelineOptions& options = {}) {
  const bool needs_vertex = producer.find("OpEntryPoint Tess") != std::string::npos ||
                            producer.find("OpEntryPoint Geometry") != std::string::npos;
  if (!needs_vertex) return conflicts_of(std::vector{producer, consumer}, options);
  return conflicts_of({stage("Vertex", "Output", "OpDecorate %value BuiltIn PointSize", "float"), producer, consumer},
                      options);
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

// Only vectors need the feature to differ in their components.
TEST(Pipelines, allow_longer_output_vectors_with_maintenance4) {
  const std::string output = stage("Vertex", "Output", "OpDecorate %value Location 0", "vec4");
  const auto input = [](std::string_view type) {
    return stage("Fragment", "Input", "OpDecorate %value Location 0", type);
  };
  EXPECT_EQ(conflicts_of(output, input("vec2")), "");
  EXPECT_EQ(conflicts_of(output, input("vec4"), {.maintenance4 = false}), "");
  EXPECT_EQ(conflicts_of(output, input("vec2"), {.maintenance4 = false}),
            "[pipeline-interface] the output of the Vertex stage at location 0 is vec4, but the input of the Fragment "
            "stage is vec2 (legal with the feature maintenance4: "
            "--allow-localsizeid, or --target-env vulkan1.3) [VUID-RuntimeSpirv-maintenance4-06817]");
  EXPECT_EQ(conflicts_of(output, input("float"), {.maintenance4 = false}), "");
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

// Inputs that are declared and not read need no output.
TEST(Pipelines, compare_only_inputs_that_are_read) {
  const std::string vertex = stage("Vertex", "Output", "OpDecorate %value Location 0", "vec4");
  const auto fragment = [](std::string_view decorations, std::string_view type, std::string_view body,
                           std::string_view rest = "") {
    std::string text = stage("Fragment", "Input", decorations, type);
    const std::size_t load = text.find("%read = OpLoad");
    text.replace(load, text.find("OpReturn") - load, body);
    return text.append(rest);
  };
  const std::string location = "OpDecorate %value Location 3";
  EXPECT_EQ(conflicts_of(vertex, fragment(location, "vec4", "")), "");
  // In a function that the entry point does not call.
  EXPECT_EQ(conflicts_of(vertex, fragment(location, "vec4", "",
                                          "%other = OpFunction %void None %function\n%other_entry = OpLabel\n"
                                          "%read = OpLoad %vec4 %value\nOpReturn\nOpFunctionEnd\n")),
            "");
  // One member of a block.
  const std::string block =
      "OpDecorate %block Block\nOpMemberDecorate %block 0 Location 3\nOpMemberDecorate %block 1 Location 0\n";
  const auto read = [&](std::string_view member) {
    return conflicts_of(vertex, fragment(block, "block",
                                         "%read = OpAccessChain %pointer %value %" + std::string(member) +
                                             "\n%copy = OpCopyObject %pointer %read\n"));
  };
  EXPECT_EQ(read("one"), "");
  const std::string missing =
      "[pipeline-interface] the Fragment stage reads location 3, but the Vertex stage has no output there "
      "[VUID-RuntimeSpirv-OpEntryPoint-08743]";
  EXPECT_EQ(read("zero"), missing);
  EXPECT_EQ(conflicts_of(vertex, fragment(block, "block", "%read = OpLoad %block %value\n")), missing);
}

// Several outputs share the location of an input.
TEST(Pipelines, compare_components) {
  std::string vertex = stage("Vertex", "Output",
                             "OpDecorate %value Location 0\nOpDecorate %second Location 0\n"
                             "OpDecorate %second Component 1",
                             "float");
  vertex.replace(vertex.find("%value\n"), 7, "%value %second\n");
  vertex.insert(vertex.find("%null"), "%second = OpVariable %pointer Output\n");
  EXPECT_EQ(conflicts_of(vertex, stage("Fragment", "Input", "OpDecorate %value Location 0", "vec2")), "");
  EXPECT_EQ(conflicts_of(vertex, stage("Fragment", "Input", "OpDecorate %value Location 0", "vec4")),
            "[pipeline-interface] the Fragment stage reads location 0, component 2, but the Vertex stage has no output "
            "there [VUID-RuntimeSpirv-OpEntryPoint-08743]");
}

TEST(Pipelines, compare_built_ins) {
  const std::string id = "OpDecorate %value BuiltIn PrimitiveId";
  std::string geometry = stage("Geometry", "Output", id, "uint");
  const std::size_t store = geometry.find("OpStore");
  geometry.erase(store, geometry.find('\n', store) - store);
  EXPECT_EQ(conflicts_of(geometry, stage("Fragment", "Input", id, "uint")),
            "[pipeline-interface] the Fragment stage reads PrimitiveId, but the Geometry stage never writes its output "
            "PrimitiveId [VUID-PrimitiveId-Fragment-04331]");
  const auto stages = [](std::string_view vertex, std::string_view next) {
    return conflicts_of({stage("Vertex", "Output", "OpDecorate %value BuiltIn " + std::string(vertex), "uint"),
                         stage("Geometry", "Output", "OpDecorate %value BuiltIn " + std::string(next), "uint")});
  };
  EXPECT_EQ(stages("ViewportMaskNV", "ViewportIndex"),
            "[pipeline-interface] the Vertex stage uses ViewportMaskNV, but the Geometry stage uses ViewportIndex "
            "[VUID-StandaloneSpirv-ViewportMaskNV-04674]");
  EXPECT_EQ(stages("ViewportMaskNV", "Layer"), "");
  EXPECT_EQ(stages("ViewportIndex", "ViewportIndex"), "");
}

TEST(Pipelines, have_stages_that_fit_together) {
  const auto found = [](std::initializer_list<std::string_view> models) {
    std::vector<std::string> stages;
    for (const std::string_view model : models) {
      const std::string_view modes = model == "TessellationControl" ? tessellation_modes : "";
      stages.push_back(stage(model, "Output", std::string(modes) + "OpDecorate %value Location 0", "vec4s"));
    }
    return conflicts_of(stages);
  };
  for (const std::string_view each : {"Vertex", "Fragment", "MeshEXT", "GLCompute", "MissKHR"})
    EXPECT_EQ(found({each}), "");
  EXPECT_EQ(found({"Vertex", "TessellationControl", "TessellationEvaluation", "Geometry", "Fragment"}), "");
  EXPECT_EQ(found({"TaskEXT", "MeshEXT", "Fragment"}), "");
  EXPECT_EQ(found({"RayGenerationKHR", "MissKHR", "MissKHR"}), "");
  const auto problem = [](std::string_view text, std::string_view vuid) {
    return "[pipeline-stage] " + std::string(text) + " [" +
           (vuid.empty() ? "" : "VUID-VkGraphicsPipelineCreateInfo-" + std::string(vuid)) + "]";
  };
  EXPECT_EQ(found({"Vertex", "Vertex"}), problem("two entry points have the execution model Vertex", "stage-06897"));
  EXPECT_EQ(found({"GLCompute", "GLCompute"}), problem("two entry points have the execution model GLCompute", ""));
  EXPECT_EQ(found({"Vertex", "MeshEXT"}),
            problem("no pipeline has stages of the models Vertex and MeshEXT", "pStages-02095"));
  EXPECT_EQ(found({"Vertex", "GLCompute"}), problem("no pipeline has stages of the models Vertex and GLCompute", ""));
  EXPECT_EQ(found({"Fragment", "MissKHR"}), problem("no pipeline has stages of the models Fragment and MissKHR", ""));
  EXPECT_EQ(found({"TaskNV", "MeshEXT"}),
            problem("no pipeline has stages of the models TaskNV and MeshEXT", "TaskNV-07063"));
  EXPECT_EQ(
      found({"Vertex", "TessellationControl"}),
      problem("the pipeline has a TessellationControl stage but no TessellationEvaluation stage", "pStages-00729"));
  EXPECT_EQ(
      found({"Vertex", "TessellationEvaluation"}),
      problem("the pipeline has a TessellationEvaluation stage but no TessellationControl stage", "pStages-00730"));
  EXPECT_EQ(found({"Geometry", "Fragment"}),
            problem("the pipeline has a Geometry stage but no Vertex stage", "stage-02096"));
  EXPECT_EQ(found({"TaskEXT"}), problem("the pipeline has a TaskEXT stage but no MeshEXT stage", "stage-02096"));
}

TEST(Pipelines, take_entry_points_by_their_names) {
  const std::string vertex = stage("Vertex", "Output", "OpDecorate %value Location 0", "vec4");
  std::string two = vertex;
  two.insert(two.find("OpName"), "OpEntryPoint Vertex %main \"other\" %value\n");
  const std::string_view names[] = {"other"};
  EXPECT_NE(conflicts_of(std::vector{two}), "");
  EXPECT_EQ(conflicts_of(std::vector{two}, {.entry_points = names}), "");
}

}  // namespace
}  // namespace vireo::spirv
