// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics of the assembler: the rule, the position, the underlined text and the hint.
#include <gtest/gtest.h>

#include "spirv/text/assembling.h"

namespace vireo::spirv {
namespace {

struct FaultRow {
  std::string_view text;
  std::string_view place;
  std::string_view underlined;
  std::string_view rule;
  std::string_view hint;
};

void check_faults(std::initializer_list<FaultRow> rows, const AssembleOptions& options = {}) {
  for (const FaultRow& row : rows) {
    const std::vector<SeenFault> faults = faults_of(row.text, options);
    ASSERT_EQ(faults.size(), 1u) << row.text;
    EXPECT_EQ(faults[0].place, row.place) << row.text;
    EXPECT_EQ(faults[0].underlined, row.underlined) << row.text;
    EXPECT_EQ(faults[0].rule, row.rule) << row.text;
    EXPECT_EQ(faults[0].hint, row.hint) << row.text;
  }
}

TEST(AssembleFaults, results_and_opcodes) {
  check_faults({
      {"OpTypVoid", "1:1", "OpTypVoid", "unknown-instruction", "did you mean 'OpTypeVoid'?"},
      {"opNop", "1:1", "opNop", "expected-instruction", "did you mean 'OpNop'?"},
      {"\n Nop", "2:2", "Nop", "expected-instruction", "did you mean 'OpNop'?"},
      {"%a=OpTypeVoid", "1:1", "%a=OpTypeVoid", "expected-equals", "put spaces around '=': '%a = OpTypeVoid'"},
      {"%a =OpTypeVoid", "1:4", "=OpTypeVoid", "expected-equals", "put spaces around '='"},
      {"%a OpTypeVoid", "1:4", "OpTypeVoid", "expected-equals", "write '%a = OpTypeVoid'"},
      {"a = OpTypeVoid", "1:1", "a", "expected-instruction", "an id begins with '%': '%a ='"},
      {"%a = Foo", "1:6", "Foo", "expected-opcode", ""},
      {"%a = = OpTypeVoid", "1:6", "=", "expected-opcode", ""},
      {"OpTypeVoid", "1:1", "OpTypeVoid", "result-required", "write '%id = OpTypeVoid'"},
      {"%a = OpNop", "1:6", "OpNop", "result-forbidden", "remove '%a ='"},
      {"%a-b = OpTypeVoid", "1:1", "%a-b", "bad-id", ""},
      {"% = OpTypeVoid", "1:1", "%", "bad-id", ""},
      {"OpReturn %a", "1:10", "%a", "surplus-operand", ""},
      {"%a = OpTypeInt 32 1 7", "1:21", "7", "surplus-operand", ""},
      {"OpReturn(", "1:9", "(", "surplus-operand", ""},
      {"\"abc\"", "1:1", "\"abc\"", "expected-instruction", ""},
      {"\uFEFFOpNop 7", "1:7", "7", "surplus-operand", ""},
      {"\uFEFF\uFEFFOpNop", "1:1", "\uFEFFOpNop", "expected-instruction", ""},
  });
}

TEST(AssembleFaults, operands) {
  check_faults({
      {"OpCapability Shadr", "1:14", "Shadr", "bad-enumerant", "did you mean 'Shader'?"},
      {"OpDecorate %a builtin Position", "1:15", "builtin", "bad-enumerant", "did you mean 'BuiltIn'?"},
      {"OpMemoryModel 0 Simple", "1:15", "0", "bad-enumerant",
       "0 is 'Logical'; a number without a name is written '!0'"},
      {"OpCapability Shader|Kernel", "1:14", "Shader|Kernel", "bad-enumerant",
       "Capability is not a mask: write one name"},
      {"OpSelectionMerge %m Flatten|", "1:21", "Flatten|", "bad-mask",
       "names in a mask are joined by '|', without spaces"},
      {"%r = OpLoad %t %p Aligned|Foo 4", "1:27", "Foo", "bad-mask", ""},
      {"OpName", "1:1", "OpName", "missing-operand", ""},
      {"OpName %a\nOpNop", "2:1", "OpNop", "missing-operand", ""},
      {"OpBranch %b = OpLabel", "1:10", "%b", "missing-operand", ""},
      {"OpName a \"x\"", "1:8", "a", "bad-id", "an id begins with '%': '%a'"},
      {"OpName %a+ \"x\"", "1:8", "%a+", "bad-id", ""},
      {"OpSource GLSL -5", "1:15", "-5", "bad-integer", ""},
      {"OpSource GLSL 08", "1:15", "08", "bad-integer", "a leading zero makes a number octal"},
      {"OpSource GLSL 450u", "1:15", "450u", "bad-integer", "remove the suffix 'u'"},
      {"OpSource GLSL \"4\"", "1:15", "\"4\"", "bad-integer", "remove the quotes"},
      {"OpName %a 5", "1:11", "5", "bad-string", "enclose the string in double quotes: '\"5\"'"},
      {"OpName %a \"x", "1:11", "\"x", "bad-string", ""},
      {"OpName %a \"l1\nl2\"\nOpNop\n OpBad", "4:2", "OpBad", "unknown-instruction", ""},
  });
}

TEST(AssembleFaults, literals_of_types) {
  check_faults({
      {"%v = OpTypeVoid\n%c = OpConstant %v 0", "2:20", "0", "literal-type-unknown", ""},
      {"%v = OpTypeVoid\n%c = OpConstant %v 0\n%d = OpConstant %v 1", "2:20", "0", "literal-type-unknown", ""},
      {"%i = OpTypeInt 8 0\n%c = OpConstant %i 256", "2:20", "256", "bad-integer", ""},
      {"%i = OpTypeInt 65 0\n%c = OpConstant %i 0", "2:20", "0", "unsupported-width",
       "integer literals have 1 to 64 bits"},
      {"%f = OpTypeFloat 17\n%c = OpConstant %f 0", "2:20", "0", "unsupported-width",
       "floats without an encoding have 16, 32 or 64 bits"},
      {"%f = OpTypeFloat 32\n%c = OpConstant %f 1e40", "2:20", "1e40", "bad-float", ""},
      {"%f = OpTypeFloat 32\n%c = OpConstant %f 1.0f", "2:20", "1.0f", "bad-float", "remove the suffix 'f'"},
      {"%f = OpTypeFloat 8 BFloat16KHR", "1:20", "BFloat16KHR", "bad-encoding", ""},
      {"%i = OpTypeInt 8 0\n%c = OpConstant %i 2\nOpSwitch %c %d 1 %a 256 %b", "3:21", "256", "bad-integer", ""},
      {"%c = OpUndef %i\nOpSwitch %c %d 1 %a", "2:16", "1", "selector-type", ""},
      {"%t = OpTypeVoid\n%t = OpTypeBool", "2:1", "%t", "duplicate-id", ""},
  });
}

TEST(AssembleFaults, sets_and_special_constants) {
  check_faults({
      {"%s = OpExtInstImport \"GLSL.std.45\"", "1:22", "\"GLSL.std.45\"", "unknown-extended-set",
       "did you mean 'GLSL.std.450'?"},
      {"%v = OpExtInst %t %glsl Sqrt %x", "1:19", "%glsl", "set-not-imported",
       "add '%glsl = OpExtInstImport \"GLSL.std.450\"' above"},
      {"%s = OpExtInstImport \"GLSL.std.450\" %v = OpExtInst %t %s Sqrd %x", "1:58", "Sqrd",
       "unknown-extended-instruction", "did you mean 'Sqrt'?"},
      {"%s = OpExtInstImport \"GLSL.std.450\" %v = OpExtInst %t %s 31 %x", "1:58", "31", "unknown-extended-instruction",
       "31 is 'Sqrt'; a number without a name is written '!31'"},
      {"%a = OpSpecConstantOp %t OpIMul %b %c", "1:26", "OpIMul", "bad-spec-opcode", "did you mean 'IMul'?"},
      {"%a = OpSpecConstantOp %t Load %b", "1:26", "Load", "bad-spec-opcode", ""},
  });
}

TEST(AssembleFaults, raw_words) {
  check_faults({
      {"!1 = OpNop", "1:1", "!1", "bad-raw-word", "write the opcode as a raw word, too, followed by this one"},
      {"%a = !5", "1:6", "!5", "bad-raw-word", "write the whole instruction as raw words, including the result id"},
      {"OpName !-5", "1:8", "!-5", "bad-raw-word", ""},
      {"OpMemoryModel !0 OpenCL", "1:18", "OpenCL", "bad-raw-operand",
       "after a raw word, write the number instead of the name"},
      {"!5 4294967296", "1:4", "4294967296", "bad-raw-operand", ""},
      {"OpUnknown(5 3) %a", "1:13", "3", "bad-unknown-instruction", ""},
      {"OpUnknown(5, 0)", "1:14", "0", "bad-unknown-instruction", ""},
      {"OpUnknown(5, 3) %a OpNop", "1:20", "OpNop", "bad-unknown-instruction", ""},
      {"%a = OpUnknown(5, 1)", "1:6", "OpUnknown", "bad-unknown-instruction", "write the result id as an operand"},
  });
}

TEST(AssembleFaults, opcodes_of_later_versions_name_the_version) {
  AssembleOptions options;
  options.version = {1, 3};
  check_faults({{"%2 = OpCopyLogical %1 %3", "1:6", "OpCopyLogical", "unknown-instruction", "it requires SPIR-V 1.4"}},
               options);
}

TEST(AssembleFaults, an_instruction_has_at_most_65535_words) {
  std::string text = "%a = OpTypeStruct";
  for (int i = 0; i < 65533; ++i) text += " %b";
  EXPECT_TRUE(faults_of(text).empty());
  text += " %b";
  EXPECT_EQ(faults_of(text).at(0).rule, "instruction-too-long");
  EXPECT_EQ(faults_of("OpName %a \"" + std::string(262140, 'x') + "\"").at(0).rule, "instruction-too-long");
}

}  // namespace
}  // namespace vireo::spirv
