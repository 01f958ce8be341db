// SPDX-License-Identifier: Apache-2.0
//
// Folded specialization constants. Each row is a module before and after; a second application changes nothing.
#include "vireo/spirv/transform/spec_constants.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "spirv/transform/spec_constants_rows.h"

namespace vireo::spirv::spec_constants_test {
namespace {

// --- folding ----------------------------------------------------------------------------------------------------------

constexpr std::string_view constants = R"(
OpDecorate %40 SpecId 1
%1 = OpTypeBool
%2 = OpTypeInt 8 1
%3 = OpTypeInt 32 1
%4 = OpTypeInt 64 0
%5 = OpTypeFloat 16
%6 = OpTypeFloat 32
%7 = OpTypeVector %3 2
%8 = OpTypeVector %6 2
%9 = OpTypeMatrix %8 2
%10 = OpTypeStruct %3 %7
%11 = OpTypeVector %1 2
%12 = OpTypeFloat 64
%20 = OpConstant %3 2
%21 = OpConstant %3 3
%22 = OpConstant %6 1
%23 = OpConstantTrue %1
%24 = OpConstantNull %8
%25 = OpConstantNull %9
%26 = OpConstantComposite %7 %20 %21
%27 = OpConstant %2 -7
%28 = OpConstant %12 1.5
%29 = OpConstantNull %10
%30 = OpConstant %3 0
%31 = OpConstantFalse %1
%32 = OpUndef %3
%40 = OpSpecConstant %3 5
%41 = OpSpecConstantTrue %1
)";

constexpr Row folded[] = {
    {"an integer", "%50 = OpSpecConstantOp %3 IAdd %20 %21\n", "%50 = OpConstant %3 5\n"},
    {"a narrow integer", "%50 = OpSpecConstantOp %2 SNegate %27\n%51 = OpSpecConstantOp %2 Not %27\n",
     "%50 = OpConstant %2 7\n%51 = OpConstant %2 6\n"},
    {"a negative narrow integer", "%50 = OpSpecConstantOp %2 IAdd %27 %27\n", "%50 = OpConstant %2 -14\n"},
    {"a wide integer", "%50 = OpSpecConstantOp %4 SConvert %27\n", "%50 = OpConstant %4 0xfffffffffffffff9\n"},
    {"floats", R"(
%50 = OpSpecConstantOp %5 FConvert %28
%51 = OpSpecConstantOp %12 FConvert %22
%52 = OpSpecConstantOp %6 QuantizeToF16 %22
)",
     "%50 = OpConstant %5 1.5\n%51 = OpConstant %12 1\n%52 = OpConstant %6 1\n"},
    {"booleans", "%50 = OpSpecConstantOp %1 SLessThan %20 %21\n%51 = OpSpecConstantOp %1 LogicalNot %23\n",
     "%50 = OpConstantTrue %1\n%51 = OpConstantFalse %1\n"},
    {"a zero", "%50 = OpSpecConstantOp %3 ISub %20 %20\n", "%50 = OpConstantNull %3\n"},
    {"a zero vector", "%50 = OpSpecConstantOp %7 ISub %26 %26\n", "%50 = OpConstantNull %7\n"},
    {"a chain", R"(
%50 = OpSpecConstantOp %3 IMul %20 %21
%51 = OpSpecConstantComposite %7 %50 %50
%52 = OpSpecConstantOp %3 CompositeExtract %51 1
)",
     "%50 = OpConstant %3 6\n%51 = OpConstantComposite %7 %50 %50\n%52 = OpConstant %3 6\n"},
    {"a vector of existing constants", "%50 = OpSpecConstantOp %7 VectorShuffle %26 %26 3 0\n",
     "%50 = OpConstantComposite %7 %21 %20\n"},
    {"a vector of new constants", "%50 = OpSpecConstantOp %7 IAdd %26 %26\n",
     "%51 = OpConstant %3 4\n%52 = OpConstant %3 6\n%50 = OpConstantComposite %7 %51 %52\n"},
    {"a vector of equal new constants", R"(
%50 = OpSpecConstantComposite %7 %21 %21
%51 = OpSpecConstantOp %7 IMul %50 %50
%52 = OpSpecConstantOp %7 IMul %50 %50
)",
     R"(
%50 = OpConstantComposite %7 %21 %21
%53 = OpConstant %3 9
%51 = OpConstantComposite %7 %53 %53
%52 = OpConstantComposite %7 %53 %53
)"},
    {"a zero component is that of any declaration",
     "%50 = OpSpecConstantOp %7 VectorShuffle %26 %26 0 1\n"
     "%51 = OpSpecConstantOp %7 ISub %26 %50\n%52 = OpSpecConstantOp %7 CompositeInsert %20 %51 1\n",
     "%50 = OpConstantComposite %7 %20 %21\n%51 = OpConstantNull %7\n%52 = OpConstantComposite %7 %30 %20\n"},
    {"a vector of booleans", "%50 = OpSpecConstantOp %11 IEqual %26 %26\n", "%50 = OpConstantComposite %11 %23 %23\n"},
    {"a column of a null matrix", "%50 = OpSpecConstantOp %9 CompositeInsert %24 %25 0\n", "%50 = OpConstantNull %9\n"},
    {"an element of a null matrix", "%50 = OpSpecConstantOp %9 CompositeInsert %22 %25 1 0\n",
     "%51 = OpConstantNull %6\n%52 = OpConstantComposite %8 %22 %51\n%50 = OpConstantComposite %9 %24 %52\n"},
    {"nested parts", R"(
%50 = OpSpecConstantOp %10 CompositeInsert %21 %29 1 1
%51 = OpSpecConstantOp %7 CompositeExtract %50 1
%52 = OpSpecConstantOp %3 CompositeExtract %50 1 1
)",
     R"(
%53 = OpConstantComposite %7 %30 %21
%50 = OpConstantComposite %10 %30 %53
%51 = OpConstantComposite %7 %30 %21
%52 = OpConstant %3 3
)"},
    {"a selection", "%50 = OpSpecConstantOp %3 Select %23 %20 %40\n", "%50 = OpConstant %3 2\n"},
    {"a selection by a specialization constant", R"(
%50 = OpSpecConstantOp %7 Select %41 %26 %26
%51 = OpSpecConstantOp %3 CompositeExtract %50 0
)",
     ""},
    {"values that depend on a specialization constant", R"(
%50 = OpSpecConstantOp %3 IAdd %20 %40
%51 = OpSpecConstantComposite %7 %40 %20
%52 = OpSpecConstantOp %7 IAdd %51 %26
)",
     ""},
    {"the constant component of a specialization constant", R"(
%50 = OpSpecConstantComposite %7 %40 %20
%51 = OpSpecConstantOp %3 CompositeExtract %50 1
)",
     "%50 = OpSpecConstantComposite %7 %40 %20\n%51 = OpConstant %3 2\n"},
    {"undefined results", R"(
%50 = OpSpecConstantOp %3 SDiv %20 %30
%51 = OpSpecConstantOp %3 ShiftLeftLogical %20 %27
%52 = OpSpecConstantOp %7 VectorShuffle %26 %26 0 0xFFFFFFFF
%53 = OpSpecConstantOp %3 IAdd %50 %20
)",
     ""},
    {"an undefined constituent", R"(
%50 = OpSpecConstantComposite %7 %32 %20
%51 = OpSpecConstantOp %3 CompositeExtract %50 0
%52 = OpSpecConstantOp %3 CompositeExtract %50 1
)",
     R"(
%50 = OpConstantComposite %7 %32 %20
%51 = OpSpecConstantOp %3 CompositeExtract %50 0
%52 = OpConstant %3 2
)"},
    {"a value of another type than the operation", "%50 = OpSpecConstantOp %7 CompositeExtract %26 0\n", ""},
    {"a null component", "%50 = OpSpecConstantOp %3 CompositeExtract %29 1 0\n", "%50 = OpConstantNull %3\n"},

    {"a repeated part", R"(
%50 = OpSpecConstantCompositeReplicateEXT %7 %21
%51 = OpSpecConstantOp %7 Select %23 %50 %26
%52 = OpSpecConstantOp %3 CompositeExtract %50 1
)",
     R"(
%50 = OpConstantCompositeReplicateEXT %7 %21
%51 = OpConstantCompositeReplicateEXT %7 %21
%52 = OpConstant %3 3
)"},
    {"a composite that is continued", R"(
%50 = OpSpecConstantComposite %7 %20
OpSpecConstantCompositeContinuedINTEL %21
%51 = OpSpecConstantComposite %7 %20
OpSpecConstantCompositeContinuedINTEL %40
)",
     R"(
%50 = OpConstantComposite %7 %20
OpConstantCompositeContinuedINTEL %21
%51 = OpSpecConstantComposite %7 %20
OpSpecConstantCompositeContinuedINTEL %40
)"},
};

TEST(SpecConstants, are_folded) {
  for (const Row& row : folded) {
    check(row, constants,
          [](Words words, Diagnostics& diagnostics) { return fold_spec_constants(words, {}, diagnostics); });
  }
}

TEST(SpecConstants, stay_composites_without_the_option) {
  check({"composites", R"(
%50 = OpSpecConstantComposite %7 %20 %20
%51 = OpSpecConstantOp %3 CompositeExtract %50 1
%52 = OpSpecConstantComposite %10 %20 %50
%53 = OpSpecConstantOp %10 CompositeInsert %21 %52 0
)",
         R"(
%50 = OpSpecConstantComposite %7 %20 %20
%51 = OpConstant %3 2
%52 = OpSpecConstantComposite %10 %20 %50
%53 = OpSpecConstantOp %10 CompositeInsert %21 %52 0
)"},
        constants, [](Words words, Diagnostics& diagnostics) {
          return fold_spec_constants(words, {.composites = false}, diagnostics);
        });
}

// Decorated constants are no constituents of others; decorations that belong to an operation prevent folding.
TEST(SpecConstants, are_folded_only_if_their_decorations_permit_it) {
  check({"decorations", R"(
OpDecorate %5 RelaxedPrecision
OpDecorate %6 RelaxedPrecision
OpDecorate %7 SaturatedConversion
OpDecorate %20 NoSignedWrap
%20 = OpDecorationGroup
OpGroupDecorate %20 %8
%1 = OpTypeInt 32 1
%2 = OpTypeInt 8 1
%3 = OpTypeVector %1 2
%4 = OpConstantNull %3
%5 = OpConstant %1 300
%6 = OpSpecConstantOp %1 IAdd %5 %5
%7 = OpSpecConstantOp %2 SConvert %5
%8 = OpSpecConstantOp %1 IAdd %5 %5
%9 = OpConstantComposite %3 %5 %5
%10 = OpSpecConstantOp %3 CompositeInsert %5 %4 1
%11 = OpSpecConstantOp %3 IAdd %9 %4
)",
         R"(
OpDecorate %5 RelaxedPrecision
OpDecorate %6 RelaxedPrecision
OpDecorate %7 SaturatedConversion
OpDecorate %20 NoSignedWrap
%20 = OpDecorationGroup
OpGroupDecorate %20 %8
%1 = OpTypeInt 32 1
%2 = OpTypeInt 8 1
%3 = OpTypeVector %1 2
%4 = OpConstantNull %3
%5 = OpConstant %1 300
%6 = OpConstant %1 600
%7 = OpSpecConstantOp %2 SConvert %5
%8 = OpSpecConstantOp %1 IAdd %5 %5
%9 = OpConstantComposite %3 %5 %5
%21 = OpConstantNull %1
%10 = OpConstantComposite %3 %21 %5
%22 = OpConstant %1 300
%11 = OpConstantComposite %3 %22 %22
)"},
        {}, [](Words words, Diagnostics& diagnostics) { return fold_spec_constants(words, {}, diagnostics); });
}

TEST(SpecConstants, need_an_id_for_a_new_constituent) {
  WordBuffer words = words_of(std::string(constants) + "%50 = OpSpecConstantOp %7 IAdd %26 %26\n");
  words[3] = 0xFFFFFFFF;
  Diagnostics diagnostics;
  EXPECT_FALSE(bool(fold_spec_constants(words, {}, diagnostics)));
  EXPECT_EQ(diagnostics.all().back().rule, "edit-bound");
  words[3] = 0;  // too low: fresh ids follow the highest id
  Diagnostics none;
  const Result<WordBuffer> result = fold_spec_constants(words, {}, none);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ((*result)[3], 53u);
}

// Each operation refers to the previous one. Neither recursion nor repeated visits depend on the depth.
TEST(SpecConstants, fold_long_chains_in_linear_time) {
  std::string text(constants);
  constexpr int count = 20'000;
  text += "%100 = OpSpecConstantOp %10 CompositeInsert %21 %29 1 1\n";
  for (int i = 1; i < count; ++i) {
    text += "%" + std::to_string(100 + i) + " = OpSpecConstantOp %10 CompositeInsert %20 %" + std::to_string(99 + i) +
            " 1 0\n";
  }
  Diagnostics diagnostics;
  const Result<WordBuffer> result = fold_spec_constants(words_of(text), {}, diagnostics);
  ASSERT_TRUE(bool(result));
  EXPECT_LE((*result)[3], 100u + count + 2);
}

}  // namespace
}  // namespace vireo::spirv::spec_constants_test
