// SPDX-License-Identifier: Apache-2.0
//
// Transforms of specialization constants. Each row is a module before and after; a second application changes nothing.
#include "vireo/spirv/transform/spec_constants.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/assemble.h"
#include "vireo/spirv/disassemble.h"

namespace vireo::spirv::spec_constants_test {  // apart from the names of other tests in a unity build
namespace {

WordBuffer words_of(std::string_view text) {
  Diagnostics diagnostics;
  AssembleOptions options;
  options.preserve_numeric_ids = true;
  Result<WordBuffer> words = assemble({"case", text}, options, diagnostics);
  EXPECT_TRUE(bool(words)) << text << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  return words ? std::move(words).value() : WordBuffer{};
}

std::string text_of(Words words) {
  DisassembleOptions options;
  options.header = false;
  options.indent = false;
  options.friendly_names = false;
  Diagnostics diagnostics;
  StringSink sink;
  disassemble(words, options, sink, diagnostics);
  return std::move(sink).text();
}

struct Row {
  std::string_view name;
  std::string_view before;
  std::string_view after;  ///< empty: no change
};

// The instructions of the result are those of `after`; the bound is above all of its ids.
template <typename Transform>
void check(const Row& row, std::string_view prefix, const Transform& transform) {
  const WordBuffer before = words_of(std::string(prefix) + std::string(row.before));
  const WordBuffer after = words_of(std::string(prefix) + std::string(row.after.empty() ? row.before : row.after));
  Diagnostics diagnostics;
  const Result<WordBuffer> result = transform(before, diagnostics);
  ASSERT_TRUE(bool(result)) << row.name << ": " << diagnostics.all().front().message;
  EXPECT_EQ(text_of(*result), text_of(after)) << row.name;
  EXPECT_GE((*result)[3], after[3]) << row.name;
  const Result<WordBuffer> again = transform(*result, diagnostics);
  ASSERT_TRUE(bool(again)) << row.name;
  EXPECT_EQ(*again, *result) << row.name;
}

// --- freezing ---------------------------------------------------------------------------------------------------------

constexpr Row frozen[] = {
    {"booleans", "%1 = OpTypeBool\n%2 = OpSpecConstantTrue %1\n%3 = OpSpecConstantFalse %1\n",
     "%1 = OpTypeBool\n%2 = OpConstantTrue %1\n%3 = OpConstantFalse %1\n"},
    {"numbers and composites", R"(
OpDecorate %2 SpecId 1
OpDecorate %2 RelaxedPrecision
%1 = OpTypeInt 32 0
%4 = OpTypeInt 64 0
%2 = OpSpecConstant %1 7
%5 = OpSpecConstant %4 0x123456789
%3 = OpTypeVector %1 2
%6 = OpSpecConstantComposite %3 %2 %2
%7 = OpSpecConstantCompositeReplicateEXT %3 %2
)",
     R"(
OpDecorate %2 RelaxedPrecision
%1 = OpTypeInt 32 0
%4 = OpTypeInt 64 0
%2 = OpConstant %1 7
%5 = OpConstant %4 0x123456789
%3 = OpTypeVector %1 2
%6 = OpConstantComposite %3 %2 %2
%7 = OpConstantCompositeReplicateEXT %3 %2
)"},
    {"an operation stays", R"(
%1 = OpTypeInt 32 0
%2 = OpSpecConstant %1 7
%3 = OpSpecConstantOp %1 IAdd %2 %2
)",
     R"(
%1 = OpTypeInt 32 0
%2 = OpConstant %1 7
%3 = OpSpecConstantOp %1 IAdd %2 %2
)"},
    {"a decoration group", R"(
OpDecorate %9 SpecId 1
OpDecorate %9 RelaxedPrecision
%9 = OpDecorationGroup
OpGroupDecorate %9 %2
%1 = OpTypeInt 32 0
%2 = OpSpecConstant %1 7
)",
     R"(
OpDecorate %9 RelaxedPrecision
%9 = OpDecorationGroup
OpGroupDecorate %9 %2
%1 = OpTypeInt 32 0
%2 = OpConstant %1 7
)"},
    {"a SpecId of an undefined id", "OpDecorate %2 SpecId 1\n%1 = OpTypeInt 32 0\n", "%1 = OpTypeInt 32 0\n"},
    {"a composite that is continued", R"(
%1 = OpTypeInt 32 0
%2 = OpConstant %1 3
%3 = OpTypeArray %1 %2
%4 = OpSpecConstantComposite %3 %2
OpSpecConstantCompositeContinuedINTEL %2 %2
)",
     R"(
%1 = OpTypeInt 32 0
%2 = OpConstant %1 3
%3 = OpTypeArray %1 %2
%4 = OpConstantComposite %3 %2
OpConstantCompositeContinuedINTEL %2 %2
)"},
    {"constant data", R"(
%1 = OpTypeInt 32 0
%2 = OpConstant %1 2
%3 = OpTypeArray %1 %2
%4 = OpSpecConstantDataKHR %3 5 6
)",
     R"(
%1 = OpTypeInt 32 0
%2 = OpConstant %1 2
%3 = OpTypeArray %1 %2
%4 = OpConstantDataKHR %3 5 6
)"},
    {"nothing to do", "%1 = OpTypeInt 32 0\n%2 = OpConstant %1 3\n", ""},
};

TEST(SpecConstants, are_frozen_to_their_default_values) {
  for (const Row& row : frozen) {
    check(row, {}, [](Words words, Diagnostics& diagnostics) { return freeze_spec_constants(words, diagnostics); });
  }
}

// --- default values ---------------------------------------------------------------------------------------------------

constexpr std::string_view types = R"(
OpDecorate %50 SpecId 10
OpDecorate %51 SpecId 11
OpDecorate %52 SpecId 12
OpDecorate %53 SpecId 13
OpDecorate %54 SpecId 14
OpDecorate %55 SpecId 15
OpDecorate %56 SpecId 16
OpDecorate %57 SpecId 17
OpDecorate %70 SpecId 18
%70 = OpDecorationGroup
OpGroupDecorate %70 %58 %58
%1 = OpTypeBool
%2 = OpTypeInt 8 1
%3 = OpTypeInt 16 0
%4 = OpTypeInt 32 1
%5 = OpTypeInt 32 0
%6 = OpTypeInt 64 1
%7 = OpTypeFloat 16
%8 = OpTypeFloat 32
%9 = OpTypeFloat 64
%60 = OpConstant %5 2
%61 = OpTypeArray %5 %60
)";
constexpr std::string_view defaults = R"(
%50 = OpSpecConstantFalse %1
%51 = OpSpecConstant %2 1
%52 = OpSpecConstant %3 2
%53 = OpSpecConstant %4 3
%54 = OpSpecConstant %5 4
%55 = OpSpecConstant %6 5
%56 = OpSpecConstant %7 6
%57 = OpSpecConstant %9 7
%58 = OpSpecConstant %8 8
)";

struct DefaultRow {
  std::string_view text;    ///< the defaults
  std::string_view number;  ///< the result id of the changed constant; empty: nothing changes
  std::string_view after;   ///< the changed instruction
};
constexpr DefaultRow default_rows[] = {
    {"10:true", "%50", "OpSpecConstantTrue %1"},
    {"10:false", "", ""},
    {"11:-128", "%51", "OpSpecConstant %2 -128"},
    {"11:0xff", "%51", "OpSpecConstant %2 -1"},
    {"12:65535", "%52", "OpSpecConstant %3 65535"},
    {"13:-42", "%53", "OpSpecConstant %4 -42"},
    {"13:0xffffffff", "%53", "OpSpecConstant %4 -1"},
    {"14:0x80000000", "%54", "OpSpecConstant %5 2147483648"},
    {"15:-9223372036854775808", "%55", "OpSpecConstant %6 -9223372036854775808"},
    {"16:1.5", "%56", "OpSpecConstant %7 1.5"},
    {"16:-0.1", "%56", "OpSpecConstant %7 -0.1"},
    {"17:-32.5", "%57", "OpSpecConstant %9 -32.5"},
    {"17:0x1.fffffffffffffp+1024", "%57", "OpSpecConstant %9 0x1.fffffffffffffp+1024"},
    {"17:3", "%57", "OpSpecConstant %9 3"},
    {"18:0x1p-3", "%58", "OpSpecConstant %8 0.125"},
    {"18:9 18:10", "%58", "OpSpecConstant %8 10"},
    {"99:1 98:true", "", ""},
    {"", "", ""},
    {" \t13:7\n", "%53", "OpSpecConstant %4 7"},
};

// The defaults with one instruction replaced.
std::string defaults_with(std::string_view number, std::string_view instruction) {
  std::string text(defaults);
  if (number.empty()) return text;
  const std::size_t begin = text.find(std::string(number) + " =");
  return text.replace(begin, text.find('\n', begin) - begin, std::string(number) + " = " + std::string(instruction));
}

TEST(SpecConstants, get_default_values_from_texts) {
  for (const DefaultRow& row : default_rows) {
    Diagnostics diagnostics;
    const auto parsed = parse_spec_defaults(row.text, diagnostics);
    ASSERT_TRUE(bool(parsed)) << row.text;
    const std::string after = defaults_with(row.number, row.after);
    check({row.text, defaults, after}, types,
          [&](Words words, Diagnostics& reports) { return set_spec_defaults(words, *parsed, {}, reports); });
  }
}

struct BitsRow {
  Word spec_id;
  std::vector<Word> words;
  std::string_view number;
  std::string_view after;  ///< empty: the value does not fit
};
const BitsRow bits_rows[] = {
    {10, {0, 0, 2}, "%50", "OpSpecConstantTrue %1"},
    {10, {0}, "%50", "OpSpecConstantFalse %1"},
    {10, {}, "%50", ""},
    {11, {0x80}, "%51", "OpSpecConstant %2 -128"},
    {11, {0xFFFFFF80}, "%51", "OpSpecConstant %2 -128"},
    {11, {0x180}, "%51", ""},
    {12, {0xFFFF}, "%52", "OpSpecConstant %3 65535"},
    {12, {0xFFFFFFFF}, "%52", "OpSpecConstant %3 65535"},
    {12, {0x1FFFF}, "%52", ""},
    {13, {0xFFFFFFFF}, "%53", "OpSpecConstant %4 -1"},
    {13, {1, 0}, "%53", ""},
    {15, {0xFFFFFFFE, 0xFFFFFFFF}, "%55", "OpSpecConstant %6 -2"},
    {15, {1}, "%55", ""},
    {16, {0x3E00}, "%56", "OpSpecConstant %7 1.5"},
    {16, {0xFFFFBE00}, "%56", ""},
    {17, {0, 0x40100000}, "%57", "OpSpecConstant %9 4"},
    {18, {0x3F800000}, "%58", "OpSpecConstant %8 1"},
};

TEST(SpecConstants, get_default_values_from_words) {
  for (const BitsRow& row : bits_rows) {
    const SpecDefault value[] = {{row.spec_id, row.words}};
    const std::string name = "SpecId " + std::to_string(row.spec_id);
    const bool fits = !row.after.empty();
    const std::string after = fits ? defaults_with(row.number, row.after) : std::string(defaults);
    check({name, defaults, after}, types, [&](Words words, Diagnostics& diagnostics) {
      return set_spec_defaults(words, value, {.skip_unfit_values = true}, diagnostics);
    });
    const WordBuffer words = words_of(std::string(types) + std::string(defaults));
    Diagnostics diagnostics;
    EXPECT_EQ(bool(set_spec_defaults(words, value, {}, diagnostics)), fits) << name;
    EXPECT_EQ(diagnostics.has_errors(), !fits) << name;
  }
}

TEST(SpecConstants, keep_the_size_of_constant_data) {
  const WordBuffer words = words_of(std::string(types) + "%50 = OpSpecConstantDataKHR %61 1 2\n");
  const WordBuffer after = words_of(std::string(types) + "%50 = OpSpecConstantDataKHR %61 3 4\n");
  Diagnostics diagnostics;
  const SpecDefault fits[] = {{10, WordBuffer{3, 4}}};
  const Result<WordBuffer> result = set_spec_defaults(words, fits, {}, diagnostics);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(*result, after);
  const SpecDefault unfit[] = {{10, WordBuffer{3, 4, 5}}};
  EXPECT_FALSE(bool(set_spec_defaults(words, unfit, {}, diagnostics)));
}

TEST(SpecConstants, report_values_that_do_not_fit) {
  const struct {
    std::string_view text;
    std::string_view message;
  } rows[] = {
      {"10:1", "the value '1' for SpecId 10 does not fit a Boolean"},
      {"11:128", "the value '128' for SpecId 11 does not fit a signed integer of 8 bits"},
      {"12:-1", "the value '-1' for SpecId 12 does not fit an unsigned integer of 16 bits"},
      {"13:1.5", "the value '1.5' for SpecId 13 does not fit a signed integer of 32 bits"},
      {"13:true", "the value 'true' for SpecId 13 does not fit a signed integer of 32 bits"},
      {"16:1e9", "the value '1e9' for SpecId 16 does not fit a float of 16 bits"},
  };
  const WordBuffer words = words_of(std::string(types) + std::string(defaults));
  for (const auto& row : rows) {
    Diagnostics diagnostics;
    const auto parsed = parse_spec_defaults(row.text, diagnostics);
    ASSERT_TRUE(bool(parsed)) << row.text;
    EXPECT_FALSE(bool(set_spec_defaults(words, *parsed, {}, diagnostics))) << row.text;
    ASSERT_EQ(diagnostics.all().size(), 1u) << row.text;
    EXPECT_EQ(diagnostics.all().front().rule, "spec-default");
    EXPECT_EQ(diagnostics.all().front().message, row.message);
    EXPECT_EQ(diagnostics.all().front().where.kind, Location::Kind::Words);
    Diagnostics warnings;
    const Result<WordBuffer> same = set_spec_defaults(words, *parsed, {.skip_unfit_values = true}, warnings);
    ASSERT_TRUE(bool(same));
    EXPECT_EQ(*same, words);
    EXPECT_EQ(warnings.warning_count(), 1u);
  }
}

TEST(SpecConstants, report_malformed_texts_of_defaults) {
  const struct {
    std::string_view text;
    std::uint64_t begin, end;
  } rows[] = {{"1", 0, 1},     {"1:", 0, 2},   {":1", 0, 0},    {"x:1", 0, 1},           {"1:yes", 0, 5},
              {"1:1 2", 4, 5}, {"-1:1", 0, 2}, {"1:1:1", 0, 5}, {"4294967296:1", 0, 10}, {"1:-", 0, 3},
              {"1 :2", 0, 1}};
  for (const auto& row : rows) {
    Diagnostics diagnostics;
    EXPECT_FALSE(bool(parse_spec_defaults(row.text, diagnostics))) << row.text;
    ASSERT_FALSE(diagnostics.all().empty()) << row.text;
    EXPECT_EQ(diagnostics.all().front().rule, "spec-default") << row.text;
    EXPECT_EQ(diagnostics.all().front().where, Location::in_text(row.begin, row.end)) << row.text;
  }
}

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

// --- invalid modules --------------------------------------------------------------------------------------------------

TEST(SpecConstants, of_modules_that_cannot_be_decoded_give_an_error) {
  const auto check_all = [](const WordBuffer& words, std::string_view name) {
    Diagnostics diagnostics;
    EXPECT_FALSE(bool(freeze_spec_constants(words, diagnostics))) << name;
    EXPECT_FALSE(bool(set_spec_defaults(words, {}, {}, diagnostics))) << name;
    EXPECT_FALSE(bool(fold_spec_constants(words, {}, diagnostics))) << name;
    EXPECT_GE(diagnostics.error_count(), 3u) << name;
  };
  check_all({}, "no words");
  WordBuffer words = words_of("%1 = OpTypeInt 32 0\n%2 = OpSpecConstant %1 3\n");

  WordBuffer changed = words;
  changed[5] = 0;
  check_all(changed, "an instruction without words");
  changed = words;
  changed.pop_back();
  check_all(changed, "a truncated instruction");
  changed = words;
  changed[5] = 4u << 16 | 0xFFFE;
  check_all(changed, "an unknown opcode");
}

TEST(SpecConstants, need_an_id_for_a_new_constituent) {
  WordBuffer words = words_of(std::string(constants) + "%50 = OpSpecConstantOp %7 IAdd %26 %26\n");
  words[3] = 0xFFFFFFFF;
  Diagnostics diagnostics;
  EXPECT_FALSE(bool(fold_spec_constants(words, {}, diagnostics)));
  EXPECT_EQ(diagnostics.all().back().rule, "edit-bound");
  words[3] = 0;  // too low: fresh ids follow the highest defined id
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
