// SPDX-License-Identifier: Apache-2.0
//
// The second interpreter of OpSpecConstantOp (naive_spec_ops.h). Deliberately slow.
#include "spirv/transform/naive_spec_ops.h"

#include <bit>
#include <optional>

namespace vireo::spirv::naive {
namespace {

using enum Op;

// ISO C++ has no 128-bit integers, but all compilers that build the tests do.
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

constexpr Outcome undefined = {.is_defined = false};

// --- integers --------------------------------------------------------------------------------------------------------

constexpr Int128 power_of_two(unsigned exponent) { return Int128{1} << exponent; }

// The bits as a number from 0 to 2^width - 1.
Int128 unsigned_value(Operand x) { return static_cast<Int128>(x.bits); }

// The bits as two's complement.
Int128 signed_value(Operand x) {
  const Int128 value = unsigned_value(x);
  return value >= power_of_two(x.type.width - 1) ? value - power_of_two(x.type.width) : value;
}

std::uint64_t modulo(Int128 value, unsigned width) {
  Int128 rest = value % power_of_two(width);
  if (rest < 0) rest += power_of_two(width);
  return static_cast<std::uint64_t>(rest);
}

Outcome integer(Int128 value, unsigned width) { return {.bits = modulo(value, width)}; }

Outcome boolean(bool value) { return {.bits = value ? 1u : 0u}; }

// The numbers a / b and a % b are those of the specification because C++ also rounds the quotient toward zero.
Outcome divide_signed(Op op, Int128 a, Int128 b, unsigned width) {
  if (b == 0) return undefined;
  if (op == OpSDiv) return a / b == power_of_two(width - 1) ? undefined : integer(a / b, width);  // it overflows
  Int128 rest = a % b;                                                                            // has the sign of a
  if (op == OpSMod && rest != 0 && (rest < 0) != (b < 0)) rest += b;
  return integer(rest, width);
}

Outcome shift(Op op, Operand base, Operand count) {
  const unsigned width = base.type.width;
  if (unsigned_value(count) >= Int128{width}) return undefined;
  const Int128 factor = power_of_two(static_cast<unsigned>(count.bits));
  switch (op) {
    // One factor is below 2^64, the other one at most 2^63.
    case OpShiftLeftLogical: return integer(unsigned_value(base) * factor, width);
    case OpShiftRightLogical: return integer(unsigned_value(base) / factor, width);
    default: {
      const Int128 value = signed_value(base);
      const Int128 rest = ((value % factor) + factor) % factor;  // so that the division rounds down
      return integer((value - rest) / factor, width);
    }
  }
}

// Bit by bit, as a truth table.
Outcome bitwise(Op op, Operand a, Operand b) {
  Outcome result;
  for (unsigned i = 0; i < a.type.width; ++i) {
    const bool p = (a.bits >> i & 1) == 1, q = (b.bits >> i & 1) == 1;
    bool bit = false;
    switch (op) {
      case OpBitwiseOr: bit = p || q; break;
      case OpBitwiseAnd: bit = p && q; break;
      case OpBitwiseXor: bit = p != q; break;
      default: bit = !p; break;
    }
    if (bit) result.bits += std::uint64_t{1} << i;
  }
  return result;
}

// --- floats as fractions ---------------------------------------------------------------------------------------------

struct Format {
  unsigned width, fraction;  // in bits, the fraction without the implicit one
  int smallest;              // exponent of the lowest bit of a subnormal number
  [[nodiscard]] std::uint64_t infinity() const {
    return ((std::uint64_t{1} << (width - 1 - fraction)) - 1) << fraction;
  }
  [[nodiscard]] std::uint64_t sign() const { return std::uint64_t{1} << (width - 1); }
  [[nodiscard]] std::uint64_t quiet_nan() const { return infinity() | std::uint64_t{1} << (fraction - 1); }
};
constexpr Format formats[] = {{16, 10, -24}, {32, 23, -149}, {64, 52, -1074}};  // IEEE 754, table 3.5

const Format& format_of(ScalarType type) { return formats[type.width == 16 ? 0 : type.width == 32 ? 1 : 2]; }

// mantissa * 2^exponent
struct Magnitude {
  std::uint64_t mantissa;
  int exponent;
};

// The magnitude of a finite pattern without a sign. That of infinity is the next power of two, as rounding needs it.
Magnitude magnitude_of(const Format& format, std::uint64_t pattern) {
  const std::uint64_t field = pattern >> format.fraction, one = std::uint64_t{1} << format.fraction;
  const std::uint64_t fraction = pattern & (one - 1);
  if (field == 0) return {fraction, format.smallest};
  return {fraction + one, format.smallest + static_cast<int>(field) - 1};
}

// numerator / divisor * 2^exponent, not negative
struct Fraction {
  Uint128 numerator;
  std::uint64_t divisor;
  int exponent;
};

// value * 2^count, or nothing if that exceeds 2^127.
std::optional<Uint128> scaled(Uint128 value, int count) {
  for (; count > 0; --count) {
    if (value == 0) return value;
    if (value >> 126 != 0) return std::nullopt;
    value *= 2;
  }
  return value;
}

// The sign of x - y.
int compare(Magnitude x, Fraction y) {
  const int exponent = x.exponent - y.exponent;
  const auto left = scaled(Uint128{x.mantissa} * y.divisor, exponent), right = scaled(y.numerator, -exponent);
  if (!left) return 1;
  if (!right) return -1;
  return *left < *right ? -1 : *left > *right ? 1 : 0;
}

// The nearest pattern, without a sign; halfway, the even one. Patterns without a sign are in the order of their values.
std::uint64_t nearest(const Format& format, Fraction value) {
  std::uint64_t low = 0, high = format.infinity();  // low: at most the value
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (compare(magnitude_of(format, middle), value) <= 0 ? low : high) = middle;
  }
  const Magnitude below = magnitude_of(format, low);
  const int order = compare({2 * below.mantissa + 1, below.exponent - 1}, value);
  if (order != 0) return order > 0 ? low : low + 1;
  return low % 2 == 0 ? low : low + 1;
}

// --- floats ----------------------------------------------------------------------------------------------------------

bool is_negative(Operand x) { return (x.bits & format_of(x.type).sign()) != 0; }
std::uint64_t pattern_of(Operand x) { return x.bits & ~format_of(x.type).sign(); }
bool is_infinite(Operand x) { return pattern_of(x) == format_of(x.type).infinity(); }
bool is_nan(Operand x) { return pattern_of(x) > format_of(x.type).infinity(); }
Magnitude magnitude_of(Operand x) { return magnitude_of(format_of(x.type), pattern_of(x)); }

Outcome nan(const Format& format) { return {.bits = format.quiet_nan(), .accepts = Accepts::AnyNan}; }
Outcome with_sign(const Format& format, bool is_negative, std::uint64_t pattern) {
  return {.bits = pattern | (is_negative ? format.sign() : 0)};
}
Outcome rounded(const Format& format, bool is_negative, Fraction value) {
  return with_sign(format, is_negative, nearest(format, value));
}

Outcome convert_float(const Format& to, Operand x) {
  if (is_nan(x)) return nan(to);
  if (is_infinite(x)) return with_sign(to, is_negative(x), to.infinity());
  const Magnitude value = magnitude_of(x);
  return rounded(to, is_negative(x), {value.mantissa, 1, value.exponent});
}

// The specification permits +0 and -0 if the magnitude is too small for a normalized 16-bit float.
Outcome quantize(Operand x) {
  const ScalarType half = {.kind = ScalarType::Kind::Float, .width = 16};
  if (is_nan(x)) return nan(format_of(x.type));
  const Operand narrow = {half, convert_float(format_of(half), x).bits};
  if (compare(magnitude_of(narrow), {1, 1, -14}) < 0) return {.bits = 0, .accepts = Accepts::EitherZero};
  return convert_float(format_of(x.type), narrow);
}

Outcome float_to_integer(Operand x, ScalarType result, bool is_signed) {
  if (is_nan(x) || is_infinite(x)) return undefined;
  Magnitude value = magnitude_of(x);
  for (; value.exponent < 0 && value.mantissa != 0; ++value.exponent) value.mantissa /= 2;  // toward zero
  const auto whole = scaled(value.mantissa, value.exponent);
  if (!whole || *whole > Uint128{UINT64_MAX}) return undefined;
  const Int128 number = is_negative(x) ? -static_cast<Int128>(*whole) : static_cast<Int128>(*whole);
  const Int128 least = is_signed ? -power_of_two(result.width - 1) : 0;
  const Int128 end = power_of_two(is_signed ? result.width - 1 : result.width);
  return number < least || number >= end ? undefined : integer(number, result.width);
}

Outcome integer_to_float(Int128 value, const Format& to) {
  return rounded(to, value < 0, {static_cast<Uint128>(value < 0 ? -value : value), 1, 0});
}

// A half is a multiple of 2^-24 below 2^40 multiples, so sums, products and fractions of halves are exact here.
Int128 multiples(Operand half) {
  const Magnitude value = magnitude_of(half);
  const Int128 count = static_cast<Int128>(value.mantissa) * power_of_two(static_cast<unsigned>(value.exponent + 24));
  return is_negative(half) ? -count : count;
}

Outcome half_arithmetic(Op op, Operand a, Operand b) {
  const Format& half = formats[0];
  if (is_nan(a) || is_nan(b)) return nan(half);
  const bool differ = is_negative(a) != is_negative(b);
  if (op == OpFMul) {
    if (is_infinite(a) || is_infinite(b))
      return multiples(a) == 0 || multiples(b) == 0 ? nan(half) : with_sign(half, differ, half.infinity());
    const Int128 product = multiples(a) * multiples(b);
    return rounded(half, differ, {static_cast<Uint128>(product < 0 ? -product : product), 1, -48});
  }
  if (op == OpFDiv) {
    if (is_infinite(a)) return is_infinite(b) ? nan(half) : with_sign(half, differ, half.infinity());
    if (is_infinite(b)) return with_sign(half, differ, 0);
    const Int128 x = multiples(a), y = multiples(b);
    return rounded(half, differ, {static_cast<Uint128>(x < 0 ? -x : x), static_cast<std::uint64_t>(y < 0 ? -y : y), 0});
  }
  if (is_infinite(a)) return is_infinite(b) && differ ? nan(half) : with_sign(half, is_negative(a), half.infinity());
  if (is_infinite(b)) return with_sign(half, is_negative(b), half.infinity());
  const Int128 sum = multiples(a) + multiples(b);
  // IEEE 754, 6.3: a sum of zero is +0 unless both operands are -0.
  if (sum == 0) return with_sign(half, !differ && is_negative(a), 0);
  return rounded(half, sum < 0, {static_cast<Uint128>(sum < 0 ? -sum : sum), 1, -24});
}

template <typename Float>
Float arithmetic(Op op, Float a, Float b) {
  switch (op) {
    case OpFAdd: return a + b;
    case OpFMul: return a * b;
    default: return a / b;
  }
}

// A double has more than twice the bits of a float, so rounding twice gives the same float.
Outcome host_arithmetic(Op op, Operand a, Operand b) {
  Outcome result;
  if (a.type.width == 32) {
    const double x = std::bit_cast<float>(static_cast<std::uint32_t>(a.bits));
    const double y = std::bit_cast<float>(static_cast<std::uint32_t>(b.bits));
    result.bits = std::bit_cast<std::uint32_t>(static_cast<float>(arithmetic(op, x, y)));
  } else {
    result.bits =
        std::bit_cast<std::uint64_t>(arithmetic(op, std::bit_cast<double>(a.bits), std::bit_cast<double>(b.bits)));
  }
  if (is_nan({a.type, result.bits})) result.accepts = Accepts::AnyNan;
  return result;
}

// The remainder of whole numbers after both were brought to the lower exponent. It is exact; only FMod may add the
// second operand and then rounds.
Outcome remainder(Op op, Operand a, Operand b) {
  const Format& format = format_of(a.type);
  if (is_nan(a) || is_nan(b) || is_infinite(a)) return nan(format);
  const bool crosses = op == OpFMod && is_negative(a) != is_negative(b);
  const bool is_zero_first = pattern_of(a) == 0;
  if (is_infinite(b)) {
    Outcome result = {.bits = crosses && !is_zero_first ? b.bits : a.bits};
    if (is_zero_first) result.accepts = Accepts::EitherZero;
    return result;
  }
  const Magnitude x = magnitude_of(a), y = magnitude_of(b);
  Uint128 rest = x.mantissa, divisor = y.mantissa;
  int exponent = y.exponent;
  if (x.exponent >= y.exponent) {
    rest %= divisor;
    for (int i = y.exponent; i < x.exponent; ++i) rest = rest * 2 % divisor;
  } else {
    // A divisor that is 2^60 times greater cannot change: its difference from the remainder rounds to itself.
    const auto whole = y.exponent - x.exponent > 60 ? std::nullopt : scaled(divisor, y.exponent - x.exponent);
    if (!whole) return crosses && rest != 0 ? Outcome{.bits = b.bits} : Outcome{.bits = a.bits};
    divisor = *whole;
    rest %= divisor;
    exponent = x.exponent;
  }
  if (rest == 0) return {.bits = a.bits & format.sign(), .accepts = Accepts::EitherZero};  // the sign is free
  if (!crosses) return rounded(format, is_negative(a), {rest, 1, exponent});
  return rounded(format, is_negative(b), {divisor - rest, 1, exponent});
}

Outcome float_operation(Op op, Operand a, Operand b) {
  const bool divides = op == OpFDiv || op == OpFRem || op == OpFMod;
  if (divides && pattern_of(b) == 0) return undefined;
  if (op == OpFRem || op == OpFMod) return remainder(op, a, b);
  if (op == OpFSub) {
    b.bits ^= format_of(b.type).sign();
    op = OpFAdd;
  }
  return a.type.width == 16 ? half_arithmetic(op, a, b) : host_arithmetic(op, a, b);
}

}  // namespace

bool is_nan(ScalarType type, std::uint64_t bits) {
  return type.kind == ScalarType::Kind::Float && is_nan(Operand{type, bits});
}

bool is_zero(ScalarType type, std::uint64_t bits) {
  return (type.kind == ScalarType::Kind::Float ? pattern_of(Operand{type, bits}) : bits) == 0;
}

Outcome evaluate(Op op, ScalarType result, Operand a, Operand b) {
  switch (op) {
    case OpSConvert: return integer(signed_value(a), result.width);
    case OpUConvert: return integer(unsigned_value(a), result.width);
    case OpFConvert: return convert_float(format_of(result), a);
    case OpQuantizeToF16: return quantize(a);
    case OpConvertFToS: return float_to_integer(a, result, true);
    case OpConvertFToU: return float_to_integer(a, result, false);
    case OpConvertSToF: return integer_to_float(signed_value(a), format_of(result));
    case OpConvertUToF: return integer_to_float(unsigned_value(a), format_of(result));
    case OpBitcast: return {.bits = a.bits};

    case OpSNegate: return integer(-signed_value(a), result.width);
    case OpIAdd: return integer(unsigned_value(a) + unsigned_value(b), result.width);
    case OpISub: return integer(unsigned_value(a) - unsigned_value(b), result.width);
    case OpIMul: return integer(signed_value(a) * signed_value(b), result.width);
    case OpUDiv: return b.bits == 0 ? undefined : integer(unsigned_value(a) / unsigned_value(b), result.width);
    case OpUMod: return b.bits == 0 ? undefined : integer(unsigned_value(a) % unsigned_value(b), result.width);
    case OpSDiv:
    case OpSRem:
    case OpSMod: return divide_signed(op, signed_value(a), signed_value(b), result.width);
    case OpShiftLeftLogical:
    case OpShiftRightLogical:
    case OpShiftRightArithmetic: return shift(op, a, b);
    case OpBitwiseOr:
    case OpBitwiseXor:
    case OpBitwiseAnd:
    case OpNot: return bitwise(op, a, b);

    case OpLogicalOr: return boolean(a.bits + b.bits > 0);
    case OpLogicalAnd: return boolean(a.bits + b.bits == 2);
    case OpLogicalNot: return boolean(a.bits == 0);
    case OpLogicalEqual: return boolean(a.bits == b.bits);
    case OpLogicalNotEqual: return boolean(a.bits != b.bits);

    case OpIEqual: return boolean(unsigned_value(a) == unsigned_value(b));
    case OpINotEqual: return boolean(unsigned_value(a) != unsigned_value(b));
    case OpULessThan: return boolean(unsigned_value(a) < unsigned_value(b));
    case OpULessThanEqual: return boolean(unsigned_value(a) <= unsigned_value(b));
    case OpUGreaterThan: return boolean(unsigned_value(a) > unsigned_value(b));
    case OpUGreaterThanEqual: return boolean(unsigned_value(a) >= unsigned_value(b));
    case OpSLessThan: return boolean(signed_value(a) < signed_value(b));
    case OpSLessThanEqual: return boolean(signed_value(a) <= signed_value(b));
    case OpSGreaterThan: return boolean(signed_value(a) > signed_value(b));
    case OpSGreaterThanEqual: return boolean(signed_value(a) >= signed_value(b));

    case OpFNegate: {  // the sign bit changes; for a NaN the result is any NaN
      const std::uint64_t bits = a.bits ^ format_of(a.type).sign();
      return {.bits = bits, .accepts = is_nan(a) ? Accepts::AnyNan : Accepts::Exactly};
    }
    default: return float_operation(op, a, b);
  }
}

}  // namespace vireo::spirv::naive
