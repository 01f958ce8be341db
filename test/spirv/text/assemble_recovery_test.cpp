// SPDX-License-Identifier: Apache-2.0
//
// k independent faults give k errors, each in its line. Faults are injected into a valid text, and uses of a faulty
// definition must not be reported.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "spirv/text/assembling.h"

namespace vireo::spirv {
namespace {

/// A valid line and ways to break it, each with one fault.
struct Line {
  std::string_view sound;
  std::vector<std::string_view> broken;
  std::vector<std::string_view> mistyped = {};  // faults that are only visible if the definition of the type is valid
};

const std::vector<Line>& lines() {
  static const std::vector<Line> rows = {
      {"OpCapability Shader",
       {"OpCapability Shadr", "opCapability Shader", "Capability Shader", "OpCapability", "OpCapability 1"}},
      {"%glsl = OpExtInstImport \"GLSL.std.450\"",
       {"%glsl = OpExtInstImport \"GLSL.std.45\"", "%glsl=OpExtInstImport \"GLSL.std.450\"",
        "%glsl = OpExtInstimport \"GLSL.std.450\"", "%glsl = OpExtInstImport \"GLSL.std.450",
        "glsl = OpExtInstImport \"GLSL.std.450\""}},
      {"OpMemoryModel Logical GLSL450",
       {"OpMemoryModel Logical", "OpMemoryModel Logical GLSL450 7", "OpMemoryModl Logical GLSL450"}},
      {"OpName %x \"x\"",
       {"OpName %x \"x", "OpName x \"x\"", "OpName %x x", "OpName %x \"x\" \"y\"", "OpName %x- \"x\"", "OpName"}},
      {"OpDecorate %x Location 3",
       {"OpDecorate %x Location -3", "OpDecorate %x Location", "OpDecorate %x location 3", "OpDecorate %x"}},
      {"%void = OpTypeVoid",
       {"%void OpTypeVoid", "%void = opTypeVoid", "%void = = OpTypeVoid", "void = OpTypeVoid",
        "%void = OpTypeVoid %void"}},
      {"%u8 = OpTypeInt 8 0",
       {"%u8 = OpTypInt 8 0", "%u8 = OpTypeInt 8", "OpTypeInt 8 0", "%u8=OpTypeInt 8 0", "%u8 = OpTypeInt 8.5 0"}},
      {"%f32 = OpTypeFloat 32",
       {"%f32 = OpTypeFloat", "%f32 = OpTypeFloat 32 BFloat16", "%f32 = OpTypeFloat 32 BFloat16KHR",
        "%f32 OpTypeFloat 32"}},
      {"%c1 = OpConstant %u8 5",
       {"%c1 = OpConstant %u8", "%c1 = OpConstnt %u8 5"},
       {"%c1 = OpConstant %u8 x", "%c1 = OpConstant %u8 256"}},
      {"%c2 = OpConstant %u8 6", {"%c2 = OpConstant %u8 6 7", "%c2 = OpConstant 5 6"}, {"%c2 = OpConstant %u8 -1"}},
      {"%c3 = OpConstant %f32 1.5",
       {"%c3 =OpConstant %f32 1.5"},
       {"%c3 = OpConstant %f32 1.5f", "%c3 = OpConstant %f32 1e99"}},
      {"%s1 = OpSpecConstantOp %u8 IMul %c1 %c2",
       {"%s1 = OpSpecConstantOp %u8 OpIMul %c1 %c2", "%s1 = OpSpecConstantOp %u8 IMull %c1 %c2",
        "%s1 = OpSpecConstantOp %u8 Load %c1", "%s1 = OpSpecConstantOp %u8 IMul %c1", "%s1 = OpSpecConstantOp %u8"}},
      {"%fn = OpTypeFunction %void", {"%fn = OpTypeFunction", "%fn = OpTypeFunction void", "%fn = !33 %void"}},
      {"%main = OpFunction %void None %fn",
       {"%main = OpFunction %void Inlin %fn", "%main = OpFunction %void None", "%main = OpFunction None %fn"}},
      {"%l1 = OpLabel", {"OpLabel", "%l1 = OpLabel %x", "%l1 = OpLabl", "% = OpLabel"}},
      {"%e = OpExtInst %f32 %glsl Sqrt %c3", {"%e = OpExtInst %f32 %glsl", "%e = OpExtInst %f32 glsl Sqrt %c3"}},
      {"OpSelectionMerge %l2 None",
       {"OpSelectionMerge %l2 Non", "OpSelectionMerge %l2 None|", "%x = OpSelectionMerge %l2 None"}},
      {"OpSwitch %c1 %l2 5 %l2 6 %l2", {"OpSwitch", "OpSwitch %c1", "OpSwitch %c1 5 5 %l2"}},
      {"%l2 = OpLabel", {"%l2 = OpLabel 5", "%l2 = OpLabl"}},
      {"OpReturn", {"OpReturn %x", "opReturn", "OpRetrn", "Return", "OpReturn 5"}},
      {"OpFunctionEnd", {"OpFunctionEnd %x", "!x", "OpName !5 foo", "OpUnknown(5 3)"}},
  };
  return rows;
}

TEST(AssembleRecovery, the_valid_text_has_no_error) {
  std::string text;
  for (const Line& line : lines()) text += std::string(line.sound) + '\n';
  EXPECT_TRUE(faults_of(text).empty());
}

TEST(AssembleRecovery, each_single_fault_gives_one_error_in_its_line) {
  for (std::size_t at = 0; at < lines().size(); ++at) {
    std::vector<std::string_view> all = lines()[at].broken;
    all.insert(all.end(), lines()[at].mistyped.begin(), lines()[at].mistyped.end());
    for (const std::string_view broken : all) {
      std::string text;
      for (std::size_t i = 0; i < lines().size(); ++i) text += std::string(i == at ? broken : lines()[i].sound) + '\n';
      const std::vector<SeenFault> faults = faults_of(text);
      EXPECT_EQ(faults.size(), 1u) << broken << "\n" << (faults.size() > 1 ? faults[1].place + faults[1].message : "");
    }
  }
}

TEST(AssembleRecovery, k_injected_faults_give_k_errors) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    std::size_t injected = 0;
    bool are_types_sound = true;
    for (const Line& line : lines()) {
      std::string_view chosen = line.sound;
      if (random() % 3 == 0) {
        const bool mistypes = are_types_sound && !line.mistyped.empty() && random() % 2 == 0;
        const std::vector<std::string_view>& choices = mistypes ? line.mistyped : line.broken;
        chosen = choices[random() % choices.size()];
        ++injected;
        are_types_sound = are_types_sound && line.sound.find("OpType") == std::string_view::npos;
      }
      text += std::string(chosen) + '\n';
    }
    const std::vector<SeenFault> faults = faults_of(text);
    std::string said;
    for (const SeenFault& fault : faults) said += fault.place + ' ' + fault.message + '\n';
    ASSERT_EQ(faults.size(), injected) << text << "\n" << said;
  }
}

TEST(AssembleRecovery, uses_of_a_faulty_definition_are_not_reported) {
  EXPECT_EQ(faults_of("%t = OpTypInt 32 0\n%c = OpConstant %t 5x\nOpSwitch %c %d 7x %l").size(), 1u);
  EXPECT_EQ(faults_of("%s = OpExtInstImport \"Foo\"\n%v = OpExtInst %t %s Bar 5").size(), 1u);
  EXPECT_EQ(faults_of("OpTypeInt 32 0\n%c = OpConstant %t 5").size(), 1u);  // the defined id is unknown
}

TEST(AssembleRecovery, faults_beyond_the_limit_are_counted_in_linear_time) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "OpCapabilty Shader\nOpName %a \"x\n";
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble({"text", text}, {}, diagnostics);
  EXPECT_FALSE(words);
  EXPECT_EQ(diagnostics.error_count(), 200000u);
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::default_limit);
}

}  // namespace
}  // namespace vireo::spirv
