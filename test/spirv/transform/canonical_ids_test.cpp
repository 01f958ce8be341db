// SPDX-License-Identifier: Apache-2.0
//
// canonical_ids(): shuffled copies of a module get equal words; different modules get different words; the order of
// other instructions remains.
#include "vireo/spirv/transform/canonical_ids.h"

#include <string>

#include "spirv/module/assembled.h"
#include "spirv/mutations.h"
#include "spirv/transform/legal_shuffle.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

using test::assembled;

WordBuffer canonical(Words words) {
  Diagnostics diagnostics;
  Result<WordBuffer> result = canonical_ids(words, diagnostics);
  for (const Diagnostic& each : diagnostics.all()) ADD_FAILURE() << each.message;
  return result ? std::move(result).value() : WordBuffer{};
}

std::string plain_text_of(Words words) {
  StringSink sink;
  Diagnostics diagnostics;
  DisassembleOptions options;
  options.header = false;
  options.friendly_names = false;
  options.indent = 0;
  EXPECT_TRUE(disassemble(words, options, sink, diagnostics));
  return sink.text();
}

struct ShuffledSample {
  std::string_view name;
  std::string_view text;
};

// clang-format off
constexpr ShuffledSample shuffled_samples[] = {
    {"shader with decoration groups, equal variables and unused declarations", R"(
      OpCapability Shader
      OpCapability Float64
      OpCapability Int64
      OpExtension "SPV_KHR_storage_buffer_storage_class"
      OpExtension "SPV_KHR_variable_pointers"
      %2 = OpExtInstImport "NonSemantic.Test"
      %1 = OpExtInstImport "GLSL.std.450"
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %b "b" %z
      OpEntryPoint GLCompute %a "a" %y %z
      OpExecutionMode %b LocalSize 2 1 1
      OpExecutionMode %a LocalSize 1 1 1
      OpName %a "a"
      OpName %s "s"
      OpMemberName %s 0 "x"
      OpMemberName %s 1 "y"
      OpName %unused "unused"
      OpDecorate %group RelaxedPrecision
      OpDecorate %group NoContraction
      OpDecorate %other RelaxedPrecision
      OpMemberDecorate %s 0 Offset 0
      OpMemberDecorate %s 1 Offset 4
      OpDecorate %x Restrict
      %group = OpDecorationGroup
      %other = OpDecorationGroup
      OpGroupDecorate %group %sum
      OpGroupDecorate %other %difference
      %void = OpTypeVoid
      %f = OpTypeFunction %void
      %float = OpTypeFloat 32
      %double = OpTypeFloat 64
      %long = OpTypeInt 64 0
      %s = OpTypeStruct %float %float
      %t = OpTypeStruct %float %float
      %ps = OpTypePointer Private %s
      %pt = OpTypePointer Private %t
      %p = OpTypePointer Private %float
      %one = OpConstant %float 1
      %two = OpConstant %float 2
      %big = OpConstant %long 0x100000000
      %w = OpVariable %p Private
      %x = OpVariable %p Private
      %y = OpVariable %p Private
      %z = OpVariable %p Private
      %unused = OpVariable %ps Private
      %unused2 = OpVariable %pt Private
      %unused3 = OpVariable %pt Private
      %helper = OpFunction %void None %f
      %l0 = OpLabel
      OpStore %y %one
      OpStore %z %two
      OpReturn
      OpFunctionEnd
      %dead = OpFunction %void None %f
      %l3 = OpLabel
      OpStore %w %one
      %c2 = OpFunctionCall %void %helper
      OpReturn
      OpFunctionEnd
      %a = OpFunction %void None %f
      %l1 = OpLabel
      %sum = OpFAdd %float %one %two
      %call = OpFunctionCall %void %helper
      OpStore %y %sum
      OpReturn
      OpFunctionEnd
      %b = OpFunction %void None %f
      %l2 = OpLabel
      %difference = OpFSub %float %one %two
      OpStore %z %difference
      OpReturn
      OpFunctionEnd
    )"},
    {"library without entry points: equal functions that use equal variables", R"(
      OpCapability Kernel
      OpCapability Addresses
      OpCapability Linkage
      OpMemoryModel Physical64 OpenCL
      %file = OpString "file"
      OpName %v4 "v4"
      OpDecorate %d1 LinkageAttributes "d1" Import
      OpDecorate %d2 LinkageAttributes "d2" Import
      %void = OpTypeVoid
      %f = OpTypeFunction %void
      %int = OpTypeInt 32 0
      %p = OpTypePointer CrossWorkgroup %int
      %one = OpConstant %int 1
      OpLine %file 1 1
      %v1 = OpVariable %p CrossWorkgroup %one
      %v2 = OpVariable %p CrossWorkgroup %one
      OpLine %file 2 1
      %v3 = OpVariable %p CrossWorkgroup %one
      %v4 = OpVariable %p CrossWorkgroup %one
      OpNoLine
      %v5 = OpVariable %p CrossWorkgroup %one
      %v6 = OpVariable %p CrossWorkgroup %one
      OpLine %file 3 1
      %d1 = OpFunction %void None %f
      OpFunctionEnd
      %d2 = OpFunction %void None %f
      OpFunctionEnd
      %f1 = OpFunction %void None %f
      %l1 = OpLabel
      OpStore %v1 %one
      OpStore %v5 %one
      OpReturn
      OpFunctionEnd
      %f2 = OpFunction %void None %f
      %l2 = OpLabel
      OpStore %v2 %one
      OpStore %v6 %one
      OpReturn
      OpFunctionEnd
      OpLine %file 4 1
      %f3 = OpFunction %void None %f
      %l3 = OpLabel
      OpStore %v2 %one
      OpStore %v5 %one
      OpReturn
      OpFunctionEnd
      %f4 = OpFunction %void None %f
      %l4 = OpLabel
      %c1 = OpFunctionCall %void %f5
      OpReturn
      OpFunctionEnd
      %f5 = OpFunction %void None %f
      %l5 = OpLabel
      %c2 = OpFunctionCall %void %f4
      OpReturn
      OpFunctionEnd
      %f6 = OpFunction %void None %f
      %l6 = OpLabel
      %c3 = OpFunctionCall %void %f7
      OpReturn
      OpFunctionEnd
      %f7 = OpFunction %void None %f
      %l7 = OpLabel
      OpStore %v6 %one
      %c4 = OpFunctionCall %void %f6
      OpReturn
      OpFunctionEnd
    )"},
    {"recursive types: two lists, one of them used", R"(
      OpCapability Kernel
      OpCapability Addresses
      OpMemoryModel Physical64 OpenCL
      OpEntryPoint Kernel %main "main"
      OpName %leaf "leaf"
      OpTypeForwardPointer %plist CrossWorkgroup
      OpTypeForwardPointer %pother CrossWorkgroup
      OpTypeForwardPointer %pa CrossWorkgroup
      OpTypeForwardPointer %pb CrossWorkgroup
      OpTypeForwardPointer %pleaf CrossWorkgroup
      %void = OpTypeVoid
      %int = OpTypeInt 32 0
      %leaf = OpTypeStruct %int
      %holder = OpTypeStruct %pleaf %int
      %list = OpTypeStruct %plist %int
      %other = OpTypeStruct %pother %int
      %a = OpTypeStruct %pb %int
      %b = OpTypeStruct %pa %int
      %pleaf = OpTypePointer CrossWorkgroup %leaf
      %plist = OpTypePointer CrossWorkgroup %list
      %pother = OpTypePointer CrossWorkgroup %other
      %pa = OpTypePointer CrossWorkgroup %a
      %pb = OpTypePointer CrossWorkgroup %b
      %f = OpTypeFunction %void %plist
      %null = OpConstantNull %pother
      %main = OpFunction %void None %f
      %argument = OpFunctionParameter %plist
      %l = OpLabel
      OpReturn
      OpFunctionEnd
    )"},
};
// clang-format on

TEST(CanonicalIds, are_equal_for_shuffled_modules) {
  for (const ShuffledSample& sample : shuffled_samples) {
    SCOPED_TRACE(sample.name);
    const WordBuffer words = assembled(sample.text);
    const WordBuffer result = canonical(words);
    EXPECT_EQ(canonical(result), result);
    Diagnostics findings;
    EXPECT_TRUE(validate(words, {}, findings)) << findings.all().front().message;
    EXPECT_TRUE(validate(result, {}, findings)) << plain_text_of(result);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const WordBuffer shuffled = test::LegalShuffle(words, seed).run();
      ASSERT_TRUE(validate(shuffled, {}, findings)) << plain_text_of(shuffled);
      ASSERT_EQ(canonical(shuffled), result) << plain_text_of(shuffled);
    }
  }
}

constexpr std::string_view small_module = R"(OpCapability Shader
OpCapability Int64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "file"
OpName %main "main"
OpDecorate %array ArrayStride 4
OpLine %file 1 1
%void = OpTypeVoid
%f = OpTypeFunction %void
%int = OpTypeInt 32 0
OpLine %file 2 1
%two = OpConstant %int 2
%array = OpTypeArray %int %two
%p = OpTypePointer Private %array
%v = OpVariable %p Private
OpNoLine
%main = OpFunction %void None %f
%l = OpLabel
OpLine %file 3 1
OpReturn
OpFunctionEnd
)";

TEST(CanonicalIds, number_functions_first_and_keep_lines) {
  EXPECT_EQ(plain_text_of(canonical(assembled(small_module))), R"(OpCapability Shader
OpCapability Int64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %2 "main"
OpExecutionMode %2 LocalSize 1 1 1
%1 = OpString "file"
OpName %2 "main"
OpDecorate %8 ArrayStride 4
OpLine %1 1 1
%4 = OpTypeVoid
%5 = OpTypeFunction %4
%6 = OpTypeInt 32 0
OpLine %1 2 1
%7 = OpConstant %6 2
%8 = OpTypeArray %6 %7
%9 = OpTypePointer Private %8
%10 = OpVariable %9 Private
OpNoLine
%2 = OpFunction %4 None %5
%3 = OpLabel
OpLine %1 3 1
OpReturn
OpFunctionEnd
)");
}

// Each pair of texts replaces one text in `small_module`, which changes the meaning of the module.
TEST(CanonicalIds, differ_for_different_modules) {
  const auto with = [](std::string_view old, std::string_view replacement) {
    std::string text(small_module);
    return canonical(assembled(text.replace(text.find(old), old.size(), replacement)));
  };
  const WordBuffer original = canonical(assembled(small_module));
  const std::pair<std::string_view, std::string_view> changes[] = {
      {"OpConstant %int 2", "OpConstant %int 3"},
      {"OpDecorate %array ArrayStride 4", "OpDecorate %array ArrayStride 8"},
      {"OpName %main \"main\"", "OpName %f \"main\""},
      {"LocalSize 1 1 1", "LocalSize 1 2 1"},
      {"OpNoLine\n", ""},
      {"OpLine %file 2 1", "OpLine %file 2 2"},
      {"%v = OpVariable %p Private", "%v = OpVariable %p Private\n%w = OpVariable %p Private"},
  };
  for (const auto& [old, replacement] : changes) EXPECT_NE(with(old, replacement), original) << replacement;
  EXPECT_EQ(with("OpCapability Shader\nOpCapability Int64", "OpCapability Int64\nOpCapability Shader"), original);
}

TEST(CanonicalIds, keep_the_order_of_a_module_with_layout_violations) {
  const WordBuffer words = assembled(R"(OpMemoryModel Logical GLSL450
OpCapability Shader
%7 = OpTypeInt 32 0
%5 = OpTypeVoid
)");
  EXPECT_EQ(plain_text_of(canonical(words)), R"(OpMemoryModel Logical GLSL450
OpCapability Shader
%1 = OpTypeInt 32 0
%2 = OpTypeVoid
)");
}

TEST(CanonicalIds, number_undefined_ids_last) {
  EXPECT_EQ(plain_text_of(canonical(assembled("OpName %9 \"x\"\n%8 = OpTypePointer Private %3\n%5 = OpTypeVoid\n"))),
            plain_text_of(canonical(assembled("OpName %2 \"x\"\n%1 = OpTypeVoid\n%7 = OpTypePointer Private %5\n"))));
}

// A chain of definitions as long as the module: nothing is recursive. All declarations are unused.
TEST(CanonicalIds, accept_deep_modules) {
  constexpr Word depth = 30'000;
  WordBuffer types{magic_number, 0x10300, 0, depth + 2, 0, 4u << 16 | static_cast<Word>(Op::OpTypeInt), 1, 32, 0};
  for (Word id = 2; id <= depth; ++id) {
    types.insert(types.end(), {4u << 16 | static_cast<Word>(Op::OpTypeStruct), id, id - 1, 1});
  }
  // Functions 1 … depth; each calls the function before it, and the first calls the last.
  WordBuffer calls{magic_number, 0x10300, 0, 3 * depth + 3, 0};
  calls.insert(calls.end(), {2u << 16 | static_cast<Word>(Op::OpTypeVoid), 3 * depth + 1});
  calls.insert(calls.end(), {3u << 16 | static_cast<Word>(Op::OpTypeFunction), 3 * depth + 2, 3 * depth + 1});
  for (Word id = 1; id <= depth; ++id) {
    const Word callee = id == 1 ? depth : id - 1;
    calls.insert(calls.end(), {5u << 16 | static_cast<Word>(Op::OpFunction), 3 * depth + 1, id, 0, 3 * depth + 2});
    calls.insert(calls.end(), {2u << 16 | static_cast<Word>(Op::OpLabel), depth + id});
    calls.insert(calls.end(),
                 {4u << 16 | static_cast<Word>(Op::OpFunctionCall), 3 * depth + 1, 2 * depth + id, callee});
    calls.insert(calls.end(),
                 {1u << 16 | static_cast<Word>(Op::OpReturn), 1u << 16 | static_cast<Word>(Op::OpFunctionEnd)});
  }
  for (const WordBuffer& words : {types, calls}) {
    const WordBuffer result = canonical(words);
    EXPECT_EQ(result.size(), words.size());
    EXPECT_EQ(canonical(test::LegalShuffle(words, 1).run()), result);
  }
}

TEST(CanonicalIds, reject_modules_that_cannot_be_decoded) {
  const WordBuffer header{magic_number, 0x10300, 0, 1, 0};
  WordBuffer unknown = header, truncated = header;
  unknown.push_back(1u << 16 | 0xFFFF);
  truncated.push_back(3u << 16 | static_cast<Word>(Op::OpTypeInt));
  for (const WordBuffer& words : {WordBuffer{}, WordBuffer{magic_number}, unknown, truncated}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(canonical_ids(words, diagnostics));
    EXPECT_TRUE(diagnostics.has_errors());
  }
  EXPECT_EQ(canonical(header), header);
}

TEST(CanonicalIds, apply_once_to_modules_with_faults) {
  for (const ShuffledSample& sample : shuffled_samples) {
    const WordBuffer words = assembled(sample.text);
    Mutations mutations(1);
    WordBuffer mutated = words;
    for (int i = 0; i < 2000; ++i) {
      mutated = mutations.apply(i % 8 == 0 ? words : mutated);  // up to eight faults
      Diagnostics diagnostics;
      const Result<WordBuffer> result = canonical_ids(mutated, diagnostics);
      ASSERT_NE(result.ok(), diagnostics.has_errors());
      if (!result) continue;
      const Result<WordBuffer> again = canonical_ids(*result, diagnostics);
      ASSERT_TRUE(again && *again == *result) << plain_text_of(mutated);
    }
  }
}

}  // namespace
}  // namespace vireo::spirv
