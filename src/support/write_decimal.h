// SPDX-License-Identifier: Apache-2.0
//
// Small unsigned numbers as decimal text, inline, for the inner loops of printers.
//
// The one idea: eight digits are two loads from a table of all groups of four, and fit in a register. There the zeros in
// front are counted and shifted out, and one store writes whatever is left: no branch asks how long a number is. The
// text is known before it is written, so that it can be put at the end of a column as well as at its beginning.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace vireo {

/// "0000" to "9999", the first digit in the lowest byte. 40 KB, of which a text touches little: the upper halves of its
/// numbers are much the same, and the lower ones are neighbours.
extern const std::array<std::uint32_t, 10000> digit_fours;

/// The text of a number below 100,000,000.
struct ShortDecimal {
  static constexpr std::uint32_t limit = 100000000;

  std::uint64_t text;    ///< the first digit in the lowest byte, zeros behind the last
  std::uint32_t length;  ///< 1 to 8 bytes

  explicit ShortDecimal(std::uint32_t value) {
    const std::uint32_t upper = value / 10000;
    const std::uint64_t digits = digit_fours[upper] | std::uint64_t{digit_fours[value % 10000]} << 32;
    // A bit in the last digit's byte stops the count there: 0 has one digit.
    const int zeros = std::countr_zero((digits - 0x3030303030303030ull) | std::uint64_t{1} << 56) & ~7;
    text = digits >> zeros;
    length = static_cast<std::uint32_t>(64 - zeros) / 8;
  }

  /// Writes eight bytes, of which the first `length` are the number.
  void store(char* out) const {
    const std::uint64_t bytes = std::endian::native == std::endian::little ? text : __builtin_bswap64(text);
    std::memcpy(out, &bytes, sizeof bytes);
  }
};

/// Numbers of nine and ten digits, which no module uses as ids. Ten bytes must be writable.
[[gnu::cold]] char* write_long_decimal(char* out, std::uint32_t value);

/// Writes a number; returns the end. Ten bytes must be writable behind `out`, whatever the number.
inline char* write_decimal(char* out, std::uint32_t value) {
  if (value >= ShortDecimal::limit) [[unlikely]]
    return write_long_decimal(out, value);
  const ShortDecimal number(value);
  number.store(out);
  return out + number.length;
}

}  // namespace vireo
