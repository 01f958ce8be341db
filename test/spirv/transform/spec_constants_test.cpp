// SPDX-License-Identifier: Apache-2.0
//
// Frozen specialization constants and new default values. Each row is a module before and after; a second application
// changes nothing.
#include "vireo/spirv/transform/spec_constants.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/transform/spec_constants_rows.h"

namespace vireo::spirv::spec_constants_test {
namespace {

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
    {"a composite of an operation stays", R"(
%1 = OpTypeInt 32 0
%4 = OpTypeVector %1 2
%5 = OpTypeMatrix %4 2
%2 = OpSpecConstant %1 7
%3 = OpSpecConstantOp %1 IAdd %2 %2
%6 = OpSpecConstantComposite %4 %2 %3
%7 = OpSpecConstantComposite %4 %2 %2
%8 = OpSpecConstantComposite %5 %7 %6
)",
     R"(
%1 = OpTypeInt 32 0
%4 = OpTypeVector %1 2
%5 = OpTypeMatrix %4 2
%2 = OpConstant %1 7
%3 = OpSpecConstantOp %1 IAdd %2 %2
%6 = OpSpecConstantComposite %4 %2 %3
%7 = OpConstantComposite %4 %2 %2
%8 = OpSpecConstantComposite %5 %7 %6
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

}  // namespace
}  // namespace vireo::spirv::spec_constants_test
