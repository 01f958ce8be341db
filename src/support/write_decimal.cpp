// SPDX-License-Identifier: Apache-2.0
//
// The table of write_decimal.h, made by the compiler, and the numbers that are too long for it.
#include "support/write_decimal.h"

namespace vireo {

constinit const std::array<std::uint32_t, 10000> digit_fours = [] {
  std::array<std::uint32_t, 10000> fours{};
  for (std::uint32_t i = 0; i < 10000; ++i)
    fours[i] = 0x30303030 + (i / 1000 | i / 100 % 10 << 8 | i / 10 % 10 << 16 | i % 10 << 24);
  return fours;
}();

char* write_long_decimal(char* out, std::uint32_t value) {
  for (std::uint32_t power = 1000000000; power != 0; power /= 10) {
    if (value >= power || power < ShortDecimal::limit) *out++ = static_cast<char>('0' + value / power % 10);
  }
  return out;
}

}  // namespace vireo
