// SPDX-License-Identifier: Apache-2.0
//
// Reads short decimal numbers, such as most ids of a text, without a loop over their digits.
//
// Eight digits fit in a register. A shorter number is shifted so that zeros precede it; then neighbours
// are combined: pairs, fours, all eight.
#pragma once

#include <cstddef>
#include <cstdint>

#include "spirv/text/eight_bytes.h"

namespace vireo::spirv::text {

namespace detail {
// One digit per byte, the last one in the highest byte, zeros before the first.
inline std::uint32_t join_digits(std::uint64_t digits) {
  constexpr std::uint64_t pairs = 0x000000FF000000FFull;
  digits = digits * 10 + (digits >> 8);
  return static_cast<std::uint32_t>(
      ((digits & pairs) * 0x000F424000000064ull + ((digits >> 16) & pairs) * 0x0000271000000001ull) >> 32);
}
}  // namespace detail

/// Reads the decimal number at the start of eight bytes: 1 to 7 digits, the first of them not zero, and another byte
/// after them. Returns the number of digits; 0 if there is no such number.
inline unsigned leading_decimal(std::uint64_t bytes, std::uint32_t& value) {
  // Most other words differ in their first byte, so it is checked before the rest.
  if ((bytes & 0xFF) - '1' >= 9) return 0;
  const std::uint64_t digits = bytes ^ every('0');
  const std::uint64_t others = bytes_above_nine(digits);
  if (others == 0) [[unlikely]]
    return 0;
  const unsigned bits = bits_before(others);
  value = detail::join_digits(digits << (64 - bits));
  return bits / 8;
}

}  // namespace vireo::spirv::text
