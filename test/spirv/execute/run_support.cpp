// SPDX-License-Identifier: Apache-2.0
//
// Small shaders for tests of executions (run_support.h).
#include "spirv/execute/run_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>

#include "vireo/spirv/text/assemble.h"

namespace vireo::spirv::test {

std::string shader(std::string_view declarations, std::string_view body, std::string_view local_size) {
  std::string text = R"(
OpCapability Shader
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpExtension "SPV_KHR_non_semantic_info"
%glsl = OpExtInstImport "GLSL.std.450"
%printf = OpExtInstImport "NonSemantic.DebugPrintf"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %local %global %lane
OpExecutionMode %main LocalSize )";
  text += local_size;
  text += R"(
%format = OpString "i = %u, v = %.1v2f"
OpDecorate %local BuiltIn LocalInvocationIndex
OpDecorate %global BuiltIn GlobalInvocationId
OpDecorate %lane BuiltIn SubgroupLocalInvocationId
OpDecorate %block Block
OpDecorate %words ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u8 = OpTypeInt 8 0
%u16 = OpTypeInt 16 0
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%u64 = OpTypeInt 64 0
%f16 = OpTypeFloat 16
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%vec2 = OpTypeVector %f32 2
%uvec2 = OpTypeVector %u32 2
%uvec3 = OpTypeVector %u32 3
%uvec4 = OpTypeVector %u32 4
%words = OpTypeRuntimeArray %u32
%block = OpTypeStruct %words
%to_block = OpTypePointer StorageBuffer %block
%to_u32 = OpTypePointer StorageBuffer %u32
%in_u32 = OpTypePointer Input %u32
%in_uvec3 = OpTypePointer Input %uvec3
%fn_u32 = OpTypePointer Function %u32
%data = OpVariable %to_block StorageBuffer
%local = OpVariable %in_u32 Input
%lane = OpVariable %in_u32 Input
%global = OpVariable %in_uvec3 Input
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c2 = OpConstant %u32 2
%c3 = OpConstant %u32 3
%c4 = OpConstant %u32 4
%c8 = OpConstant %u32 8
%semantics = OpConstant %u32 264
)";
  text += declarations;
  text += "%main = OpFunction %void None %fn\n%entry = OpLabel\n";
  text += body;
  text += "OpReturn\nOpFunctionEnd\n";
  return text;
}

namespace {

// Gives each result its name of the text, above the first decoration.
std::string with_names(std::string_view text) {
  std::string names;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t equals = line.find(" = ");
    if (!line.starts_with('%') || equals == std::string_view::npos) continue;
    const std::string_view id = line.substr(0, equals);
    names.append("OpName ").append(id).append(" \"").append(id.substr(1)).append("\"\n");
  }
  std::string result(text);
  if (const std::size_t at = result.find("OpDecorate"); at != std::string::npos) result.insert(at, names);
  return result;
}

}  // namespace

RunOutcome run_text(std::string_view text, const RunSetup& setup) {
  RunOutcome outcome;
  outcome.buffers = setup.buffers;
  Diagnostics diagnostics;
  AssembleOptions assembly;
  assembly.version = Version{1, 3};
  const Result<WordBuffer> words = assemble({"test", with_names(text)}, assembly, diagnostics);
  EXPECT_TRUE(words.ok()) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message) << text;
  if (!words) return outcome;
  RunOptions options = setup.options;
  options.print = [&](const PrintedLine& line) { outcome.lines.emplace_back(line.text); };
  std::vector<Word> push = setup.push;
  Result<Executor> executor = Executor::create(*words, options, diagnostics);
  if (executor) {
    for (RunBuffer& buffer : outcome.buffers) {
      std::vector<Word>& words = buffer.words.empty() ? outcome.buffers.front().words : buffer.words;
      executor->bind({0, buffer.binding, 0, std::as_writable_bytes(std::span(words))});
    }
    if (!push.empty()) executor->push(std::as_writable_bytes(std::span(push)));
    const Result<DispatchReport> report = executor->dispatch(setup.groups, diagnostics);
    outcome.is_run = report.ok();
    if (report) outcome.report = *report;
  }
  for (const Diagnostic& each : diagnostics.all()) {
    outcome.rules.emplace_back(each.rule);
    std::string message = each.message;
    for (const Note& note : each.notes) message += "; " + note.message;
    outcome.texts.push_back(std::move(message));
  }
  return outcome;
}

std::vector<Word> words_after(std::string_view text, std::vector<Word> before, std::array<Word, 3> groups) {
  RunSetup setup;
  setup.groups = groups;
  setup.buffers = {{0, std::move(before)}};
  const RunOutcome outcome = run_text(text, setup);
  EXPECT_TRUE(outcome.is_run && outcome.rules.empty()) << testing::PrintToString(outcome.texts);
  return outcome.buffers.front().words;
}

}  // namespace vireo::spirv::test
