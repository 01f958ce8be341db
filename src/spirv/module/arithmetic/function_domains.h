// SPDX-License-Identifier: Apache-2.0
//
// The domains of extended instructions: the operands for which their results are defined.
//
// A function has a row. The validator applies it to constants, an execution to the values that it computes.
//
// Sources: "SPIR-V Extended Instructions for GLSL", section 2; "OpenCL Extended Instruction Set Specification", section 2.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "vireo/spirv/grammar/ext_insts.h"

namespace vireo::spirv {

/// The values for which a result is undefined. `a` and `b` are the operands that the row names.
enum class Outside : std::uint8_t {
  Negative,       ///< a < 0
  NotPositive,    ///< a <= 0
  BeyondOne,      ///< |a| > 1
  OneOrBeyond,    ///< |a| >= 1
  BelowOne,       ///< a < 1
  BothZero,       ///< a = b = 0
  Power,          ///< a < 0, or a = 0 and b <= 0
  Above,          ///< a > b, as floats
  AboveSigned,    ///< a > b, as signed integers
  AboveUnsigned,  ///< a > b, as unsigned integers
  AboveOrEqual,   ///< a >= b, as floats
  BeyondUnit,     ///< a < 0, a > 1, or a is NaN
  NotFinite,      ///< a or b is infinite or NaN
  AboveOrNaN,     ///< a >= b, or a, b or the third operand is NaN
  LargeExponent,  ///< an integer a > 128; > 1024 if the result has 64 bits
};

struct DomainRow {
  std::uint32_t inst;
  Outside outside;
  std::uint8_t a, b;  ///< operand indexes, from 0
};

constexpr std::uint32_t number_of(GLSL_std_450 inst) { return static_cast<std::uint32_t>(inst); }
constexpr std::uint32_t number_of(OpenCL_std inst) { return static_cast<std::uint32_t>(inst); }

// clang-format off
inline constexpr DomainRow glsl_domains[] = {
    {number_of(GLSL_std_450::Asin),        Outside::BeyondOne,     0, 0},
    {number_of(GLSL_std_450::Acos),        Outside::BeyondOne,     0, 0},
    {number_of(GLSL_std_450::Acosh),       Outside::BelowOne,      0, 0},
    {number_of(GLSL_std_450::Atanh),       Outside::OneOrBeyond,   0, 0},
    {number_of(GLSL_std_450::Atan2),       Outside::BothZero,      0, 1},
    {number_of(GLSL_std_450::Pow),         Outside::Power,         0, 1},
    {number_of(GLSL_std_450::Log),         Outside::NotPositive,   0, 0},
    {number_of(GLSL_std_450::Log2),        Outside::NotPositive,   0, 0},
    {number_of(GLSL_std_450::Sqrt),        Outside::Negative,      0, 0},
    {number_of(GLSL_std_450::InverseSqrt), Outside::NotPositive,   0, 0},
    {number_of(GLSL_std_450::FClamp),      Outside::Above,         1, 2},
    {number_of(GLSL_std_450::NClamp),      Outside::Above,         1, 2},
    {number_of(GLSL_std_450::UClamp),      Outside::AboveUnsigned, 1, 2},
    {number_of(GLSL_std_450::SClamp),      Outside::AboveSigned,   1, 2},
    {number_of(GLSL_std_450::SmoothStep),  Outside::AboveOrEqual,  0, 1},
    {number_of(GLSL_std_450::Frexp),       Outside::NotFinite,     0, 0},
    {number_of(GLSL_std_450::FrexpStruct), Outside::NotFinite,     0, 0},
    {number_of(GLSL_std_450::Ldexp),       Outside::LargeExponent, 1, 1},
};

inline constexpr DomainRow opencl_domains[] = {
    {number_of(OpenCL_std::fclamp),      Outside::Above,         1, 2},
    {number_of(OpenCL_std::s_clamp),     Outside::AboveSigned,   1, 2},
    {number_of(OpenCL_std::u_clamp),     Outside::AboveUnsigned, 1, 2},
    {number_of(OpenCL_std::smoothstep),  Outside::AboveOrNaN,    0, 1},
    {number_of(OpenCL_std::fmax_common), Outside::NotFinite,     0, 1},
    {number_of(OpenCL_std::fmin_common), Outside::NotFinite,     0, 1},
    {number_of(OpenCL_std::mix),         Outside::BeyondUnit,    2, 2},
};
// clang-format on

/// The values of one component of the operands, by the index of the operand; nothing where they are unknown.
template <typename Values>
concept DomainValues = requires(const Values& values, std::size_t operand) {
  { values.number(operand) } -> std::same_as<std::optional<double>>;
  { values.signed_integer(operand) } -> std::same_as<std::optional<std::int64_t>>;
  { values.bits(operand) } -> std::same_as<std::optional<std::uint64_t>>;
  { values.result_width() } -> std::convertible_to<std::uint32_t>;
  { values.text(operand) } -> std::convertible_to<std::string>;
};

// The first of three operands that is a NaN.
template <DomainValues Values>
std::optional<std::size_t> nan_operand(const Values& values) {
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = values.number(i);
    if (value && std::isnan(*value)) return i;
  }
  return std::nullopt;
}

/// Whether the values are known and out of the domain. Comparisons with a NaN are false.
template <DomainValues Values>
bool is_outside(const DomainRow& row, const Values& values) {
  switch (row.outside) {
    case Outside::AboveSigned: {
      const auto a = values.signed_integer(row.a), b = values.signed_integer(row.b);
      return a && b && *a > *b;
    }
    case Outside::AboveUnsigned: {
      const auto a = values.bits(row.a), b = values.bits(row.b);
      return a && b && *a > *b;
    }
    case Outside::LargeExponent: {
      const auto exponent = values.signed_integer(row.a);
      const std::uint32_t width = values.result_width();
      return exponent && (width == 32 || width == 64) && *exponent > (width == 32 ? 128 : 1024);
    }
    default: break;
  }
  const auto a = values.number(row.a), b = values.number(row.b);
  // One operand may be out of the domain whatever the other one is.
  if (row.outside == Outside::Power && a && *a < 0) return true;
  if (row.outside == Outside::NotFinite) return (a && !std::isfinite(*a)) || (b && !std::isfinite(*b));
  if (row.outside == Outside::AboveOrNaN && nan_operand(values)) return true;
  if (!a || !b) return false;
  switch (row.outside) {
    case Outside::Negative: return *a < 0;
    case Outside::NotPositive: return *a <= 0;
    case Outside::BeyondOne: return std::fabs(*a) > 1;
    case Outside::OneOrBeyond: return std::fabs(*a) >= 1;
    case Outside::BelowOne: return *a < 1;
    case Outside::BothZero: return *a == 0 && *b == 0;
    case Outside::Power: return *a == 0 && *b <= 0;
    case Outside::Above: return *a > *b;
    case Outside::AboveOrEqual:
    case Outside::AboveOrNaN: return *a >= *b;
    case Outside::BeyondUnit: return !(*a >= 0 && *a <= 1);
    default: return false;
  }
}

/// "for %x, which is less than 0": what is wrong with the values.
template <DomainValues Values>
std::string outside_text(const DomainRow& row, const Values& values) {
  const std::string a = values.text(row.a), b = values.text(row.b);
  switch (row.outside) {
    case Outside::Negative: return "for " + a + ", which is less than 0";
    case Outside::NotPositive: return "for " + a + ", which is not greater than 0";
    case Outside::BeyondOne: return "for " + a + ", which is not in the range from -1 to 1";
    case Outside::OneOrBeyond: return "for " + a + ", which is not between -1 and 1";
    case Outside::BelowOne: return "for " + a + ", which is less than 1";
    case Outside::BeyondUnit: return "for " + a + ", which is not in the range from 0 to 1";
    case Outside::NotFinite: {
      const auto value = values.number(row.a);
      return "for " + (value && !std::isfinite(*value) ? a : b) + ", which is not finite";
    }
    case Outside::BothZero: return "for " + a + " and " + b + ", which are both 0";
    case Outside::Power:
      return values.number(row.a) < 0.0
                 ? "for the base " + a + ", which is less than 0"
                 : "for the base " + a + ", which is 0, and the exponent " + b + ", which is not greater than 0";
    case Outside::Above:
    case Outside::AboveSigned:
    case Outside::AboveUnsigned: return "for the minimum " + a + ", which is greater than the maximum " + b;
    case Outside::AboveOrNaN:
      if (const auto nan = nan_operand(values)) { return "for " + values.text(*nan) + ", which is a NaN"; }
      [[fallthrough]];
    case Outside::AboveOrEqual: return "for the first edge " + a + ", which is not less than the second, " + b;
    case Outside::LargeExponent: return "for the exponent " + a + ", which is too large for the result";
  }
  return {};
}

}  // namespace vireo::spirv
