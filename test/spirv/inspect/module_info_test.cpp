// SPDX-License-Identifier: Apache-2.0
//
// Properties of modules, by hand; of broken modules; and of modules whose properties could be quadratic.
#include "vireo/spirv/inspect/module_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spirv/module/assembled.h"
#include "support/json.h"
#include "vireo/spirv/inspect/info_fields.h"

namespace vireo::spirv {
namespace {

using test::assembled;
using testing::ElementsAre;
using testing::IsEmpty;

ModuleInfo info_of(Words words, Diagnostics& diagnostics) {
  Result<ModuleInfo> info = read_module_info(words, diagnostics);
  EXPECT_TRUE(info);
  return info ? std::move(*info) : ModuleInfo{};
}

ModuleInfo info_of(std::string_view text) {
  Diagnostics diagnostics;
  ModuleInfo info = info_of(assembled(text), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  return info;
}

constexpr std::string_view compute = R"(
OpCapability Shader
OpCapability Shader
OpCapability Int64
OpExtension "SPV_KHR_storage_buffer_storage_class"
%set = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %in
OpEntryPoint GLCompute %main "other"
OpExecutionMode %main LocalSize 8 4 2
%file = OpString "a.comp"
OpSource GLSL 450 %file
OpName %main "main"
OpName %helper "helper"
OpDecorate %in BuiltIn GlobalInvocationId
OpDecorate %spec SpecId 0
OpDecorate %helper RelaxedPrecision
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%ptr = OpTypePointer Input %v3
%private = OpTypePointer Private %uint
%local = OpTypePointer Function %uint
%true = OpConstantTrue %bool
%spec = OpSpecConstant %uint 3
%in = OpVariable %ptr Input
%global = OpVariable %private Private
%main = OpFunction %void None %fn
%entry = OpLabel
%variable = OpVariable %local Function
OpSelectionMerge %end None
OpBranchConditional %true %outer %end
%outer = OpLabel
OpSelectionMerge %inner_end None
OpBranchConditional %true %inner %inner_end
%inner = OpLabel
OpLine %file 3 0
%call = OpFunctionCall %void %helper
OpBranch %inner_end
%inner_end = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
%helper = OpFunction %void None %fn
%helper_entry = OpLabel
OpReturn
OpFunctionEnd
)";

TEST(ModuleInfo, describes_a_module) {
  const ModuleInfo info = info_of(compute);
  EXPECT_THAT(info.capabilities, ElementsAre("Shader", "Int64"));
  EXPECT_THAT(info.extensions, ElementsAre("SPV_KHR_storage_buffer_storage_class"));
  EXPECT_THAT(info.sets, ElementsAre("GLSL.std.450"));
  EXPECT_THAT(info.sources, ElementsAre("GLSL 450"));
  EXPECT_EQ(info.addressing_model + ' ' + info.memory_model, "Logical GLSL450");
  ASSERT_EQ(info.entry_points.size(), 2u);
  EXPECT_EQ(info.entry_points[0].name, "main");
  EXPECT_EQ(info.entry_points[0].model, "GLCompute");
  EXPECT_EQ(info.entry_points[0].interface_variables, 1u);
  for (const EntryPointInfo& entry : info.entry_points) {
    EXPECT_EQ(local_size_text(entry), "8x4x2");
    EXPECT_THAT(entry.execution_modes, ElementsAre("LocalSize"));
  }
  EXPECT_THAT(info.decorations, ElementsAre("BuiltIn", "SpecId", "RelaxedPrecision"));
  EXPECT_THAT(info.storage_classes, ElementsAre("Input", "Private", "Function"));
  EXPECT_EQ(info.types, 8u);
  EXPECT_EQ(info.constants, 2u);
  EXPECT_EQ(info.spec_constants, 1u);
  EXPECT_EQ(info.variables, 2u);
  EXPECT_EQ(info.decoration_instructions, 3u);
  EXPECT_EQ(info.name_instructions, 2u);
  EXPECT_EQ(info.name_words, 4u + 4u);
  EXPECT_EQ(info.debug_words, 4u + 4u + 4u);  // OpString, OpSource, OpLine
  EXPECT_EQ(info.functions, 2u);
  EXPECT_EQ(info.function_declarations, 0u);
  EXPECT_EQ(info.blocks, 6u);
  EXPECT_EQ(info.largest_function.name, "main");
  EXPECT_EQ(info.largest_function.blocks, 5u);
  EXPECT_EQ(info.nesting_depth, 2u);
  EXPECT_EQ(info.call_depth, 2u);
  EXPECT_EQ(info.recursive_functions, 0u);
  EXPECT_EQ(info.selections, 2u);
  EXPECT_EQ(info.opcodes.front().name, "OpLabel");
  EXPECT_EQ(info.opcodes.front().count, 6u);
  EXPECT_EQ(info.faults, 0u);
}

TEST(ModuleInfo, takes_the_local_size_from_constants) {
  constexpr std::string_view begin = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
)";
  constexpr std::string_view end = R"(
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%a = OpConstant %uint 16
%b = OpSpecConstant %uint 2
%size = OpSpecConstantComposite %v3 %a %b %b
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
)";
  const std::string ids = std::string(begin) + "OpExecutionModeId %main LocalSizeId %a %b %a" + std::string(end);
  EXPECT_EQ(local_size_text(info_of(ids).entry_points.front()), "16x2x16");
  const std::string built_in = std::string(begin) + "OpExecutionMode %main LocalSize 1 1 1\n" +
                               "OpDecorate %size BuiltIn WorkgroupSize" + std::string(end);
  EXPECT_EQ(local_size_text(info_of(built_in).entry_points.front()), "16x2x2");
  EXPECT_EQ(local_size_text(info_of(std::string(begin) + std::string(end)).entry_points.front()), "");
}

TEST(ModuleInfo, counts_linkage_declarations_and_recursion) {
  const ModuleInfo info = info_of(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" Export
OpDecorate %g LinkageAttributes "g" Import
%void = OpTypeVoid
%fn = OpTypeFunction %void
%g = OpFunction %void None %fn
OpFunctionEnd
%f = OpFunction %void None %fn
%entry = OpLabel
%again = OpFunctionCall %void %f
%call = OpFunctionCall %void %g
OpReturn
OpFunctionEnd
)");
  EXPECT_THAT(info.exports, ElementsAre("f"));
  EXPECT_THAT(info.imports, ElementsAre("g"));
  EXPECT_EQ(info.function_declarations, 1u);
  EXPECT_EQ(info.recursive_functions, 1u);
  EXPECT_EQ(info.call_depth, 2u);
}

TEST(ModuleInfo, counts_what_it_can_in_broken_modules) {
  WordBuffer words = assembled("OpCapability Shader\n%void = OpTypeVoid\n");
  const auto info = [&](std::size_t faults) {
    Diagnostics diagnostics;
    const ModuleInfo found = info_of(words, diagnostics);
    EXPECT_EQ(found.faults, faults);
    EXPECT_EQ(diagnostics.error_count(), faults);
    return found;
  };
  EXPECT_EQ(info(0).instructions, 2u);
  words.push_back(5u << 16 | 1);  // longer than the module
  EXPECT_EQ(info(1).instructions, 2u);
  words.back() = 0;
  EXPECT_EQ(info(1).instructions, 2u);
  words.back() = 1u << 16 | 0xFFFE;  // an unknown opcode
  EXPECT_EQ(info(1).opcodes.front().name, "65534");
  words[1] = 0xFF;  // no version
  EXPECT_EQ(info(2).types, 1u);
  words.resize(header_word_count);
  words[1] = 0x00010000;
  EXPECT_THAT(info(0).opcodes, IsEmpty());
}

TEST(ModuleInfo, refuses_words_that_are_no_module) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_module_info(WordBuffer{1, 2, 3, 4, 5}, diagnostics));
  EXPECT_FALSE(read_module_info(WordBuffer{magic_number}, diagnostics));
  EXPECT_FALSE(read_module_info({}, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 3u);
}

TEST(ModuleInfo, is_written_as_json_and_as_a_page) {
  ModuleInfo info = info_of(compute);
  info.file = "a\x1b.spv";
  StringSink json, page;
  EXPECT_TRUE(write_info_json(info, json));
  JsonFault fault;
  const auto document = JsonDocument::parse(json.text(), fault);
  ASSERT_TRUE(document) << fault.message;
  EXPECT_EQ(document->root().find("functions").integer(), 2);
  EXPECT_EQ(document->root().find("file").text(), info.file);
  for (const InfoField& field : info_fields()) EXPECT_FALSE(document->root().find(field.name).is_absent());
  EXPECT_TRUE(write_info_page(info, page));
  EXPECT_EQ(page.text().find('\x1b'), std::string::npos);
  EXPECT_THAT(page.text(), testing::HasSubstr("functions          2, 6 blocks, call depth 2\n"));
}

// Each entry point has the modes of the shared function, and the last one is far from the first.
TEST(ModuleInfo, limits_the_modes_of_entry_points) {
  std::string text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n";
  for (int i = 0; i < 3000; ++i) text += "OpEntryPoint Vertex %main \"main\"\n";
  WordBuffer words = assembled(text);
  for (Word mode = 0; mode < 3000; ++mode) words.insert(words.end(), {3u << 16 | 16, 1, 100'000 + mode});
  Diagnostics diagnostics;
  const ModuleInfo info = info_of(words, diagnostics);
  ASSERT_EQ(info.entry_points.size(), 3000u);
  EXPECT_EQ(info.entry_points.back().execution_modes.size(), 64u);
}

}  // namespace
}  // namespace vireo::spirv
