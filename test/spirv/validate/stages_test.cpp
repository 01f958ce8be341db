// SPDX-License-Identifier: Apache-2.0
//
// Messages about stages: the entry points, the functions on the path, and modules with many functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spirv/validate/support/findings.h"

namespace vireo::spirv {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Messages, each followed by its notes.
std::vector<std::string> messages_of(const std::string& text) {
  const Diagnostics diagnostics = test::findings_of(text);
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    found.push_back(diagnostic.message);
    for (const auto& note : diagnostic.notes) found.back().append("; ").append(note.message);
  }
  return found;
}

// Function n contains the calls that `calls` returns, and `killing` ends with OpKill.
struct Functions {
  int count = 0;
  std::string (*calls)(int n) = nullptr;  ///< text of the body
  int killing = -1;
};

std::string module_of(const Functions& functions, const std::string& entries) {
  std::string text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" + entries;
  for (int n = 0; n < functions.count; ++n)
    text += "OpName %f" + std::to_string(n) + " \"f" + std::to_string(n) + "\"\n";
  text += "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n";
  for (int n = 0; n < functions.count; ++n) {
    const std::string name = std::to_string(n);
    text += "%f" + name + " = OpFunction %void None %fn\n%l" + name + " = OpLabel\n" + functions.calls(n);
    text += n == functions.killing ? "OpKill\nOpFunctionEnd\n" : "OpReturn\nOpFunctionEnd\n";
  }
  return text;
}

std::string call(int from, int to) {
  return "%c" + std::to_string(from) + "_" + std::to_string(to) + " = OpFunctionCall %void %f" + std::to_string(to) +
         "\n";
}

TEST(Stages, report_the_instruction_and_the_call_path) {
  const Functions functions{3, [](int n) { return n < 2 ? call(n, n + 1) : std::string(); }, 2};
  EXPECT_THAT(
      messages_of(module_of(functions, "OpEntryPoint Vertex %f0 \"main\"\n")),
      ElementsAre(
          "OpKill is not allowed in Vertex entry point \"main\"; expected Fragment; entry point %f0 reaches %f2 "
          "through a call of %f1"));
  const Functions alone{1, [](int) { return std::string(); }, 0};
  EXPECT_THAT(
      messages_of(module_of(alone, "OpEntryPoint Vertex %f0 \"main\"\n")),
      ElementsAre("OpKill is not allowed in Vertex entry point \"main\"; expected Fragment; entry point declared "
                  "here"));
}

TEST(Stages, check_only_the_entry_points_that_reach_the_instruction) {
  const Functions functions{4, [](int n) { return n < 2 ? call(n, 3) : std::string(); }, 3};
  EXPECT_THAT(messages_of(module_of(functions,
                                    "OpEntryPoint Vertex %f0 \"a\"\n"
                                    "OpEntryPoint Fragment %f1 \"b\"\n"
                                    "OpEntryPoint Vertex %f2 \"c\"\n"
                                    "OpEntryPoint GLCompute %f1 \"d\"\n"
                                    "OpExecutionMode %f1 OriginUpperLeft\n")),
              ElementsAre(testing::StartsWith("execution mode OriginUpperLeft is not available"),
                          testing::StartsWith("OpKill is not allowed in Vertex entry point \"a\""),
                          testing::StartsWith("OpKill is not allowed in GLCompute entry point \"d\"")));
}

TEST(Stages, follow_mutual_recursion) {
  // 0 → 1 → 2 → 3 → 1, and 2 ends with the instruction.
  const Functions functions{4, [](int n) { return call(n, n == 3 ? 1 : n + 1); }, 2};
  for (const char* entry : {"%f0", "%f1", "%f3"}) {
    EXPECT_THAT(messages_of(module_of(functions, std::string("OpEntryPoint Vertex ") + entry + " \"main\"\n")),
                testing::Contains(testing::StartsWith("OpKill is not allowed in Vertex entry point \"main\"")))
        << entry;
  }
}

TEST(Stages, follow_thousands_of_calls) {
  constexpr int count = 5000;
  const Functions functions{count, [](int n) { return n + 1 < count ? call(n, n + 1) : std::string(); }, count - 1};
  EXPECT_THAT(
      messages_of(module_of(functions, "OpEntryPoint Vertex %f0 \"main\"\n")),
      ElementsAre("OpKill is not allowed in Vertex entry point \"main\"; expected Fragment; entry point %f0 reaches "
                  "%f4999 through a call of %f1"));
  EXPECT_THAT(
      messages_of(module_of(functions, "OpEntryPoint Fragment %f0 \"main\"\nOpExecutionMode %f0 OriginUpperLeft\n")),
      IsEmpty());
}

}  // namespace
}  // namespace vireo::spirv
