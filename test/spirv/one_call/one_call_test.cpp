// SPDX-License-Identifier: Apache-2.0
//
// The convenience functions give the same results as the functions that they combine.
#include "vireo/spirv/one_call/one_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vireo/spirv/binary/writer.h"

namespace vireo::spirv {
namespace {

using testing::HasSubstr;

constexpr std::string_view valid =
    "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%f = OpTypeFloat 32\n";
constexpr std::string_view invalid =
    "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\nOpName %v \"wide\"\n"
    "%f = OpTypeFloat 32\n%v = OpTypeVector %f 5\n";

std::string bytes_of_text(std::string_view text, ByteOrder order = ByteOrder::Little) {
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble(text, diagnostics);
  return words ? to_bytes(*words, order) : std::string();
}

TEST(OneCall, assembles_and_disassembles) {
  Diagnostics diagnostics;
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    const Result<std::string> text =
        disassemble(bytes_of_text(valid, order), diagnostics, {.header = false, .indent = false});
    ASSERT_TRUE(text);
    EXPECT_EQ(*text,
              "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%float = OpTypeFloat 32\n");
  }
  EXPECT_FALSE(assemble("OpNope", diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 1u);
  EXPECT_FALSE(disassemble("odd", diagnostics));
  EXPECT_FALSE(disassemble(bytes_of_text(valid).substr(0, 24) + "abcd", diagnostics));
  EXPECT_GE(diagnostics.error_count(), 3u);
}

TEST(OneCall, validates_bytes) {
  Diagnostics diagnostics;
  EXPECT_TRUE(validate(bytes_of_text(valid, ByteOrder::Big), {}, diagnostics));
  EXPECT_FALSE(validate(bytes_of_text(invalid), {}, diagnostics));
  EXPECT_FALSE(validate("", {}, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 2u);
}

TEST(OneCall, renders_faults_with_lines_of_the_disassembly_in_every_format) {
  const std::string bytes = bytes_of_text(invalid);
  const Verdict verdict = validate_and_render({"m.spv", bytes});
  EXPECT_FALSE(verdict.is_valid);
  EXPECT_THAT(verdict.text, HasSubstr("m.spv:11:"));
  EXPECT_THAT(verdict.text, HasSubstr("%wide = OpTypeVector %float 5"));
  EXPECT_THAT(verdict.text, HasSubstr("^\n"));
  for (const std::string_view name : diagnostic_format_names) {
    const Verdict again = validate_and_render({"m.spv", bytes}, {}, {.format = *find_diagnostic_format(name)});
    EXPECT_FALSE(again.is_valid);
    EXPECT_THAT(again.text, HasSubstr("component-count")) << name;
  }
  const std::string fine = bytes_of_text(valid);
  EXPECT_EQ(validate_and_render({"m.spv", fine}).text, "");
  EXPECT_THAT(validate_and_render({"m.spv", "odd"}).text, HasSubstr("odd-size"));
}

}  // namespace
}  // namespace vireo::spirv
