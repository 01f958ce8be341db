// SPDX-License-Identifier: Apache-2.0
//
// Pictures of calls: functions with their roles, edges with counts and kinds, recursion, limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spirv/inspect/dot_syntax.h"
#include "spirv/module/assembled.h"
#include "vireo/spirv/inspect/dot.h"

namespace vireo::spirv {
namespace {

using test::assembled;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// main calls leaf twice and odd once; odd and even call each other; alone calls nothing.
constexpr std::string_view calls_module = R"(
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "vs"
OpEntryPoint GLCompute %main "main"
OpName %main "main"
OpName %leaf "leaf"
OpName %odd "odd"
OpName %even "even"
OpName %alone "alone"
OpName %library "library"
OpDecorate %leaf LinkageAttributes "leaf" Export
OpDecorate %library LinkageAttributes "lib" Import
%void = OpTypeVoid
%fn = OpTypeFunction %void
%library = OpFunction %void None %fn
OpFunctionEnd
%main = OpFunction %void None %fn
%b0 = OpLabel
%c0 = OpFunctionCall %void %leaf
%c1 = OpFunctionCall %void %odd
%c2 = OpFunctionCall %void %leaf
OpReturn
OpFunctionEnd
%leaf = OpFunction %void None %fn
%b1 = OpLabel
OpReturn
OpFunctionEnd
%odd = OpFunction %void None %fn
%b2 = OpLabel
%c3 = OpFunctionCall %void %even
OpReturn
OpFunctionEnd
%even = OpFunction %void None %fn
%b3 = OpLabel
%c4 = OpFunctionCall %void %odd
%c5 = OpFunctionCall %void %library
OpReturn
OpFunctionEnd
%alone = OpFunction %void None %fn
%b4 = OpLabel
OpReturn
OpFunctionEnd
)";

std::string draw_calls(Words words, const DotOptions& options, Diagnostics& diagnostics) {
  StringSink sink;
  write_call_graph(words, options, sink, diagnostics);
  EXPECT_EQ(test::dot_fault(sink.text()), "") << sink.text();
  return sink.text();
}

TEST(CallPictures, show_functions_and_calls) {
  const WordBuffer words = assembled(calls_module);
  Diagnostics diagnostics;
  const std::string text = draw_calls(words, {}, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty());
  EXPECT_THAT(text, ContainsRegex(
                        "f1 .*<B>main</B>.*1 block · 4 instructions.*Vertex entry point 'vs'.*GLCompute entry point>"));
  EXPECT_THAT(text, ContainsRegex("f2 .*<B>leaf</B>.*exported>"));
  EXPECT_THAT(text, ContainsRegex("f0 .*<B>library</B>.*imported as 'lib'.*dashed"));
  EXPECT_THAT(text, ContainsRegex("f3 .*<B>odd</B>.*recursive"));
  EXPECT_THAT(text, ContainsRegex("f5 .*<B>alone</B>.*not called from an entry point"));
  EXPECT_THAT(text, HasSubstr("f1 -> f2 [label=\" ×2 \"];\n  f1 -> f3;\n"));
  EXPECT_THAT(text, HasSubstr("f3 -> f4 [color=\"#c4342c\""));
  EXPECT_THAT(text, HasSubstr("f4 -> f3 [color=\"#c4342c\""));
  EXPECT_THAT(text, HasSubstr("f4 -> f0;"));
}

TEST(CallPictures, show_a_function_and_those_it_calls) {
  const WordBuffer words = assembled(calls_module);
  Diagnostics diagnostics;
  const std::string text = draw_calls(words, {.functions = {"even"}}, diagnostics);
  test::DotSyntax syntax(text);
  EXPECT_EQ(syntax.fault(), "");
  EXPECT_EQ(syntax.nodes, 3u);  // even, odd, library
  EXPECT_EQ(syntax.edges, 3u);
  EXPECT_EQ(draw_calls(words, {.functions = {"nothing"}}, diagnostics), "");
  EXPECT_EQ(diagnostics.error_count(), 1u);
}

TEST(CallPictures, fold_functions_beyond_a_limit) {
  const WordBuffer words = assembled(calls_module);
  Diagnostics diagnostics;
  DotOptions options;
  options.limits.nodes = 3;
  const std::string text = draw_calls(words, options, diagnostics);
  EXPECT_THAT(text, HasSubstr("… 4 more functions"));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].message, "the picture of calls folds 4 functions");
  options.limits.nodes = 6;
  EXPECT_THAT(draw_calls(words, options, diagnostics), Not(HasSubstr("more functions")));
}

TEST(CallPictures, show_kernels_that_are_enqueued) {
  const WordBuffer words = assembled(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability DeviceEnqueue
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "kernel"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%zero = OpConstant %int 0
%char = OpTypeInt 8 0
%p = OpTypePointer Generic %char
%null = OpConstantNull %p
%bt = OpTypeFunction %void %p
%kt = OpTypeFunction %void
%block = OpFunction %void None %bt
%arg = OpFunctionParameter %p
%l0 = OpLabel
OpReturn
OpFunctionEnd
%k = OpFunction %void None %kt
%l1 = OpLabel
%r = OpGetKernelWorkGroupSize %int %block %null %zero %zero
OpReturn
OpFunctionEnd
)");
  Diagnostics diagnostics;
  const std::string text = draw_calls(words, {}, diagnostics);
  EXPECT_THAT(text, HasSubstr("f1 -> f0 [label=\" GetKernelWorkGroupSize \", style=dashed];"));
  EXPECT_THAT(text, HasSubstr("<B>kernel</B>"));  // the entry point names the function
}

TEST(CallPictures, accept_any_words) {
  const WordBuffer words = assembled(calls_module);
  for (std::size_t i = 5; i < words.size(); ++i) {
    for (const Word value : {Word{0}, words[i] + 1, Word{0xFFFFFFFF}, words[i] + 0x10000}) {
      WordBuffer mutated = words;
      mutated[i] = value;
      Diagnostics diagnostics;
      draw_calls(mutated, {}, diagnostics);
    }
  }
}

}  // namespace
}  // namespace vireo::spirv
