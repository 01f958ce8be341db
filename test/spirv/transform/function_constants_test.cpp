// SPDX-License-Identifier: Apache-2.0
//
// Pruning evaluates instructions of functions that depend on constants only.
//
// A function computes a value that an OpSpecConstantOp of the same operands, or the test, also knows, and
// branches on whether they are equal. The block for unequal values must be gone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/transform/specialize.h"

namespace vireo {
namespace {

using namespace spirv;

// The text of a shader with the specialization constants %a, %b (integers of a type) and %f (a Boolean).
std::string shader_of(std::string_view type, std::string_view globals, std::string_view body) {
  return fmt::format(
      "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"main\" %cell\nOpExecutionMode %main LocalSize 1 1 1\n"
      "OpDecorate %a SpecId 0\nOpDecorate %b SpecId 1\nOpDecorate %f SpecId 2\n"
      "%void = OpTypeVoid\n%bool = OpTypeBool\n%t = OpTypeInt {}\n%word = {}\n%fn = OpTypeFunction %void\n"
      "%ptr = OpTypePointer Workgroup %word\n%cell = OpVariable %ptr Workgroup\n%mark = OpConstant %word 777\n"
      "%a = OpSpecConstant %t 1\n%b = OpSpecConstant %t 1\n%f = OpSpecConstantTrue %bool\n{}"
      "%main = OpFunction %void None %fn\n%entry = OpLabel\n{}"
      "OpSelectionMerge %end None\nOpBranchConditional %same %end %different\n%different = OpLabel\n"
      "OpAtomicStore %cell %mark %mark %mark\n"
      "OpBranch %end\n%end = OpLabel\nOpReturn\nOpFunctionEnd\n",
      type, type == "32 0" ? "OpTypeInt 32 1" : "OpTypeInt 32 0", globals, body);
}

// Whether the block for unequal values is gone.
bool is_folded(const std::string& text, std::uint64_t a, std::uint64_t b, bool f) {
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble(SourceText{"", text}, {}, diagnostics);
  EXPECT_TRUE(bool(words)) << diagnostics.all().front().message << "\n" << text;
  if (!words) return false;
  const Result<Specializer> specializer = Specializer::read(*words, {}, diagnostics);
  const Specialization values[] = {{0, a}, {1, b}, {2, f ? 1u : 0u}};
  SpecializerMemory memory;
  WordBuffer result;
  EXPECT_FALSE(specializer->specialize(values, {.prune = true}, memory, result, diagnostics));
  StringSink printed;
  EXPECT_TRUE(disassemble(result, {}, printed, diagnostics));
  return printed.text().find("OpAtomicStore") == std::string::npos;
}

struct IntegerRow {
  std::string_view type;
  std::uint64_t mask;
};
constexpr IntegerRow types[] = {{"8 0", 0xFF},        {"8 1", 0xFF},        {"16 1", 0xFFFF},
                                {"32 0", 0xFFFFFFFF}, {"32 1", 0xFFFFFFFF}, {"64 1", ~0ull}};

constexpr std::string_view integer_operations[] = {"IAdd", "ISub", "IMul",      "UDiv",       "SDiv",      "UMod",
                                                   "SRem", "SMod", "BitwiseOr", "BitwiseXor", "BitwiseAnd"};
constexpr std::string_view comparisons[] = {
    "IEqual",       "INotEqual",      "ULessThan",      "SLessThan",         "UGreaterThan",
    "SGreaterThan", "ULessThanEqual", "SLessThanEqual", "UGreaterThanEqual", "SGreaterThanEqual"};

TEST(FunctionConstants, equal_spec_constant_operations) {
  std::mt19937_64 random(1);
  for (const IntegerRow& type : types) {
    for (const std::string_view operation : integer_operations) {
      const std::string text = shader_of(type.type, fmt::format("%s = OpSpecConstantOp %t {} %a %b\n", operation),
                                         fmt::format("%r = Op{} %t %a %b\n%same = OpIEqual %bool %r %s\n", operation));
      for (int i = 0; i < 4; ++i) {
        // Divisors that are positive and not 1: no quotient is undefined.
        EXPECT_TRUE(is_folded(text, random() & type.mask, (random() & (type.mask >> 1)) | 2, true)) << text;
      }
    }
    for (const std::string_view comparison : comparisons) {
      const std::string text = shader_of(type.type, fmt::format("%s = OpSpecConstantOp %bool {} %a %b\n", comparison),
                                         fmt::format("%r = Op{} %bool %a %b\n%n = OpLogicalNot %bool %s\n"
                                                     "%same = OpLogicalNotEqual %bool %r %n\n",
                                                     comparison));
      for (int i = 0; i < 4; ++i)
        EXPECT_TRUE(is_folded(text, random() & type.mask, random() & type.mask, false)) << text;
    }
  }
}

TEST(FunctionConstants, select_and_extract_fields) {
  const std::string select =
      shader_of("32 1", "%s = OpSpecConstantOp %t Select %f %a %b\n",
                "%r = OpSelect %t %f %a %b\n%c = OpCopyObject %t %r\n%same = OpIEqual %bool %c %s\n");
  EXPECT_TRUE(is_folded(select, 5, 6, true));
  EXPECT_TRUE(is_folded(select, 5, 6, false));
  // 0xABCD has the bits 0xBC from bit 4 on; as a signed field of 8 bits they are -68.
  constexpr std::string_view fields =
      "%four = OpConstant %t 4\n%eight = OpConstant %t 8\n%bits = OpConstant %t 188\n"
      "%minus = OpConstant %t -68\n";
  const std::string field = shader_of("32 1", fields,
                                      "%r = OpBitFieldUExtract %t %a %four %eight\n%u = OpIEqual %bool %r %bits\n"
                                      "%q = OpBitFieldSExtract %t %a %four %eight\n%v = OpIEqual %bool %q %minus\n"
                                      "%same = OpLogicalAnd %bool %u %v\n");
  EXPECT_TRUE(is_folded(field, 0xABCD, 1, true));
  EXPECT_FALSE(is_folded(field, 0xABDD, 1, true));  // other bits: the branch goes to the other block
}

TEST(FunctionConstants, bitcasts_keep_the_bits) {
  for (const std::string_view type : {"32 0", "32 1"}) {
    const std::string text = shader_of(type, "%expected = OpConstant %word 14\n",
                                       "%r = OpBitcast %word %a\n%same = OpIEqual %bool %r %expected\n");
    EXPECT_TRUE(is_folded(text, 14, 1, true));
    EXPECT_FALSE(is_folded(text, 0, 1, true));
  }
}

TEST(FunctionConstants, undefined_results_are_not_folded) {
  // The quotient is undefined for 0, and so is a field beyond the width: the branch stays.
  const std::string division = shader_of("32 1", "", "%r = OpSDiv %t %a %b\n%same = OpIEqual %bool %r %r\n");
  EXPECT_FALSE(is_folded(division, 5, 0, true));
  EXPECT_TRUE(is_folded(division, 5, 2, true));
  const std::string field =
      shader_of("32 1", "", "%r = OpBitFieldUExtract %t %a %b %b\n%same = OpIEqual %bool %r %r\n");
  EXPECT_FALSE(is_folded(field, 5, 20, true));
  EXPECT_TRUE(is_folded(field, 5, 16, true));
  EXPECT_TRUE(is_folded(field, 5, 0, true));
}

}  // namespace
}  // namespace vireo
