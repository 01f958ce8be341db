// SPDX-License-Identifier: Apache-2.0
//
// Small unsigned numbers as decimal text, inline, for the inner loops of printers.
//
// The one idea: eight digits at a time in one 64-bit word, split by multiplications that act on all parts at once; the
// leading zeros are then shifted out, so that a number of any length costs the same and no branch is mispredicted.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace vireo {

static_assert(std::endian::native == std::endian::little, "the first digit of a word is its lowest byte");

/// The eight decimal digits of a number below 100,000,000, one a byte, the most significant in the lowest byte.
constexpr std::uint64_t eight_digits(std::uint32_t value) {
  std::uint64_t parts = value / 10000 | std::uint64_t{value % 10000} << 32;           // two numbers of four digits
  const std::uint64_t hundreds = (parts * 10486 >> 20) & 0x0000007F'0000007F;         // each divided by 100
  parts = hundreds | (parts - hundreds * 100) << 16;                                   // four numbers of two digits
  const std::uint64_t tens = (parts * 103 >> 10) & 0x000F'000F'000F'000F;              // each divided by 10
  return tens | (parts - tens * 10) << 8;
}
static_assert(eight_digits(12345678) == 0x08'07'06'05'04'03'02'01);

/// Writes a number; returns the end. Sixteen bytes must be writable behind `out`, whatever the length.
inline char* write_decimal(char* out, std::uint32_t value) {
  constexpr std::uint64_t ascii_zeros = 0x3030303030303030;
  if (value >= 100000000) [[unlikely]] {
    out = write_decimal(out, value / 100000000);
    const std::uint64_t rest = eight_digits(value % 100000000) | ascii_zeros;
    std::memcpy(out, &rest, sizeof rest);
    return out + 8;
  }
  const std::uint64_t digits = eight_digits(value);
  // The last digit is always written, also of 0: its bit stands in for it where all digits are zero.
  const int zeros = std::countr_zero(digits | std::uint64_t{1} << 56) / 8;
  const std::uint64_t text = (digits | ascii_zeros) >> (zeros * 8);
  std::memcpy(out, &text, sizeof text);
  return out + (8 - zeros);
}

}  // namespace vireo
