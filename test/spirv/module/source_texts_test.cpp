// SPDX-License-Identifier: Apache-2.0
//
// SourceTexts: lines of the source files that a module contains, for both kinds of debug information.
#include "vireo/spirv/module/source_texts.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

struct Row {
  std::string_view name;
  std::string_view module;
  std::uint32_t line;
  std::string_view expected;  // "-": the module does not contain the line
};

// Every module has the file as %1, "a.frag".
constexpr Row rows[] = {
    {"plain", "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"one\ntwo\nthree\"\n", 2, "two"},
    {"last line", "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"one\ntwo\"\n", 2, "two"},
    {"beyond the end", "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"one\ntwo\"\n", 3, "-"},
    {"line 0", "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"one\"\n", 0, "-"},
    {"continued inside a line",
     "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"one\nt\"\nOpSourceContinued \"w\"\nOpSourceContinued \"o\nx\"\n",
     2, "two"},
    {"carriage returns", "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"one\r\ntwo\r\n\"\n", 2, "two"},
    {"no text", "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1\n", 1, "-"},
    {"text without a file", "%1 = OpString \"a.frag\"\nOpSource GLSL 450\nOpSourceContinued \"one\"\n", 1, "-"},
    {"text of another file", "%1 = OpString \"a.frag\"\n%2 = OpString \"b.frag\"\nOpSource GLSL 450 %2 \"one\"\n", 1,
     "-"},
    {"the same name under another id",
     "%1 = OpString \"a.frag\"\n%2 = OpString \"a.frag\"\nOpSource GLSL 450 %2 \"one\"\n", 1, "one"},
    {"options of glslang",
     "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"// OpModuleProcessed client vulkan100\n"
     "// OpModuleProcessed entry-point main\n#line 1\none\ntwo\"\n",
     2, "two"},
    {"a #line directive", "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"one\n#line 7\ntwo\"\n", 1, "one"},
    {"after a #line directive", "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"one\n#line 7\ntwo\"\n", 3, "-"},
    {"a text that begins with #line", "%1 = OpString \"a.frag\"\nOpSource GLSL 450 %1 \"#line 7\ntwo\"\n", 2, "-"},
    {"DebugSource of shaders",
     "%5 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n%1 = OpString \"a.frag\"\n%2 = OpString \"one\ntw\"\n"
     "%3 = OpString \"o\nthree\"\n%4 = OpTypeVoid\n%6 = OpExtInst %4 %5 DebugSource %1 %2\n"
     "%7 = OpExtInst %4 %5 DebugSourceContinued %3\n",
     2, "two"},
    {"DebugSource of kernels",
     "%5 = OpExtInstImport \"OpenCL.DebugInfo.100\"\n%1 = OpString \"a.frag\"\n%2 = OpString \"one\ntwo\"\n"
     "%4 = OpTypeVoid\n%6 = OpExtInst %4 %5 DebugSource %1 %2\n",
     2, "two"},
    {"DebugSource without text",
     "%5 = OpExtInstImport \"OpenCL.DebugInfo.100\"\n%1 = OpString \"a.frag\"\n"
     "%4 = OpTypeVoid\n%6 = OpExtInst %4 %5 DebugSource %1\n",
     1, "-"},
    {"the same number in another set",
     "%5 = OpExtInstImport \"GLSL.std.450\"\n%1 = OpString \"a.frag\"\n%2 = OpString \"one\"\n"
     "%4 = OpTypeVoid\n%6 = OpExtInst %4 %5 FindILsb %1\n",
     1, "-"},
};

TEST(SourceTextsTest, finds_lines_of_texts_in_the_module) {
  for (const Row& row : rows) {
    const WordBuffer words = test::assembled(row.module);
    const Module module = Module::read(words);
    const SourceTexts texts = SourceTexts::read(module);
    SourceLine place;
    place.file = 1;
    place.name = "a.frag";
    place.line = row.line;
    EXPECT_EQ(std::string(texts.line(place).value_or("-")), row.expected) << row.name;
  }
}

// A thousand sources with one long text: the copies are bounded by the size of the module.
TEST(SourceTextsTest, bounds_the_copies_of_one_text) {
  std::string text =
      "%5 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n%2 = OpString \"" + std::string(60'000, 'x') + "\"\n";
  for (int i = 0; i < 1000; ++i) text += "%f" + std::to_string(i) + " = OpString \"" + std::to_string(i) + "\"\n";
  text += "%4 = OpTypeVoid\n";
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    text += "%s" + number + " = OpExtInst %4 %5 DebugSource %f" + number + " %2\n";
  }
  const WordBuffer words = test::assembled(text);
  const Module module = Module::read(words);
  const SourceTexts texts = SourceTexts::read(module);
  std::size_t bytes = 0;
  for (int i = 0; i < 1000; ++i) {
    SourceLine place;
    const std::string name = std::to_string(i);
    place.name = name;
    place.line = 1;
    bytes += texts.line(place).value_or("").size();
  }
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, 4 * words.size() * sizeof(Word));
}

}  // namespace
}  // namespace vireo::spirv
