// SPDX-License-Identifier: Apache-2.0
//
// Short decimal numbers, which most ids of a text are, without a loop over their digits.
//
// The one idea: eight digits fit in a register. Zeros are shifted in front of a shorter number, then neighbours are
// joined: pairs, fours, all eight.
#pragma once

#include <cstddef>
#include <cstdint>

#include "spirv/text/assemble/eight_bytes.h"

namespace vireo::spirv::text {

namespace detail {
// One digit a byte, the last of them in the highest byte, zeros below the first.
inline std::uint32_t join_digits(std::uint64_t digits) {
  constexpr std::uint64_t pairs = 0x000000FF000000FFull;
  digits = digits * 10 + (digits >> 8);
  return static_cast<std::uint32_t>(
      ((digits & pairs) * 0x000F424000000064ull + ((digits >> 16) & pairs) * 0x0000271000000001ull) >> 32);
}
}  // namespace detail

/// The decimal that eight bytes begin with, when its end is among them: 1 to 7 digits, the first of them no zero.
/// Returns how many; 0 when there is none.
inline unsigned leading_decimal(std::uint64_t bytes, std::uint32_t& value) {
  // What is no number mostly says so with its first byte, before the rest is worth a look.
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
