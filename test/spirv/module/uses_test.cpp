// SPDX-License-Identifier: Apache-2.0
//
// Uses: every id operand, wherever the grammar places it.
#include "vireo/spirv/module/uses.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "spirv/module/naive_uses.h"
#include "spirv/text/modules.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view shader = R"(
OpCapability Shader
%1 = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %2 "main" %3
OpExecutionMode %2 OriginUpperLeft
%4 = OpString "a.frag"
OpName %2 "main"
OpMemberName %5 0 "x"
OpDecorate %3 Location 0
%5 = OpTypeVoid
%6 = OpTypeFunction %5
%7 = OpTypeFloat 32
%8 = OpTypeInt 32 0
%9 = OpTypePointer Output %7
%3 = OpVariable %9 Output
%10 = OpSpecConstant %8 1
%11 = OpSpecConstantOp %8 IAdd %10 %10
%12 = OpConstant %7 2
%2 = OpFunction %5 None %6
%13 = OpLabel
OpLine %4 1 1
%14 = OpExtInst %7 %1 FMax %12 %12
OpStore %3 %14 MakePointerAvailable|NonPrivatePointer %10
%15 = OpImageSampleImplicitLod %7 %21 %22 Bias|ConstOffset %12 %23
OpSwitch %10 %13 1 %13 2 %24
OpFunctionEnd
)";

TEST(Uses, finds_ids_in_every_operand) {
  const WordBuffer words = module_of(shader);
  const Module module = Module::read(words);
  const Uses uses = Uses::read(module);
  ASSERT_TRUE(uses.undecoded().empty());
  struct Expected {
    Op op;
    std::uint16_t word;
    UseKind kind;
  };
  using enum UseKind;
  const struct {
    Word id;
    std::vector<Expected> uses;
  } rows[] = {
      {1, {{Op::OpExtInst, 3, Operand}}},
      {2, {{Op::OpEntryPoint, 2, Mode}, {Op::OpExecutionMode, 1, Mode}, {Op::OpName, 1, Debug}}},
      {3, {{Op::OpEntryPoint, 5, Mode}, {Op::OpDecorate, 1, Annotation}, {Op::OpStore, 1, Operand}}},
      {4, {{Op::OpLine, 1, Debug}}},
      {5, {{Op::OpMemberName, 1, Debug}, {Op::OpTypeFunction, 2, Operand}, {Op::OpFunction, 1, ResultType}}},
      {10,
       {{Op::OpSpecConstantOp, 4, Operand},
        {Op::OpSpecConstantOp, 5, Operand},
        {Op::OpStore, 4, Operand},
        {Op::OpSwitch, 1, Operand}}},
      {12, {{Op::OpExtInst, 5, Operand}, {Op::OpExtInst, 6, Operand}, {Op::OpImageSampleImplicitLod, 6, Operand}}},
      {13, {{Op::OpSwitch, 2, Operand}, {Op::OpSwitch, 4, Operand}}},
      {23, {{Op::OpImageSampleImplicitLod, 7, Operand}}},  // used, never defined
      {24, {{Op::OpSwitch, 6, Operand}}},
      {15, {}},
      {0, {}},
      {99, {}},
      {0xFFFFFFFF, {}},
  };
  for (const auto& row : rows) {
    const std::span<const Use> found = uses.of(row.id);
    ASSERT_EQ(found.size(), row.uses.size()) << row.id;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(module.instruction(found[i].instruction).opcode, row.uses[i].op) << row.id;
      EXPECT_EQ(found[i].word, row.uses[i].word) << row.id;
      EXPECT_EQ(found[i].kind, row.uses[i].kind) << row.id;
    }
  }
}

TEST(Uses, uses_of_some_ids_equal_those_of_all) {
  constexpr Word first_value = 100;
  std::string text = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %1 "main" %9
OpDecorate %8 RelaxedPrecision
%8 = OpDecorationGroup
OpGroupDecorate %8 %5 %9
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%4 = OpTypeFloat 32
%5 = OpConstant %4 1
%6 = OpTypePointer Private %4
%9 = OpVariable %6 Private
%1 = OpFunction %2 None %3
%10 = OpLabel
)";
  for (Word id = first_value; id < first_value + 3000; ++id) {
    text += fmt::format("%{} = OpFunctionCall %2 %20\nOpStore %9 %5\n", id);
  }
  text += R"(
%17 = OpCompositeInsert %4 %5 %16 9
%18 = OpCompositeExtract %4 %9 20 1
%11 = OpSampledImage %12 %13 %14
%15 = OpImageSampleImplicitLod %4 %11 %16
OpReturn
OpFunctionEnd
%20 = OpFunction %2 None %3
%21 = OpLabel
OpReturn
OpFunctionEnd
)";
  const WordBuffer words = module_of(text);
  const Module module = Module::read(words);
  const Uses all = Uses::read(module), some = Uses::read_some(module);
  for (Word id = 0; id < module.defined_bound(); ++id) {
    const bool is_kept = id == 1 || id == 8 || id == 9 || id == 11 || id == 20;
    const std::span<const Use> expected = is_kept ? all.of(id) : std::span<const Use>(), found = some.of(id);
    EXPECT_TRUE(std::ranges::equal(found, expected)) << id;
  }
  EXPECT_EQ(some.of(8).size(), 2u);
  EXPECT_EQ(some.of(20).size(), 3000u);
  EXPECT_LT(some.memory(), all.memory());
}

TEST(Uses, ids_above_the_bound_are_stored_separately) {
  const WordBuffer words = {magic_number, 0x10600,    0,          5, 0,          0x00030021,
                            0xF0000000,   0xFFFFFFFF, 0x00040021, 1, 0xF0000000, 0xFFFFFFFF};
  const Module module = Module::read(words);
  const Uses uses = Uses::read(module);
  EXPECT_EQ(naive_uses_fault(module, uses), "");
  EXPECT_EQ(uses.of(0xFFFFFFFF).size(), 2u);
  ASSERT_EQ(uses.of(0xF0000000).size(), 1u);  // the other occurrence is its definition
  EXPECT_EQ(uses.of(0xF0000000)[0].word, 2);
}

TEST(Uses, undecodable_instructions_are_listed_with_their_uses_before_the_fault) {
  const WordBuffer words = {magic_number, 0x10600, 0, 9, 0, 0x0001FFFF, 0x0003003E, 1, 2, 0x0002003E, 3};
  const Module module = Module::read(words);
  const Uses uses = Uses::read(module);
  ASSERT_EQ(uses.undecoded().size(), 2u);
  EXPECT_EQ(uses.undecoded()[0].fault, DecodeFault::UnknownOpcode);
  EXPECT_EQ(uses.undecoded()[1].fault, DecodeFault::MissingOperand);
  EXPECT_EQ(uses.of(3).size(), 1u);
}

// A word count past the end of the module: the rest is not an instruction, and reading ends before it.
TEST(Uses, a_truncated_instruction_has_no_uses) {
  constexpr Word access_chain = 65, words_left = 12;
  WordBuffer words = {magic_number, 0x10600, 0, 99, 0};
  for (Word result = 20; result < 24; ++result) {
    words.insert(words.end(), {Word{5} << 16 | access_chain, 1, result, 2, 3});
  }
  for (const Word stated : {words_left + 1, 3590u, 0xFFFFu}) {
    WordBuffer cut = words;
    cut.push_back(stated << 16 | access_chain);
    for (Word id = 1; id < words_left; ++id) cut.push_back(50 + id);
    const Module module = Module::read(cut);
    ASSERT_EQ(module.instruction_count(), 4u);
    const Uses uses = Uses::read(module);
    EXPECT_EQ(naive_uses_fault(module, uses), "") << stated;
    EXPECT_EQ(uses.of(3).size(), 4u);
    EXPECT_TRUE(Uses::read_some(module).of(51).empty());
  }
}

// No id is 0, but such an operand is decoded like any other.
TEST(Uses, id_0_agrees_with_a_naive_computation) {
  const WordBuffer words = {magic_number, 0x10600, 0, 9, 0,          0x00040015, 0, 32, 0,
                            0x0004002B,   0,       0, 7, 0x0004002B, 0,          5, 7};
  const Module module = Module::read(words);
  const Uses uses = Uses::read(module);
  EXPECT_EQ(naive_uses_fault(module, uses), "");
  EXPECT_EQ(uses.of(0).size(), 2u);
}

// Two instructions with result id 0.
TEST(Uses, result_id_0_agrees_with_a_naive_computation) {
  const WordBuffer words = {magic_number, 0x10600, 0,  9, 0,          0x0005002C, 7,       0, 8, 9,
                            0x00040015,   0,       14, 0, 0x0004002B, 0,          0x100FD, 7};
  const Module module = Module::read(words);
  EXPECT_EQ(naive_uses_fault(module, Uses::read(module)), "");
}

// Instructions that differ in few words: other masks, other lengths, one set imported under two ids, strings that end
// early, types declared in between.
constexpr std::string_view shapes = R"(
OpCapability Shader
%1 = OpExtInstImport "GLSL.std.450"
%2 = OpExtInstImport "NonSemantic.Nothing"
OpMemoryModel Logical GLSL450
%3 = OpString "a name that takes some words"
OpName %4 "x"
OpName %5 "x"
OpName %6 "a longer name"
OpMemberName %4 0 "x"
OpMemberName %4 1 "y"
OpDecorate %4 BuiltIn Position
OpDecorate %5 BuiltIn FragCoord
OpDecorate %6 Location 1
OpDecorate %7 Location 2
OpDecorateId %7 UniformId %10
OpDecorateId %6 UniformId %10
%8 = OpTypeInt 32 0
%9 = OpTypeFloat 64
%10 = OpConstant %8 7
%11 = OpConstant %9 7
%12 = OpConstant %8 8
%13 = OpConstant %9 8
%14 = OpTypePointer Function %8
%15 = OpTypeFunction %8
%16 = OpFunction %8 None %15
%17 = OpLabel
%18 = OpVariable %14 Function
%19 = OpVariable %14 Function %10
%20 = OpVariable %14 Function %12
OpLine %3 1 2
%21 = OpLoad %8 %18 Aligned 4
OpLine %3 2 2
%22 = OpLoad %8 %18 Aligned 4
%23 = OpLoad %8 %18 Volatile
%24 = OpLoad %8 %18 MakePointerVisible|NonPrivatePointer %10
%25 = OpLoad %8 %18 MakePointerVisible|NonPrivatePointer %12
%26 = OpLoad %8 %18 Aligned|MakePointerVisible|NonPrivatePointer 4 %12
OpStore %18 %21 Aligned 4
OpStore %18 %22 Aligned 4
OpStore %18 %22 Aligned|MakePointerAvailable|NonPrivatePointer 4 %12
%27 = OpExtInst %8 %1 UMax %21 %22
%28 = OpExtInst %8 %1 UMax %22 %21
%29 = OpExtInst %8 %1 UMin %22 %21
%30 = OpExtInst %8 %2 40 %22 %21
%31 = OpExtInst %8 %2 40 %22 %21 %21
%32 = OpImageSampleImplicitLod %8 %21 %22 Bias %12
%33 = OpImageSampleImplicitLod %8 %21 %22 Bias %12
%34 = OpImageSampleImplicitLod %8 %21 %22 Bias|ConstOffset %12 %10
%35 = OpPhi %8 %21 %17 %22 %17
%36 = OpPhi %8 %21 %17
OpReturnValue %36
OpFunctionEnd
OpNop
)";

TEST(Uses, similar_instructions_agree_with_a_naive_computation) {
  const WordBuffer words = module_of(shapes);
  const Module module = Module::read(words);
  const Uses uses = Uses::read(module);
  EXPECT_TRUE(uses.undecoded().empty());
  EXPECT_EQ(naive_uses_fault(module, uses), "");
  EXPECT_EQ(uses.of(12).size(), 7u);
  for_each_broken_module(words, 7, [](const WordBuffer& broken, int round) {
    const Module again = Module::read(broken);
    ASSERT_EQ(naive_uses_fault(again, Uses::read(again)), "") << "round " << round;
  });
}

TEST(Uses, corrupted_modules_agree_with_a_naive_computation) {
  for_each_broken_module(module_of(shader), 3, [](const WordBuffer& words, int round) {
    const Module module = Module::read(words);
    ASSERT_EQ(naive_uses_fault(module, Uses::read(module)), "") << "round " << round;
  });
}

}  // namespace
}  // namespace vireo::spirv
