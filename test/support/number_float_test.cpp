// SPDX-License-Identifier: Apache-2.0
//
// Floats as text: tables of spellings with the bits that they represent, and two properties of all codes: reading the
// printed text gives the same bits, and decimals round to the nearest code.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/support/number.h"

namespace vireo {
namespace {

using enum NumberFault;
using enum FloatFormat;

constexpr FloatFormat narrow_formats[] = {Half,       BFloat16,   Float8E4M3,         Float8E5M2, Float6E2M3,
                                          Float6E3M2, Float4E2M1, Float8UnsignedE8M0, MXInt8};

struct FloatRow {
  FloatFormat format;
  std::string_view text;
  NumberFault fault;
  std::uint64_t bits = 0;
};

std::string name_of(std::string_view text, FloatFormat format) {
  return std::string(text.substr(0, 80)) + " in format " + std::to_string(static_cast<int>(format));
}

void check(const std::vector<FloatRow>& rows) {
  for (const FloatRow& row : rows) {
    constexpr std::uint64_t untouched = 0x5555;
    std::uint64_t bits = untouched;
    EXPECT_EQ(parse_float(row.text, row.format, bits), row.fault) << name_of(row.text, row.format);
    EXPECT_EQ(bits, row.fault == None ? row.bits : untouched) << name_of(row.text, row.format);
  }
}

std::string print(std::uint64_t bits, FloatFormat format) {
  char out[max_number_chars];
  return {out, print_float(out, bits, format)};
}

std::uint64_t parse(std::string_view text, FloatFormat format) {
  std::uint64_t bits = ~std::uint64_t{0};
  EXPECT_EQ(parse_float(text, format, bits), None) << name_of(text, format);
  return bits;
}

// --- spelling ------------------------------------------------------------------------------------------------------

TEST(ParseFloat, reads_decimals_as_c_does) {
  check({{Single, "1", None, 0x3f800000},
         {Single, "1.", None, 0x3f800000},
         {Single, ".5", None, 0x3f000000},
         {Single, "1.e1", None, 0x41200000},
         {Single, "+1.5", None, 0x3fc00000},
         {Single, "010", None, 0x41200000},
         {Single, "-0", None, 0x80000000},
         {Single, "1E5", None, 0x47c35000},
         {Single, "0.1", None, 0x3dcccccd},
         {Double, "0.1", None, 0x3fb999999999999a},
         {Half, "-.5", None, 0xb800},
         {Half, "-0.0", None, 0x8000}});
}

TEST(ParseFloat, rejects_text_that_is_not_a_float) {
  for (const std::string_view text :
       {"",        ".",         "-",        "+",       "1e",      "1e+",     "1f",    "1_0",   "inf",
        "-inf",    "nan",       "infinity", "++1",     "+-1",     "-+1",     "1.1.1", "e5",    ".e5",
        "0x",      "0x.",       "0xp",      "0x1",     "0x1.",    "0x1p",    "0x1p+", "0x1P0", "0x1p0f",
        "0x1p1.0", "0x1.1.1p0", "0xgp0",    "0x1p--1", "0x1p+-1", "+-0x1p0", " 1",    "1 ",    "0x1p+0x2"}) {
    for (const FloatFormat format : {Half, Single, Double, Float4E2M1, Float8UnsignedE8M0, MXInt8}) {
      check({{format, text, Malformed}});
    }
  }
}

TEST(ParseFloat, reads_hexadecimals_with_a_point_anywhere) {
  check({{Single, "0x1p+0", None, 0x3f800000},
         {Single, "+0X1p0", None, 0x3f800000},
         {Single, "-0x1.8p+1", None, 0xc0400000},
         {Single, "0x3p0", None, 0x40400000},
         {Single, "0x.8p1", None, 0x3f800000},
         {Single, "0x10000000000000000000000000p-100", None, 0x3f800000},
         {Single, "0x0.00000000000000000000000001p104", None, 0x3f800000},
         {Single, "0x1p00000000001", None, 0x40000000},
         {Single, "0x.p0", None, 0},
         {Single, "-0xp0", None, 0x80000000},
         {Single, "0x0p99999999999999999999999", None, 0}});
}

// --- rounding ------------------------------------------------------------------------------------------------------

TEST(ParseFloat, rounds_decimals_to_nearest_and_ties_to_even) {
  const std::string zeros(3000, '0');
  const std::string above_tie = "1.00048828125" + zeros + "1";
  const std::string below_tie = "1.000488281249" + std::string(3000, '9');
  check({{Half, "0.1", None, 0x2e66},
         {Half, "1.00048828125", None, 0x3c00},  // between 3c00 and 3c01
         {Half, above_tie, None, 0x3c01},        // these are equal to the tie as doubles
         {Half, below_tie, None, 0x3c00},
         {Half, "1.00146484375", None, 0x3c02},
         {Half, "100048828125" + zeros + "1e-3012", None, 0x3c01},
         {Half, "2.98023223876953125e-8", None, 0},  // half of the smallest subnormal
         {Half, "2.980232238769531250000000000000000000000000001e-8", None, 1},
         {Half, "5.96e-8", None, 1},
         {BFloat16, "1e-40", None, 1},
         {Float8E4M3, "0.0009765625", None, 0},
         {Float8E4M3, "0.00097656251", None, 1},
         {Float6E2M3, "0.0625", None, 0},
         {Float6E2M3, "0.1", None, 1},
         {Float4E2M1, "2.5", None, 0b100},  // between 2 and 3
         {Float4E2M1, "3.5", None, 0b110},  // between 3 and 4
         {Float4E2M1, "4", None, 0b110}});
}

TEST(ParseFloat, rounds_hexadecimals_to_nearest_and_ties_to_even) {
  check({{Single, "0x1.000001p+0", None, 0x3f800000},
         {Single, "0x1.0000010000000000000000000001p+0", None, 0x3f800001},
         {Single, "0x1.000003p+0", None, 0x3f800002},
         {Single, "0x1.8p-149", None, 2},
         {Single, "0x1p-150", None, 0},
         {Single, "0x1.8p-150", None, 1},
         {Single, "0x1.fffffffp-127", None, 0x00800000},  // into the normal numbers
         {Double, "0x1.00000000000008p0", None, 0x3ff0000000000000},
         {Double, "0x1.00000000000008000000000001p0", None, 0x3ff0000000000001},
         {Half, "0x1.002p+0", None, 0x3c00},
         {Half, "0x1.006p+0", None, 0x3c02},
         {Half, "0x1p-25", None, 0}});
}

// --- the ends of the range -----------------------------------------------------------------------------------------

TEST(ParseFloat, rounds_small_numbers_to_zero) {
  check({{Single, "1e-50", None, 0},
         {Single, "-1e-99999999999999999999", None, 0x80000000},
         {Single, "0." + std::string(400, '0') + "1", None, 0},
         {Double, "2e-324", None, 0},
         {Double, "5e-324", None, 1},
         {Single, "0e99999999999999999999", None, 0},
         {Single, "1e-999999999999999999999999999999", None, 0},
         {Single, "0x1p-9999999999999999999", None, 0},
         {Half, "-1e-400", None, 0x8000},
         {Half, "0x1p-99999999999999999999", None, 0},
         {Float4E2M1, "-0.25", None, 0b1000}});
}

TEST(ParseFloat, rejects_decimals_beyond_the_largest_value) {
  check({{Single, "3.4028235e38", None, 0x7f7fffff},
         {Single, "3.40282357e38", OutOfRange},
         {Single, "-1e400", OutOfRange},
         {Single, "1e99999999999999999999", OutOfRange},
         {Double, "1.7976931348623157e308", None, 0x7fefffffffffffff},
         {Double, "1.8e308", OutOfRange},
         {Double, "1" + std::string(400, '0'), OutOfRange},
         {Half, "65504", None, 0x7bff},
         {Half, "65520", None, 0x7bff},  // nearer to 65536, but that would be infinity
         {Half, "-65535.99999999999999999999999", None, 0xfbff},
         {Half, "65536", OutOfRange},
         {Half, "1e30", OutOfRange},
         {BFloat16, "3.4e38", None, 0x7f7f},
         {BFloat16, "3.4029e38", OutOfRange},
         {Float8E5M2, "65535", None, 0x7b},
         {Float8E5M2, "65536", OutOfRange},
         {Float8E4M3, "464", None, 0x7e},
         {Float8E4M3, "464.00000000000000000000000001", OutOfRange},
         {Float8E4M3, "480", OutOfRange},  // only hexadecimal text can represent NaN
         {Float6E2M3, "7.5", None, 0x1f},
         {Float6E2M3, "7.75", OutOfRange},
         {Float6E3M2, "-28", None, 0x3f},
         {Float6E3M2, "30", OutOfRange},
         {Float4E2M1, "6", None, 0x7},
         {Float4E2M1, "7", OutOfRange}});
}

TEST(ParseFloat, reads_infinities_and_nans_as_powers_beyond_the_largest) {
  check({{Single, "0x1p+128", None, 0x7f800000},
         {Single, "-0x1.8p+128", None, 0xffc00000},
         {Single, "0x3p+127", None, 0x7fc00000},
         {Single, "0x1.000002p+128", None, 0x7f800001},
         {Single, "0x1.000001p+128", None, 0x7f800000},  // the payload has 23 bits; lower bits are cut off
         {Single, "0x1.000003p+128", None, 0x7f800001},
         {Single, "0x1.fffffffp+128", None, 0x7fffffff},
         {Single, "0x1.8p+129", None, 0x7f800000},
         {Single, "-0x1p+99999999999999999999", None, 0xff800000},
         {Single, "0x1.fffffffp+127", None, 0x7f7fffff},  // a finite number stays finite
         {Double, "0x1p+1024", None, 0x7ff0000000000000},
         {Double, "0x1.0000000000001p+1024", None, 0x7ff0000000000001},
         {Half, "0x1p+16", None, 0x7c00},
         {Half, "0x1.004p+16", None, 0x7c01},
         {Half, "0x1.fffp+15", None, 0x7bff},
         {BFloat16, "0x1p+128", None, 0x7f80},
         {Float8E5M2, "0x1p+16", None, 0x7c},
         {Float8E5M2, "0x1.4p+16", None, 0x7d}});
}

TEST(ParseFloat, rejects_hexadecimals_beyond_formats_without_infinity) {
  check({{Float8E4M3, "0x1.cp+8", None, 0x7e},
         {Float8E4M3, "0x1.ep+8", None, 0x7f},
         {Float8E4M3, "-0x1.ep+8", None, 0xff},
         {Float8E4M3, "0x1.dfp+8", OutOfRange},  // rounding does not make a NaN
         {Float8E4M3, "0x1.fp+8", OutOfRange},
         {Float8E4M3, "0x1p+9", OutOfRange},
         {Float8E4M3, "0x1p+99999999999", OutOfRange},
         {Float6E2M3, "0x1p+3", OutOfRange},
         {Float6E3M2, "0x1p+5", OutOfRange},
         {Float4E2M1, "0x1.8p+2", None, 0x7},
         {Float4E2M1, "0x1p+3", OutOfRange}});
}

TEST(ParseFloat, accepts_scales_and_fractions_only_if_exact) {
  check({{Float8UnsignedE8M0, "1", None, 127},
         {Float8UnsignedE8M0, "0.5", None, 126},
         {Float8UnsignedE8M0, "5.877471754111438e-39", None, 0},
         {Float8UnsignedE8M0, "1.7014118346046923e38", None, 254},
         {Float8UnsignedE8M0, "0x1p-127", None, 0},
         {Float8UnsignedE8M0, "0x1p+127", None, 254},
         {Float8UnsignedE8M0, "0x1p+128", None, 255},  // NaN
         {Float8UnsignedE8M0, "3.402823669209385e38", OutOfRange},
         {Float8UnsignedE8M0, "0x1p-128", OutOfRange},
         {Float8UnsignedE8M0, "0x1p+129", OutOfRange},
         {Float8UnsignedE8M0, "0x1.8p+128", OutOfRange},
         {Float8UnsignedE8M0, "0", OutOfRange},
         {Float8UnsignedE8M0, "3", OutOfRange},
         {Float8UnsignedE8M0, "-1", OutOfRange},
         {MXInt8, "0", None, 0},
         {MXInt8, "-0", None, 0},
         {MXInt8, "1", None, 0x40},
         {MXInt8, "-1", None, 0xc0},
         {MXInt8, "0.015625", None, 1},
         {MXInt8, "1.984375", None, 0x7f},
         {MXInt8, "-1.984375", None, 0x81},
         {MXInt8, "-0x1p+1", None, 0x80},
         {MXInt8, "2", OutOfRange},
         {MXInt8, "0.01", OutOfRange},
         {MXInt8, "0x1p-7", OutOfRange},
         {MXInt8, "-0x1.02p+1", OutOfRange},
         {MXInt8, "1e300", OutOfRange}});
}

TEST(ParseFloat, reads_a_million_digits_in_linear_time) {
  // Quadratic time would take minutes, so the test would time out.
  const std::string digits(1'000'000, '3');
  EXPECT_EQ(parse("0." + digits, Half), 0x3555u);
  EXPECT_EQ(parse("0." + digits, Single), 0x3eaaaaabu);
  EXPECT_EQ(parse(digits + "e-1000000", Double), 0x3fd5555555555555u);
  EXPECT_EQ(parse("1.00048828125" + std::string(1'000'000, '0') + "1", Half), 0x3c01u);
  EXPECT_EQ(parse("0x" + digits + "p-4000000", Single), 0x3e4ccccdu);
}

// --- printing ------------------------------------------------------------------------------------------------------

TEST(PrintFloat, prints_zeros_and_normal_numbers_of_the_wide_formats_in_decimal) {
  EXPECT_EQ(print(0x00000000, Single), "0");
  EXPECT_EQ(print(0x80000000, Single), "-0");
  EXPECT_EQ(print(0x3dcccccd, Single), "0.100000001");
  EXPECT_EQ(print(0x7f7fffff, Single), "3.40282347e+38");
  EXPECT_EQ(print(0x3fb999999999999a, Double), "0.10000000000000001");
}

TEST(PrintFloat, prints_the_rest_as_normalised_hexadecimal) {
  EXPECT_EQ(print(0x00000001, Single), "0x1p-149");
  EXPECT_EQ(print(0x00000003, Single), "0x1.8p-148");
  EXPECT_EQ(print(0x7f800001, Single), "0x1.000002p+128");
  EXPECT_EQ(print(0xff800000, Single), "-0x1p+128");
  EXPECT_EQ(print(0x000ffffffffffffd, Double), "0x1.ffffffffffffap-1023");
  EXPECT_EQ(print(0x8000, Half), "-0x0p+0");
  EXPECT_EQ(print(0x0001, Half), "0x1p-24");
  EXPECT_EQ(print(0xabcd3e00, Half), "0x1.8p+0");  // the upper half of the word is ignored
  EXPECT_EQ(print(0x0001, BFloat16), "0x1p-133");
  EXPECT_EQ(print(0x7f, Float8E4M3), "0x1.ep+8");
  EXPECT_EQ(print(0x01, Float6E2M3), "0x1p-3");
  EXPECT_EQ(print(0x1f, Float6E3M2), "0x1.cp+4");
  EXPECT_EQ(print(0x1, Float4E2M1), "0x1p-1");
  EXPECT_EQ(print(0x00, Float8UnsignedE8M0), "0x1p-127");
  EXPECT_EQ(print(0xff, Float8UnsignedE8M0), "0x1p+128");
  EXPECT_EQ(print(0x80, MXInt8), "-0x1p+1");
  EXPECT_EQ(print(0xff, MXInt8), "-0x1p-6");
}

TEST(PrintFloat, prints_singles_and_doubles_as_printf_does) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200'000; ++i) {
    // Every other number has a common magnitude; the others have any.
    const double near = std::ldexp(static_cast<double>(random() % 20'000), -static_cast<int>(random() % 16));
    const auto any = static_cast<std::uint32_t>(random());
    const auto single = i % 2 == 0 ? static_cast<float>(near) : std::bit_cast<float>(any);
    const auto twice = i % 2 == 0 ? near / 1000 : std::bit_cast<double>(random());
    char expected[64];
    if (std::isnormal(single)) {
      (void)std::snprintf(expected, sizeof expected, "%.9g", static_cast<double>(single));
      ASSERT_EQ(print(std::bit_cast<std::uint32_t>(single), Single), expected);
    }
    if (std::isnormal(twice)) {
      (void)std::snprintf(expected, sizeof expected, "%.17g", twice);
      ASSERT_EQ(print(std::bit_cast<std::uint64_t>(twice), Double), expected);
    }
  }
}

// --- properties ----------------------------------------------------------------------------------------------------

TEST(FloatRoundTrip, holds_for_every_code_of_every_narrow_format) {
  for (const FloatFormat format : narrow_formats) {
    for (std::uint64_t code = 0; code < std::uint64_t{1} << width_of(format); ++code) {
      const std::string text = print(code, format);
      ASSERT_EQ(parse(text, format), code) << name_of(text, format);
    }
  }
}

TEST(FloatRoundTrip, holds_for_random_singles_and_doubles) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t bits = random();
    ASSERT_EQ(parse(print(bits, Double), Double), bits);
    ASSERT_EQ(parse(print(bits & 0xffffffff, Single), Single), bits & 0xffffffff);
  }
}

TEST(FloatRoundTrip, holds_for_subnormals_and_nan_payloads) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random();
    for (const std::uint64_t exponent : {std::uint64_t{0}, std::uint64_t{0x7f800000}}) {
      const std::uint64_t single = (bits & 0x807fffff) | exponent;
      ASSERT_EQ(parse(print(single, Single), Single), single);
    }
    for (const std::uint64_t exponent : {std::uint64_t{0}, std::uint64_t{0x7ff0000000000000}}) {
      const std::uint64_t twice = (bits & 0x800fffffffffffff) | exponent;
      ASSERT_EQ(parse(print(twice, Double), Double), twice);
    }
  }
}

/// The value of a finite code below the sign bit, by its hexadecimal text and the C library.
double value_of(std::uint64_t code, FloatFormat format) { return std::strtod(print(code, format).c_str(), nullptr); }

// The midpoint of two neighbours is exact in a double, and so is its text with enough digits. The rows are the
// midpoint, one far digit more and one less: the three cases in which double rounding is wrong.
TEST(FloatRounding, is_correct_halfway_between_neighbours) {
  constexpr std::pair<FloatFormat, std::uint64_t> largest_codes[] = {
      {Half, 0x7bff},     {BFloat16, 0x7f7f}, {Float8E4M3, 0x7e}, {Float8E5M2, 0x7b},
      {Float6E2M3, 0x1f}, {Float6E3M2, 0x1f}, {Float4E2M1, 0x7}};
  for (const auto& [format, largest] : largest_codes) {
    for (std::uint64_t code = 0; code < largest; ++code) {
      const double middle = (value_of(code, format) + value_of(code + 1, format)) / 2;
      char digits[256];
      const int length = std::snprintf(digits, sizeof digits, "%.150e", middle);
      ASSERT_GT(length, 150);
      const std::string text(digits);
      const std::size_t mark = text.find('e');
      const std::string above = text.substr(0, mark) + "1" + text.substr(mark);
      ASSERT_EQ(parse(text, format), code + (code & 1)) << name_of(text, format);
      ASSERT_EQ(parse(above, format), code + 1) << name_of(above, format);

      // Below the midpoint: subtract one from the last digit that is not 0, and append nines.
      const std::size_t last = text.find_last_not_of('0', mark - 1);
      std::string below = text.substr(0, last + 1);
      if (below.back() == '.') below.pop_back();  // an integer with one digit
      --below.back();
      if (below.find('.') == std::string::npos) below += '.';
      below += "99999999999999999999999999999999999999999" + text.substr(mark);
      ASSERT_EQ(parse(below, format), code) << name_of(below, format);
    }
  }
}

}  // namespace
}  // namespace vireo
