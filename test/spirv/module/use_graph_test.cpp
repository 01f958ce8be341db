// SPDX-License-Identifier: Apache-2.0
//
// The uses of declarations and functions: nodes, order, and instructions that the grammar lacks.
#include "spirv/module/use_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

using test::assembled;
using testing::ElementsAre;

constexpr std::string_view text = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpName %5 "variable"
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeFloat 32
%4 = OpTypePointer Private %3
%5 = OpVariable %4 Private
%6 = OpFunction %1 None %2
%7 = OpLabel
%8 = OpLoad %3 %5
OpStore %5 %8
OpReturn
OpFunctionEnd
)";

// The ids that a node of the module defines first, for each node that the definition of `id` uses.
std::vector<Word> ids_used_by(const Module& module, const UseGraph& graph, Word id) {
  std::vector<Word> ids;
  for (const UseNode use : graph.uses_of(graph.node_of(module.definition(id)))) {
    ids.push_back(module.result_of(module.instruction(InstructionIndex(graph.instructions_of(use).first))));
  }
  return ids;
}

TEST(UseGraph, lists_each_use_once_in_the_order_of_the_words) {
  const WordBuffer words = assembled(text);
  const Module module = Module::read(words);
  std::vector<Word> named;
  const UseGraph graph(module, UseGraph::Scope::Module,
                       [&](const UseGraph&, UseNode, InstructionView instruction, std::span<const Word> ids) {
                         if (instruction.opcode == Op::OpName) named.assign(ids.begin(), ids.end());
                       });
  EXPECT_EQ(graph.size(), 9u);  // a function is one node
  EXPECT_EQ(graph.node_of(module.definition(6)), graph.node_of(module.definition(8)));
  EXPECT_THAT(ids_used_by(module, graph, 5), ElementsAre(4u));
  EXPECT_THAT(ids_used_by(module, graph, 6), ElementsAre(1u, 2u, 3u, 5u));
  EXPECT_THAT(named, ElementsAre(5u));
}

TEST(UseGraph, takes_each_word_of_an_unknown_instruction_for_an_id) {
  WordBuffer words = assembled(text);
  const Module known = Module::read(words);
  const std::uint32_t store = known.instruction(known.definition(8)).offset + 4;
  words[store] = 3u << 16 | 0xFFF0;  // in place of OpStore
  words[store + 2] = 4;
  const Module module = Module::read(words);
  const UseGraph graph(module, UseGraph::Scope::GlobalsAndFunctions);
  EXPECT_THAT(ids_used_by(module, graph, 6), ElementsAre(1u, 2u, 3u, 5u, 4u));
}

TEST(Worklist, finds_each_number_once) {
  Worklist found(4);
  std::vector<std::uint32_t> order;
  found.add_all(std::vector<std::uint32_t>{0, 2, 0});
  found.run([&](std::uint32_t number) {
    order.push_back(number);
    found.add(3 - number);
  });
  EXPECT_THAT(order, ElementsAre(2u, 1u, 0u, 3u));
  found.restart();
  EXPECT_FALSE(found.has(2));
}

}  // namespace
}  // namespace vireo::spirv
