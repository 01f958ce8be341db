// SPDX-License-Identifier: Apache-2.0
//
// The table of float formats, and rounding of numbers to them.
//
// The code of a float without its sign is an integer that grows with the value. So rounding operates on
// codes: truncate, look at the removed bits, add one or not. A carry out of the mantissa correctly increments the
// exponent, even for subnormals. One comparison with the largest code detects overflow.
#include "support/float_format.h"

#include <array>
#include <bit>

namespace vireo {
namespace {

using enum FloatFormat;
using enum FloatScheme;
using enum FloatSpecials;

// clang-format off
// The biases and largest codes are from the specifications; the static_assert below checks the largest codes against
// the field widths.
//                          format              scheme         specials        sign exp mantissa bias largest code
constexpr std::array<FloatLayout, float_format_count> layouts = {{
    /* binary16         */ {Half,               SignMagnitude, InfinityAndNan, 1,  5, 10,   15, 0b0'11110'1111111111},
    /* binary32         */ {Single,             SignMagnitude, InfinityAndNan, 1,  8, 23,  127, 0x7f7fffff},
    /* binary64         */ {Double,             SignMagnitude, InfinityAndNan, 1, 11, 52, 1023, 0x7fefffffffffffff},
    /* half of a Single */ {BFloat16,           SignMagnitude, InfinityAndNan, 1,  8,  7,  127, 0b0'11111110'1111111},
    /* OCP FP8, ±448    */ {Float8E4M3,         SignMagnitude, OneNan,         1,  4,  3,    7, 0b0'1111'110},
    /* OCP FP8, ±57344  */ {Float8E5M2,         SignMagnitude, InfinityAndNan, 1,  5,  2,   15, 0b0'11110'11},
    /* OCP MX FP6, ±7.5 */ {Float6E2M3,         SignMagnitude, None,           1,  2,  3,    1, 0b0'11'111},
    /* OCP MX FP6, ±28  */ {Float6E3M2,         SignMagnitude, None,           1,  3,  2,    3, 0b0'111'11},
    /* OCP MX FP4, ±6   */ {Float4E2M1,         SignMagnitude, None,           1,  2,  1,    1, 0b0'11'1},
    /* OCP MX, 2^n      */ {Float8UnsignedE8M0, PowerOfTwo,    OneNan,         0,  8,  0,  127, 0b11111110},
    /* OCP MX, n/64     */ {MXInt8,             FixedPoint,    None,           1,  0,  7,    6, 0b0'1111111},
}};
// clang-format on

constexpr bool rows_are_complete_and_add_up() {
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const FloatLayout& row = layouts[i];
    const std::uint32_t magnitude_bits = row.exponent_bits + std::uint32_t{row.mantissa_bits};
    if (static_cast<std::size_t>(row.format) != i) return false;
    if (row.sign_bits + magnitude_bits != width_of(row.format)) return false;
    const std::uint64_t highest_code = (std::uint64_t{1} << magnitude_bits) - 1;
    const std::uint64_t special_codes = row.specials == InfinityAndNan ? std::uint64_t{1} << row.mantissa_bits
                                        : row.specials == OneNan       ? 1
                                                                       : 0;
    if (row.largest_code != highest_code - special_codes) return false;
  }
  return true;
}
static_assert(rows_are_complete_and_add_up());

constexpr std::uint64_t one = 1;

/// Width of a code without its sign, in bits.
constexpr std::uint32_t magnitude_bits_of(const FloatLayout& layout) {
  return layout.exponent_bits + std::uint32_t{layout.mantissa_bits};
}

/// A number whose significand has its highest bit set: value = significand × 2^(exponent - 63).
struct Normalised {
  std::uint64_t significand;
  std::int64_t exponent;
};

Normalised normalise(const BinaryReal& real) {
  const int shift = std::countl_zero(real.significand);
  return {real.significand << shift, real.exponent + 63 - shift};
}

/// Returns the code of a number without its sign, rounded to nearest, ties to even. The number must be below 2^(highest
/// exponent + 1).
std::uint64_t round_to_code(const Normalised& number, const FloatLayout& layout) {
  const std::int64_t least_normal = 1 - std::int64_t{layout.bias};
  const bool is_normal = number.exponent >= least_normal;
  // The number of significant bits of the result. A subnormal has one bit less for each power of two below the normal
  // numbers.
  const std::int64_t kept_bits = layout.mantissa_bits + 1 - (is_normal ? 0 : least_normal - number.exponent);
  if (kept_bits < 0) return 0;  // less than half of the smallest subnormal

  const std::uint64_t kept = kept_bits == 0 ? 0 : number.significand >> (64 - kept_bits);
  const std::uint64_t cut = number.significand << kept_bits;
  constexpr std::uint64_t half = one << 63;
  const std::uint64_t rounded = kept + (cut > half || (cut == half && (kept & 1) != 0) ? 1 : 0);
  if (!is_normal) return rounded;
  // `rounded` includes the leading bit, which the format does not store. Adding it increments the exponent field, which
  // is one too low.
  return (static_cast<std::uint64_t>(number.exponent - least_normal) << layout.mantissa_bits) + rounded;
}

NumberFault encode_sign_magnitude(const BinaryReal& real, const FloatLayout& layout, FloatSpelling spelling,
                                  std::uint64_t& bits) {
  const std::uint64_t sign = real.is_negative ? one << magnitude_bits_of(layout) : 0;
  bits = sign;
  if (real.significand == 0) return NumberFault::None;

  const Normalised number = normalise(real);
  const std::int64_t exponent_above_all = (std::int64_t{1} << layout.exponent_bits) - layout.bias;
  const std::int64_t exponent_of_infinity = exponent_above_all - 1;
  if (layout.specials == InfinityAndNan && number.exponent >= exponent_of_infinity) {
    if (spelling == FloatSpelling::Decimal) return NumberFault::OutOfRange;
    // The mantissa is the payload of a NaN, so excess bits are truncated, not rounded.
    const std::uint64_t fraction = number.significand << 1;
    const std::uint64_t payload = number.exponent > exponent_of_infinity ? 0 : fraction >> (64 - layout.mantissa_bits);
    bits |= layout.largest_code + 1 + payload;
    return NumberFault::None;
  }
  if (number.exponent >= exponent_above_all) return NumberFault::OutOfRange;

  std::uint64_t code = round_to_code(number, layout);
  if (code > layout.largest_code) {
    const bool is_exact = number.significand << (layout.mantissa_bits + 1) == 0;
    const bool spells_nan = layout.specials == OneNan && spelling == FloatSpelling::Hexadecimal && is_exact;
    // A finite literal does not round to infinity, which has a notation of its own. In formats with an infinity, it
    // becomes the largest value, because existing scripts write 65535 for the largest half. Formats without an infinity
    // reject the literal.
    if (layout.specials == InfinityAndNan) {
      code = layout.largest_code;
    } else if (!spells_nan) {
      return NumberFault::OutOfRange;
    }
  }
  bits |= code;
  return NumberFault::None;
}

/// The code is the exponent plus the bias. NaN has the code after the largest one, and only a hexadecimal literal can
/// denote it.
NumberFault encode_power_of_two(const BinaryReal& real, const FloatLayout& layout, FloatSpelling spelling,
                                std::uint64_t& bits) {
  if (real.is_negative || !std::has_single_bit(real.significand)) return NumberFault::OutOfRange;
  const std::int64_t code = normalise(real).exponent + layout.bias;
  const auto largest = static_cast<std::int64_t>(layout.largest_code);
  if (code < 0 || code > largest + (spelling == FloatSpelling::Hexadecimal ? 1 : 0)) return NumberFault::OutOfRange;
  bits = static_cast<std::uint64_t>(code);
  return NumberFault::None;
}

NumberFault encode_fixed_point(const BinaryReal& real, const FloatLayout& layout, std::uint64_t& bits) {
  bits = 0;
  if (real.significand == 0) return NumberFault::None;
  const Normalised number = normalise(real);
  const std::int64_t exponent = number.exponent + layout.bias;  // exponent of the number divided by the step
  if (exponent < 0 || exponent > layout.mantissa_bits) return NumberFault::OutOfRange;
  const std::uint64_t steps = number.significand >> (63 - exponent);
  if (steps << (63 - exponent) != number.significand) return NumberFault::OutOfRange;
  if (steps > layout.largest_code + (real.is_negative ? 1 : 0)) return NumberFault::OutOfRange;
  const std::uint64_t all = (one << width_of(layout.format)) - 1;
  bits = (real.is_negative ? std::uint64_t{0} - steps : steps) & all;
  return NumberFault::None;
}

}  // namespace

const FloatLayout& layout_of(FloatFormat format) noexcept { return layouts[static_cast<std::size_t>(format)]; }

NumberFault encode_float(const BinaryReal& real, FloatFormat format, FloatSpelling spelling,
                         std::uint64_t& bits) noexcept {
  const FloatLayout& layout = layout_of(format);
  std::uint64_t encoded = 0;
  NumberFault fault = NumberFault::None;
  switch (layout.scheme) {
    case SignMagnitude: fault = encode_sign_magnitude(real, layout, spelling, encoded); break;
    case PowerOfTwo: fault = encode_power_of_two(real, layout, spelling, encoded); break;
    case FixedPoint: fault = encode_fixed_point(real, layout, encoded); break;
  }
  if (fault == NumberFault::None) bits = encoded;
  return fault;
}

BinaryReal decode_float(std::uint64_t bits, FloatFormat format) noexcept {
  const FloatLayout& layout = layout_of(format);
  const std::uint32_t magnitude_bits = magnitude_bits_of(layout);
  const std::uint64_t magnitude = bits & ((one << magnitude_bits) - 1);
  const bool is_negative = layout.sign_bits != 0 && ((bits >> magnitude_bits) & 1) != 0;
  const std::uint64_t mantissa = magnitude & ((one << layout.mantissa_bits) - 1);
  const auto exponent_field = static_cast<std::int64_t>(magnitude >> layout.mantissa_bits);

  switch (layout.scheme) {
    case PowerOfTwo: return {false, 1, exponent_field - layout.bias};
    case FixedPoint: return {is_negative, is_negative ? (one << magnitude_bits) - magnitude : magnitude, -layout.bias};
    case SignMagnitude: break;
  }
  const std::int64_t lowest_bit = (exponent_field == 0 ? 1 : exponent_field) - layout.bias - layout.mantissa_bits;
  const std::uint64_t leading_bit = exponent_field == 0 ? 0 : one << layout.mantissa_bits;
  return {is_negative, leading_bit | mantissa, lowest_bit};
}

}  // namespace vireo
