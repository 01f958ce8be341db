// SPDX-License-Identifier: Apache-2.0
//
// Reflections as JSON and as tables: needed declarations, values of specialization constants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"
#include "spirv/transform/trim_cases.h"
#include "support/json.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/inspect/reflection_text.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/transform/trim.h"

namespace vireo::spirv {
namespace {

using testing::HasSubstr;

std::string json_of(const WordBuffer& words) {
  const Module module = Module::read(words);
  const Facts facts(module);
  StringSink sink;
  EXPECT_TRUE(write_reflection_json(Reflection(facts), "case", {}, sink));
  return sink.text();
}

std::string table_of(const WordBuffer& words) {
  const Module module = Module::read(words);
  const Facts facts(module);
  StringSink sink;
  EXPECT_TRUE(write_reflection_table(Reflection(facts), "case", {}, sink));
  return sink.text();
}

// The capabilities that the JSON calls needed.
std::vector<std::string> needed_capabilities(const WordBuffer& words) {
  JsonFault fault;
  const std::string text = json_of(words);
  const std::optional<JsonDocument> document = JsonDocument::parse(text, fault);
  EXPECT_TRUE(document) << text;
  std::vector<std::string> names;
  if (!document) return names;
  for (const JsonValue each : document->root().find("capabilities").elements()) {
    if (each.find("needed").boolean()) names.emplace_back(each.find("name").text());
  }
  return names;
}

std::vector<std::string> capabilities_of(const WordBuffer& words) {
  const Module module = Module::read(words);
  const ModuleDeclarations declarations = ModuleDeclarations::read(module);
  std::vector<std::string> names;
  for (const CapabilityRow& row : declarations.capabilities()) names.push_back(to_string(row.capability));
  return names;
}

// The declarations that the JSON calls unneeded are those that trim() removes.
TEST(ReflectionText, calls_those_declarations_needed_that_trim_keeps) {
  for (const test::TrimCase& each : test::trim_cases) {
    const std::string text = test::text_of(each);
    const WordBuffer words = test::assembled(text);
    Diagnostics diagnostics;
    const Result<WordBuffer> trimmed = trim(words, {}, diagnostics);
    ASSERT_TRUE(trimmed) << text;
    EXPECT_EQ(needed_capabilities(words), capabilities_of(*trimmed)) << text;
  }
}

struct DefaultRow {
  std::string_view type, value;
};

constexpr DefaultRow default_rows[] = {
    {"OpTypeInt 8 1", "-2"},     {"OpTypeInt 8 1", "127"},
    {"OpTypeInt 8 0", "254"},    {"OpTypeInt 16 1", "-300"},
    {"OpTypeInt 16 0", "65000"}, {"OpTypeInt 32 1", "-5"},
    {"OpTypeInt 64 1", "-7"},    {"OpTypeInt 64 0", "18446744073709551615"},
};

TEST(ReflectionText, prints_defaults_with_their_signs) {
  for (const DefaultRow& row : default_rows) {
    std::string text =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpName %constant \"constant\"\n"
        "OpDecorate %constant SpecId 0\n%type = ";
    text.append(row.type).append("\n%constant = OpSpecConstant %type ").append(row.value).append("\n");
    const WordBuffer words = test::assembled(text);
    EXPECT_THAT(json_of(words), HasSubstr(std::string("\"default\":").append(row.value).append("}"))) << text;
    // The default is the last column, because the module has no entry points.
    EXPECT_THAT(table_of(words), HasSubstr(std::string("  ").append(row.value).append("\n"))) << text;
  }
}

TEST(ReflectionText, has_the_stride_of_each_dimension) {
  const WordBuffer words = test::assembled(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %buffer
OpExecutionMode %main LocalSize 1 1 1
OpName %block "Block"
OpMemberName %block 0 "grid"
OpMemberName %block 1 "line"
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 96
OpDecorate %inner ArrayStride 16
OpDecorate %outer ArrayStride 32
OpDecorate %line ArrayStride 4
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%two = OpConstant %uint 2
%three = OpConstant %uint 3
%inner = OpTypeArray %float %two
%outer = OpTypeArray %inner %three
%line = OpTypeRuntimeArray %float
%block = OpTypeStruct %outer %line
%pointer = OpTypePointer StorageBuffer %block
%buffer = OpVariable %pointer StorageBuffer
%main = OpFunction %void None %function
%entry = OpLabel
OpReturn
OpFunctionEnd
)");
  const std::string json = json_of(words);
  EXPECT_THAT(json, HasSubstr(R"("name":"grid","array":[{"length":3,"stride":32},{"length":2,"stride":16}])"));
  EXPECT_THAT(json, HasSubstr(R"("name":"line","array":[{"length":0,"stride":4}])"));
  EXPECT_THAT(table_of(words), HasSubstr("  32, 16 "));
}

// Types of invalid modules can contain themselves.
TEST(ReflectionText, ends_at_an_array_of_itself) {
  const WordBuffer words = test::assembled(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpName %images "images"
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%array = OpTypeArray %array %two
%pointer = OpTypePointer UniformConstant %array
%images = OpVariable %pointer UniformConstant
)");
  EXPECT_THAT(table_of(words), HasSubstr("images"));
}

}  // namespace
}  // namespace vireo::spirv
