// SPDX-License-Identifier: Apache-2.0
//
// Converts values of fields to text.
//
// The texts equal those of C's printf (docs/isaspec.md, "Types"), but the code uses no locale, memory allocation or
// format string. Callers provide space for the longest number, a float of 2^127 with six decimals.
#include "isa/print/values.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "vireo/support/number.h"

namespace vireo::isa {
namespace {

// The conversion is exact, because a double can represent every half.
double half_to_double(std::uint32_t bits) {
  const bool negative = (bits & 0x8000u) != 0;
  const std::uint32_t exponent = bits >> 10 & 0x1Fu;
  const std::uint32_t fraction = bits & 0x3FFu;
  double value = 0;
  if (exponent == 0x1F)
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0) value = std::ldexp(fraction, -24);
  else value = std::ldexp(fraction | 0x400u, static_cast<int>(exponent) - 25);
  return negative ? -value : value;
}

char* write_text(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

// Rounds to nearest, ties to even.
std::uint32_t half_from(double value) {
  const std::uint32_t sign = std::signbit(value) ? 0x8000u : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isnan(value)) return sign | 0x7E00u;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // A half has ten fraction bits, and its smallest step is 2^-24.
  const int step = std::max(exponent - 11, -24);
  const double units = std::nearbyint(std::ldexp(magnitude, -step));  // ties to even, the default mode
  if (units >= std::ldexp(1.0, 16 - step)) return sign | 0x7C00u;
  const auto count = static_cast<std::uint32_t>(units);
  if (step == -24) return sign | count;  // the encodings of subnormals and the smallest normal numbers are contiguous
  return sign | ((static_cast<std::uint32_t>(step + 24) << 10) + count);
}

}  // namespace

char* write_unsigned(char* out, std::uint64_t value) {
  if (value < 10) {  // fast path: most numbers have one or two digits
    *out = static_cast<char>('0' + value);
    return out + 1;
  }
  if (value < 100) {
    out[0] = static_cast<char>('0' + value / 10);
    out[1] = static_cast<char>('0' + value % 10);
    return out + 2;
  }
  return std::to_chars(out, out + 24, value).ptr;
}

char* write_signed(char* out, std::int64_t value) {
  if (value >= 0) return write_unsigned(out, static_cast<std::uint64_t>(value));
  *out = '-';
  return write_unsigned(out + 1, 0 - static_cast<std::uint64_t>(value));
}

char* write_hex(char* out, std::uint64_t value) { return std::to_chars(out, out + 24, value, 16).ptr; }

char* write_float(char* out, std::uint64_t bits, std::uint32_t width, FloatStyle style) {
  const bool is_half = width == 16;
  const double value = is_half ? half_to_double(static_cast<std::uint32_t>(bits))
                               : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const bool negative = (bits >> (width - 1) & 1) != 0;
  // As in glibc, the sign of a NaN is printed. It is read from the bits, because half_to_double() may lose it.
  if (std::isnan(value)) return write_text(out, negative ? "-nan" : "nan");
  if (std::isinf(value)) return write_text(out, negative ? "-inf" : "inf");
  // %f prints small values as 0. The other style prints enough digits to restore the bits, as newer versions of Mesa
  // do.
  if (style == FloatStyle::Fixed) return std::to_chars(out, out + 56, value, std::chars_format::fixed, 6).ptr;
  if (value == std::trunc(value)) return std::to_chars(out, out + 56, value, std::chars_format::fixed, 1).ptr;
  return std::to_chars(out, out + 56, value, std::chars_format::general, is_half ? 5 : 9).ptr;
}

std::size_t read_decimal(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) return 0;
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error == std::errc()) return length;
  // from_chars does not report whether the value is too large or too small, so the text is parsed again.
  std::uint64_t bits = 0;
  const bool is_small = parse_float(text.substr(0, length), FloatFormat::Double, bits) == NumberFault::None;
  value = is_small ? std::bit_cast<double>(bits) : text.front() == '-' ? -HUGE_VAL : HUGE_VAL;
  return length;
}

std::uint32_t float_bits(double value, std::uint32_t width) {
  return width == 16 ? half_from(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

void append_wide_decimal(std::string& text, std::span<BitWord> value, std::uint32_t sign_width) {
  if (sign_width != 0 && (value.back() >> (sign_width - 1) % bits_per_word & 1) != 0) {
    text.push_back('-');
    for (BitWord& word : value) word = ~word;
    value.back() &= low_mask((sign_width - 1) % bits_per_word + 1);
    for (std::size_t i = 0; i < value.size() && ++value[i] == 0; ++i) {}
  }
  const std::size_t first = text.size();
  while (std::any_of(value.begin(), value.end(), [](BitWord word) { return word != 0; })) {
    // Long division by 10^9, most significant half word first. It is quadratic, but fields have at most 4096 bits, and
    // fields wider than 64 bits are a rare extension.
    std::uint64_t remainder = 0;
    for (std::size_t i = value.size(); i-- > 0;) {
      const std::uint64_t high = remainder << 32 | value[i] >> 32;
      const std::uint64_t low = high % 1'000'000'000 << 32 | (value[i] & 0xFFFFFFFFu);
      value[i] = high / 1'000'000'000 << 32 | low / 1'000'000'000;
      remainder = low % 1'000'000'000;
    }
    for (int i = 0; i < 9; ++i, remainder /= 10) text.push_back(static_cast<char>('0' + remainder % 10));
  }
  while (text.size() > first + 1 && text.back() == '0') text.pop_back();
  if (text.size() == first) text.push_back('0');
  std::reverse(text.begin() + static_cast<std::ptrdiff_t>(first), text.end());
}

void append_wide_hex(std::string& text, std::span<const BitWord> value, std::uint32_t width) {
  const std::size_t first = text.size();
  append_hex(text, value, width);
  // `hex` has no leading zeros, but zero has one digit.
  const std::size_t digit = std::min(text.find_first_not_of('0', first), text.size() - 1);
  text.erase(first, digit - first);
}

}  // namespace vireo::isa
