// SPDX-License-Identifier: Apache-2.0
//
// Bit strings, compared with strings of '0' and '1'.
#include "vireo/isa/bits.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace vireo::isa {
namespace {

constexpr std::uint32_t widths[] = {1, 7, 31, 32, 63, 64, 65, 96, 127, 128, 129, 200, 1000};

// The bits, highest first.
std::string digits_of(const Bits& bits) {
  std::string text;
  for (std::uint32_t i = bits.width(); i-- > 0;) text.push_back(bits.test(i) ? '1' : '0');
  return text;
}

Bits bits_of(std::string_view digits) {
  Bits bits(static_cast<std::uint32_t>(digits.size()));
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] == '1') bits.set(static_cast<std::uint32_t>(digits.size() - 1 - i));
  }
  return bits;
}

std::string random_digits(std::uint32_t width, std::mt19937& random) {
  std::string text;
  for (std::uint32_t i = 0; i < width; ++i) text.push_back((random() & 1) != 0 ? '1' : '0');
  return text;
}

TEST(Bits, slices_are_substrings) {
  std::mt19937 random(1);
  for (const std::uint32_t width : widths) {
    const std::string text = random_digits(width, random);
    const Bits bits = bits_of(text);
    ASSERT_EQ(digits_of(bits), text);
    for (int i = 0; i < 50; ++i) {
      const std::uint32_t a = static_cast<std::uint32_t>(random()) % width;
      const std::uint32_t b = static_cast<std::uint32_t>(random()) % width;
      const std::uint32_t low = std::min(a, b);
      const std::uint32_t high = std::max(a, b);
      const std::string part = text.substr(width - 1 - high, high - low + 1);
      EXPECT_EQ(digits_of(bits.extract(low, high)), part);
      if (part.size() <= 64) { EXPECT_EQ(bits.slice(low, high), std::stoull(part, nullptr, 2)); }
    }
  }
}

TEST(Bits, inserting_replaces_a_substring) {
  std::mt19937 random(2);
  for (const std::uint32_t width : widths) {
    for (int i = 0; i < 50; ++i) {
      std::string text = random_digits(width, random);
      const std::uint32_t low = static_cast<std::uint32_t>(random()) % width;
      const std::string part = random_digits(1 + static_cast<std::uint32_t>(random()) % (width - low), random);
      Bits bits = bits_of(text);
      bits.insert(low, bits_of(part));
      text.replace(width - low - part.size(), part.size(), part);
      EXPECT_EQ(digits_of(bits), text);
    }
  }
}

TEST(Bits, set_range_sets_all_bits) {
  for (const std::uint32_t width : widths) {
    for (std::uint32_t low = 0; low < width; low += 1 + width / 9) {
      for (std::uint32_t high = low; high < width; high += 1 + width / 9) {
        Bits bits(width);
        bits.set_range(low, high);
        EXPECT_EQ(bits.count(), high - low + 1);
        EXPECT_EQ(bits.lowest(), low);
        EXPECT_EQ((~bits).count(), width - bits.count());
        EXPECT_TRUE((bits & ~bits).is_zero());
        EXPECT_EQ(bits | ~bits, ~Bits(width));
        EXPECT_EQ(bits ^ bits, Bits(width));
      }
    }
  }
}

TEST(Bits, round_trip_through_hexadecimal) {
  std::mt19937 random(3);
  for (const std::uint32_t width : widths) {
    const Bits bits = bits_of(random_digits(width, random));
    const std::string text = to_hex(bits);
    EXPECT_EQ(text.size(), hex_digits(width));
    EXPECT_EQ(parse_hex(text, width), bits);
    EXPECT_EQ(parse_hex("0x" + text, width), bits);
    EXPECT_EQ(parse_hex("000" + text, width), bits);
  }
}

TEST(Bits, invalid_or_too_wide_hexadecimal_is_rejected) {
  for (const std::string_view text : {"", "0x", "g", "1 2", "-1", "10000", "_"})
    EXPECT_FALSE(parse_hex(text, 16)) << text;
  EXPECT_FALSE(parse_hex("8", 3));
  EXPECT_TRUE(parse_hex("7", 3));
  EXPECT_EQ(parse_hex("ab_CD", 16), Bits(16, 0xABCD));
}

TEST(Bits, sign_extension_starts_at_the_width) {
  EXPECT_EQ(sign_extended(0x1, 1), -1);
  EXPECT_EQ(sign_extended(0x7F, 7), -1);
  EXPECT_EQ(sign_extended(0x3F, 7), 63);
  EXPECT_EQ(sign_extended(0x180, 7), 0);  // higher bits are ignored
  EXPECT_EQ(sign_extended(~std::uint64_t{0}, 64), -1);
}

}  // namespace
}  // namespace vireo::isa
