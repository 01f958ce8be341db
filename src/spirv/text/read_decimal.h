// SPDX-License-Identifier: Apache-2.0
//
// Short decimal numbers, which most ids and literals of a text are, without a loop over their digits.
//
// The one idea: eight digits fit in a register. Zeros are shifted in front of a shorter number, then neighbours are
// joined: pairs, fours, all eight.
#pragma once

#include <cstddef>
#include <cstdint>

#include "spirv/text/lexer.h"

namespace vireo::spirv::text {

/// Reads a decimal of 1 to 8 digits without a leading zero (but `0` itself). `head` holds its bytes, the first lowest;
/// what is behind them does not matter. False for everything else.
inline bool read_canonical_decimal(std::uint64_t head, std::size_t length, std::uint32_t& value) {
  using namespace detail;
  const unsigned unused = static_cast<unsigned>(64 - 8 * length);
  std::uint64_t digits = (head << unused) ^ (every('0') << unused);
  if ((((digits + every(0x7F - 9)) | digits) & tops) != 0) return false;
  if (static_cast<unsigned char>(head) == '0' && length != 1) return false;
  constexpr std::uint64_t pairs = 0x000000FF000000FFull;
  digits = digits * 10 + (digits >> 8);
  value = static_cast<std::uint32_t>(
      ((digits & pairs) * 0x000F424000000064ull + ((digits >> 16) & pairs) * 0x0000271000000001ull) >> 32);
  return true;
}

}  // namespace vireo::spirv::text
