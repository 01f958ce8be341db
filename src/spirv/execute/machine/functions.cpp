// SPDX-License-Identifier: Apache-2.0
//
// The functions of GLSL.std.450 (operations.h).
//
// Each is computed in double precision and rounded once, which is within the bounds of the specification's table of
// precision for all formats of at most 32 bits. The results for arguments outside a domain are those of the C library.
//
// Source: GLSL.std.450; Vulkan, "Precision of GLSL.std.450 Instructions".
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "spirv/execute/machine/operations.h"
#include "spirv/module/fold.h"
#include "vireo/spirv/grammar/ext_insts.h"

namespace vireo::spirv {
namespace {

using GL = GLSL_std_450;

// The operands of one lane, with the cells of each in a row.
struct LaneOperands {
  Machine& machine;
  const Step& step;
  std::uint32_t lane;

  [[nodiscard]] Cell raw(CellRef ref, std::uint32_t cell) const {
    return machine.cells(ref)[std::size_t{cell} * machine.width() + lane];
  }
  [[nodiscard]] double number(CellRef ref, std::uint32_t cell) const {
    return double_of(raw(ref, cell), step.type.format).value_or(0);
  }
  [[nodiscard]] std::int64_t integer(CellRef ref, std::uint32_t cell) const {
    return sign_extended(raw(ref, cell), step.type.width);
  }
  void set(std::uint32_t cell, Cell bits) const {
    machine.cells(step.result)[std::size_t{cell} * machine.width() + lane] = bits;
  }
  void set_number(std::uint32_t cell, double value) const {
    set(cell, bits_of(value, step.result_type.format).value_or(0));
  }
};

double round_half_away(double x) { return std::round(x); }
double round_half_even(double x) { return x - std::remainder(x, 1.0); }
double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
// The other operand if one is a NaN.
double least(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : b < a ? b : a; }
double greatest(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : a < b ? b : a; }
double smooth_step(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

using Unary = double (*)(double);
Unary unary_function(GL function) {
  switch (function) {
    case GL::Round: return round_half_away;
    case GL::RoundEven: return round_half_even;
    case GL::Trunc: return std::trunc;
    case GL::FAbs: return std::fabs;
    case GL::FSign: return sign_of;
    case GL::Floor: return std::floor;
    case GL::Ceil: return std::ceil;
    case GL::Fract: return [](double x) { return x - std::floor(x); };
    case GL::Radians: return [](double x) { return x * (std::numbers::pi / 180); };
    case GL::Degrees: return [](double x) { return x * (180 / std::numbers::pi); };
    case GL::Sin: return std::sin;
    case GL::Cos: return std::cos;
    case GL::Tan: return std::tan;
    case GL::Asin: return std::asin;
    case GL::Acos: return std::acos;
    case GL::Atan: return std::atan;
    case GL::Sinh: return std::sinh;
    case GL::Cosh: return std::cosh;
    case GL::Tanh: return std::tanh;
    case GL::Asinh: return std::asinh;
    case GL::Acosh: return std::acosh;
    case GL::Atanh: return std::atanh;
    case GL::Exp: return std::exp;
    case GL::Log: return std::log;
    case GL::Exp2: return std::exp2;
    case GL::Log2: return std::log2;
    case GL::Sqrt: return std::sqrt;
    case GL::InverseSqrt: return [](double x) { return 1 / std::sqrt(x); };
    default: return nullptr;
  }
}

using Binary = double (*)(double, double);
Binary binary_function(GL function) {
  switch (function) {
    case GL::Atan2: return std::atan2;
    case GL::Pow: return std::pow;
    case GL::FMin:
    case GL::NMin: return least;
    case GL::FMax:
    case GL::NMax: return greatest;
    case GL::Step: return [](double edge, double x) { return x < edge ? 0.0 : 1.0; };
    default: return nullptr;
  }
}

using Ternary = double (*)(double, double, double);
Ternary ternary_function(GL function) {
  switch (function) {
    case GL::FClamp:
    case GL::NClamp: return [](double x, double low, double high) { return least(greatest(x, low), high); };
    case GL::FMix: return [](double x, double y, double a) { return x * (1 - a) + y * a; };
    case GL::SmoothStep: return smooth_step;
    case GL::Fma: return [](double a, double b, double c) { return std::fma(a, b, c); };
    default: return nullptr;
  }
}

// The position of the highest bit that differs from the sign; -1 if there is none.
std::int64_t highest_bit(Cell bits, std::uint32_t width) {
  return bits == 0 ? -1 : 63 - std::countl_zero(bits & mask_of(width));
}

// Computes a function of integers. Returns false for other functions.
bool integer_function(GL function, const LaneOperands& in, std::uint32_t cell) {
  const Step& s = in.step;
  const std::uint32_t width = s.type.width;
  const Cell a = in.raw(s.a, cell);
  const auto b = [&] { return in.raw(s.b, cell); };
  const auto c = [&] { return in.raw(s.c, cell); };
  const auto is_less = [&](Cell x, Cell y) { return sign_extended(x, width) < sign_extended(y, width); };
  const std::int64_t value = sign_extended(a, width);
  const auto set = [&](std::int64_t result) {
    in.set(cell, static_cast<Cell>(result) & mask_of(s.result_type.width));
    return true;
  };
  switch (function) {
    case GL::SAbs: return set(value < 0 ? static_cast<std::int64_t>(0 - static_cast<Cell>(value)) : value);
    case GL::SSign: return set((value > 0) - (value < 0));
    case GL::UMin: return in.set(cell, std::min(a, b())), true;
    case GL::UMax: return in.set(cell, std::max(a, b())), true;
    case GL::SMin: return in.set(cell, is_less(b(), a) ? b() : a), true;
    case GL::SMax: return in.set(cell, is_less(a, b()) ? b() : a), true;
    case GL::UClamp: return in.set(cell, std::min(std::max(a, b()), c())), true;
    case GL::SClamp: {
      const Cell raised = is_less(a, b()) ? b() : a;
      return in.set(cell, is_less(c(), raised) ? c() : raised), true;
    }
    case GL::FindILsb: return set(a == 0 ? -1 : std::countr_zero(a));
    case GL::FindUMsb: return set(highest_bit(a, width));
    case GL::FindSMsb: return set(highest_bit(value < 0 ? ~a & mask_of(width) : a, width));
    default: return false;
  }
}

// --- functions of whole vectors -------------------------------------------------------------------------------------------

std::vector<double> numbers_of(const LaneOperands& in, CellRef ref, std::uint32_t count) {
  std::vector<double> numbers(count);
  for (std::uint32_t i = 0; i < count; ++i) numbers[i] = in.number(ref, i);
  return numbers;
}

double dot_product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void vector_function(GL function, const LaneOperands& in) {
  const Step& s = in.step;
  const std::uint32_t n = s.count;
  std::vector<double> a = numbers_of(in, s.a, n);
  switch (function) {
    case GL::Length: return in.set_number(0, std::sqrt(dot_product(a, a)));
    case GL::Distance: {
      const std::vector<double> b = numbers_of(in, s.b, n);
      for (std::uint32_t i = 0; i < n; ++i) a[i] -= b[i];
      return in.set_number(0, std::sqrt(dot_product(a, a)));
    }
    case GL::Normalize: {
      const double length = std::sqrt(dot_product(a, a));
      for (std::uint32_t i = 0; i < n; ++i) in.set_number(i, a[i] / length);
      return;
    }
    case GL::Cross: {
      const std::vector<double> b = numbers_of(in, s.b, n);
      for (std::uint32_t i = 0; i < 3; ++i)
        in.set_number(i, a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
      return;
    }
    case GL::FaceForward: {
      const bool is_facing = dot_product(numbers_of(in, s.c, n), numbers_of(in, s.b, n)) < 0;
      for (std::uint32_t i = 0; i < n; ++i) in.set_number(i, is_facing ? a[i] : -a[i]);
      return;
    }
    case GL::Reflect: {
      const std::vector<double> normal = numbers_of(in, s.b, n);
      const double twice = 2 * dot_product(normal, a);
      for (std::uint32_t i = 0; i < n; ++i) in.set_number(i, a[i] - twice * normal[i]);
      return;
    }
    case GL::Refract: {
      const std::vector<double> normal = numbers_of(in, s.b, n);
      const double ratio = in.number(s.c, 0), cosine = dot_product(normal, a);
      const double rest = 1 - ratio * ratio * (1 - cosine * cosine);
      for (std::uint32_t i = 0; i < n; ++i)
        in.set_number(i, rest < 0 ? 0 : ratio * a[i] - (ratio * cosine + std::sqrt(rest)) * normal[i]);
      return;
    }
    default: return;
  }
}

// A square matrix of up to four columns. Sums of products of long double lose nothing that a double could hold.
struct SquareMatrix {
  std::uint32_t size;
  std::array<long double, 16> cells{};  // by column
  [[nodiscard]] long double cell(std::uint32_t row, std::uint32_t column) const { return cells[column * size + row]; }
};

// The matrix without a row and a column.
SquareMatrix minor_of(const SquareMatrix& matrix, std::uint32_t row, std::uint32_t column) {
  SquareMatrix result{matrix.size - 1};
  std::size_t cell = 0;
  for (std::uint32_t c = 0; c < matrix.size; ++c) {
    for (std::uint32_t r = 0; r < matrix.size; ++r)
      if (r != row && c != column) result.cells[cell++] = matrix.cell(r, c);
  }
  return result;
}

// Expands along the first row: at most four levels. The signs alternate within the sum, so that a difference of equal
// products is +0.
long double determinant_of(const SquareMatrix& matrix) {
  if (matrix.size == 1) return matrix.cells[0];
  long double sum = 0;
  for (std::uint32_t c = 0; c < matrix.size; ++c) {
    const long double product = matrix.cell(0, c) * determinant_of(minor_of(matrix, 0, c));
    sum += c % 2 == 0 ? product : -product;
  }
  return sum;
}

void matrix_function(GL function, const LaneOperands& in) {
  SquareMatrix matrix{static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(in.step.count))))};
  for (std::uint32_t i = 0; i < in.step.count && i < matrix.cells.size(); ++i)
    matrix.cells[i] = in.number(in.step.a, i);
  const long double determinant = determinant_of(matrix);
  if (function == GL::Determinant) return in.set_number(0, static_cast<double>(determinant));
  for (std::uint32_t c = 0; c < matrix.size; ++c) {
    for (std::uint32_t r = 0; r < matrix.size; ++r) {
      // The cofactor of the transposed place.
      const long double cofactor = determinant_of(minor_of(matrix, c, r));
      const bool is_negated = (r + c) % 2 != 0 && cofactor != 0;
      in.set_number(c * matrix.size + r, static_cast<double>((is_negated ? -cofactor : cofactor) / determinant));
    }
  }
}

// --- parts of floats, packing ---------------------------------------------------------------------------------------------

void part_function(GL function, const LaneOperands& in) {
  const Step& s = in.step;
  for (std::uint32_t i = 0; i < s.count; ++i) {
    const double x = in.number(s.a, i);
    if (function == GL::Ldexp) {
      const std::int64_t exponent = sign_extended(in.raw(s.b, i), s.extra);
      in.set_number(i, std::ldexp(x, static_cast<int>(std::clamp<std::int64_t>(exponent, -4000, 4000))));
    } else if (function == GL::ModfStruct) {
      const double whole = std::trunc(x);
      in.set_number(i, std::isinf(x) ? std::copysign(0.0, x) : x - whole);
      in.set_number(s.count + i, whole);
    } else {
      int exponent = 0;
      in.set_number(i, std::frexp(x, &exponent));
      in.set(s.count + i, static_cast<Cell>(std::isfinite(x) ? exponent : 0) & mask_of(32));
    }
  }
}

struct Packing {
  std::uint32_t parts, bits;
  bool is_signed, is_half;
};
const Packing* packing_of(GL function) {
  static constexpr Packing rows[] = {
      {4, 8, true, false}, {4, 8, false, false}, {2, 16, true, false}, {2, 16, false, false}, {2, 16, false, true}};
  switch (function) {
    case GL::PackSnorm4x8:
    case GL::UnpackSnorm4x8: return &rows[0];
    case GL::PackUnorm4x8:
    case GL::UnpackUnorm4x8: return &rows[1];
    case GL::PackSnorm2x16:
    case GL::UnpackSnorm2x16: return &rows[2];
    case GL::PackUnorm2x16:
    case GL::UnpackUnorm2x16: return &rows[3];
    case GL::PackHalf2x16:
    case GL::UnpackHalf2x16: return &rows[4];
    default: return nullptr;
  }
}

void pack(const Packing& packing, const LaneOperands& in) {
  Cell result = 0;
  for (std::uint32_t i = 0; i < packing.parts; ++i) {
    const double x = in.number(in.step.a, i);
    const double scale = static_cast<double>(mask_of(packing.bits - packing.is_signed));
    const Cell bits = packing.is_half ? bits_of(x, FloatFormat::Half).value_or(0)
                                      : static_cast<Cell>(static_cast<std::int64_t>(round_half_even(
                                            least(greatest(x, packing.is_signed ? -1 : 0), 1) * scale)));
    result |= (bits & mask_of(packing.bits)) << (i * packing.bits);
  }
  in.set(0, result);
}

void unpack(const Packing& packing, const LaneOperands& in) {
  for (std::uint32_t i = 0; i < packing.parts; ++i) {
    const Cell bits = in.raw(in.step.a, 0) >> (i * packing.bits) & mask_of(packing.bits);
    const double scale = static_cast<double>(mask_of(packing.bits - packing.is_signed));
    const double value = packing.is_half ? double_of(bits, FloatFormat::Half).value_or(0)
                         : packing.is_signed
                             ? greatest(static_cast<double>(sign_extended(bits, packing.bits)) / scale, -1)
                             : static_cast<double>(bits) / scale;
    in.set_number(i, value);
  }
}

void call_lane(GL function, const LaneOperands& in) {
  const Step& s = in.step;
  switch (function) {
    case GL::Length:
    case GL::Distance:
    case GL::Normalize:
    case GL::Cross:
    case GL::FaceForward:
    case GL::Reflect:
    case GL::Refract: return vector_function(function, in);
    case GL::Determinant:
    case GL::MatrixInverse: return matrix_function(function, in);
    case GL::Ldexp:
    case GL::ModfStruct:
    case GL::FrexpStruct: return part_function(function, in);
    default: break;
  }
  if (function == GL::PackDouble2x32) return in.set(0, in.raw(s.a, 0) | in.raw(s.a, 1) << 32);
  if (function == GL::UnpackDouble2x32) {
    in.set(0, in.raw(s.a, 0) & mask_of(32));
    return in.set(1, in.raw(s.a, 0) >> 32);
  }
  if (const Packing* packing = packing_of(function)) {
    const bool packs = function == GL::PackSnorm4x8 || function == GL::PackUnorm4x8 || function == GL::PackSnorm2x16 ||
                       function == GL::PackUnorm2x16 || function == GL::PackHalf2x16;
    return packs ? pack(*packing, in) : unpack(*packing, in);
  }
  for (std::uint32_t i = 0; i < s.count; ++i) {
    if (const Unary f = unary_function(function)) in.set_number(i, f(in.number(s.a, i)));
    else if (const Binary g = binary_function(function)) in.set_number(i, g(in.number(s.a, i), in.number(s.b, i)));
    else if (const Ternary h = ternary_function(function))
      in.set_number(i, h(in.number(s.a, i), in.number(s.b, i), in.number(s.c, i)));
    else integer_function(function, in, i);
  }
}

}  // namespace

void call_glsl(Machine& m, const Step& s) {
  const auto function = static_cast<GL>(s.operation);
  for_each_lane(m.active(), [&](std::uint32_t lane) { call_lane(function, {m, s, lane}); });
}

}  // namespace vireo::spirv
