// SPDX-License-Identifier: Apache-2.0
//
// Small unsigned numbers as decimal text, inline, for the inner loops of printers.
//
// The one idea: two digits at a time from a table of all pairs. The ids of one module mostly have the same length, so the
// branches on it are predicted; doing without them (all eight digits at once in a 64-bit word) needs three times the
// instructions and was measurably slower.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace vireo {

/// "00", "01", … "99", one after the other.
inline constexpr std::array<char, 200> digit_pairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

/// Writes a number; returns the end. Ten bytes must be writable behind `out`.
inline char* write_decimal(char* out, std::uint32_t value) {
  const auto pair = [&](std::uint32_t below_100) {
    std::memcpy(out, &digit_pairs[std::size_t{2} * below_100], 2);
    out += 2;
  };
  const auto leading = [&](std::uint32_t below_100) {  // the first digits: one or two
    if (below_100 >= 10) return pair(below_100);
    *out++ = static_cast<char>('0' + below_100);
  };
  if (value < 100) {
    leading(value);
  } else if (value < 10000) {
    leading(value / 100);
    pair(value % 100);
  } else if (value < 1000000) {
    const std::uint32_t rest = value % 10000;
    leading(value / 10000);
    pair(rest / 100);
    pair(rest % 100);
  } else {
    const std::uint32_t rest = value % 1000000;
    const std::uint32_t low = rest % 10000;
    if (value / 1000000 < 100) {
      leading(value / 1000000);
    } else {
      leading(value / 100000000);
      pair(value / 1000000 % 100);
    }
    pair(rest / 10000);
    pair(low / 100);
    pair(low % 100);
  }
  return out;
}

}  // namespace vireo
