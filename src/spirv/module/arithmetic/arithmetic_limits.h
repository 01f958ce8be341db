// SPDX-License-Identifier: Apache-2.0
//
// The operands for which arithmetic has no defined result.
//
// The validator applies these functions to constants, an execution to the values that it computes.
//
// Source: specification 3.42.11 (conversions), 3.42.13 (arithmetic), 3.20 (NoSignedWrap, NoUnsignedWrap).
#pragma once

#include <cmath>
#include <cstdint>

#include "spirv/module/fold.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

/// Whether the result of an operation on integers of `width` bits needs more bits.
inline bool overflows_signed(Op op, std::int64_t a, std::int64_t b, std::uint32_t width) {
  std::int64_t result = 0;
  bool exceeds = false;
  switch (op) {
    case Op::OpISub: exceeds = __builtin_sub_overflow(a, b, &result); break;
    case Op::OpIMul: exceeds = __builtin_mul_overflow(a, b, &result); break;
    case Op::OpShiftLeftLogical:
      result = sign_extended(static_cast<std::uint64_t>(a) << b & mask_of(width), width);
      return result >> b != a;
    default: exceeds = __builtin_add_overflow(a, b, &result); break;
  }
  return exceeds || sign_extended(static_cast<std::uint64_t>(result) & mask_of(width), width) != result;
}

inline bool overflows_unsigned(Op op, std::uint64_t a, std::uint64_t b, std::uint32_t width) {
  std::uint64_t result = 0;
  bool exceeds = false;
  switch (op) {
    case Op::OpISub: exceeds = __builtin_sub_overflow(a, b, &result); break;
    case Op::OpIMul: exceeds = __builtin_mul_overflow(a, b, &result); break;
    case Op::OpShiftLeftLogical: return (a << b & mask_of(width)) >> b != a;
    default: exceeds = __builtin_add_overflow(a, b, &result); break;
  }
  return exceeds || (result & mask_of(width)) != result;
}

/// Whether an integer of `width` bits can represent a float, rounded toward 0. False for a NaN.
inline bool is_convertible(double value, std::uint32_t width, bool is_signed) {
  const int bits = static_cast<int>(width);
  const double lowest = is_signed ? -std::ldexp(1, bits - 1) : 0, end = std::ldexp(1, is_signed ? bits - 1 : bits);
  return std::trunc(value) >= lowest && std::trunc(value) < end;
}

}  // namespace vireo::spirv
