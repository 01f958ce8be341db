// SPDX-License-Identifier: Apache-2.0
//
// Faults planted in a valid module: as many as were planted are found, each under its rule, and nothing else.
//
// The one idea: a fault is a few lines that go into any function, broken in one way. Each function of the module gets one
// or none, drawn by dice with a seed, so that faults stand in all neighbourhoods; whoever tells of one what is the other's
// fault, or stops at the first, is seen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/validate/growth/shape_texts.h"
#include "spirv/validate/support/findings.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view head = R"(OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %u32 2
%pair = OpTypeStruct %u32 %f32
%ptr = OpTypePointer Function %u32
%fptr = OpTypePointer Function %f32
%fn = OpTypeFunction %void
%unary = OpTypeFunction %u32 %u32
%true = OpConstantTrue %bool
%one = OpConstant %u32 1
%half = OpConstant %f32 0.5
%both = OpConstantComposite %v2 %one %one
%mixed = OpConstantComposite %pair %one %half
%twice = OpFunction %u32 None %unary
%x = OpFunctionParameter %u32
%twice_entry = OpLabel
%y = OpIAdd %u32 %x %x
OpReturnValue %y
OpFunctionEnd
)";

struct Fault {
  std::string_view rule;
  std::string_view lines;  // `#` stands for the number of the function
};
constexpr Fault faults[] = {
    {"operand-shape", "%z# = OpIAdd %u32 %one %half\n"},
    {"result-shape", "%z# = OpFAdd %u32 %half %half\n"},
    {"operand-relation", "%z# = OpIAdd %u32 %one %both\n"},
    {"undefined-id", "%z# = OpIAdd %u32 %one %nowhere#\n%w# = OpIMul %u32 %z# %nowhere#\n"},
    {"type-operand", "%z# = OpIAdd %u32 %one %u32\n"},
    {"value-operand", "%z# = OpIAdd %u32 %one %entry#\n"},
    {"forward-reference", "%z# = OpIAdd %u32 %one %w#\n%w# = OpIAdd %u32 %one %one\n"},
    {"block-end", "OpBranch %b#\n%b# = OpLabel\n%c# = OpLabel\n"},
    {"branch-target", "OpBranch %one\n%b# = OpLabel\n"},
    {"selection-merge", "OpBranchConditional %true %b# %c#\n%b# = OpLabel\nOpBranch %c#\n%c# = OpLabel\n"},
    {"dominance",
     "OpSelectionMerge %m# None\nOpBranchConditional %true %b# %m#\n%b# = OpLabel\n%z# = OpIAdd %u32 %one %one\n"
     "OpBranch %m#\n%m# = OpLabel\n%w# = OpIAdd %u32 %z# %one\n"},
    {"index-bounds", "%z# = OpCompositeExtract %u32 %both 2\n"},
};

std::string module_with(const std::vector<const Fault*>& planted) {
  std::string text(head);
  for (std::size_t i = 0; i < planted.size(); ++i) {
    std::string body = "%f# = OpFunction %void None %fn\n%entry# = OpLabel\n%var# = OpVariable %ptr Function\n";
    if (planted[i] != nullptr) body += planted[i]->lines;
    body +=
        "%l# = OpLoad %u32 %var#\n%r# = OpFunctionCall %u32 %twice %l#\nOpStore %var# %r#\nOpReturn\nOpFunctionEnd\n";
    text += test::shapes::numbered(body, i);
  }
  return text;
}

std::vector<std::string> rules_reported_for(const std::vector<const Fault*>& planted) {
  return test::rules_of(test::findings_of(module_with(planted)));
}

TEST(PlantedFaults, are_found_one_by_one) {
  EXPECT_THAT(rules_reported_for({nullptr, nullptr}), testing::IsEmpty());
  for (const Fault& fault : faults) {
    EXPECT_THAT(rules_reported_for({nullptr, &fault, nullptr}), testing::ElementsAre(std::string(fault.rule)))
        << fault.lines;
  }
}

TEST(PlantedFaults, are_found_all_and_nothing_else) {
  std::mt19937 dice(42);
  for (int round = 0; round < 200; ++round) {
    std::vector<const Fault*> planted(1 + dice() % 12);
    std::vector<std::string> expected;
    for (const Fault*& fault : planted) {
      const std::size_t pick = dice() % (2 * std::size(faults));
      if (pick >= std::size(faults)) continue;
      fault = &faults[pick];
      expected.emplace_back(fault->rule);
    }
    EXPECT_EQ(rules_reported_for(planted), expected) << "round " << round;
  }
}

// A module without the instruction at an index, and without what the source map would say of it.
std::vector<Word> without(std::vector<Word> words, std::size_t index) {
  std::size_t at = header_word_count;
  for (; index > 0; --index) at += words[at] >> 16;
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
  words.erase(begin, begin + static_cast<std::ptrdiff_t>(words[at] >> 16));
  return words;
}

// By removing them one by one, since no text without them can be assembled.
TEST(PlantedFaults, declarations_that_many_need_are_missed_once) {
  constexpr std::string_view text = R"(OpCapability Shader
OpCapability Linkage
%set = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %u32 2
%w2 = OpTypeVector %f32 2
%five = OpConstant %u32 5
%array = OpTypeArray %w2 %five
%pair = OpTypeStruct %v2 %array
%ptr = OpTypePointer Function %pair
%fptr = OpTypePointer Function %f32
%fn = OpTypeFunction %void
%one = OpConstant %u32 1
%two = OpConstant %u32 2
%half = OpConstant %f32 0.5
%third = OpConstant %f32 0.3
%both = OpConstantComposite %v2 %one %two
%reals = OpConstantComposite %w2 %half %third
%none = OpConstantNull %array
%all = OpConstantComposite %pair %both %none
%f = OpFunction %void None %fn
%entry = OpLabel
%var = OpVariable %ptr Function
%at = OpAccessChain %fptr %var %one %one %one
%x = OpLoad %f32 %at
%y = OpExtInst %f32 %set Sqrt %x
%z = OpExtInst %f32 %set Sqrt %y
OpStore %at %z
%i = OpCompositeExtract %u32 %both 0
%j = OpIAdd %u32 %i %two
OpSelectionMerge %end None
OpSwitch %j %end 1 %case 2 %end
%case = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
)";
  const WordBuffer assembled = test::assembled(text);
  const std::vector<Word> words(assembled.begin(), assembled.end());
  const std::pair<std::size_t, std::string_view> missed[] = {
      {2, "set-not-imported"}, {4, "undefined-id"}, {5, "undefined-id"}, {6, "undefined-id"},
      {7, "undefined-id"},     {8, "undefined-id"}, {9, "undefined-id"}, {12, "undefined-id"},
  };
  for (const auto& [index, rule] : missed) {
    EXPECT_THAT(test::rules_of(test::findings_of(without(words, index))), testing::ElementsAre(std::string(rule)))
        << index;
  }
}

}  // namespace
}  // namespace vireo::spirv
