// SPDX-License-Identifier: Apache-2.0
//
// The call graph: rows, components, entry points; by hand, at random against a naive computation, and very deep.
#include "vireo/spirv/module/call_graph.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "spirv/module/naive_uses.h"
#include "spirv/text/modules.h"
#include "vireo/spirv/binary/writer.h"

namespace vireo::spirv {
namespace {

/// Functions are numbers: function f has the id `first_function + f` and calls the functions in its row.
constexpr Word first_function = 1000;

WordBuffer made_calls(const std::vector<std::vector<std::uint32_t>>& calls, const std::vector<std::uint32_t>& entries) {
  constexpr Word nothing = 1, procedure = 2;
  WordBuffer words;
  Word next_id = first_function + static_cast<Word>(calls.size());
  write_header({.version_word = 0x00010600}, words);
  const auto put = [&words](Op opcode, std::vector<Word> operands) {
    words.push_back(static_cast<Word>(operands.size() + 1) << 16 | static_cast<Word>(opcode));
    words.insert(words.end(), operands.begin(), operands.end());
  };
  for (const std::uint32_t f : entries) put(Op::OpEntryPoint, {5, first_function + f, 0});
  put(Op::OpTypeVoid, {nothing});
  put(Op::OpTypeFunction, {procedure, nothing});
  for (std::uint32_t f = 0; f < calls.size(); ++f) {
    put(Op::OpFunction, {nothing, first_function + f, 0, procedure});
    put(Op::OpLabel, {next_id++});
    for (const std::uint32_t callee : calls[f]) put(Op::OpFunctionCall, {nothing, next_id++, first_function + callee});
    put(Op::OpReturn, {});
    put(Op::OpFunctionEnd, {});
  }
  words[3] = next_id;
  return words;
}

TEST(CallGraph, lists_calls_components_and_entry_points) {
  // 0 → 1 ⇄ 2 → 3 → 3; 4 → 3; no function calls 5, whose callee is not a function.
  const WordBuffer words = made_calls({{1, 1}, {2}, {1, 3}, {3}, {3}, {77}}, {0, 4, 0});
  const Module module = Module::read(words);
  const CallGraph graph = CallGraph::read(module, Uses::read(module));
  const auto f = [](std::uint32_t number) { return FunctionIndex(number); };
  EXPECT_EQ(graph.calls(f(0)).size(), 2u);
  EXPECT_EQ(graph.callers(f(1)).size(), 3u);
  EXPECT_TRUE(graph.calls(f(5)).empty());
  EXPECT_EQ(graph.component(f(1)), graph.component(f(2)));
  EXPECT_EQ(graph.component_count(), 5u);
  EXPECT_EQ(graph.functions_of(graph.component(f(1))).size(), 2u);
  EXPECT_EQ(graph.bottom_up().front(), f(3));
  const bool recursive[] = {false, true, true, true, false, false};
  const bool reached[] = {true, true, true, true, true, false};
  for (std::uint32_t i = 0; i < 6; ++i) {
    EXPECT_EQ(graph.is_recursive(f(i)), recursive[i]) << i;
    EXPECT_EQ(graph.is_reached(f(i)), reached[i]) << i;
  }
  EXPECT_EQ(graph.entries().size(), 3u);
  EXPECT_EQ(graph.entries_of(f(0)).size(), 2u);
  CallWalk walk(graph, module);
  EXPECT_EQ(walk.entries_above(f(3)).size(), 3u);
  EXPECT_EQ(walk.entries_above(f(2)).size(), 2u);
  EXPECT_EQ(naive_calls_fault(module, graph), "");
}

TEST(CallGraph, references_other_than_calls_are_edges) {
  const WordBuffer words = module_of(R"(
OpName %6 "named"
OpDecorate %6 LinkageAttributes "named" Export
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpFunction %1 None %2
%4 = OpLabel
%5 = OpGetKernelWorkGroupSize %1 %6 %7 %8 %9
OpReturn
OpFunctionEnd
%6 = OpFunction %1 None %2
OpFunctionEnd
)");
  const Module module = Module::read(words);
  const CallGraph graph = CallGraph::read(module, Uses::read(module));
  ASSERT_EQ(graph.calls(FunctionIndex(0)).size(), 1u);
  EXPECT_EQ(graph.calls(FunctionIndex(0))[0].callee, FunctionIndex(1));
  EXPECT_EQ(module.instruction(graph.calls(FunctionIndex(0))[0].instruction).opcode, Op::OpGetKernelWorkGroupSize);
  EXPECT_EQ(graph.callers(FunctionIndex(1)).size(), 1u);  // OpName and OpDecorate are no callers
}

TEST(CallGraph, a_function_in_an_operand_for_values_is_not_called) {
  const WordBuffer words = module_of(R"(
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpFunction %1 None %2
%4 = OpLabel
%5 = OpIAdd %6 %7 %3
%8 = OpFunctionCall %1 %9 %3
%10 = OpCooperativeMatrixLoadTensorNV %6 %3 %11 %12 None DecodeFunc %9
OpReturn
OpFunctionEnd
%9 = OpFunction %1 None %2
OpFunctionEnd
)");
  const Module module = Module::read(words);
  const CallGraph graph = CallGraph::read(module, Uses::read(module));
  EXPECT_FALSE(graph.is_recursive(FunctionIndex(0)));
  ASSERT_EQ(graph.calls(FunctionIndex(0)).size(), 2u);
  EXPECT_EQ(graph.calls(FunctionIndex(0))[0].callee, FunctionIndex(1));
  EXPECT_EQ(graph.calls(FunctionIndex(0))[1].callee, FunctionIndex(1));
}

TEST(CallGraph, a_module_without_functions_has_an_empty_graph) {
  const WordBuffer words = module_of("%1 = OpTypeVoid");
  const Module module = Module::read(words);
  const CallGraph graph = CallGraph::read(module, Uses::read(module));
  EXPECT_EQ(graph.component_count(), 0u);
  EXPECT_EQ(graph.call_count(), 0u);
}

TEST(CallGraph, random_calls_agree_with_a_naive_computation) {
  std::minstd_rand engine(11);
  for (int round = 0; round < 2000; ++round) {
    const auto roll = [&engine](std::size_t sides) { return static_cast<std::uint32_t>(engine() % sides); };
    std::vector<std::vector<std::uint32_t>> calls(1 + roll(16));
    for (auto& row : calls) {
      for (std::uint32_t k = roll(4); k > 0; --k) row.push_back(roll(calls.size() + 1));
    }
    std::vector<std::uint32_t> entries;
    for (std::uint32_t k = roll(4); k > 0; --k) entries.push_back(roll(calls.size() + 1));
    const WordBuffer words = made_calls(calls, entries);
    const Module module = Module::read(words);
    ASSERT_EQ(naive_calls_fault(module, CallGraph::read(module, Uses::read(module))), "") << "round " << round;
  }
}

TEST(CallGraph, a_chain_of_100000_calls_needs_no_deep_stack) {
  constexpr std::uint32_t n = 100'000;
  std::vector<std::vector<std::uint32_t>> calls(n);
  for (std::uint32_t f = 0; f + 1 < n; ++f) calls[f] = {f + 1};
  calls[n - 1] = {n / 2};  // the second half is a cycle
  const WordBuffer words = made_calls(calls, {0});
  const Module module = Module::read(words);
  const CallGraph graph = CallGraph::read(module, Uses::read(module));
  EXPECT_EQ(graph.component_count(), n / 2 + 1);
  EXPECT_EQ(graph.bottom_up().back(), FunctionIndex(0));
  EXPECT_TRUE(graph.is_recursive(FunctionIndex(n - 1)));
  EXPECT_FALSE(graph.is_recursive(FunctionIndex(n / 2 - 1)));
  CallWalk walk(graph, module);
  EXPECT_EQ(walk.below(FunctionIndex(0)).size(), n);
}

}  // namespace
}  // namespace vireo::spirv
