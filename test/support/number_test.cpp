// SPDX-License-Identifier: Apache-2.0
//
// Integers as text: one table for each direction, one row for each rule of vireo/support/number.h.
#include "vireo/support/number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace vireo {
namespace {

using enum NumberFault;

constexpr IntegerType i1{1, true}, u1{1, false}, i8{8, true}, u8{8, false}, i16{16, true}, i32{32, true};
constexpr IntegerType u32{32, false}, i33{33, true}, u33{33, false}, i64{64, true}, u64{64, false};

struct NumberRow {
  std::string_view text;
  IntegerType type;
  NumberFault fault;
  std::uint64_t bits = 0;
};

void check(const std::vector<NumberRow>& rows) {
  for (const NumberRow& row : rows) {
    constexpr std::uint64_t untouched = 0x5555;
    std::uint64_t bits = untouched;
    const NumberFault fault = parse_integer(row.text, row.type, bits);
    const std::string what =
        std::string(row.text) + " as " + (row.type.is_signed ? "i" : "u") + std::to_string(row.type.width);
    EXPECT_EQ(fault, row.fault) << what;
    EXPECT_EQ(bits, row.fault == None ? row.bits : untouched) << what;
  }
}

std::string print(std::uint64_t bits, IntegerType type) {
  char out[max_number_chars];
  return {out, print_integer(out, bits, type)};
}

TEST(ParseInteger, reads_decimal_octal_and_hexadecimal) {
  check({{"0", u32, None, 0},
         {"42", u32, None, 42},
         {"+42", u32, None, 42},
         {"010", u32, None, 8},
         {"00", u32, None, 0},
         {"0x10", u32, None, 16},
         {"0X1f", u32, None, 31},
         {"0xFF", u32, None, 255},
         {"+0x10", u32, None, 16},
         {"-010", i32, None, 0xfffffff8},
         {"-0", i32, None, 0},
         {"00000000000000000000000000000000000017", u32, None, 15},
         {"0x00000000000000000000000000000000000f", u32, None, 15}});
}

TEST(ParseInteger, rejects_text_that_is_not_an_integer) {
  for (const std::string_view text : {"", "+", "0x", "0X", "+0x", "08", "1.0", "1e1", "0b1", "1u", "1_0", "0x1g", " 1",
                                      "1 ", "+-1", "++1", "0x-1", "x", "18446744073709551616x"}) {
    check({{text, u32, Malformed}, {text, i32, Malformed}});
  }
  check({{"-", i32, Malformed}, {"--1", i32, Malformed}, {"-+1", i32, Malformed}, {"-0x", i32, Malformed}});
}

TEST(ParseInteger, rejects_a_minus_for_unsigned_types) {
  check({{"-1", u32, NegativeUnsigned}, {"-0", u8, NegativeUnsigned}, {"-", u64, NegativeUnsigned}});
}

TEST(ParseInteger, respects_the_limits_of_every_width) {
  check({{"0", i1, None, 0},
         {"-1", i1, None, 0xffffffff},
         {"1", i1, OutOfRange},
         {"1", u1, None, 1},
         {"2", u1, OutOfRange},
         {"127", i8, None, 127},
         {"128", i8, OutOfRange},
         {"0200", i8, OutOfRange},
         {"-128", i8, None, 0xffffff80},
         {"-129", i8, OutOfRange},
         {"255", u8, None, 255},
         {"256", u8, OutOfRange},
         {"4294967295", u32, None, 0xffffffff},
         {"4294967296", u32, OutOfRange},
         {"-2147483648", i32, None, 0x80000000},
         {"2147483648", i32, OutOfRange},
         {"8589934591", u33, None, 0x1ffffffff},
         {"8589934592", u33, OutOfRange},
         {"9223372036854775807", i64, None, 0x7fffffffffffffff},
         {"9223372036854775808", i64, OutOfRange},
         {"-9223372036854775808", i64, None, 0x8000000000000000},
         {"-9223372036854775809", i64, OutOfRange},
         {"18446744073709551615", u64, None, 0xffffffffffffffff},
         {"18446744073709551616", u64, OutOfRange},
         {"0x10000000000000000", u64, OutOfRange},
         {"99999999999999999999999999999999", i8, OutOfRange}});
}

TEST(ParseInteger, reads_hexadecimal_without_a_sign_as_a_sign_extended_bit_pattern) {
  check({{"0xff", i8, None, 0xffffffff},
         {"0X80", i8, None, 0xffffff80},
         {"0x7f", i8, None, 0x7f},
         {"0x100", i8, OutOfRange},
         {"0xffff", i16, None, 0xffffffff},
         {"0x100000000", i33, None, 0xffffffff00000000},
         {"0xffffffffffffffff", i64, None, 0xffffffffffffffff},
         {"0xff", u8, None, 0xff},
         {"+0x80", i8, OutOfRange},  // a sign makes it a number instead of a bit pattern
         {"-0x80", i8, None, 0xffffff80},
         {"-0x81", i8, OutOfRange}});
}

TEST(ParseInteger, rejects_unsupported_widths) {
  check(
      {{"0", {65, false}, UnsupportedWidth}, {"0", {0, true}, UnsupportedWidth}, {"x", {128, true}, UnsupportedWidth}});
  char out[max_number_chars];
  EXPECT_EQ(print_integer(out, 5, {65, false}), out);
}

TEST(ParseU32, agrees_with_parse_integer) {
  for (const std::string_view text :
       {"0", "7", "10", "010", "08", "999999999", "1000000000", "4294967295", "4294967296", "0xffffffff", "+1", "-1",
        "", "x", "12x", "99999999999", "00", "0x"}) {
    std::uint64_t expected = 0;
    std::uint32_t value = 0;
    EXPECT_EQ(parse_u32(text, value), parse_integer(text, u32, expected)) << text;
    EXPECT_EQ(value, expected) << text;
  }
}

TEST(PrintInteger, prints_the_whole_word) {
  EXPECT_EQ(print(0xffffffff, i32), "-1");
  EXPECT_EQ(print(0x80000000, i32), "-2147483648");
  EXPECT_EQ(print(0xffffffff, u32), "4294967295");
  EXPECT_EQ(print(0xffffff80, i8), "-128");
  EXPECT_EQ(print(0x000000fe, i8), "254");         // not sign-extended, so that the module's error is visible
  EXPECT_EQ(print(0xffffff05, u8), "4294967045");  // not zero-extended
  EXPECT_EQ(print(0xffffffff'00000001, u8), "1");  // only one word is read
  EXPECT_EQ(print(0xffffffff'00000001, u33), "18446744069414584321");
  EXPECT_EQ(print(0xffffffff'00000001, i33), "-4294967295");
  EXPECT_EQ(print(0x8000000000000000, i64), "-9223372036854775808");
  EXPECT_EQ(print(0xffffffffffffffff, u64), "18446744073709551615");
}

TEST(PrintU32, agrees_with_the_standard_library) {
  std::vector<std::uint32_t> values = {0, std::numeric_limits<std::uint32_t>::max()};
  for (std::uint64_t power = 1; power <= 0xffffffff; power *= 10) {
    for (const std::uint64_t value : {power - 1, power, power + 1}) values.push_back(static_cast<std::uint32_t>(value));
  }
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) values.push_back(static_cast<std::uint32_t>(random()) >> (i % 32));
  for (const std::uint32_t value : values) {
    char out[max_number_chars];
    const std::string text(out, print_u32(out, value));
    ASSERT_EQ(text, std::to_string(value));
    std::uint32_t read = 0;
    ASSERT_EQ(parse_u32(text, read), None) << text;
    ASSERT_EQ(read, value);
  }
}

TEST(PrintInteger, is_the_inverse_of_parsing_at_every_width) {
  std::mt19937_64 random(2);
  for (std::uint32_t width = 1; width <= 64; ++width) {
    for (int i = 0; i < 2000; ++i) {
      const IntegerType type{width, i % 2 == 0};
      // Shifts out and in: extended like the type.
      const auto high = static_cast<std::int64_t>(random() << (64 - width));
      std::uint64_t bits = type.is_signed ? static_cast<std::uint64_t>(high >> (64 - width))
                                          : static_cast<std::uint64_t>(high) >> (64 - width);
      if (width <= 32) bits &= 0xffffffff;
      const std::string text = print(bits, type);
      std::uint64_t read = 0;
      ASSERT_EQ(parse_integer(text, type, read), None) << text << " in " << width;
      ASSERT_EQ(read, bits) << text << " in " << width;
    }
  }
}

}  // namespace
}  // namespace vireo
