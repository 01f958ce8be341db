// SPDX-License-Identifier: Apache-2.0
//
// Constants: literals of all widths, composites, specialization, and the results of OpSpecConstantOp.
#include "vireo/spirv/module/constants.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

using test::assembled;

/// The facts of a module given as text.
struct Case {
  explicit Case(std::string_view text, const ConstantOptions& options = {})
      : words(assembled(text)),
        module(Module::read(words)),
        types(Types::read(module)),
        decorations(Decorations::read(module)),
        constants(Constants::read(module, types, decorations, options)) {}

  WordBuffer words;
  Module module;
  Types types;
  Decorations decorations;
  Constants constants;
};

// --- literals --------------------------------------------------------------------------------------------------------

constexpr std::string_view literals = R"(
OpDecorate %20 SpecId 7
OpDecorate %21 SpecId 8
%1 = OpTypeBool
%2 = OpTypeInt 8 1
%3 = OpTypeInt 16 0
%4 = OpTypeInt 32 1
%5 = OpTypeInt 64 1
%6 = OpTypeInt 64 0
%7 = OpTypeFloat 16
%8 = OpTypeFloat 64
%9 = OpTypeVector %4 2
%10 = OpConstant %2 -3
%11 = OpConstant %3 65535
%12 = OpConstant %4 -2147483648
%13 = OpConstant %5 -9223372036854775808
%14 = OpConstant %6 18446744073709551615
%15 = OpConstant %7 1.5
%16 = OpConstant %8 -0.1
%17 = OpConstantTrue %1
%18 = OpConstantNull %4
%19 = OpConstantComposite %9 %12 %18
%20 = OpSpecConstant %4 5
%21 = OpSpecConstantFalse %1
%22 = OpSpecConstantComposite %9 %20 %12
%23 = OpUndef %4
%24 = OpConstantNull %9
%25 = OpConstantNull %1
)";

TEST(Constants, have_the_value_of_their_literal) {
  const Case c(literals);
  const struct {
    Word id;
    std::optional<std::uint64_t> as_u64;
    std::optional<std::int64_t> as_i64;
  } rows[] = {{10, {}, -3},         {11, 65535, 65535},  {12, {}, -2147483648}, {13, {}, INT64_MIN},
              {14, UINT64_MAX, {}}, {15, {}, {}},        {17, {}, {}},          {18, 0, 0},
              {19, {}, {}},         {20, {}, {}},        {23, {}, {}},          {1, {}, {}},
              {99, {}, {}},         {0xFFFFFFFF, {}, {}}};
  for (const auto& row : rows) {
    EXPECT_EQ(c.constants.as_u64(row.id), row.as_u64) << row.id;
    EXPECT_EQ(c.constants.as_i64(row.id), row.as_i64) << row.id;
  }
  EXPECT_EQ(c.constants.as_double(15), 1.5);
  EXPECT_EQ(c.constants.as_double(16), -0.1);
  EXPECT_EQ(c.constants.as_bool(17), true);
  EXPECT_EQ(c.constants.as_bool(25), false);
  EXPECT_EQ(c.constants.as_bool(21), std::nullopt);
  EXPECT_EQ(c.constants.as_bool(21, ValueUse::OrDefault), false);
  EXPECT_EQ(c.constants.as_i64(20, ValueUse::OrDefault), 5);
  EXPECT_EQ(c.constants.of(10).bits, 0xFDu);
  EXPECT_EQ(c.constants.literal(c.constants.of(14)).size(), 2u);
}

TEST(Constants, have_the_lowest_status_of_their_parts) {
  const Case c(literals);
  EXPECT_EQ(c.constants.of(19).status, ConstantStatus::Known);
  EXPECT_EQ(c.constants.of(22).status, ConstantStatus::SpecDependent);
  EXPECT_TRUE(c.constants.of(22).is_spec);
  EXPECT_EQ(c.constants.of(23).status, ConstantStatus::Unknown);
  EXPECT_EQ(c.constants.of(24).kind, ConstantKind::Null);
  ASSERT_EQ(c.constants.parts(c.constants.of(19)).size(), 2u);
  EXPECT_EQ(c.constants.row(c.constants.parts(c.constants.of(19))[0]).id, 12u);
}

TEST(Constants, use_specialized_values) {
  const Specialization values[] = {{8, 1}, {7, 1}, {7, 0xFFFFFFFFFFFFFFFF}};
  const Case c(literals, {.specializations = values});
  EXPECT_EQ(c.constants.as_i64(20), -1);
  EXPECT_EQ(c.constants.as_bool(21), true);
  EXPECT_EQ(c.constants.of(22).status, ConstantStatus::Known);
  const Case frozen(literals, {.defaults = ConstantOptions::Defaults::Freeze});
  EXPECT_EQ(frozen.constants.as_i64(20), 5);
  EXPECT_EQ(frozen.constants.as_bool(21), false);
}

TEST(Constants, wider_than_two_words_keep_their_words) {
  const Case c(R"(
%1 = OpTypeInt 128 0
!0x7002B %1 %2 !7 !0 !0 !0
!0x7002B %1 %3 !7 !0 !0 !1
!0x5002B %1 %4 !7 !0
%5 = OpTypeBool
%6 = OpConstantTrue %5
%7 = OpSpecConstantOp %1 Select %6 %3 %2
%8 = OpConstantNull %1
)");
  EXPECT_EQ(c.constants.as_u64(7), std::nullopt);  // a copy; only its lowest 64 bits are stored
  EXPECT_EQ(c.constants.as_u64(8), 0u);
  EXPECT_EQ(c.constants.as_u64(2), 7u);
  EXPECT_EQ(c.constants.as_u64(3), std::nullopt);
  EXPECT_EQ(c.constants.literal(c.constants.of(3)).size(), 4u);
  EXPECT_EQ(c.constants.of(4).status, ConstantStatus::Unknown);
}

// --- OpSpecConstantOp ------------------------------------------------------------------------------------------------

constexpr std::string_view operands = R"(
%1 = OpTypeBool
%2 = OpTypeInt 32 1
%3 = OpTypeInt 32 0
%4 = OpTypeInt 64 1
%5 = OpTypeInt 16 1
%6 = OpTypeFloat 32
%7 = OpTypeFloat 64
%8 = OpTypeFloat 16
%9 = OpTypeInt 8 0
%10 = OpConstant %2 7
%11 = OpConstant %2 -7
%12 = OpConstant %2 3
%13 = OpConstant %2 -3
%14 = OpConstant %2 0
%15 = OpConstant %2 -2147483648
%16 = OpConstant %2 -1
%17 = OpConstant %3 40
%18 = OpConstant %3 4000000000
%19 = OpConstant %3 31
%20 = OpConstant %5 -300
%21 = OpConstant %4 -5000000000
%22 = OpConstantTrue %1
%23 = OpConstantFalse %1
%24 = OpConstant %6 2.5
%25 = OpConstant %6 -1e10
%26 = OpConstant %7 0.1
%27 = OpConstant %6 70000
%28 = OpConstant %6 1.000488281250
%29 = OpConstant %6 -5.5
%30 = OpConstant %6 2
%31 = OpConstant %6 0x1p-20
%32 = OpConstant %6 -0.0
)";

// All values are computed by hand from the specification's description of the opcode.
TEST(Constants, compute_each_opcode) {
  constexpr std::optional<std::uint64_t> none;
  const struct {
    std::string_view type;
    std::string_view operation;
    std::optional<std::uint64_t> bits;
  } rows[] = {
      {"%2", "SNegate %10", 0xFFFFFFF9},
      {"%2", "SNegate %15", 0x80000000},
      {"%2", "Not %10", 0xFFFFFFF8},
      {"%2", "IAdd %10 %11", 0},
      {"%3", "IAdd %18 %18", 3705032704},
      {"%2", "ISub %11 %10", 0xFFFFFFF2},
      {"%2", "IMul %11 %12", 0xFFFFFFEB},
      {"%3", "UDiv %18 %17", 100000000},
      {"%2", "UDiv %11 %12", 0x55555553},
      {"%2", "UDiv %10 %14", none},
      {"%2", "SDiv %11 %12", 0xFFFFFFFE},
      {"%2", "SDiv %15 %16", none},
      {"%2", "SDiv %10 %14", none},
      {"%3", "UMod %18 %19", 2},
      {"%2", "SRem %11 %12", 0xFFFFFFFF},
      {"%2", "SRem %10 %13", 1},
      {"%2", "SRem %15 %16", 0},
      {"%2", "SMod %11 %12", 2},
      {"%2", "SMod %10 %13", 0xFFFFFFFE},
      {"%2", "SMod %10 %14", none},
      {"%2", "ShiftRightLogical %16 %19", 1},
      {"%2", "ShiftRightArithmetic %15 %19", 0xFFFFFFFF},
      {"%2", "ShiftLeftLogical %10 %12", 56},
      {"%2", "ShiftLeftLogical %10 %17", none},
      {"%2", "BitwiseOr %10 %15", 0x80000007},
      {"%2", "BitwiseXor %10 %16", 0xFFFFFFF8},
      {"%2", "BitwiseAnd %11 %10", 1},
      {"%1", "IEqual %10 %10", 1},
      {"%1", "INotEqual %10 %10", 0},
      {"%1", "UGreaterThan %11 %10", 1},
      {"%1", "SGreaterThan %11 %10", 0},
      {"%1", "UGreaterThanEqual %10 %10", 1},
      {"%1", "SGreaterThanEqual %11 %10", 0},
      {"%1", "ULessThan %11 %10", 0},
      {"%1", "SLessThan %11 %10", 1},
      {"%1", "ULessThanEqual %10 %10", 1},
      {"%1", "SLessThanEqual %10 %11", 0},
      {"%1", "LogicalEqual %22 %23", 0},
      {"%1", "LogicalNotEqual %22 %23", 1},
      {"%1", "LogicalOr %22 %23", 1},
      {"%1", "LogicalAnd %22 %23", 0},
      {"%1", "LogicalNot %23", 1},
      {"%2", "Select %22 %10 %11", 7},
      {"%2", "Select %23 %10 %11", 0xFFFFFFF9},
      {"%4", "SConvert %20", 0xFFFFFFFFFFFFFED4},
      {"%4", "UConvert %20", 0xFED4},
      {"%9", "UConvert %20", 0xD4},
      {"%5", "SConvert %21", 0x0E00},
      {"%2", "ConvertFToS %24", 2},
      {"%2", "ConvertFToS %29", 0xFFFFFFFB},
      {"%2", "ConvertFToS %25", none},
      {"%4", "ConvertFToS %25", 0xFFFFFFFDABF41C00},
      {"%3", "ConvertFToU %24", 2},
      {"%3", "ConvertFToU %29", none},
      {"%6", "ConvertSToF %11", 0xC0E00000},
      {"%6", "ConvertUToF %18", 0x4F6E6B28},
      {"%8", "ConvertSToF %11", 0xC700},
      {"%8", "ConvertUToF %18", 0x7C00},
      {"%6", "FConvert %26", 0x3DCCCCCD},
      {"%8", "FConvert %26", 0x2E66},
      {"%8", "FConvert %27", 0x7C00},
      {"%8", "FConvert %31", 0x0010},
      {"%7", "FConvert %24", 0x4004000000000000},
      {"%6", "QuantizeToF16 %28", 0x3F800000},
      {"%6", "QuantizeToF16 %27", 0x7F800000},
      {"%6", "QuantizeToF16 %31", 0},
      {"%6", "FNegate %24", 0xC0200000},
      {"%6", "FAdd %24 %30", 0x40900000},
      {"%6", "FSub %24 %30", 0x3F000000},
      {"%6", "FMul %24 %30", 0x40A00000},
      {"%6", "FDiv %24 %30", 0x3FA00000},
      {"%6", "FDiv %24 %32", none},
      {"%6", "FRem %24 %32", none},
      {"%6", "FRem %29 %30", 0xBFC00000},
      {"%6", "FMod %29 %30", 0x3F000000},
      {"%3", "Bitcast %24", 0x40200000},
      {"%6", "Bitcast %17", 40},
      {"%4", "Bitcast %24", none},
      {"%6", "FAdd %24 %26", none},
      {"%2", "IAdd %10 %77", none},
      {"%2", "IAdd %10 %24", none},
  };
  for (const auto& row : rows) {
    const std::string line = "%99 = OpSpecConstantOp " + std::string(row.type) + " " + std::string(row.operation);
    const Case c(std::string(operands) + line);
    const ConstantRow& value = c.constants.of(99);
    EXPECT_EQ(value.status == ConstantStatus::Known ? std::optional(value.bits) : std::nullopt, row.bits) << line;
  }
}

TEST(Constants, mark_dependence_on_specialization) {
  const Case c(std::string(operands) + R"(
%40 = OpSpecConstant %2 4
%41 = OpSpecConstantOp %2 IAdd %40 %10
%42 = OpSpecConstantOp %2 IMul %41 %41
%43 = OpSpecConstantOp %2 UDiv %42 %14
)");
  EXPECT_EQ(c.constants.as_u64(42), std::nullopt);
  EXPECT_EQ(c.constants.as_u64(42, ValueUse::OrDefault), 121u);
  EXPECT_EQ(c.constants.of(42).status, ConstantStatus::SpecDependent);
  EXPECT_EQ(c.constants.of(43).status, ConstantStatus::Unknown);
}

// --- composites ------------------------------------------------------------------------------------------------------

constexpr std::string_view composites = R"(
%1 = OpTypeBool
%2 = OpTypeInt 32 0
%3 = OpTypeVector %2 4
%4 = OpTypeVector %2 2
%5 = OpTypeStruct %4 %2
%6 = OpTypeVector %1 2
%7 = OpTypeInt 64 0
%8 = OpTypeInt 16 0
%9 = OpTypeVector %8 4
%11 = OpConstant %2 11
%12 = OpConstant %2 12
%13 = OpConstant %2 13
%14 = OpConstant %2 14
%20 = OpConstantComposite %3 %11 %12 %13 %14
%21 = OpConstantComposite %4 %11 %12
%22 = OpConstantComposite %5 %21 %13
%23 = OpConstantNull %5
%24 = OpConstantTrue %1
%25 = OpConstantFalse %1
%26 = OpConstantComposite %6 %24 %25
%27 = OpConstantNull %4
%28 = OpConstantCompositeReplicateEXT %4 %13
)";

TEST(Constants, extract_insert_and_compute_components) {
  using List = std::vector<std::uint64_t>;
  const struct {
    std::string_view type;
    std::string_view operation;
    List parts;  ///< bits of each; one for a scalar, none if the value is unknown
  } rows[] = {
      {"%2", "CompositeExtract %22 0 1", {12}},
      {"%2", "CompositeExtract %23 0 1", {0}},
      {"%2", "CompositeExtract %28 1", {13}},
      {"%4", "CompositeExtract %22 0", {11, 12}},
      {"%2", "CompositeExtract %22 2", {}},
      {"%4", "CompositeExtract %22 1", {}},  // an integer
      {"%2", "CompositeExtract %23 0 2", {}},
      {"%4", "CompositeInsert %14 %21 1", {11, 14}},
      {"%4", "CompositeInsert %14 %27 0", {14, 0}},
      {"%4", "CompositeInsert %14 %28 0", {14, 13}},
      {"%4", "CompositeInsert %14 %21 2", {}},
      {"%4", "VectorShuffle %20 %21 3 5", {14, 12}},
      {"%4", "VectorShuffle %20 %27 0 4", {11, 0}},
      {"%4", "IAdd %21 %28", {24, 25}},
      {"%4", "IAdd %21 %27", {11, 12}},
      {"%4", "Select %26 %21 %28", {11, 13}},
      {"%4", "Select %25 %21 %28", {13}},  // Repeated: one part for all components
      {"%6", "ULessThan %21 %28", {1, 1}},
      {"%7", "Bitcast %21", {0xC0000000B}},
      {"%9", "Bitcast %21", {11, 0, 12, 0}},
  };
  for (const auto& row : rows) {
    const std::string line = "%99 = OpSpecConstantOp " + std::string(row.type) + " " + std::string(row.operation);
    const Case c(std::string(composites) + line);
    const ConstantRow& value = c.constants.of(99);
    EXPECT_EQ(value.status, row.parts.empty() ? ConstantStatus::Unknown : ConstantStatus::Known) << line;
    List parts;
    if (value.is_scalar() || value.kind == ConstantKind::Null) parts.push_back(value.bits);
    for (const ConstantIndex part : c.constants.parts(value)) parts.push_back(c.constants.row(part).bits);
    EXPECT_EQ(value.status == ConstantStatus::Unknown ? List{} : parts, row.parts) << line;
  }
}

TEST(Constants, keep_known_components_beside_unknown_ones) {
  const Case c(std::string(composites) + R"(
%90 = OpSpecConstantOp %4 VectorShuffle %20 %21 0xFFFFFFFF 1
%91 = OpSpecConstantOp %2 CompositeExtract %90 1
%92 = OpSpecConstantOp %5 CompositeInsert %14 %22 0 1
%93 = OpSpecConstantOp %2 CompositeExtract %92 0 1
%94 = OpSpecConstantOp %2 CompositeExtract %92 1
)");
  EXPECT_EQ(c.constants.of(90).status, ConstantStatus::Unknown);
  EXPECT_EQ(c.constants.as_u64(91), 12u);
  EXPECT_EQ(c.constants.as_u64(93), 14u);
  EXPECT_EQ(c.constants.as_u64(94), 13u);
}

TEST(Constants, continued_composites_are_joined) {
  const Case c(R"(
%1 = OpTypeInt 32 0
%2 = OpTypeStruct %1
OpTypeStructContinuedINTEL %1
%3 = OpConstant %1 3
%4 = OpConstant %1 4
%5 = OpConstantComposite %2 %3
OpConstantCompositeContinuedINTEL %4
%6 = OpSpecConstantOp %1 CompositeExtract %5 1
OpConstantCompositeContinuedINTEL %4
)");
  EXPECT_EQ(c.constants.as_u64(6), 4u);
  EXPECT_EQ(c.constants.of(5).part_count(), 2u);
}

// --- bounds ----------------------------------------------------------------------------------------------------------

TEST(Constants, overlong_vectors_and_cycles_are_unknown) {
  const Case c(R"(
%1 = OpTypeInt 32 0
%2 = OpTypeVector %1 4294967295
%3 = OpConstantNull %2
%4 = OpSpecConstantOp %2 IAdd %3 %3
%5 = OpSpecConstantOp %2 CompositeInsert %6 %3 7
%6 = OpConstant %1 1
%7 = OpSpecConstantOp %1 IAdd %7 %7
%8 = OpConstantComposite %2 %8 %9
%10 = OpSpecConstantOp %1 CompositeExtract %3 4294967294
%11 = OpSpecConstantOp %2 Bitcast %3
!0x40034 %1 %12 !128
!0x60034 %1 %14 !0x10080 %6 %6
!0x30034 %1 %13
!0x2002B %1
)");
  for (const Word id : {4u, 5u, 7u, 8u, 11u, 12u, 13u, 14u}) {
    EXPECT_EQ(c.constants.of(id).status, ConstantStatus::Unknown) << id;
  }
  EXPECT_EQ(c.constants.as_u64(10), 0u);
}

// Twice this component count overflows to a small number.
TEST(Constants, types_with_2_to_the_63_parts_are_unknown) {
  const Case c(R"(
%1 = OpTypeInt 32 0
%2 = OpTypeInt 64 0
%3 = OpConstant %2 0x8000000000000000
%4 = OpTypeArray %1 %3
%5 = OpConstantNull %4
%6 = OpConstant %1 7
%7 = OpSpecConstantOp %4 CompositeInsert %6 %5 0
%8 = OpTypeVectorIdEXT %1 %3
%9 = OpConstantNull %8
%10 = OpSpecConstantOp %8 Not %9
)");
  EXPECT_EQ(c.constants.of(7).status, ConstantStatus::Unknown);
  EXPECT_EQ(c.constants.of(10).status, ConstantStatus::Unknown);
}

// A part of a chosen composite depends on the choice, although the part itself is a constant.
TEST(Constants, parts_depend_on_the_condition_that_chose_their_composite) {
  const struct {
    std::string_view type;
    std::string_view operation;
    ConstantStatus status;
    std::uint64_t bits;
  } rows[] = {
      {"%2", "CompositeExtract %41 1", ConstantStatus::SpecDependent, 12},
      {"%2", "CompositeExtract %42 0 0", ConstantStatus::SpecDependent, 11},
      {"%2", "CompositeExtract %43 0 1", ConstantStatus::SpecDependent, 0},
      {"%2", "CompositeExtract %44 1", ConstantStatus::SpecDependent, 13},
      {"%2", "CompositeExtract %46 0", ConstantStatus::SpecDependent, 11},
      {"%2", "CompositeExtract %46 1", ConstantStatus::Known, 12},
      {"%2", "CompositeExtract %47 0 1", ConstantStatus::SpecDependent, 12},
      {"%4", "CompositeExtract %42 0", ConstantStatus::SpecDependent, 0},
      {"%4", "VectorShuffle %41 %41 1 0", ConstantStatus::SpecDependent, 0},
      {"%4", "IAdd %41 %21", ConstantStatus::SpecDependent, 0},
  };
  for (const auto& row : rows) {
    const Case c(std::string(composites) + R"(
%40 = OpSpecConstantTrue %1
%41 = OpSpecConstantOp %4 Select %40 %21 %27
%42 = OpSpecConstantOp %5 Select %40 %22 %23
%43 = OpSpecConstantOp %5 Select %40 %23 %22
%44 = OpSpecConstantOp %4 Select %40 %28 %21
%45 = OpSpecConstantComposite %6 %40 %24
%46 = OpSpecConstantOp %4 Select %45 %21 %27
%47 = OpSpecConstantOp %5 CompositeInsert %14 %42 1
%99 = OpSpecConstantOp )" +
                 std::string(row.type) + " " + std::string(row.operation) + "\n");
    const ConstantRow& value = c.constants.of(99);
    EXPECT_EQ(value.status, row.status) << row.operation;
    if (row.type == "%2") { EXPECT_EQ(value.bits, row.bits) << row.operation; }
  }
}

// The number of components is known only if the length is.
TEST(Constants, vectors_of_unknown_length_are_unknown) {
  const Case c(R"(
%1 = OpTypeInt 32 0
%2 = OpTypeBool
%3 = OpSpecConstant %1 5
%4 = OpTypeVectorIdEXT %1 %3
%5 = OpTypeVectorIdEXT %2 %3
%6 = OpConstantNull %4
%7 = OpConstantNull %5
%8 = OpSpecConstantOp %4 IAdd %6 %6
%9 = OpSpecConstantOp %4 Select %7 %6 %6
%10 = OpSpecConstantOp %5 IEqual %6 %6
)");
  for (Word id = 8; id <= 10; ++id) EXPECT_EQ(c.constants.of(id).status, ConstantStatus::Unknown) << id;
}

TEST(Constants, are_computed_only_for_the_types_of_an_opcode) {
  const Case c(R"(
%1 = OpTypeInt 32 0
%2 = OpTypeInt 16 0
%3 = OpTypeFloat 32
%4 = OpTypeFloat 64
%5 = OpTypeBool
%6 = OpConstant %1 1
%7 = OpConstant %3 1
%8 = OpConstantTrue %5
%9 = OpTypeInt 32 1
%10 = OpSpecConstantOp %3 SNegate %6
%11 = OpSpecConstantOp %2 SNegate %6
%12 = OpSpecConstantOp %5 Not %6
%13 = OpSpecConstantOp %4 FNegate %7
%14 = OpSpecConstantOp %1 FNegate %7
%15 = OpSpecConstantOp %1 LogicalNot %8
%20 = OpSpecConstantOp %9 SNegate %6
%21 = OpSpecConstantOp %9 Not %6
%22 = OpSpecConstantOp %3 FNegate %7
%23 = OpSpecConstantOp %5 LogicalNot %8
)");
  for (Word id = 10; id < 16; ++id) EXPECT_EQ(c.constants.of(id).status, ConstantStatus::Unknown) << id;
  for (Word id = 20; id < 24; ++id) EXPECT_EQ(c.constants.of(id).status, ConstantStatus::Known) << id;
}

// Each insertion into a structure of 16,000 zeros has 16,000 parts, so 10,000 of them would need 160 million.
TEST(Constants, have_at_most_eight_parts_for_each_word_of_the_module) {
  WordBuffer words = {magic_number, 0x10600, 0, 20000, 0, 0x00040015, 1, 32, 0};
  words.push_back(0x0000001E | 16002u << 16);
  words.push_back(2);
  words.insert(words.end(), 16000, 1);
  words.insert(words.end(), {0x0003002E, 2, 3, 0x0004002B, 1, 4, 9});
  for (Word i = 0; i < 10000; ++i) words.insert(words.end(), {0x00070034, 2, 5 + i, 82, 4, 3, 0});
  const Module module = Module::read(words);
  const Types types = Types::read(module);
  const Constants constants = Constants::read(module, types, Decorations::read(module));
  EXPECT_EQ(constants.of(5).status, ConstantStatus::Known);
  EXPECT_EQ(constants.of(10004).status, ConstantStatus::Unknown);
  EXPECT_LE(constants.rows().size(), 8 * words.size() + 4096 + 10002);
}

}  // namespace
}  // namespace vireo::spirv
