// SPDX-License-Identifier: Apache-2.0
//
// What executions compute: control flow, calls, memory, groups, printed lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spirv/execute/run_support.h"

namespace vireo::spirv {
namespace {

using test::run_text;
using test::RunOutcome;
using test::RunSetup;
using test::shader;
using test::words_after;
using testing::ElementsAre;
using testing::IsEmpty;

// Two phis that exchange their values in each iteration.
TEST(Execution, moves_phis_at_once) {
  EXPECT_THAT(words_after(shader("", R"(
%p0 = OpAccessChain %to_u32 %data %c0 %c0
%p1 = OpAccessChain %to_u32 %data %c0 %c1
OpBranch %header
%header = OpLabel
%a = OpPhi %u32 %c1 %entry %b %continue
%b = OpPhi %u32 %c2 %entry %a %continue
%i = OpPhi %u32 %c0 %entry %next %continue
%goes_on = OpULessThan %bool %i %c3
OpLoopMerge %merge %continue None
OpBranchConditional %goes_on %continue %merge
%continue = OpLabel
%next = OpIAdd %u32 %i %c1
OpBranch %header
%merge = OpLabel
OpStore %p0 %a
OpStore %p1 %b
)"),
                          {0, 0}),
              ElementsAre(2, 1));
}

// Each invocation leaves a loop after its own number of iterations, and all meet again.
TEST(Execution, reconverges_after_a_loop) {
  const std::string text = shader(R"(
%sum_type = OpTypePointer Function %u32
)",
                                  R"(
%counter = OpVariable %fn_u32 Function %c0
%index = OpLoad %u32 %local
OpBranch %header
%header = OpLabel
%i = OpLoad %u32 %counter
%goes_on = OpULessThan %bool %i %index
OpLoopMerge %merge %continue None
OpBranchConditional %goes_on %body %merge
%body = OpLabel
OpBranch %continue
%continue = OpLabel
%next = OpIAdd %u32 %i %c1
OpStore %counter %next
OpBranch %header
%merge = OpLabel
%count = OpLoad %u32 %counter
%sum = OpGroupNonUniformIAdd %u32 %c3 Reduce %count
%p = OpAccessChain %to_u32 %data %c0 %index
OpStore %p %sum
)",
                                  "4 1 1");
  EXPECT_THAT(words_after(text, {0, 0, 0, 0}), ElementsAre(6, 6, 6, 6));
}

TEST(Execution, calls_functions_with_pointers_and_early_returns) {
  const std::string text = shader(R"(
%to_fn = OpTypeFunction %u32 %fn_u32 %u32
%twice = OpFunction %u32 None %to_fn
%where = OpFunctionParameter %fn_u32
%limit = OpFunctionParameter %u32
%twice_entry = OpLabel
%v = OpLoad %u32 %where
%is_small = OpULessThan %bool %v %limit
OpSelectionMerge %rest None
OpBranchConditional %is_small %small %rest
%small = OpLabel
OpStore %where %c8
OpReturnValue %v
%rest = OpLabel
%doubled = OpIAdd %u32 %v %v
OpReturnValue %doubled
OpFunctionEnd
)",
                                  R"(
%variable = OpVariable %fn_u32 Function
%index = OpLoad %u32 %local
OpStore %variable %index
%result = OpFunctionCall %u32 %twice %variable %c2
%after = OpLoad %u32 %variable
%sum = OpIAdd %u32 %result %after
%p = OpAccessChain %to_u32 %data %c0 %index
OpStore %p %sum
)",
                                  "4 1 1");
  EXPECT_THAT(words_after(text, {0, 0, 0, 0}), ElementsAre(0 + 8, 1 + 8, 4 + 2, 6 + 3));
}

TEST(Execution, selects_cases_of_a_switch) {
  const std::string text = shader("", R"(
%index = OpLoad %u32 %local
%p = OpAccessChain %to_u32 %data %c0 %index
OpSelectionMerge %merge None
OpSwitch %index %other 3 %three 1 %one
%one = OpLabel
OpStore %p %c1
OpBranch %merge
%three = OpLabel
OpStore %p %c3
OpBranch %merge
%other = OpLabel
OpStore %p %c8
OpBranch %merge
%merge = OpLabel
)",
                                  "4 1 1");
  EXPECT_THAT(words_after(text, {0, 0, 0, 0}), ElementsAre(8, 1, 8, 3));
}

TEST(Execution, runs_workgroups_of_several_subgroups) {
  // Each invocation writes its number; a barrier lets it read that of another subgroup.
  const std::string text = shader(R"(
%c63 = OpConstant %u32 63
%c64 = OpConstant %u32 64
%numbers = OpTypeArray %u32 %c64
%to_numbers = OpTypePointer Workgroup %numbers
%to_number = OpTypePointer Workgroup %u32
%shared = OpVariable %to_numbers Workgroup
)",
                                  R"(
%index = OpLoad %u32 %local
%own = OpAccessChain %to_number %shared %index
OpStore %own %index
OpControlBarrier %c2 %c2 %semantics
%mirrored = OpISub %u32 %c63 %index
%other = OpAccessChain %to_number %shared %mirrored
%value = OpLoad %u32 %other
%x = OpAccessChain %in_u32 %global %c0
%at = OpLoad %u32 %x
%p = OpAccessChain %to_u32 %data %c0 %at
OpStore %p %value
)",
                                  "64 1 1");
  for (const Word size : {1u, 4u, 32u, 128u}) {
    RunSetup setup;
    setup.options.subgroup_size = size;
    setup.groups = {2, 1, 1};
    setup.buffers = {{0, std::vector<Word>(128)}};
    const RunOutcome outcome = run_text(text, setup);
    EXPECT_THAT(outcome.texts, IsEmpty());
    for (Word i = 0; i < 128; ++i) EXPECT_EQ(outcome.buffers[0].words[i], 63 - i % 64) << size;
    EXPECT_EQ(outcome.report.invocations, 128u);
  }
}

TEST(Execution, prints_lines) {
  RunSetup setup;
  setup.buffers = {{0, {0}}};
  const RunOutcome outcome = run_text(shader(R"(
%half = OpConstant %f32 0.5
%both = OpConstantComposite %vec2 %half %half
)",
                                             R"(
%index = OpLoad %u32 %local
%printed = OpExtInst %void %printf 1 %format %index %both
)",
                                             "2 1 1"),
                                      setup);
  EXPECT_THAT(outcome.lines, ElementsAre("i = 0, v = 0.5, 0.5", "i = 1, v = 0.5, 0.5"));
}

TEST(Execution, reads_push_constants_and_specialization_constants) {
  const std::string text = shader(R"(
%constants = OpTypeStruct %u32 %u32
%to_constants = OpTypePointer PushConstant %constants
%to_constant = OpTypePointer PushConstant %u32
%push = OpVariable %to_constants PushConstant
%factor = OpSpecConstant %u32 3
%nine = OpSpecConstantOp %u32 IMul %factor %c3
)",
                                  R"(
%from = OpAccessChain %to_constant %push %c1
%pushed = OpLoad %u32 %from
%product = OpIMul %u32 %pushed %nine
%p = OpAccessChain %to_u32 %data %c0 %c0
OpStore %p %product
)");
  const std::string decorated = [&] {
    std::string changed = text;
    changed.insert(changed.find("OpDecorate %words"),
                   "OpDecorate %factor SpecId 7\nOpDecorate %constants Block\n"
                   "OpMemberDecorate %constants 0 Offset 0\nOpMemberDecorate %constants 1 Offset 4\n");
    return changed;
  }();
  const Specialization five[] = {{7, 5}};
  RunSetup setup;
  setup.buffers = {{0, {0}}};
  setup.push = {1, 10};
  EXPECT_THAT(run_text(decorated, setup).buffers[0].words, ElementsAre(90));
  setup.options.specializations = five;
  EXPECT_THAT(run_text(decorated, setup).buffers[0].words, ElementsAre(150));
  setup.push = {1};
  EXPECT_THAT(run_text(decorated, setup).rules, ElementsAre("undefined-output"));
}

// --- limits and errors --------------------------------------------------------------------------------------------------

TEST(Execution, needs_a_buffer_for_each_descriptor) {
  const RunOutcome outcome = run_text(shader("", "%p = OpAccessChain %to_u32 %data %c0 %c0\nOpStore %p %c1\n"), {});
  EXPECT_FALSE(outcome.is_run);
  EXPECT_THAT(outcome.rules, ElementsAre("missing-buffer"));
  EXPECT_THAT(outcome.texts, ElementsAre("descriptor set 0, binding 0 has no buffer"));
}

TEST(Execution, names_an_entry_point_that_does_not_exist) {
  RunSetup setup;
  setup.options.entry_point = "other";
  EXPECT_THAT(run_text(shader("", ""), setup).texts,
              ElementsAre("the module has no entry point 'other'; it has 'main'"));
}

TEST(Execution, refuses_what_it_cannot_execute) {
  EXPECT_THAT(run_text(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
)",
                       {})
                  .texts,
              ElementsAre("cannot execute an entry point of the model Vertex"));
}

TEST(Execution, refuses_an_invalid_module) {
  const RunOutcome outcome = run_text(shader("", "%sum = OpIAdd %u32 %c1 %void\n"), {});
  EXPECT_FALSE(outcome.is_run);
  EXPECT_EQ(outcome.rules.back(), "run-invalid");
}

TEST(Execution, bounds_memory) {
  RunSetup setup;
  setup.options.max_memory = 1 << 20;
  const RunOutcome outcome = run_text(shader(R"(
%many = OpConstant %u32 1000000
%array = OpTypeArray %u32 %many
%to_array = OpTypePointer Private %array
%big = OpVariable %to_array Private
%to_private = OpTypePointer Private %u32
)",
                                             "%p = OpAccessChain %to_private %big %c0\nOpStore %p %c1\n"),
                                      setup);
  EXPECT_FALSE(outcome.is_run);
  EXPECT_THAT(outcome.rules, ElementsAre("run-memory"));
}

TEST(Execution, stops_when_it_is_interrupted) {
  int questions = 0;
  RunSetup setup;
  setup.options.is_interrupted = [&] { return ++questions > 3; };
  setup.groups = {1000, 1, 1};
  const RunOutcome outcome = run_text(shader("", ""), setup);
  EXPECT_EQ(outcome.report.end, DispatchEnd::Interrupted);
  EXPECT_EQ(outcome.report.invocations, 3u);
}

TEST(Execution, without_checks_gives_the_same_bytes_and_no_findings) {
  const std::string text = shader("", R"(
%index = OpLoad %u32 %local
%p = OpAccessChain %to_u32 %data %c0 %index
%value = OpLoad %u32 %p
%quotient = OpUDiv %u32 %c8 %value
OpStore %p %quotient
)",
                                  "2 1 1");
  RunSetup setup;
  setup.buffers = {{0, {2, 0}}};
  const RunOutcome checked = run_text(text, setup);
  setup.options.checks = false;
  const RunOutcome plain = run_text(text, setup);
  EXPECT_THAT(checked.rules, ElementsAre("zero-divisor"));
  EXPECT_THAT(plain.rules, IsEmpty());
  EXPECT_EQ(checked.buffers[0].words, plain.buffers[0].words);
  EXPECT_EQ(checked.report.invocation_instructions, plain.report.invocation_instructions);
}

}  // namespace
}  // namespace vireo::spirv
