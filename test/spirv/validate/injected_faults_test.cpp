// SPDX-License-Identifier: Apache-2.0
//
// Faults injected into a valid module: each gives one finding, under its rule, and there are no others.
//
// A fault is a few lines for a function, with one error. Each function of the module gets one or none, at
// random with a fixed seed, so that faults occur in different contexts. This detects findings caused by another fault,
// and checks that stop at the first fault.
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
  std::string_view lines;  // `#`: the number of the function
};
constexpr Fault faults[] = {
    {"arithmetic-operand-type", "%z# = OpIAdd %u32 %one %half\n"},
    {"arithmetic-result-type", "%z# = OpFAdd %u32 %half %half\n"},
    {"arithmetic-type-match", "%z# = OpIAdd %u32 %one %both\n"},
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

std::string module_with(const std::vector<const Fault*>& injected) {
  std::string text(head);
  for (std::size_t i = 0; i < injected.size(); ++i) {
    std::string body = "%f# = OpFunction %void None %fn\n%entry# = OpLabel\n%var# = OpVariable %ptr Function\n";
    if (injected[i] != nullptr) body += injected[i]->lines;
    body +=
        "%l# = OpLoad %u32 %var#\n%r# = OpFunctionCall %u32 %twice %l#\nOpStore %var# %r#\nOpReturn\nOpFunctionEnd\n";
    text += test::shapes::numbered(body, i);
  }
  return text;
}

std::vector<std::string> rules_reported_for(const std::vector<const Fault*>& injected) {
  return test::rules_of(test::findings_of(module_with(injected)));
}

TEST(InjectedFaults, are_each_found_alone) {
  EXPECT_THAT(rules_reported_for({nullptr, nullptr}), testing::IsEmpty());
  for (const Fault& fault : faults) {
    EXPECT_THAT(rules_reported_for({nullptr, &fault, nullptr}), testing::ElementsAre(std::string(fault.rule)))
        << fault.lines;
  }
}

TEST(InjectedFaults, give_exactly_their_findings_together) {
  std::mt19937 dice(42);
  for (int round = 0; round < 200; ++round) {
    std::vector<const Fault*> injected(1 + dice() % 12);
    std::vector<std::string> expected;
    for (const Fault*& fault : injected) {
      const std::size_t pick = dice() % (2 * std::size(faults));
      if (pick >= std::size(faults)) continue;
      fault = &faults[pick];
      expected.emplace_back(fault->rule);
    }
    EXPECT_EQ(rules_reported_for(injected), expected) << "round " << round;
  }
}

// The module without the instruction at an index.
std::vector<Word> without(std::vector<Word> words, std::size_t index) {
  std::size_t at = header_word_count;
  for (; index > 0; --index) at += words[at] >> 16;
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
  words.erase(begin, begin + static_cast<std::ptrdiff_t>(words[at] >> 16));
  return words;
}

// The declarations are removed from the words one by one, because a text without them does not assemble.
TEST(InjectedFaults, a_missing_shared_declaration_is_reported_once) {
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
