// SPDX-License-Identifier: Apache-2.0
//
// Parses and prints floats. The contract is in vireo/support/number.h; float_format.h defines the meaning of the bits.
//
// The standard library parses a decimal as a double, correctly rounded. For a narrow format, that double
// is rounded again. The digits lost in the first rounding matter only if the double is exactly halfway between two
// narrow values. In this case the text is compared with the exact digits of the double. Hexadecimal literals are exact.
// SPIR-V assembly syntax, section "Floats".
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <system_error>

#include "support/ascii.h"
#include "support/float_format.h"
#include "vireo/support/number.h"

namespace vireo {
namespace {

/// The value of a hexadecimal digit, or -1.
constexpr int hexadecimal_digit(char character) {
  if (is_digit(character)) return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  if (character >= 'A' && character <= 'F') return character - 'A' + 10;
  return -1;
}

/// Parses `[+-]D+`. Large exponents are clamped to a limit, so that adding the length of a text does not overflow.
bool read_exponent(std::string_view text, std::int64_t& exponent) {
  constexpr std::int64_t limit = 1'000'000'000'000'000'000;
  const bool is_negative = !text.empty() && text.front() == '-';
  if (is_negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  if (text.empty()) return false;
  std::int64_t sum = 0;
  for (const char character : text) {
    if (!is_digit(character)) return false;
    sum = sum < limit / 10 ? sum * 10 + (character - '0') : limit;
  }
  exponent = is_negative ? -sum : sum;
  return true;
}

// --- decimal -------------------------------------------------------------------------------------------------------

/// A valid decimal as 0.DDD… × 10^point, where the first D is not 0.
struct DecimalDigits {
  std::string_view digits;  ///< from the first nonzero digit on; may contain the point; empty for zero
  std::int64_t point = 0;
};

DecimalDigits digits_of(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, mark);
  std::int64_t exponent = 0;
  if (mark != std::string_view::npos) (void)read_exponent(text.substr(mark + 1), exponent);

  const std::size_t first = mantissa.find_first_not_of("0.");
  if (first == std::string_view::npos) return {};
  std::size_t point = mantissa.find('.');
  if (point == std::string_view::npos) point = mantissa.size();
  // `distance` is the number of digits between the first nonzero digit and the point, negative if that digit follows
  // the point.
  const auto distance = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return {mantissa.substr(first), exponent + (distance < 0 ? distance + 1 : distance)};
}

/// Returns -1, 0 or 1 if the decimal is below, equal to or above `value`. `value` is halfway between two values of a
/// narrow format: positive, a multiple of 2^-134 (half of the smallest BFloat16), and at most 2^128. So all its digits
/// fit in the buffer.
int compare_exactly(std::string_view text, double value) {
  constexpr int precision = 140;
  std::array<char, precision + 16> exact_text;
  const std::to_chars_result printed = std::to_chars(exact_text.data(), exact_text.data() + exact_text.size(), value,
                                                     std::chars_format::scientific, precision);
  const DecimalDigits exact = digits_of({exact_text.data(), static_cast<std::size_t>(printed.ptr - exact_text.data())});
  const DecimalDigits given = digits_of(text);
  if (given.point != exact.point) return given.point < exact.point ? -1 : 1;

  std::size_t at = 0;  // index in the exact digits, which contain a point too
  for (const char digit : given.digits) {
    if (digit == '.') continue;
    if (at < exact.digits.size() && exact.digits[at] == '.') ++at;
    const char other = at < exact.digits.size() ? exact.digits[at++] : '0';
    if (digit != other) return digit < other ? -1 : 1;
  }
  const bool has_more = exact.digits.find_first_not_of("0.", at) != std::string_view::npos;
  return has_more ? -1 : 0;
}

/// Parses an unsigned decimal and rounds it to the nearest `Real`, a float or a double. Underflow gives 0, overflow
/// gives OutOfRange.
template <typename Real>
NumberFault read_decimal(std::string_view text, Real& value) {
  // from_chars would accept `inf`, `nan` and a sign.
  if (text.empty() || !(is_digit(text.front()) || text.front() == '.')) return NumberFault::Malformed;
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, value, std::chars_format::general);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) return NumberFault::Malformed;
  // Standard libraries differ in the value and the error code that they return for an overflow or underflow.
  if (result.ec == std::errc::result_out_of_range || std::isinf(value)) {
    if (digits_of(text).point > 0) return NumberFault::OutOfRange;
    value = 0;
  }
  return NumberFault::None;
}

/// Splits a positive double into significand and exponent.
BinaryReal take_apart(double value) { return decode_float(std::bit_cast<std::uint64_t>(value), FloatFormat::Double); }

NumberFault parse_narrow_decimal(std::string_view text, bool is_negative, FloatFormat format, std::uint64_t& bits) {
  double value = 0;
  const NumberFault fault = read_decimal(text, value);
  if (fault != NumberFault::None) return fault;
  BinaryReal real = take_apart(value);
  real.is_negative = is_negative;
  // Formats without sign and magnitude reject inexact values. The nearest double is exact enough for them
  // (5.877471754111438e-39 is 2^-127).
  const bool rounds = layout_of(format).scheme == FloatScheme::SignMagnitude;
  if (!rounds || real.significand == 0) return encode_float(real, format, FloatSpelling::Decimal, bits);

  // If the double minus and plus a quarter of its last bit give the same result, so does the text. Otherwise the double
  // is halfway between two narrow values, and the text is above, below or equal to it.
  const BinaryReal below{is_negative, (real.significand << 2) - 1, real.exponent - 2};
  const BinaryReal above{is_negative, (real.significand << 2) + 1, real.exponent - 2};
  std::uint64_t bits_below = 0;
  std::uint64_t bits_above = 0;
  const NumberFault fault_below = encode_float(below, format, FloatSpelling::Decimal, bits_below);
  const NumberFault fault_above = encode_float(above, format, FloatSpelling::Decimal, bits_above);
  if (fault_below == fault_above && bits_below == bits_above) {
    if (fault_below == NumberFault::None) bits = bits_below;
    return fault_below;
  }
  const int side = compare_exactly(text, value);
  return encode_float(side < 0 ? below : side > 0 ? above : real, format, FloatSpelling::Decimal, bits);
}

NumberFault parse_decimal(std::string_view text, bool is_negative, FloatFormat format, std::uint64_t& bits) {
  if (format == FloatFormat::Single) {
    float value = 0;
    const NumberFault fault = read_decimal(text, value);
    if (fault == NumberFault::None) bits = std::bit_cast<std::uint32_t>(is_negative ? -value : value);
    return fault;
  }
  if (format == FloatFormat::Double) {
    double value = 0;
    const NumberFault fault = read_decimal(text, value);
    if (fault == NumberFault::None) bits = std::bit_cast<std::uint64_t>(is_negative ? -value : value);
    return fault;
  }
  return parse_narrow_decimal(text, is_negative, format, bits);
}

// --- hexadecimal ---------------------------------------------------------------------------------------------------

/// Parses `[H…][.H…]p[+-]D+`, the part after `0x`. Without digits before the `p` the value is zero: `0xp0`.
NumberFault parse_hexadecimal(std::string_view text, bool is_negative, FloatFormat format, std::uint64_t& bits) {
  const std::size_t mark = text.find('p');
  if (mark == std::string_view::npos) return NumberFault::Malformed;
  BinaryReal real{is_negative, 0, 0};
  if (!read_exponent(text.substr(mark + 1), real.exponent)) return NumberFault::Malformed;

  bool is_after_point = false;
  for (const char character : text.substr(0, mark)) {
    if (character == '.') {
      if (is_after_point) return NumberFault::Malformed;
      is_after_point = true;
      continue;
    }
    const int digit = hexadecimal_digit(character);
    if (digit < 0) return NumberFault::Malformed;
    // Sixteen digits have at least 61 significant bits, enough for any format. For further digits, only one bit is
    // kept: whether any is not 0.
    if (real.significand >> 60 == 0) {
      real.significand = real.significand << 4 | static_cast<std::uint64_t>(digit);
      if (is_after_point) real.exponent -= 4;
    } else {
      real.significand |= digit != 0 ? 1 : 0;
      if (!is_after_point) real.exponent += 4;
    }
  }
  return encode_float(real, format, FloatSpelling::Hexadecimal, bits);
}

// --- printing ------------------------------------------------------------------------------------------------------

char* print_hexadecimal(char* out, std::uint64_t bits, FloatFormat format) {
  const BinaryReal real = decode_float(bits, format);
  if (real.is_negative) *out++ = '-';
  *out++ = '0';
  *out++ = 'x';
  std::int64_t exponent = 0;
  if (real.significand == 0) {
    *out++ = '0';
  } else {
    const int leading_zeros = std::countl_zero(real.significand);
    exponent = real.exponent + 63 - leading_zeros;
    *out++ = '1';
    std::uint64_t fraction = real.significand << leading_zeros << 1;
    if (fraction != 0) *out++ = '.';
    for (; fraction != 0; fraction <<= 4) *out++ = "0123456789abcdef"[fraction >> 60];
  }
  *out++ = 'p';
  *out++ = exponent < 0 ? '-' : '+';
  return print_u32(out, static_cast<std::uint32_t>(exponent < 0 ? -exponent : exponent));
}

/// C's `%.*g`, without the locale.
template <typename Real>
char* print_decimal(char* out, Real value, int significant_digits) {
  // A fast path for integers below 1e9, which are common in shaders and have at most nine digits.
  const auto whole = static_cast<std::int32_t>(std::abs(value) < Real{1e9} ? value : Real{0});
  if (whole != 0 && static_cast<Real>(whole) == value) {
    if (whole < 0) *out++ = '-';
    return print_u32(out, static_cast<std::uint32_t>(whole < 0 ? -whole : whole));
  }
  return std::to_chars(out, out + max_number_chars, value, std::chars_format::general, significant_digits).ptr;
}

template <typename Real>
bool prints_as_decimal(Real value) {
  return value == 0 || std::isnormal(value);
}

}  // namespace

NumberFault parse_float(std::string_view text, FloatFormat format, std::uint64_t& bits) noexcept {
  const bool is_negative = !text.empty() && text.front() == '-';
  if (is_negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  if (text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    return parse_hexadecimal(text.substr(2), is_negative, format, bits);
  }
  return parse_decimal(text, is_negative, format, bits);
}

char* print_float(char* out, std::uint64_t bits, FloatFormat format) noexcept {
  if (format == FloatFormat::Single) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (prints_as_decimal(value)) return print_decimal(out, value, 9);
  }
  if (format == FloatFormat::Double) {
    const auto value = std::bit_cast<double>(bits);
    if (prints_as_decimal(value)) return print_decimal(out, value, 17);
  }
  return print_hexadecimal(out, bits, format);
}

}  // namespace vireo
