// SPDX-License-Identifier: Apache-2.0
//
// Modules as JSON: the lines of the document, and valid JSON for any module.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/text/modules.h"
#include "support/json.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::spirv {
namespace {

struct Document {
  std::vector<std::string> lines;
  std::string text;
  bool ok = false;
};

Document json_of(Words module, const DisassembleOptions& options = {}) {
  StringSink sink;
  Diagnostics diagnostics;
  Document document;
  document.ok = disassemble_to_json(module, options, sink, diagnostics);
  document.text = sink.text();
  for (std::string_view rest = document.text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    document.lines.emplace_back(line.ends_with(',') ? line.substr(0, line.size() - 1) : line);
  }
  return document;
}

constexpr std::size_t first_instruction_line = 3;

TEST(DisassembleToJson, writes_one_instruction_per_line_between_header_and_end) {
  const Document document = json_of(module_of("OpCapability Shader\nOpMemoryModel Logical GLSL450\n", {1, 3}));
  EXPECT_TRUE(document.ok);
  const std::vector<std::string> expected = {
      R"({"format":"vireo.spirv.module","version":1)",
      R"("header":{"version":"1.3","generator":{"id":7,"name":"Khronos SPIR-V Tools Assembler",)"
      R"("version":0},"bound":1,"schema":0})",
      R"("instructions":[)",
      R"({"n":1,"offset":5,"op":"OpCapability","opcode":17,"operands":[{"kind":"Capability","value":1,)"
      R"("text":"Shader"}]})",
      R"({"n":2,"offset":7,"op":"OpMemoryModel","opcode":14,"operands":[{"kind":"AddressingModel",)"
      R"("value":0,"text":"Logical"},{"kind":"MemoryModel","value":1,"text":"GLSL450"}]})",
      "]",
      R"("complete":true)",
      "}",
  };
  EXPECT_EQ(document.lines, expected);
}

TEST(DisassembleToJson, writes_each_kind_of_operand) {
  const struct {
    const char* prelude;  // instructions before the tested one
    const char* line;
    const char* members;  // of its object, from the opcode on
  } cases[] = {
      {"", "OpName %1 \"x\"",
       R"("opcode":5,"operands":[{"kind":"IdRef","id":1,"name":"%x"},{"kind":"LiteralString","value":"x"}])"},
      {"%1 = OpTypeFloat 32\n", "%2 = OpConstant %1 1.5",
       R"("opcode":43,"type":1,"type_name":"%float","result":2,"name":"%float_1_5",)"
       R"("operands":[{"kind":"LiteralContextDependentNumber","type":"f32","value":1.5,)"
       R"("words":[1069547520]}])"},
      {"%1 = OpTypeFloat 32\n", "%2 = OpConstant %1 -0x1p+128",
       R"("opcode":43,"type":1,"type_name":"%float","result":2,"name":"%float_n0x1p_128",)"
       R"("operands":[{"kind":"LiteralContextDependentNumber","type":"f32","value":"-inf",)"
       R"("words":[4286578688]}])"},
      {"%1 = OpTypeInt 64 0\n", "%2 = OpConstant %1 18446744073709551615",
       R"("opcode":43,"type":1,"type_name":"%ulong","result":2,"name":"%ulong_18446744073709551615",)"
       R"("operands":[{"kind":"LiteralContextDependentNumber","type":"u64","value":"18446744073709551615",)"
       R"("words":[4294967295,4294967295]}])"},
      {"%1 = OpTypeInt 8 1\n", "%2 = OpConstant %1 -3",
       R"("opcode":43,"type":1,"type_name":"%char","result":2,"name":"%char_n3",)"
       R"("operands":[{"kind":"LiteralContextDependentNumber","type":"i8","value":-3,)"
       R"("words":[4294967293]}])"},
      {"", "OpStore %1 %2 Volatile|Aligned 16",
       R"("opcode":62,"operands":[{"kind":"IdRef","id":1},{"kind":"IdRef","id":2},{"kind":"MemoryAccess",)"
       R"("value":3,"names":["Volatile","Aligned"]},{"kind":"LiteralInteger","parameter":true,"value":16}])"},
      {"", "OpSelectionMerge %1 None",
       R"("opcode":247,"operands":[{"kind":"IdRef","id":1},{"kind":"SelectionControl","value":0,)"
       R"("names":[]}])"},
      {"", "OpDecorate %1 Location 7",
       R"("opcode":71,"operands":[{"kind":"IdRef","id":1},{"kind":"Decoration","value":30,)"
       R"("text":"Location"},{"kind":"LiteralInteger","parameter":true,"value":7}])"},
      {"%1 = OpExtInstImport \"GLSL.std.450\"\n", "%3 = OpExtInst %2 %1 Sqrt %4",
       R"("opcode":12,"type":2,"result":3,"operands":[{"kind":"IdRef","id":1},)"
       R"({"kind":"LiteralExtInstInteger","value":31,"text":"Sqrt","set":"GLSL.std.450"},{"kind":"IdRef",)"
       R"("id":4}])"},
      {"", "%3 = OpSpecConstantOp %2 IAdd %4 %5",
       R"("opcode":52,"type":2,"result":3,"operands":[{"kind":"LiteralSpecConstantOpInteger","value":128,)"
       R"("text":"OpIAdd"},{"kind":"IdRef","id":4},{"kind":"IdRef","id":5}])"},
      {"", "OpUnknown(60000, 3) 7 8", R"("opcode":60000,"words":[7,8])"},
  };
  for (const auto& row : cases) {
    const WordBuffer module = module_of(std::string(row.prelude) + row.line + "\n");
    const Document document = json_of(module);
    const std::size_t line = first_instruction_line + (*row.prelude == '\0' ? 0 : 1);
    ASSERT_GT(document.lines.size(), line) << row.line;
    EXPECT_TRUE(document.lines[line].ends_with(std::string(",") + row.members + "}")) << document.lines[line];
  }
}

TEST(DisassembleToJson, omits_names_when_ids_are_raw) {
  DisassembleOptions options;
  options.friendly_names = false;
  const Document document = json_of(module_of("OpName %1 \"x\"\n%1 = OpTypeVoid\n"), options);
  EXPECT_EQ(document.text.find("\"name\":\"%"), std::string::npos);
}

TEST(DisassembleToJson, keeps_the_words_of_a_string_that_is_not_utf8) {
  const WordBuffer module = module_of("OpName %1 \"a\xff\"\n");
  const Document document = json_of(module);
  EXPECT_NE(document.text.find("{\"kind\":\"LiteralString\",\"value\":\"a\xEF\xBF\xBD\",\"words\":[65377]}"),
            std::string::npos)
      << document.text;
}

TEST(DisassembleToJson, marks_a_truncated_module) {
  WordBuffer module = module_of("OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
  module.pop_back();
  const Document document = json_of(module);
  EXPECT_FALSE(document.ok);
  EXPECT_NE(document.text.find("\"complete\":false"), std::string::npos);
}

TEST(DisassembleToJson, writes_valid_json_for_any_words) {
  const WordBuffer whole = module_of(R"(
    OpCapability Shader
%1 = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %4 "main"
    OpExecutionMode %4 OriginLowerLeft
    OpName %4 "main"
    OpDecorate %15 ArrayStride 16
%2 = OpTypeVoid
%6 = OpTypeFloat 32
%7 = OpConstant %6 1.25
%8 = OpTypeInt 64 0
%9 = OpConstant %8 77
)");
  for_each_broken_module(whole, 20260102, [](Words broken, int) {
    const Document document = json_of(broken);
    JsonFault fault;
    EXPECT_TRUE(JsonDocument::parse(document.text, fault).has_value()) << fault.message << " in " << document.text;
  });
}

}  // namespace
}  // namespace vireo::spirv
