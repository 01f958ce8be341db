// SPDX-License-Identifier: Apache-2.0
//
// Values of specialization constants from texts, JSON and VkSpecializationInfo.
//
// Source: specification 2.2.1 (literals); Vulkan specification, "Specialization Constants".
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/transform/spec_constants_rows.h"
#include "vireo/spirv/transform/specialize.h"

namespace vireo::spirv::spec_constants_test {
namespace {

// One constant of each type. The name of the last one looks like a SpecId.
constexpr std::string_view value_module = R"(
OpCapability Shader
OpCapability Linkage
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
OpMemoryModel Logical GLSL450
OpName %20 "flag"
OpName %21 "small"
OpName %22 "short"
OpName %23 "count"
OpName %26 "half"
OpName %27 "scale"
OpName %29 "3"
OpDecorate %20 SpecId 0
OpDecorate %21 SpecId 1
OpDecorate %22 SpecId 2
OpDecorate %23 SpecId 3
OpDecorate %24 SpecId 4
OpDecorate %25 SpecId 5
OpDecorate %26 SpecId 6
OpDecorate %27 SpecId 7
OpDecorate %28 SpecId 8
OpDecorate %29 SpecId 4000000000
%1 = OpTypeBool
%2 = OpTypeInt 8 0
%3 = OpTypeInt 16 1
%4 = OpTypeInt 32 0
%5 = OpTypeInt 64 0
%6 = OpTypeInt 64 1
%7 = OpTypeFloat 16
%8 = OpTypeFloat 32
%9 = OpTypeFloat 64
%20 = OpSpecConstantTrue %1
%21 = OpSpecConstant %2 200
%22 = OpSpecConstant %3 -2
%23 = OpSpecConstant %4 3
%24 = OpSpecConstant %5 0x123456789ABCDEF0
%25 = OpSpecConstant %6 -5
%26 = OpSpecConstant %7 1.5
%27 = OpSpecConstant %8 -0.5
%28 = OpSpecConstant %9 0.1
%29 = OpSpecConstant %4 9
%30 = OpSpecConstant %4 10
)";

Specializer specializer_of(Words words) {
  Diagnostics diagnostics;
  Result<Specializer> specializer = Specializer::read(words, {}, diagnostics);
  EXPECT_TRUE(specializer.ok()) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
  return std::move(specializer).value();
}
Specializer specializer_of(std::string_view text) { return specializer_of(words_of(text)); }

// The only finding: its message, then its hint in parentheses.
std::string finding_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& each : diagnostics.all()) {
    EXPECT_EQ(each.rule, "spec-value");
    text += text.empty() ? "" : "; ";
    text += each.path.empty() ? "" : each.path + ": ";
    text += each.message;
    if (!each.hint.empty()) text += " (" + each.hint + ")";
  }
  return text;
}

// --- constants -------------------------------------------------------------------------------------------------------

TEST(SpecializerValues, list_the_constants_with_a_spec_id) {
  const Specializer specializer = specializer_of(value_module);
  using enum SpecConstant::Kind;
  const SpecConstant expected[] = {
      {.spec_id = 0, .id = 20, .type = 1, .name = "flag", .kind = Bool, .default_bits = 1},
      {.spec_id = 1, .id = 21, .type = 2, .name = "small", .kind = Int, .width = 8, .default_bits = 200},
      {.spec_id = 2,
       .id = 22,
       .type = 3,
       .name = "short",
       .kind = Int,
       .is_signed = true,
       .width = 16,
       .default_bits = 0xFFFE},
      {.spec_id = 3, .id = 23, .type = 4, .name = "count", .kind = Int, .width = 32, .default_bits = 3},
      {.spec_id = 4, .id = 24, .type = 5, .kind = Int, .width = 64, .default_bits = 0x123456789ABCDEF0},
      {.spec_id = 5,
       .id = 25,
       .type = 6,
       .kind = Int,
       .is_signed = true,
       .width = 64,
       .default_bits = 0xFFFFFFFFFFFFFFFB},
      {.spec_id = 6, .id = 26, .type = 7, .name = "half", .kind = Float, .width = 16, .default_bits = 0x3E00},
      {.spec_id = 7, .id = 27, .type = 8, .name = "scale", .kind = Float, .width = 32, .default_bits = 0xBF000000},
      {.spec_id = 8, .id = 28, .type = 9, .kind = Float, .width = 64, .default_bits = 0x3FB999999999999A},
      {.spec_id = 4000000000, .id = 29, .type = 4, .name = "3", .kind = Int, .width = 32, .default_bits = 9},
  };
  ASSERT_EQ(specializer.constants().size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const SpecConstant& is = specializer.constants()[i];
    const SpecConstant& wanted = expected[i];
    EXPECT_EQ(is.spec_id, wanted.spec_id);
    EXPECT_EQ(is.id, wanted.id) << wanted.spec_id;
    EXPECT_EQ(is.type, wanted.type) << wanted.spec_id;
    EXPECT_EQ(is.name, wanted.name) << wanted.spec_id;
    EXPECT_EQ(is.kind, wanted.kind) << wanted.spec_id;
    EXPECT_EQ(is.is_signed, wanted.is_signed) << wanted.spec_id;
    EXPECT_EQ(is.width, wanted.width) << wanted.spec_id;
    EXPECT_EQ(is.default_bits, wanted.default_bits) << wanted.spec_id;
    EXPECT_EQ(specializer.find_spec_id(wanted.spec_id), &is);
    EXPECT_EQ(specializer.find_id(wanted.id), &is);
    if (!wanted.name.empty()) { EXPECT_EQ(specializer.find_name(wanted.name), &is); }
  }
  EXPECT_EQ(specializer.find_spec_id(9), nullptr);
  EXPECT_EQ(specializer.find_id(30), nullptr);  // it has no SpecId
  EXPECT_EQ(specializer.find_id(0), nullptr);
  EXPECT_EQ(specializer.find_name("Flag"), nullptr);
  EXPECT_EQ(specializer.find_name(""), nullptr);
}

// --- texts -----------------------------------------------------------------------------------------------------------

struct ValueRow {
  std::string_view constant, value;
  Word spec_id = 0;
  std::uint64_t bits = 0;
  std::string_view finding = "";  ///< then there is no value
};

constexpr ValueRow value_rows[] = {
    {"0", "true", 0, 1},
    {"0", "false", 0, 0},
    {"0", "1", 0, 1},
    {"%20", "0", 0, 0},
    {"flag", "2", 0, 0, "the value '2' of SpecId 0 ('flag') does not fit a Boolean"},
    {"flag", "True", 0, 0, "the value 'True' of SpecId 0 ('flag') does not fit a Boolean"},
    {"flag", "", 0, 0, "the value '' of SpecId 0 ('flag') does not fit a Boolean"},

    {"1", "255", 1, 255},
    {"%21", "0xfF", 1, 255},
    {"small", "256", 0, 0, "the value '256' of SpecId 1 ('small') does not fit an unsigned integer of 8 bits"},
    {"small", "-1", 0, 0, "the value '-1' of SpecId 1 ('small') does not fit an unsigned integer of 8 bits"},
    {"small", "1.0", 0, 0, "the value '1.0' of SpecId 1 ('small') does not fit an unsigned integer of 8 bits"},
    {"small", "true", 0, 0, "the value 'true' of SpecId 1 ('small') does not fit an unsigned integer of 8 bits"},
    {"small", " 1", 0, 0, "the value ' 1' of SpecId 1 ('small') does not fit an unsigned integer of 8 bits"},

    {"2", "-32768", 2, 0x8000},
    {"short", "32767", 2, 0x7FFF},
    {"short", "32768", 0, 0, "the value '32768' of SpecId 2 ('short') does not fit a signed integer of 16 bits"},
    {"short", "-32769", 0, 0, "the value '-32769' of SpecId 2 ('short') does not fit a signed integer of 16 bits"},
    {"3", "4294967295", 3, 0xFFFFFFFF},  // the SpecId, although a name is "3"
    {"count", "4294967296", 0, 0,
     "the value '4294967296' of SpecId 3 ('count') does not fit an unsigned integer of 32 bits"},
    {"4", "18446744073709551615", 4, ~std::uint64_t{0}},
    {"4", "0xFFFFFFFFFFFFFFFF", 4, ~std::uint64_t{0}},
    {"4", "18446744073709551616", 0, 0,
     "the value '18446744073709551616' of SpecId 4 does not fit an unsigned integer of 64 bits"},
    {"5", "-9223372036854775808", 5, std::uint64_t{1} << 63},

    {"half", "0x1p-24", 6, 1},
    {"half", "-0.0", 6, 0x8000},
    {"half", "1e6", 0, 0, "the value '1e6' of SpecId 6 ('half') does not fit a float of 16 bits"},
    {"scale", "0.1", 7, 0x3DCCCCCD},
    {"%27", "3", 7, 0x40400000},
    {"scale", "1e39", 0, 0, "the value '1e39' of SpecId 7 ('scale') does not fit a float of 32 bits"},
    {"scale", "one", 0, 0, "the value 'one' of SpecId 7 ('scale') does not fit a float of 32 bits"},
    {"8", "-1e300", 8, 0xFE37E43C8800759C},

    {"9", "1", 0, 0, "the module has no specialization constant with SpecId 9 (the nearest is SpecId 8)"},
    {"3000000000", "1", 0, 0,
     "the module has no specialization constant with SpecId 3000000000 (the nearest is SpecId 4000000000 ('3'))"},
    {"%30", "1", 0, 0, "the module has no specialization constant %30"},
    {"%x", "1", 0, 0, "the module has no specialization constant named '%x'"},
    {"scal", "1", 0, 0, "the module has no specialization constant named 'scal' (did you mean 'scale'?)"},
    {"", "1", 0, 0, "the module has no specialization constant named ''"},
};

TEST(SpecializerValues, are_parsed_from_texts) {
  const Specializer specializer = specializer_of(value_module);
  for (const ValueRow& row : value_rows) {
    Diagnostics diagnostics;
    const Result<Specialization> value = specializer.parse_value(row.constant, row.value, diagnostics);
    EXPECT_EQ(finding_of(diagnostics), row.finding) << row.constant << " " << row.value;
    ASSERT_EQ(value.ok(), row.finding.empty()) << row.constant << " " << row.value;
    if (!value) continue;
    EXPECT_EQ(value->spec_id, row.spec_id) << row.constant << " " << row.value;
    EXPECT_EQ(value->bits, row.bits) << row.constant << " " << row.value;
  }
}

TEST(SpecializerValues, are_parsed_for_names_that_look_like_numbers) {
  const Specializer specializer = specializer_of(value_module);
  Diagnostics diagnostics;
  const Result<Specialization> value = specializer.parse_named_value("3", "64", diagnostics);
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->spec_id, 4000000000);
  EXPECT_EQ(value->bits, 64u);
  EXPECT_FALSE(specializer.parse_named_value("2", "64", diagnostics));
  EXPECT_EQ(finding_of(diagnostics), "the module has no specialization constant named '2'");
}

TEST(SpecializerValues, of_ambiguous_names_are_refused) {
  constexpr std::string_view text = R"(
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %20 "a"
OpName %21 "a"
OpName %22 "b"
OpName %23 "b"
OpName %24 "c"
OpName %25 "c"
OpName %26 "c"
OpDecorate %20 SpecId 1
OpDecorate %21 SpecId 0
OpDecorate %22 SpecId 2
OpDecorate %23 SpecId 2
OpDecorate %24 SpecId 3
OpDecorate %25 SpecId 4
OpDecorate %26 SpecId 5
%4 = OpTypeInt 32 0
%20 = OpSpecConstant %4 1
%21 = OpSpecConstant %4 2
%22 = OpSpecConstant %4 3
%23 = OpSpecConstant %4 4
%24 = OpSpecConstant %4 5
%25 = OpSpecConstant %4 6
%26 = OpSpecConstant %4 7
)";
  constexpr std::string_view a =
      "specialization constants with different SpecIds are named 'a': SpecId 0 and 1 (use the SpecId instead of the "
      "name, as in --set 0=VALUE)";
  const Specializer specializer = specializer_of(text);
  {
    Diagnostics diagnostics;
    EXPECT_FALSE(specializer.parse_value("a", "1", diagnostics));
    EXPECT_EQ(finding_of(diagnostics), a);
  }
  {
    Diagnostics diagnostics;
    EXPECT_FALSE(specializer.parse_named_value("a", "1", diagnostics));
    EXPECT_EQ(finding_of(diagnostics), a);
  }
  {
    Diagnostics diagnostics;
    EXPECT_FALSE(specializer.parse_values(R"({"a": 1})", diagnostics));
    EXPECT_EQ(finding_of(diagnostics), "$.a: " + std::string(a));
  }
  {
    Diagnostics diagnostics;
    EXPECT_FALSE(specializer.parse_value("c", "1", diagnostics));
    EXPECT_EQ(finding_of(diagnostics),
              "specialization constants with different SpecIds are named 'c': SpecId 3, 4 and 5 (use the SpecId "
              "instead of the name, as in --set 3=VALUE)");
  }
  // The SpecId and the id are unique. Constants with one SpecId have one value.
  Diagnostics diagnostics;
  EXPECT_TRUE(specializer.parse_value("0", "1", diagnostics));
  EXPECT_TRUE(specializer.parse_value("%20", "1", diagnostics));
  const Result<Specialization> shared = specializer.parse_named_value("b", "9", diagnostics);
  ASSERT_TRUE(shared.ok());
  EXPECT_EQ(shared->spec_id, 2u);
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST(SpecializerValues, of_modules_without_constants_are_refused) {
  const Specializer specializer = specializer_of("OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
  Diagnostics diagnostics;
  EXPECT_FALSE(specializer.parse_value("1", "1", diagnostics));
  EXPECT_EQ(
      finding_of(diagnostics),
      "the module has no specialization constant with SpecId 1 (the module has no specialization constants with a "
      "SpecId)");
}

// --- JSON ------------------------------------------------------------------------------------------------------------

struct JsonRow {
  std::string_view json;
  std::vector<Specialization> values;
  std::string_view finding = "";
  std::uint64_t place = 0;  ///< in the text, of a syntax error; else 0
};

const JsonRow json_rows[] = {
    {"{}", {}},
    {R"({"3": 64, "%20": true, "scale": 1.5, "4": "0xFFFFFFFFFFFFFFFF", "2": -1})",
     {{3, 64}, {0, 1}, {7, 0x3FC00000}, {4, ~std::uint64_t{0}}, {2, 0xFFFF}}},
    {R"({"4": 18446744073709551615, "5": -9223372036854775808})",
     {{4, ~std::uint64_t{0}}, {5, std::uint64_t{1} << 63}}},
    {R"({"8": 0.1, "scale": 16777217, "half": 1e-7})", {{8, 0x3FB999999999999A}, {7, 0x4B800000}, {6, 2}}},
    {"[1]", {}, "expected a JSON object with a value for each constant"},
    {"3", {}, "expected a JSON object with a value for each constant"},
    {R"({"3": null, "flag": [], "scale": {}})",
     {},
     "$.3: expected a number, a Boolean or a string; $.flag: expected a number, a Boolean or a string; "
     "$.scale: expected a number, a Boolean or a string"},
    {R"({"3": true})", {}, "$.3: the value 'true' of SpecId 3 ('count') does not fit an unsigned integer of 32 bits"},
    {R"({"3": 1.5})", {}, "$.3: the value '1.5' of SpecId 3 ('count') does not fit an unsigned integer of 32 bits"},
    {R"({"flag": 2})", {}, "$.flag: the value '2' of SpecId 0 ('flag') does not fit a Boolean"},
    {R"({"3": 1, "cuont": 2})",
     {},
     "$.cuont: the module has no specialization constant named 'cuont' (did you mean 'count'?)"},
    {R"({"3": 1,)", {}, "expected a JSON object: ", 8},
    {"", {}, "expected a JSON object: ", 0},
    {R"({"3": 1} x)", {}, "expected a JSON object: ", 9},
};

TEST(SpecializerValues, are_parsed_from_json) {
  const Specializer specializer = specializer_of(value_module);
  for (const JsonRow& row : json_rows) {
    Diagnostics diagnostics;
    const Result<std::vector<Specialization>> values = specializer.parse_values(row.json, diagnostics);
    const bool is_syntax_error = row.finding.ends_with(": ");
    if (is_syntax_error) {
      ASSERT_EQ(diagnostics.all().size(), 1u) << row.json;
      EXPECT_TRUE(finding_of(diagnostics).starts_with(row.finding)) << finding_of(diagnostics);
      EXPECT_EQ(diagnostics.all()[0].where, Location::in_text(row.place, row.place + 1)) << row.json;
    } else {
      EXPECT_EQ(finding_of(diagnostics), row.finding) << row.json;
    }
    ASSERT_EQ(values.ok(), row.finding.empty()) << row.json;
    if (!values) continue;
    ASSERT_EQ(values->size(), row.values.size()) << row.json;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      EXPECT_EQ((*values)[i].spec_id, row.values[i].spec_id) << row.json;
      EXPECT_EQ((*values)[i].bits, row.values[i].bits) << row.json << " " << i;
    }
  }
}

// --- VkSpecializationInfo --------------------------------------------------------------------------------------------

TEST(SpecializerValues, are_read_from_a_map) {
  const Specializer specializer = specializer_of(value_module);
  std::vector<std::byte> data(32);
  const auto put = [&](std::size_t offset, auto value) { std::memcpy(data.data() + offset, &value, sizeof value); };
  put(0, std::uint32_t{1});  // VkBool32
  put(4, std::uint8_t{250});
  put(5, std::int16_t{-3});  // values need not be aligned
  put(7, std::uint32_t{0xFFFFFFFE});
  put(11, std::uint64_t{0x8000000000000001});
  put(19, 1.5f);
  put(23, -2.0);
  const SpecMapEntry entries[] = {{0, 0, 4},  {1, 4, 1},  {2, 5, 2},  {3, 7, 4},
                                  {4, 11, 8}, {7, 19, 4}, {8, 23, 8}, {99, 1000, 3},  // not in the module: no effect
                                  {3, 0, 4}};  // again: the caller decides what applies
  std::vector<Specialization> values = {{5, 7}};
  Diagnostics diagnostics;
  EXPECT_FALSE(specializer.read_map(entries, data, values, diagnostics));
  EXPECT_TRUE(diagnostics.all().empty());
  const Specialization expected[] = {{5, 7},          {0, 1},
                                     {1, 250},        {2, 0xFFFD},
                                     {3, 0xFFFFFFFE}, {4, 0x8000000000000001},
                                     {7, 0x3FC00000}, {8, 0xC000000000000000},
                                     {3, 1}};
  ASSERT_EQ(values.size(), std::size(expected));
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i].spec_id, expected[i].spec_id) << i;
    EXPECT_EQ(values[i].bits, expected[i].bits) << i;
  }
}

struct MapRow {
  SpecMapEntry entry;
  std::string_view finding;
};

constexpr MapRow map_rows[] = {
    {{0, 0, 1}, "the value of SpecId 0 ('flag') has 1 byte; expected 4 for a Boolean"},
    {{1, 0, 4}, "the value of SpecId 1 ('small') has 4 bytes; expected 1 for an unsigned integer of 8 bits"},
    {{4, 0, 4}, "the value of SpecId 4 has 4 bytes; expected 8 for an unsigned integer of 64 bits"},
    {{3, 0, 0}, "the value of SpecId 3 ('count') has 0 bytes; expected 4 for an unsigned integer of 32 bits"},
    {{3, 5, 4}, "the value of SpecId 3 ('count') ends at byte 9 of 8"},
    {{3, 0xFFFFFFFF, 4}, "the value of SpecId 3 ('count') ends at byte 4294967299 of 8"},
};

TEST(SpecializerValues, of_malformed_maps_are_reported) {
  const Specializer specializer = specializer_of(value_module);
  const std::vector<std::byte> data(8);
  for (const MapRow& row : map_rows) {
    std::vector<Specialization> values;
    Diagnostics diagnostics;
    EXPECT_TRUE(specializer.read_map({&row.entry, 1}, data, values, diagnostics)) << row.finding;
    EXPECT_EQ(finding_of(diagnostics), row.finding);
    EXPECT_TRUE(values.empty()) << row.finding;
  }
}

}  // namespace
}  // namespace vireo::spirv::spec_constants_test
