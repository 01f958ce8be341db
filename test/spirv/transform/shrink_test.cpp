// SPDX-License-Identifier: Apache-2.0
//
// shrink(): results are interesting, valid and minimal, for tests that look for an instruction.
//
// Each row of a table is a property of modules that a compiler could fail on. Every module is shrunk for
// every property that it has, and the result is checked by removing each of its instructions.
#include "vireo/spirv/transform/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo {
namespace {

using namespace spirv;
using enum Op;

// A shader with a call, a selection in a loop, a switch, a structure and a phi.
constexpr std::string_view shader = R"(
OpCapability Shader
OpCapability Geometry
OpExtension "SPV_KHR_storage_buffer_storage_class"
%ext = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out %buffer
OpEntryPoint Vertex %other "other"
OpExecutionMode %main OriginUpperLeft
OpName %main "main"
OpName %block "Block"
OpMemberName %block 1 "scale"
OpDecorate %in Location 0
OpDecorate %out Location 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 16
OpMemberDecorate %block 2 Offset 32
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 3
%void = OpTypeVoid
%bool = OpTypeBool
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v4 = OpTypeVector %float 4
%fn = OpTypeFunction %void
%map = OpTypeFunction %float %float %int
%inptr = OpTypePointer Input %float
%outptr = OpTypePointer Output %v4
%block = OpTypeStruct %v4 %float %float
%blockptr = OpTypePointer StorageBuffer %block
%memberptr = OpTypePointer StorageBuffer %float
%local = OpTypePointer Function %float
%in = OpVariable %inptr Input
%out = OpVariable %outptr Output
%buffer = OpVariable %blockptr StorageBuffer
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i9 = OpConstant %int 9
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%main = OpFunction %void None %fn
%entry = OpLabel
%sum = OpVariable %local Function %f0
%x = OpLoad %float %in
%p = OpAccessChain %memberptr %buffer %i1
%scale = OpLoad %float %p
OpBranch %head
%head = OpLabel
%i = OpPhi %int %i0 %entry %next %continue
%less = OpSLessThan %bool %i %i9
OpLoopMerge %after %continue None
OpBranchConditional %less %body %after
%body = OpLabel
%called = OpFunctionCall %float %helper %x %i
%is = OpFOrdLessThan %bool %called %scale
OpSelectionMerge %joined None
OpBranchConditional %is %then %joined
%then = OpLabel
%quotient = OpFDiv %float %called %scale
OpStore %sum %quotient
OpBranch %joined
%joined = OpLabel
OpBranch %continue
%continue = OpLabel
%next = OpIAdd %int %i %i1
OpBranch %head
%after = OpLabel
%result = OpLoad %float %sum
%vector = OpCompositeConstruct %v4 %result %x %f1 %f1
OpStore %out %vector
OpReturn
OpFunctionEnd
%helper = OpFunction %float None %map
%value = OpFunctionParameter %float
%kind = OpFunctionParameter %int
%start = OpLabel
OpSelectionMerge %end None
OpSwitch %kind %default 1 %one 2 %two
%one = OpLabel
%root = OpExtInst %float %ext Sqrt %value
OpBranch %end
%two = OpLabel
%negated = OpFNegate %float %value
OpBranch %end
%default = OpLabel
OpBranch %end
%end = OpLabel
%chosen = OpPhi %float %root %one %negated %two %value %default
OpReturnValue %chosen
OpFunctionEnd
%other = OpFunction %void None %fn
%only = OpLabel
OpReturn
OpFunctionEnd
)";

// A kernel: branches without merge instructions.
constexpr std::string_view kernel = R"(
OpCapability Addresses
OpCapability Kernel
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%ptr = OpTypePointer CrossWorkgroup %int
%fn = OpTypeFunction %void %ptr
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c7 = OpConstant %int 7
%main = OpFunction %void None %fn
%buffer = OpFunctionParameter %ptr
%entry = OpLabel
%first = OpLoad %int %buffer
OpBranch %head
%head = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
%less = OpULessThan %bool %i %c7
OpBranchConditional %less %body %exit
%body = OpLabel
%product = OpIMul %int %i %first
OpSwitch %product %latch 3 %three 4 %four
%three = OpLabel
%quotient = OpUDiv %int %product %first
OpStore %buffer %quotient
OpBranch %latch
%four = OpLabel
%old = OpAtomicIAdd %int %buffer %c1 %c0 %i
OpBranch %latch
%latch = OpLabel
%merged = OpPhi %int %c0 %body %quotient %three %old %four
%next = OpIAdd %int %i %c1
OpBranch %head
%exit = OpLabel
OpStore %buffer %i
OpReturn
OpFunctionEnd
)";

WordBuffer words_of(std::string_view text) {
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble(SourceText{"", text}, {}, diagnostics);
  EXPECT_TRUE(bool(words)) << diagnostics.all().front().message;
  return words ? *words : WordBuffer();
}

bool is_valid(Words words) {
  Diagnostics findings;
  return validate(words, {}, findings);
}

bool has(Words words, Op opcode, std::size_t min_words = 1) {
  return std::ranges::any_of(
      Instructions(words), [&](InstructionView view) { return view.opcode == opcode && view.word_count >= min_words; });
}

struct Property {
  std::string_view name;
  Op opcode;
  std::size_t min_words = 1;
};
constexpr Property properties[] = {
    {"division", OpFDiv},
    {"call", OpFunctionCall},
    {"call with two arguments", OpFunctionCall, 6},
    {"loop", OpLoopMerge},
    {"selection", OpSelectionMerge},
    {"switch", OpSwitch},
    {"switch with two cases", OpSwitch, 7},
    {"phi", OpPhi},
    {"phi of three", OpPhi, 9},
    {"extended instruction", OpExtInst},
    {"store", OpStore},
    {"access to a member", OpAccessChain},
    {"composite", OpCompositeConstruct, 7},
    {"structure of two", OpTypeStruct, 4},
    {"member decoration", OpMemberDecorate},
    {"name", OpName},
    {"execution mode", OpExecutionMode},
    {"capability", OpCapability},
    {"unsigned division", OpUDiv},
    {"atomic", OpAtomicIAdd},
    {"conditional branch", OpBranchConditional},
    {"header", OpMemoryModel},
};

struct Shrunk {
  WordBuffer words;
  std::size_t tests = 0;
};

template <typename IsInteresting>
Shrunk shrink_with(Words words, const IsInteresting& is_interesting, ShrinkOptions options = {}) {
  Shrunk shrunk;
  const bool must_be_valid = !options.allow_invalid;
  options.progress = [&](const ShrinkProgress& progress) { shrunk.tests = progress.tested; };
  const std::size_t max_candidates = options.candidates;
  const ShrinkTest test = [&](std::span<ShrinkCandidate> candidates) {
    EXPECT_GE(max_candidates, candidates.size());
    for (ShrinkCandidate& each : candidates) {
      EXPECT_TRUE(!must_be_valid || is_valid(each.words));
      each.verdict = is_interesting(each.words) ? ShrinkVerdict::Interesting : ShrinkVerdict::Uninteresting;
    }
  };
  Diagnostics diagnostics;
  Result<WordBuffer> result = shrink(words, options, test, diagnostics);
  EXPECT_TRUE(bool(result));
  if (result) shrunk.words = std::move(*result);
  return shrunk;
}

// Without any one of its instructions, the module is invalid or uninteresting.
template <typename IsInteresting>
void expect_minimal(Words words, const IsInteresting& is_interesting) {
  for (const InstructionView view : Instructions(words)) {
    WordBuffer without(words.begin(), words.begin() + view.offset);
    without.insert(without.end(), words.begin() + view.offset + view.word_count, words.end());
    EXPECT_FALSE(is_valid(without) && is_interesting(without)) << "opcode " << static_cast<unsigned>(view.opcode);
  }
}

TEST(Shrink, keeps_the_property_and_validity) {
  for (const std::string_view text : {shader, kernel}) {
    const WordBuffer words = words_of(text);
    ASSERT_TRUE(is_valid(words));
    for (const Property& property : properties) {
      const auto is_interesting = [&](Words module) { return has(module, property.opcode, property.min_words); };
      if (!is_interesting(words)) continue;
      SCOPED_TRACE(property.name);
      const Shrunk shrunk = shrink_with(words, is_interesting);
      EXPECT_TRUE(is_interesting(shrunk.words));
      EXPECT_TRUE(is_valid(shrunk.words));
      EXPECT_LT(shrunk.words.size() * 3, words.size() * 2);
      expect_minimal(shrunk.words, is_interesting);
      // The result is a fixed point.
      EXPECT_EQ(shrink_with(shrunk.words, is_interesting).words, shrunk.words);
    }
  }
}

// Terminators without targets: in a function without merge instructions they stay.
TEST(Shrink, keeps_terminators_without_targets) {
  struct Row {
    Op opcode;
    std::string_view declarations, stage, terminator;
  };
  constexpr Row rows[] = {
      {OpIgnoreIntersectionKHR, "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n", "AnyHitKHR",
       "OpIgnoreIntersectionKHR"},
      {OpTerminateRayKHR, "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n", "AnyHitKHR",
       "OpTerminateRayKHR"},
      {OpEmitMeshTasksEXT, "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n", "TaskEXT",
       "OpEmitMeshTasksEXT %one %one %one"},
      {OpTerminateInvocation, "OpCapability Shader\nOpExtension \"SPV_KHR_terminate_invocation\"\n", "Fragment",
       "OpTerminateInvocation"},
      {OpKill, "OpCapability Shader\n", "Fragment", "OpKill"},
      {OpUnreachable, "OpCapability Shader\n", "Fragment", "OpUnreachable"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.terminator);
    std::string text(row.declarations);
    text += "OpMemoryModel Logical GLSL450\nOpEntryPoint ";
    text += row.stage;
    text += " %main \"main\"\n";
    if (row.stage == "Fragment") text += "OpExecutionMode %main OriginUpperLeft\n";
    text +=
        "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%int = OpTypeInt 32 0\n%one = OpConstant %int 1\n"
        "%main = OpFunction %void None %fn\n%entry = OpLabel\n%sum = OpIAdd %int %one %one\n"
        "%twice = OpIAdd %int %sum %sum\n";
    text += row.terminator;
    text += "\nOpFunctionEnd\n";
    const WordBuffer words = words_of(text);
    ASSERT_TRUE(is_valid(words));
    const auto is_interesting = [&](Words module) { return has(module, row.opcode); };
    const Shrunk shrunk = shrink_with(words, is_interesting);
    EXPECT_TRUE(is_interesting(shrunk.words));
    EXPECT_FALSE(has(shrunk.words, OpIAdd));
    // The first slice, which has the terminator as its root, is interesting.
    EXPECT_LE(shrunk.tests, 12u);
  }
}

// Verdicts on candidates that were offered early are used later.
TEST(Shrink, calls_the_test_less_often_with_several_candidates) {
  const WordBuffer words = words_of(shader);
  const auto calls_with = [&](std::size_t candidates) {
    std::size_t calls = 0;
    ShrinkOptions options;
    options.candidates = candidates;
    const ShrinkTest test = [&](std::span<ShrinkCandidate> tried) {
      ++calls;
      for (ShrinkCandidate& each : tried) {
        each.verdict = has(each.words, OpFDiv) ? ShrinkVerdict::Interesting : ShrinkVerdict::Uninteresting;
      }
    };
    Diagnostics diagnostics;
    EXPECT_TRUE(bool(shrink(words, options, test, diagnostics)));
    return calls;
  };
  EXPECT_LT(calls_with(8), calls_with(1));
}

// Each new best module is reported once, and none of them is larger than the one before.
TEST(Shrink, reports_its_progress) {
  ShrinkOptions options;
  WordBuffer best = words_of(shader);
  const WordBuffer words = best;
  std::size_t tested = 0;
  options.progress = [&](const ShrinkProgress& progress) {
    const WordBuffer now(progress.best.begin(), progress.best.end());
    EXPECT_EQ(progress.is_new_best, now != best);
    EXPECT_LE(now.size(), best.size());
    EXPECT_GE(progress.tested, tested);
    EXPECT_EQ(progress.words_before, words.size());
    tested = progress.tested;
    best = now;
  };
  const ShrinkTest test = [](std::span<ShrinkCandidate> candidates) {
    for (ShrinkCandidate& each : candidates) {
      each.verdict = has(each.words, OpFDiv) ? ShrinkVerdict::Interesting : ShrinkVerdict::Uninteresting;
    }
  };
  Diagnostics diagnostics;
  const Result<WordBuffer> result = shrink(words, options, test, diagnostics);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(*result, best);
}

TEST(Shrink, does_not_depend_on_the_number_of_candidates) {
  const WordBuffer words = words_of(shader);
  for (const Property& property : properties) {
    const auto is_interesting = [&](Words module) { return has(module, property.opcode, property.min_words); };
    if (!is_interesting(words)) continue;
    SCOPED_TRACE(property.name);
    const Shrunk one = shrink_with(words, is_interesting);
    for (const std::size_t candidates : {2u, 3u, 8u}) {
      ShrinkOptions options;
      options.candidates = candidates;
      const Shrunk several = shrink_with(words, is_interesting, options);
      EXPECT_EQ(several.words, one.words);
      EXPECT_EQ(several.tests, one.tests);
    }
  }
}

TEST(Shrink, needs_few_tests) {
  const WordBuffer words = words_of(shader);
  const Shrunk shrunk = shrink_with(words, [](Words module) { return has(module, OpFDiv); });
  EXPECT_LE(shrunk.tests, 30u);
}

TEST(Shrink, keeps_two_needed_instructions) {
  const WordBuffer words = words_of(shader);
  const auto is_interesting = [](Words module) { return has(module, OpFNegate) && has(module, OpCompositeConstruct); };
  const Shrunk shrunk = shrink_with(words, is_interesting);
  EXPECT_TRUE(is_interesting(shrunk.words) && is_valid(shrunk.words));
  expect_minimal(shrunk.words, is_interesting);
}

// Each prefix of the search ends with the best module so far.
TEST(Shrink, stops_with_the_best_module) {
  const WordBuffer words = words_of(shader);
  const auto is_interesting = [](Words module) { return has(module, OpFDiv); };
  const std::size_t all = shrink_with(words, is_interesting).tests;
  std::size_t size = words.size() + 1;
  for (std::size_t tests = 1; tests <= all; ++tests) {
    ShrinkOptions options;
    options.max_tests = tests;
    const Shrunk shrunk = shrink_with(words, is_interesting, options);
    EXPECT_TRUE(is_interesting(shrunk.words) && is_valid(shrunk.words));
    EXPECT_LE(shrunk.words.size(), size);
    size = shrunk.words.size();
  }
  EXPECT_LT(size * 4, words.size());
  Diagnostics diagnostics;
  std::size_t calls = 0;
  const ShrinkTest test = [&](std::span<ShrinkCandidate> candidates) {
    candidates.front().verdict = ++calls == 1 ? ShrinkVerdict::Interesting : ShrinkVerdict::Stop;
  };
  const Result<WordBuffer> stopped = shrink(words, {}, test, diagnostics);
  ASSERT_TRUE(bool(stopped));
  EXPECT_EQ(*stopped, words);
  EXPECT_EQ(calls, 2u);
}

TEST(Shrink, inserts_no_undef_on_request) {
  const WordBuffer words = words_of(shader);
  for (const Property& property : properties) {
    ShrinkOptions options;
    options.no_undef = true;
    const auto is_interesting = [&](Words module) {
      EXPECT_FALSE(has(module, OpUndef));
      return has(module, property.opcode, property.min_words);
    };
    if (has(words, property.opcode, property.min_words)) shrink_with(words, is_interesting, options);
  }
}

TEST(Shrink, tries_invalid_modules_on_request) {
  const WordBuffer words = words_of(shader);
  ShrinkOptions options;
  options.allow_invalid = true;
  bool has_invalid = false;
  const auto is_interesting = [&](Words module) {
    has_invalid |= !is_valid(module);
    return has(module, OpFDiv);
  };
  const Shrunk shrunk = shrink_with(words, is_interesting, options);
  EXPECT_TRUE(has(shrunk.words, OpFDiv));
  EXPECT_TRUE(has_invalid);
  // An invalid module may stay invalid.
  WordBuffer invalid = words;
  invalid.erase(invalid.begin() + 5, invalid.begin() + 9);  // the capabilities
  ASSERT_FALSE(is_valid(invalid));
  EXPECT_TRUE(has(shrink_with(
                      invalid, [](Words module) { return has(module, OpFDiv); }, options)
                      .words,
                  OpFDiv));
}

TEST(Shrink, reports_errors) {
  const WordBuffer words = words_of(shader);
  const ShrinkTest uninteresting = [](std::span<ShrinkCandidate> candidates) {
    candidates.front().verdict = ShrinkVerdict::Uninteresting;
  };
  Diagnostics diagnostics;
  EXPECT_FALSE(bool(shrink(words, {}, uninteresting, diagnostics)));
  EXPECT_EQ(diagnostics.all().front().rule, "not-interesting");
  const ShrinkTest not_called = [](std::span<ShrinkCandidate>) { ADD_FAILURE(); };
  Diagnostics of_truncated, of_empty;
  EXPECT_FALSE(bool(shrink(Words(words).first(words.size() - 1), {}, not_called, of_truncated)));
  EXPECT_EQ(of_truncated.error_count(), 1u);
  EXPECT_FALSE(bool(shrink({}, {}, not_called, of_empty)));
  EXPECT_EQ(of_empty.error_count(), 1u);
}

}  // namespace
}  // namespace vireo
