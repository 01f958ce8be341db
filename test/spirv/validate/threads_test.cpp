// SPDX-License-Identifier: Apache-2.0
//
// However many threads work on a module, the same is found.
#include <gtest/gtest.h>

#include <string>

#include "spirv/module/assembled.h"
#include "spirv/validate/shapes.h"
#include "vireo/spirv/validate.h"

namespace vireo::spirv {
namespace {

// Enough functions for several threads; what `planted` says goes into one of the last.
std::string many_functions(std::string_view planted) {
  std::string body,
      text = test::shapes::preamble("OpEntryPoint GLCompute %f0 \"main\"\nOpExecutionMode %f0 LocalSize 1 1 1\n");
  for (int i = 0; i < 200; ++i) body += "%a#_" + std::to_string(i) + " = OpIAdd %u32 %one %zero\n";
  for (std::size_t f = 0; f < 600; ++f) {
    std::string lines = body;
    if (f == 590) lines += planted;
    if (f < 599) lines += "%r# = OpFunctionCall %void %f" + std::to_string(f + 1) + "\n";
    text += test::shapes::function("f" + std::to_string(f), test::shapes::numbered(lines, f));
  }
  return text;
}

std::string all_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    text.append(diagnostic.rule).append(": ").append(diagnostic.message);
    text += " at " + std::to_string(diagnostic.where.begin) + '\n';
    for (const Note& note : diagnostic.notes)
      text += "  " + note.message + " at " + std::to_string(note.where.begin) + '\n';
  }
  return text;
}

TEST(ValidatorThreads, find_the_same) {
  constexpr std::string_view planted[] = {
      "",
      "%z# = OpIAdd %u32 %one %nowhere\n",  // told where it is first used
      "OpEmitVertex\n",                     // needs a capability, and another execution model
      "%z# = OpIAdd %u32 %a0_0 %one\n",     // of another function
      "%z# = OpIAdd %u32 %one %true\nOpBranch %one\n%b# = OpLabel\n",
  };
  for (const std::string_view lines : planted) {
    const WordBuffer words = test::assembled(many_functions(lines));
    ValidateOptions options;
    Diagnostics alone, together;
    const bool is_valid = validate(words, options, alone);
    options.threads = 4;
    EXPECT_EQ(validate(words, options, together), is_valid);
    EXPECT_EQ(is_valid, lines.empty()) << all_of(alone);
    EXPECT_EQ(all_of(together), all_of(alone)) << lines;
  }
}

// What is found at the entry points, of functions that other threads have seen.
TEST(ValidatorThreads, know_of_each_others_functions) {
  const std::string text =
      many_functions("%z# = OpIAdd %u32 %one %one\nOpKill\n%b# = OpLabel\n");  // of fragment shaders
  const WordBuffer words = test::assembled(text);
  ValidateOptions options;
  Diagnostics alone, together;
  EXPECT_FALSE(validate(words, options, alone));
  options.threads = 3;
  EXPECT_FALSE(validate(words, options, together));
  EXPECT_EQ(all_of(together), all_of(alone));
}

}  // namespace
}  // namespace vireo::spirv
