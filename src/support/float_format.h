// SPDX-License-Identifier: Apache-2.0
//
// Float formats as rows: between the bits of a value and a binary real number.
//
// The one idea: a format is a row of numbers (how many bits for what, which bias, what the highest codes mean), and two
// functions turn rows into arithmetic: `encode_float` rounds a real number into a format, `decode_float` gives back the
// number that a code stands for. Text is somebody else's business (real.cpp). IEEE 754-2019, 3.4 and 4.3; OCP 8-bit
// Floating Point Specification 1.0; OCP Microscaling Formats 1.0, section 5.3.
#pragma once

#include <cstdint>

#include "vireo/support/number.h"

namespace vireo {

/// The number ±significand × 2^exponent. Infinities and NaNs are numbers too, as in the text of assembly: those that
/// their bits would mean if the highest exponent were an ordinary one (half infinity is 2^16).
struct BinaryReal {
  bool is_negative = false;
  std::uint64_t significand = 0;  ///< its lowest bit may be sticky: set when anything below it was not zero
  std::int64_t exponent = 0;
};

/// How the bits are divided.
enum class FloatScheme : std::uint8_t {
  SignMagnitude,  ///< sign, biased exponent, mantissa; exponent 0 for zero and the subnormals
  PowerOfTwo,     ///< a biased exponent and nothing else
  FixedPoint,     ///< two's complement, scaled by a power of two
};

/// What the codes above the largest finite value mean.
enum class FloatSpecials : std::uint8_t {
  None,            ///< there are none
  OneNan,          ///< a single code (per sign): NaN
  InfinityAndNan,  ///< the highest exponent: infinity with mantissa 0, else NaN
};

struct FloatLayout {
  FloatFormat format;
  FloatScheme scheme;
  FloatSpecials specials;
  std::uint8_t sign_bits;
  std::uint8_t exponent_bits;
  std::uint8_t mantissa_bits;
  std::int16_t bias;           ///< FixedPoint: the scale is 2^-bias
  std::uint64_t largest_code;  ///< code of the largest finite value, without sign
};

const FloatLayout& layout_of(FloatFormat format) noexcept;

/// Where a number comes from decides what it may become: a decimal never turns into an infinity or a NaN.
enum class FloatSpelling : std::uint8_t { Decimal, Hexadecimal };

/// Rounds to the nearest value of the format, ties to even; see parse_float for what happens at either end.
[[nodiscard]] NumberFault encode_float(const BinaryReal& real, FloatFormat format, FloatSpelling spelling,
                                       std::uint64_t& bits) noexcept;

/// The number a code stands for. Exact; bits above the width are ignored.
[[nodiscard]] BinaryReal decode_float(std::uint64_t bits, FloatFormat format) noexcept;

}  // namespace vireo
