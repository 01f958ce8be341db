// SPDX-License-Identifier: Apache-2.0
//
// Executions: instructions of all invocations per second, with and without checks, of one invocation and of 32 that a
// subgroup executes in lockstep.
//
// The shader is a loop of integer arithmetic, a branch and a load of a buffer, as an unoptimizing front end writes it:
// its variables are in memory. The expected sum is computed here, so each execution is verified.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure.h"
#include "scenarios.h"
#include "tables.h"

#include "vireo/spirv/run.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/support/source.h"

namespace vireo::bench {
namespace {

using namespace spirv;

constexpr std::uint32_t data_words = 64, header_words = 2;

std::string loop_shader(std::uint32_t invocations) {
  return fmt::format(R"(
OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id %buffer %sums
OpExecutionMode %main LocalSize {} 1 1
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %sums DescriptorSet 0
OpDecorate %sums Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%words = OpTypeRuntimeArray %u32
%block = OpTypeStruct %words
%to_block = OpTypePointer StorageBuffer %block
%to_u32 = OpTypePointer StorageBuffer %u32
%fn_u32 = OpTypePointer Function %u32
%in_u32 = OpTypePointer Input %u32
%buffer = OpVariable %to_block StorageBuffer
%sums = OpVariable %to_block StorageBuffer
%id = OpVariable %in_u32 Input
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c2 = OpConstant %u32 2
%c3 = OpConstant %u32 3
%c63 = OpConstant %u32 63
%factor = OpConstant %u32 1664525
%summand = OpConstant %u32 1013904223
%main = OpFunction %void None %fn
%entry = OpLabel
%a = OpVariable %fn_u32 Function
%s = OpVariable %fn_u32 Function
%i = OpVariable %fn_u32 Function
%p_seed = OpAccessChain %to_u32 %buffer %c0 %c1
%seed = OpLoad %u32 %p_seed
OpStore %a %seed
OpStore %s %c0
OpStore %i %c0
OpBranch %header
%header = OpLabel
OpLoopMerge %merge %continue None
OpBranch %test
%test = OpLabel
%i0 = OpLoad %u32 %i
%p_end = OpAccessChain %to_u32 %buffer %c0 %c0
%end = OpLoad %u32 %p_end
%goes_on = OpULessThan %bool %i0 %end
OpBranchConditional %goes_on %body %merge
%body = OpLabel
%a0 = OpLoad %u32 %a
%product = OpIMul %u32 %a0 %factor
%a1 = OpIAdd %u32 %product %summand
OpStore %a %a1
%a2 = OpLoad %u32 %a
%shifted = OpShiftRightLogical %u32 %a2 %c3
%i1 = OpLoad %u32 %i
%masked = OpBitwiseAnd %u32 %i1 %c63
%place = OpIAdd %u32 %masked %c2
%p_data = OpAccessChain %to_u32 %buffer %c0 %place
%value = OpLoad %u32 %p_data
%sum = OpIAdd %u32 %shifted %value
%s0 = OpLoad %u32 %s
%s1 = OpBitwiseXor %u32 %s0 %sum
OpStore %s %s1
OpBranch %continue
%continue = OpLabel
%i2 = OpLoad %u32 %i
%i3 = OpIAdd %u32 %i2 %c1
OpStore %i %i3
OpBranch %header
%merge = OpLabel
%index = OpLoad %u32 %id
%result = OpLoad %u32 %s
%p_sum = OpAccessChain %to_u32 %sums %c0 %index
OpStore %p_sum %result
OpReturn
OpFunctionEnd
)",
                     invocations);
}

std::uint32_t expected_sum(std::span<const std::uint32_t> buffer) {
  std::uint32_t a = buffer[1], s = 0;
  for (std::uint32_t i = 0; i < buffer[0]; ++i) {
    a = a * 1664525 + 1013904223;
    s ^= (a >> 3) + buffer[header_words + (i & 63)];
  }
  return s;
}

int measure(std::uint32_t invocations, bool has_checks, std::uint32_t iterations) {
  const std::string name = fmt::format("{:>2} invocations, {}", invocations, has_checks ? "all checks" : "no checks");
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble(SourceText{"", loop_shader(invocations)}, {}, diagnostics);
  if (!words) return print("{:<28} WRONG ANSWER: {}\n", name, diagnostics.all().front().message), 1;
  std::vector<std::uint32_t> buffer(header_words + data_words), sums(invocations);
  for (std::uint32_t i = 0; i < data_words; ++i) buffer[header_words + i] = i * i;
  buffer[0] = iterations;
  buffer[1] = 7;
  RunOptions options;
  options.checks = has_checks;
  Result<Executor> executor = Executor::create(*words, options, diagnostics);
  if (!executor) return print("{:<28} WRONG ANSWER: {}\n", name, diagnostics.all().front().message), 1;
  executor->bind({.set = 0, .binding = 0, .bytes = std::as_writable_bytes(std::span(buffer))});
  executor->bind({.set = 0, .binding = 1, .bytes = std::as_writable_bytes(std::span(sums))});
  Samples seconds;
  std::uint64_t instructions = 0;
  for (int round = 0; round < 7; ++round) {
    seconds.add(seconds_of([&] {
      const Result<DispatchReport> report = executor->dispatch({1, 1, 1}, diagnostics);
      instructions = report ? report->invocation_instructions : 0;
    }));
  }
  for (const std::uint32_t sum : sums) {
    if (sum != expected_sum(buffer) || !diagnostics.all().empty()) return print("{:<28} WRONG ANSWER\n", name), 1;
  }
  print("{:<28} {:>9.1f} M/s\n", name, static_cast<double>(instructions) / seconds.median() / 1e6);
  return 0;
}

}  // namespace

int run_running() {
  print("\nExecutions: instructions of all invocations per second, on one core\n");
  int status = 0;
  for (const std::uint32_t invocations : {1u, 32u}) {
    for (const bool has_checks : {false, true})
      status |= measure(invocations, has_checks, invocations == 1 ? 100'000 : 20'000);
  }
  return status;
}

}  // namespace vireo::bench
