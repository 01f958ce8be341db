// SPDX-License-Identifier: Apache-2.0
//
// Float formats as table rows: conversion between the bits of a value and a binary real number.
//
// A format is a row of numbers: field widths, the bias, and the meaning of the highest codes. Two
// functions interpret the rows: `encode_float` rounds a real number to a format, `decode_float` returns the number that
// a code represents. real.cpp parses and prints texts. IEEE 754-2019, 3.4 and 4.3; OCP 8-bit Floating Point
// Specification 1.0; OCP Microscaling Formats 1.0, section 5.3.
#pragma once

#include <cstdint>

#include "vireo/support/number.h"

namespace vireo {

/// The number ±significand × 2^exponent. Infinities and NaNs are represented as if the highest exponent were an
/// ordinary one, as in the assembly syntax: the infinity of a half is 2^16.
struct BinaryReal {
  bool is_negative = false;
  std::uint64_t significand = 0;  ///< the lowest bit may be a sticky bit: set if any lower bit was not 0
  std::int64_t exponent = 0;
};

/// The layout of the bits.
enum class FloatScheme : std::uint8_t {
  SignMagnitude,  ///< sign, biased exponent, mantissa; exponent 0 for zero and the subnormals
  PowerOfTwo,     ///< a biased exponent only
  FixedPoint,     ///< two's complement, scaled by a power of two
};

/// The meaning of the codes above the largest finite value.
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

/// The notation of a literal. A decimal never becomes an infinity or a NaN.
enum class FloatSpelling : std::uint8_t { Decimal, Hexadecimal };

/// Rounds to the nearest value of the format, ties to even; parse_float documents the behaviour at both ends of the
/// range.
[[nodiscard]] NumberFault encode_float(const BinaryReal& real, FloatFormat format, FloatSpelling spelling,
                                       std::uint64_t& bits) noexcept;

/// The number that a code represents. Exact; bits above the width are ignored.
[[nodiscard]] BinaryReal decode_float(std::uint64_t bits, FloatFormat format) noexcept;

}  // namespace vireo
