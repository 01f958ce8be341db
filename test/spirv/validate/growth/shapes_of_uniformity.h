// SPDX-License-Identifier: Apache-2.0
//
// Modules that grow and whose barriers and resources need uniform control flow or values (docs/uniformity.md). Each
// shape has a condition that is uniform in the workgroup, or one that differs between invocations.
#pragma once

#include <cstddef>
#include <string>

#include "spirv/validate/growth/shape_texts.h"

namespace vireo::spirv::test::shapes {

/// A compute shader. %input is the built-in whose first component decides: the invocation or the workgroup.
inline std::string workgroup(bool is_divergent, const std::string& more_declarations = {},
                             const std::string& annotations = {}, const std::string& capabilities = {},
                             const std::string& listed = {}) {
  return "OpCapability Shader\n" + capabilities +
         R"(OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %input)" +
         listed + R"(
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %input BuiltIn )" +
         (is_divergent ? "LocalInvocationId\n" : "WorkgroupId\n") + annotations + declarations() +
         R"(%two = OpConstant %u32 2
%semantics = OpConstant %u32 264
%uvec3 = OpTypeVector %u32 3
%input_uvec3 = OpTypePointer Input %uvec3
%input = OpVariable %input_uvec3 Input
)" + more_declarations;
}
/// The entry point, with %index and the condition %is_first.
inline std::string workgroup_main(const std::string& body) {
  return function("main",
                  "%ids = OpLoad %uvec3 %input\n%index = OpCompositeExtract %u32 %ids 0\n"
                  "%is_first = OpIEqual %bool %index %zero\n" +
                      body);
}
inline std::string selection(std::size_t i, const std::string& body) {
  return numbered("OpSelectionMerge %m# None\nOpBranchConditional %is_first %b# %m#\n%b# = OpLabel\n", i) + body +
         numbered("OpBranch %m#\n%m# = OpLabel\n", i);
}
inline constexpr const char* barrier = "OpControlBarrier %two %two %semantics\n";

/// A barrier in each of many branches.
inline std::string barriers_in_branches(std::size_t count, bool is_divergent) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += selection(i, barrier);
  return workgroup(is_divergent) + workgroup_main(body);
}

/// A barrier after nested selections, each of which may return.
inline std::string barrier_after_returns(std::size_t count, bool is_divergent) {
  std::string head, tail;
  for (std::size_t i = 0; i < count; ++i) {
    head += numbered(
        "OpSelectionMerge %m# None\nOpBranchConditional %is_first %r# %b#\n%r# = OpLabel\nOpReturn\n"
        "%b# = OpLabel\n",
        i);
  }
  for (std::size_t i = count; i > 0; --i) tail += numbered("OpBranch %m#\n%m# = OpLabel\n", i - 1);
  return workgroup(is_divergent) + workgroup_main(head + tail + barrier);
}

/// A chain of OpPhi; the last one decides whether a barrier is executed.
inline std::string barrier_after_phis(std::size_t count, bool is_divergent) {
  std::string body, value = "%index", block = "%main_entry";
  for (std::size_t i = 0; i < count; ++i) {
    body += selection(i, {}) + numbered("%p# = OpPhi %u32 ", i) + value + " " + block + numbered(" %zero %b#\n", i);
    value = numbered("%p#", i);
    block = numbered("%m#", i);
  }
  body += "%last = OpIEqual %bool " + value +
          " %one\nOpSelectionMerge %end None\nOpBranchConditional %last %then %end\n" + "%then = OpLabel\n" + barrier +
          "OpBranch %end\n%end = OpLabel\n";
  return workgroup(is_divergent) + workgroup_main(body);
}

/// An array of many values, of which one element decides whether a barrier is executed.
inline std::string barrier_after_construction(std::size_t count, bool is_divergent) {
  std::string body, values;
  for (std::size_t i = 0; i < count; ++i) {
    body += numbered("%a# = OpIAdd %u32 %index %one\n", i);
    values += numbered(" %a#", i);
  }
  body += "%all = OpCompositeConstruct %array" + values + "\n";
  for (std::size_t i = 0; i < count; ++i) body += numbered("%e# = OpCompositeExtract %u32 %all #\n", i);
  body += numbered("%last = OpIEqual %bool %e# %one\n", count - 1) +
          "OpSelectionMerge %end None\nOpBranchConditional %last %then %end\n%then = OpLabel\n" + barrier +
          "OpBranch %end\n%end = OpLabel\n";
  return workgroup(is_divergent, numbered("%count = OpConstant %u32 #\n%array = OpTypeArray %u32 %count\n", count)) +
         workgroup_main(body);
}

/// Each function passes its parameter to the next one, in a branch on it; the last one has a barrier.
inline std::string barrier_after_calls(std::size_t count, bool is_divergent) {
  std::string text = workgroup(is_divergent, "%callee = OpTypeFunction %void %bool\n") +
                     workgroup_main("%call = OpFunctionCall %void %f0 %is_first\n");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string body =
        i + 1 < count ? numbered("%c# = OpFunctionCall %void ", i) + numbered("%f# ", i + 1) + numbered("%p#\n", i)
                      : barrier;
    text += numbered(
                "%f# = OpFunction %void None %callee\n%p# = OpFunctionParameter %bool\n%e# = OpLabel\n"
                "OpSelectionMerge %m# None\nOpBranchConditional %p# %b# %m#\n%b# = OpLabel\n",
                i) +
            body + numbered("OpBranch %m#\n%m# = OpLabel\nOpReturn\nOpFunctionEnd\n", i);
  }
  return text;
}

/// Private variables, each of which is written before one of many returns.
inline std::string contents_at_returns(std::size_t count, bool is_divergent) {
  std::string variables = "%private = OpTypePointer Private %u32\n", body, listed;
  for (std::size_t i = 0; i < count; ++i) {
    variables += numbered("%v# = OpVariable %private Private\n", i);
    listed += numbered(" %v#", i);
    body += numbered(
        "OpSelectionMerge %m# None\nOpBranchConditional %is_first %r# %m#\n%r# = OpLabel\n"
        "OpStore %v# %index\nOpReturn\n%m# = OpLabel\n",
        i);
  }
  const std::string callee =
      "%f = OpFunction %void None %fn\n%f_entry = OpLabel\n%ids = OpLoad %uvec3 %input\n"
      "%index = OpCompositeExtract %u32 %ids 0\n%is_first = OpIEqual %bool %index %zero\n" +
      body + "OpReturn\nOpFunctionEnd\n";
  return workgroup(is_divergent, variables, {}, {}, listed) + callee +
         function("main", std::string("%call = OpFunctionCall %void %f\n") + barrier);
}

/// Calls of a function that writes many Private variables, each with a value that depends on all of them.
inline std::string contents_of_calls(std::size_t count, bool is_divergent) {
  constexpr std::size_t variables = 60;
  std::string declared = "%private = OpTypePointer Private %u32\n", listed, loads = "%s0 = OpIAdd %u32 %one %one\n",
              stores, calls;
  for (std::size_t i = 0; i < variables; ++i) {
    declared += numbered("%v# = OpVariable %private Private %zero\n", i);
    listed += numbered(" %v#", i);
    loads += numbered("%l# = OpLoad %u32 %v#\n", i) + numbered("%s# = OpIAdd %u32 ", i + 1) + numbered("%s# %l#\n", i);
    stores += numbered("OpStore %v# ", i) + numbered("%s#\n", variables);
  }
  for (std::size_t i = 0; i < count; ++i) calls += numbered("%c# = OpFunctionCall %void %f\n", i);
  return workgroup(is_divergent, declared, {}, {}, listed) + function("f", loads + stores) +
         workgroup_main(calls + selection(0, barrier));
}

/// Accesses to an array of buffers, each in a branch that compares the index with a uniform value.
inline std::string guarded_accesses(std::size_t count, bool is_divergent) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) {
    body += numbered(
        "%n# = OpIAdd %u32 %index %one\n%q# = OpIEqual %bool %n# %two\nOpSelectionMerge %m# None\n"
        "OpBranchConditional %q# %b# %m#\n%b# = OpLabel\n"
        "%a# = OpAccessChain %storage_u32 %buffers %n# %zero\nOpStore %a# %zero\n"
        "OpBranch %m#\n%m# = OpLabel\n",
        i);
  }
  return workgroup(
             is_divergent,
             "%block = OpTypeStruct %u32\n%blocks = OpTypeArray %block %two\n"
             "%storage_blocks = OpTypePointer StorageBuffer %blocks\n"
             "%storage_u32 = OpTypePointer StorageBuffer %u32\n%buffers = OpVariable %storage_blocks StorageBuffer\n",
             "OpDecorate %buffers DescriptorSet 0\nOpDecorate %buffers Binding 0\nOpDecorate %block Block\n"
             "OpMemberDecorate %block 0 Offset 0\n",
             "OpCapability StorageBufferArrayDynamicIndexing\n", " %buffers") +
         workgroup_main(body + "%last = OpAccessChain %storage_u32 %buffers %index %zero\nOpStore %last %zero\n");
}

template <std::string (*Make)(std::size_t count, bool is_divergent)>
std::string uniform(std::size_t count) {
  return Make(count, false);
}
template <std::string (*Make)(std::size_t count, bool is_divergent)>
std::string divergent(std::size_t count) {
  return Make(count, true);
}

}  // namespace vireo::spirv::test::shapes
