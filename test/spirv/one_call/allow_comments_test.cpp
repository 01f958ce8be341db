// SPDX-License-Identifier: Apache-2.0
//
// Allow comments: the instruction that a comment applies to, and the findings that it suppresses.
#include "vireo/spirv/one_call/allow_comments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "vireo/spirv/text/assemble.h"

namespace vireo::spirv {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "3:rule" for each row: the number of the instruction and the rule.
std::vector<std::string> rows_of(std::string_view text) {
  Diagnostics diagnostics;
  SourceMap map;
  EXPECT_TRUE(assemble(SourceText("text", text), {}, diagnostics, &map)) << text;
  std::vector<std::string> rows;
  for (const AllowedRule& row : read_allow_comments(text, map)) {
    const bool has_end = row.instruction > 1000000;
    rows.push_back((has_end ? "end" : std::to_string(row.instruction)) + ":" + std::string(row.rule));
  }
  return rows;
}

TEST(AllowComments, apply_to_an_instruction) {
  EXPECT_THAT(rows_of("OpNop\n; vireo: allow a\nOpNop\n"), ElementsAre("2:a"));
  EXPECT_THAT(rows_of("OpNop ; vireo: allow a\nOpNop\n"), ElementsAre("1:a"));
  EXPECT_THAT(rows_of("OpNop\n;vireo:allow  a , b,c\r\n\n; more\nOpNop"), ElementsAre("2:a", "2:b", "2:c"));
  EXPECT_THAT(rows_of("; vireo: allow a -- why, and when\n; vireo: allow b\nOpNop"), ElementsAre("1:a", "1:b"));
  EXPECT_THAT(rows_of("OpNop\n; vireo: allow a"), ElementsAre("end:a"));
  EXPECT_THAT(rows_of("OpNop ; vireo: allow\n"), ElementsAre("1:"));
}

TEST(AllowComments, of_an_instruction_with_several_lines) {
  EXPECT_THAT(rows_of("%a = OpTypeVector\n%f ; vireo: allow x\n4\n%b = OpTypeVoid"), ElementsAre("1:x"));
  EXPECT_THAT(rows_of("OpSource GLSL 450 %f \"two\nlines\" ; vireo: allow x\nOpNop"), ElementsAre("1:x"));
}

TEST(AllowComments, are_not_in_strings_or_other_comments) {
  EXPECT_THAT(rows_of("OpName %a \"; vireo: allow x\"\n"), IsEmpty());
  EXPECT_THAT(rows_of("OpName %a \"\\\"; vireo: allow x\"\n; see vireo: allow y\n; vireo: allowed z\n"), IsEmpty());
}

// The findings of the validator as "rule at instruction".
std::vector<std::string> found_in(std::string_view text, std::size_t limit = 100) {
  Diagnostics diagnostics;
  SourceMap map;
  const Result<WordBuffer> words = assemble(SourceText("text", text), {}, diagnostics, &map);
  const std::vector<AllowedRule> allowed = read_allow_comments(text, map);
  const ValidateOptions options{.allowed = allowed, .max_findings = limit};
  const bool is_valid = validate(*words, options, diagnostics);
  EXPECT_EQ(is_valid, diagnostics.error_count() == 0);
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    found.push_back(std::string(diagnostic.rule) + " " + std::to_string(diagnostic.where.instruction));
  }
  return found;
}

constexpr std::string_view begin = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";

TEST(AllowComments, suppress_findings) {
  const std::string text(begin);
  EXPECT_THAT(found_in(text + "%a = OpTypeFloat 33\n%b = OpTypeFloat 35\n"),
              ElementsAre("scalar-format 4", "scalar-format 5"));
  EXPECT_THAT(found_in(text + "%a = OpTypeFloat 33 ; vireo: allow scalar-format\n%b = OpTypeFloat 35\n"),
              ElementsAre("scalar-format 5"));
  // A suppressed finding does not use up the limit.
  EXPECT_THAT(found_in(text + "%a = OpTypeFloat 33 ; vireo: allow scalar-format\n%b = OpTypeFloat 35\n", 1),
              ElementsAre("scalar-format 5"));
  // Two equal comments are both used.
  EXPECT_THAT(found_in(text + "; vireo: allow scalar-format\n%a = OpTypeFloat 33 ; vireo: allow scalar-format\n"),
              IsEmpty());
}

// If a finding is reported once for several instructions, an allowed one passes it on to the next instruction.
TEST(AllowComments, of_a_finding_that_is_reported_once) {
  const std::string text(begin);
  EXPECT_THAT(found_in(text + "%a = OpTypeInt 64 0\n%b = OpTypeInt 64 1\n"), ElementsAre("scalar-capability 4"));
  EXPECT_THAT(found_in(text + "%a = OpTypeInt 64 0 ; vireo: allow scalar-capability\n%b = OpTypeInt 64 1\n"),
              ElementsAre("scalar-capability 5"));
}

TEST(AllowComments, that_suppress_nothing_get_a_warning) {
  const std::string text(begin);
  EXPECT_THAT(found_in(text + "; vireo: allow component-count, scalar-format\n%a = OpTypeFloat 33\n"),
              ElementsAre("unused-allow 0"));
  // Without a location in a text, the warning is at the instruction.
  Diagnostics diagnostics;
  const WordBuffer words = *assemble(SourceText("text", text), {}, diagnostics);
  const AllowedRule allowed[] = {{2, "component-cuont", {}}};
  EXPECT_TRUE(validate(words, {.allowed = allowed}, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].message, "unknown rule 'component-cuont'; did you mean 'component-count'?");
  EXPECT_EQ(diagnostics.all()[0].where.instruction, 2u);
}

}  // namespace
}  // namespace vireo::spirv
