// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on single components (fold.h), with one function for each family of opcodes. Floats are computed as
// doubles and then rounded again. The precision of a double (53 bits) is more than twice that of each narrower format
// (at most 24 bits). So the second rounding has no effect for + - * / (Figueroa 1995).
#include "spirv/module/fold.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "spirv/grammar/opcode_families.h"

namespace vireo::spirv {
namespace {

using Bits = std::optional<std::uint64_t>;
using Class = FoldType::Class;

// --- float formats ------------------------------------------------------------------------------------------------------

/// The range of a float format that is narrower than double: precision (with the hidden bit) and normal exponents.
struct FloatRange {
  int precision;
  int lowest_exponent;
  int highest_exponent;
};
constexpr FloatRange half_range = {11, -14, 15};
constexpr FloatRange bfloat_range = {8, -126, 127};

// Rounds to a multiple of the format's unit in the last place at this magnitude. nearbyint() rounds ties to even. The
// value is scaled so that this unit is 1; both scalings are exact. Below the lowest exponent the unit is constant,
// which gives the subnormal numbers.
double rounded(double value, FloatRange range) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), range.lowest_exponent);
  const int place = exponent - (range.precision - 1);
  const double result = std::ldexp(std::nearbyint(std::ldexp(value, -place)), place);
  const double beyond = std::ldexp(1.0, range.highest_exponent + 1);
  return std::fabs(result) < beyond ? result : std::copysign(std::numeric_limits<double>::infinity(), value);
}

// A half: a sign, 5 bits of exponent with a bias of 15, 10 bits of mantissa (specification, OpTypeFloat; IEEE 754).
std::uint64_t half_bits(double value) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | 0x7E00;
  const double magnitude = std::fabs(rounded(value, half_range));
  if (std::isinf(magnitude)) return sign | 0x7C00;
  // A subnormal is a multiple of 2^-24. A value that was rounded up to 2^-14 is normal and is encoded below.
  if (magnitude < std::ldexp(1.0, -14)) return sign | static_cast<std::uint64_t>(std::ldexp(magnitude, 24));
  const int exponent = std::ilogb(magnitude);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(magnitude, 10 - exponent)) & 0x3FF;
  return sign | static_cast<std::uint64_t>(exponent + 15) << 10 | mantissa;
}

// The hidden bit is the 1024 below; 25 is the bias plus the ten fraction bits.
double half_value(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 0x1F);
  const auto mantissa = static_cast<double>(bits & 0x3FF);
  double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  if (exponent == 31) {
    magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

// --- integers -----------------------------------------------------------------------------------------------------------

// Operands have zeros above their width. fold() clears the bits of the result above its width, which implements
// wrapping. Specification 3.42.13, "Arithmetic Instructions": results wrap on overflow, but a quotient that overflows
// is undefined.
Bits fold_division(Op opcode, std::uint64_t a, std::uint64_t b, std::uint32_t width) {
  if (b == 0) return std::nullopt;
  if (opcode == Op::OpUDiv) return a / b;
  if (opcode == Op::OpUMod) return a % b;
  const std::int64_t left = sign_extended(a, width), right = sign_extended(b, width);
  if (right == -1) {
    // Only a division by -1 can overflow, and the host's instruction would trap.
    if (opcode != Op::OpSDiv) return 0;
    if (left == sign_extended(std::uint64_t{1} << (width - 1), width)) return std::nullopt;
    return static_cast<std::uint64_t>(-left);
  }
  if (opcode == Op::OpSDiv) return static_cast<std::uint64_t>(left / right);
  // OpSRem has the sign of the first operand, OpSMod that of the second.
  std::int64_t rest = left % right;
  if (opcode == Op::OpSMod && rest != 0 && (rest < 0) != (right < 0)) rest += right;
  return static_cast<std::uint64_t>(rest);
}

// The shift amount is unsigned. If it is not less than the width, the result is undefined (specification, Bit
// Instructions).
Bits fold_shift(Op opcode, std::uint64_t a, std::uint64_t by, std::uint32_t width) {
  if (by >= width) return std::nullopt;
  switch (opcode) {
    case Op::OpShiftLeftLogical: return a << by;
    case Op::OpShiftRightLogical: return a >> by;
    default: return static_cast<std::uint64_t>(sign_extended(a, width) >> by);
  }
}

Bits fold_integers(Op opcode, std::uint64_t a, std::uint64_t b, std::uint32_t width) {
  switch (opcode) {
    case Op::OpIAdd: return a + b;
    case Op::OpISub: return a - b;
    case Op::OpIMul: return a * b;
    case Op::OpBitwiseOr: return a | b;
    case Op::OpBitwiseXor: return a ^ b;
    case Op::OpBitwiseAnd: return a & b;
    case Op::OpUDiv:
    case Op::OpUMod:
    case Op::OpSDiv:
    case Op::OpSRem:
    case Op::OpSMod: return fold_division(opcode, a, b, width);
    default: return std::nullopt;
  }
}

// The opcode decides the signedness of the comparison; the signedness of the operand types does not matter.
Bits fold_comparison(Op opcode, std::uint64_t a, std::uint64_t b, std::uint32_t width) {
  const std::int64_t left = sign_extended(a, width), right = sign_extended(b, width);
  switch (opcode) {
    case Op::OpIEqual: return a == b;
    case Op::OpINotEqual: return a != b;
    case Op::OpUGreaterThan: return a > b;
    case Op::OpUGreaterThanEqual: return a >= b;
    case Op::OpULessThan: return a < b;
    case Op::OpULessThanEqual: return a <= b;
    case Op::OpSGreaterThan: return left > right;
    case Op::OpSGreaterThanEqual: return left >= right;
    case Op::OpSLessThan: return left < right;
    case Op::OpSLessThanEqual: return left <= right;
    default: return std::nullopt;
  }
}

// --- booleans -----------------------------------------------------------------------------------------------------------

Bits fold_booleans(Op opcode, bool a, bool b) {
  switch (opcode) {
    case Op::OpLogicalEqual: return a == b;
    case Op::OpLogicalNotEqual: return a != b;
    case Op::OpLogicalOr: return a || b;
    case Op::OpLogicalAnd: return a && b;
    default: return std::nullopt;
  }
}

// --- floats -------------------------------------------------------------------------------------------------------------

// Returns no result if double_of() does not convert the format, or if the divisor is 0: quotients and remainders are
// undefined then (specification 3.42.13).
Bits fold_floats(Op opcode, FloatFormat format, std::uint64_t a, std::uint64_t b) {
  const std::optional<double> left = double_of(a, format), right = double_of(b, format);
  if (!left || !right) return std::nullopt;
  switch (opcode) {
    case Op::OpFAdd: return bits_of(*left + *right, format);
    case Op::OpFSub: return bits_of(*left - *right, format);
    case Op::OpFMul: return bits_of(*left * *right, format);
    case Op::OpFDiv: return *right == 0 ? std::nullopt : bits_of(*left / *right, format);
    case Op::OpFRem:
    case Op::OpFMod: {
      if (*right == 0) return std::nullopt;
      // OpFRem has the sign of the first operand, and OpFMod that of the second, as for integers. fmod() is exact.
      double rest = std::fmod(*left, *right);
      if (opcode == Op::OpFMod && rest != 0 && std::signbit(rest) != std::signbit(*right)) rest += *right;
      return bits_of(rest, format);
    }
    default: return std::nullopt;
  }
}

// --- conversions --------------------------------------------------------------------------------------------------------

// Rounds towards zero; the result is undefined if the integer type cannot hold it.
Bits fold_float_to_int(Op opcode, const FoldValue& from, std::uint32_t width) {
  const std::optional<double> value = double_of(from.bits, from.type.format);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  const double whole = std::trunc(*value);
  const bool is_signed = opcode == Op::OpConvertFToS;
  // Compare with the first number that is too large: the largest 64-bit number is not a double. Values between -1 and 0
  // are truncated to zero, which fits.
  const double beyond = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
  if (whole >= beyond || whole < (is_signed ? -beyond : 0.0)) return std::nullopt;
  return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)) : static_cast<std::uint64_t>(whole);
}

Bits fold_int_to_float(Op opcode, const FoldValue& from, FloatFormat format) {
  const std::int64_t value = sign_extended(from.bits, from.type.width);
  const bool is_signed = opcode == Op::OpConvertSToF;
  // Convert directly to a native format: by way of double, 64-bit integers would be rounded twice. For Half, double
  // rounding is harmless: an integer that a double cannot represent exactly overflows. BFloat16 has a larger range, so
  // integers wider than 53 bits are not folded.
  if (format == FloatFormat::Single) {
    return std::bit_cast<std::uint32_t>(is_signed ? static_cast<float>(value) : static_cast<float>(from.bits));
  }
  if (format == FloatFormat::BFloat16 && from.type.width > 53) return std::nullopt;
  return bits_of(is_signed ? static_cast<double>(value) : static_cast<double>(from.bits), format);
}

// The opcode decides the classes of operand and result. fold() clears the bits above a narrower result.
Bits fold_conversion(Op opcode, FoldType result, const FoldValue& from) {
  const bool is_rounding = opcode == Op::OpFConvert || opcode == Op::OpQuantizeToF16;
  const bool from_float = opcode == Op::OpConvertFToU || opcode == Op::OpConvertFToS || is_rounding;
  const bool to_float = is_one_of(conversions_to_float, opcode) || is_rounding;
  if (from.type.class_ != (from_float ? Class::Float : Class::Int)) return std::nullopt;
  if (result.class_ != (to_float ? Class::Float : Class::Int)) return std::nullopt;
  switch (opcode) {
    case Op::OpConvertFToU:
    case Op::OpConvertFToS: return fold_float_to_int(opcode, from, result.width);
    case Op::OpConvertSToF:
    case Op::OpConvertUToF: return fold_int_to_float(opcode, from, result.format);
    case Op::OpUConvert: return from.bits;
    case Op::OpSConvert: return static_cast<std::uint64_t>(sign_extended(from.bits, from.type.width));
    case Op::OpBitcast: return result.width == from.type.width ? Bits(from.bits) : std::nullopt;
    default: break;
  }
  if (!is_rounding) return std::nullopt;
  const std::optional<double> value = double_of(from.bits, from.type.format);
  if (!value) return std::nullopt;
  if (opcode == Op::OpFConvert) return bits_of(*value, result.format);
  // OpQuantizeToF16 may flush values below the normal range of a half to zero. This code does so, and keeps their sign.
  const double half = half_value(half_bits(*value));
  const bool is_small = std::fabs(half) < std::ldexp(1.0, -14);
  return bits_of(is_small ? std::copysign(0.0, half) : half, result.format);
}

// --- families -----------------------------------------------------------------------------------------------------------

// Whether all operands have this class. fold_binary() selects the family of opcodes by class and returns no result for
// an opcode of another family.
bool have_class(std::span<const FoldValue> operands, Class class_) {
  for (const FoldValue& operand : operands) {
    if (operand.type.class_ != class_) return false;
  }
  return true;
}

// Whether the result has the operand's type, except for the signedness of integers.
bool is_of_same(FoldType result, FoldType operand, Class class_) {
  return operand.class_ == class_ && result.class_ == class_ && result.width == operand.width &&
         (class_ != Class::Float || result.format == operand.format);
}

Bits fold_unary(Op opcode, FoldType result, const FoldValue& a) {
  switch (opcode) {
    case Op::OpSNegate: return is_of_same(result, a.type, Class::Int) ? Bits(0 - a.bits) : std::nullopt;
    case Op::OpNot: return is_of_same(result, a.type, Class::Int) ? Bits(~a.bits) : std::nullopt;
    case Op::OpLogicalNot: return is_of_same(result, a.type, Class::Bool) ? Bits(a.bits ^ 1) : std::nullopt;
    case Op::OpFNegate:
      // Flips the sign bit only, so NaNs keep their payload.
      if (!is_of_same(result, a.type, Class::Float)) return std::nullopt;
      return a.bits ^ std::uint64_t{1} << (a.type.width - 1);
    default: return fold_conversion(opcode, result, a);
  }
}

Bits fold_binary(Op opcode, FoldType result, const FoldValue& a, const FoldValue& b) {
  const FoldValue both[] = {a, b};
  if (have_class(both, Class::Bool)) {
    return result.class_ == Class::Bool ? fold_booleans(opcode, a.bits != 0, b.bits != 0) : std::nullopt;
  }
  if (have_class(both, Class::Float)) {
    const bool fit = result.class_ == Class::Float && a.type.format == b.type.format && a.type.format == result.format;
    return fit ? fold_floats(opcode, result.format, a.bits, b.bits) : std::nullopt;
  }
  if (!have_class(both, Class::Int) || result.class_ == Class::Float) return std::nullopt;
  if (opcode >= Op::OpShiftRightLogical && opcode <= Op::OpShiftLeftLogical) {
    // The three shift opcodes are consecutive: right logical, right arithmetic, left logical.
    if (result.width != a.type.width) return std::nullopt;
    return fold_shift(opcode, a.bits, b.bits, a.type.width);  // the operands may have different widths
  }
  if (a.type.width != b.type.width) return std::nullopt;
  if (result.class_ == Class::Bool) return fold_comparison(opcode, a.bits, b.bits, a.type.width);
  return result.width == a.type.width ? fold_integers(opcode, a.bits, b.bits, a.type.width) : std::nullopt;
}

}  // namespace

FoldType fold_type_of(const TypeRow& type) {
  if (type.is(TypeKind::Bool)) return {Class::Bool, 1};
  if (type.width == 0 || type.width > 64) return {};
  if (type.is(TypeKind::Int)) return {Class::Int, type.width};
  if (const std::optional<FloatFormat> format = Types::float_format(type)) return {Class::Float, type.width, *format};
  return {};
}

std::optional<double> double_of(std::uint64_t bits, FloatFormat format) {
  switch (format) {
    case FloatFormat::Half: return half_value(bits);
    case FloatFormat::Single: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case FloatFormat::Double: return std::bit_cast<double>(bits);
    // A bfloat16 is the upper half of a 32-bit float.
    case FloatFormat::BFloat16: return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
    default: return std::nullopt;
  }
}

std::optional<std::uint64_t> bits_of(double value, FloatFormat format) {
  switch (format) {
    case FloatFormat::Half: return half_bits(value);
    case FloatFormat::Single: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case FloatFormat::Double: return std::bit_cast<std::uint64_t>(value);
    case FloatFormat::BFloat16:
      // Already rounded, so the float is exact and its lower half is zero.
      return std::bit_cast<std::uint32_t>(static_cast<float>(rounded(value, bfloat_range))) >> 16;
    default: return std::nullopt;
  }
}

// Computes opcodes with one or two operands. constants.cpp handles the opcodes that select or rearrange components,
// such as OpSelect and OpCompositeInsert.
std::optional<std::uint64_t> fold(Op opcode, FoldType result, std::span<const FoldValue> operands) {
  for (const FoldValue& operand : operands) {
    if (operand.type.class_ == Class::None) return std::nullopt;
  }
  if (result.class_ == Class::None) return std::nullopt;
  Bits bits;
  if (operands.size() == 1) bits = fold_unary(opcode, result, operands[0]);
  if (operands.size() == 2) bits = fold_binary(opcode, result, operands[0], operands[1]);
  if (!bits) return std::nullopt;
  return *bits & mask_of(result.width);
}

}  // namespace vireo::spirv
