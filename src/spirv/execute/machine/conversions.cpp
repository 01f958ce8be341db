// SPDX-License-Identifier: Apache-2.0
//
// Conversions between numbers, and of bits (operations.h).
//
// Source: specification 3.42.11.
#include <bit>
#include <cmath>

#include "spirv/execute/machine/operations.h"
#include "spirv/module/fold.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Rounds towards zero. A number out of range becomes the nearest one in range, and a NaN 0, as on common devices.
Cell to_integer(double value, std::uint32_t width, bool is_signed) {
  if (std::isnan(value)) return 0;
  const double whole = std::trunc(value);
  const double beyond = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
  if (is_signed && whole < -beyond) return Cell{1} << (width - 1);
  if (!is_signed && whole < 0) return 0;
  if (whole >= beyond) return is_signed ? mask_of(width - 1) : mask_of(width);
  return (is_signed ? static_cast<Cell>(static_cast<std::int64_t>(whole)) : static_cast<Cell>(whole)) & mask_of(width);
}

Cell converted(const Step& s, Cell a) {
  const std::uint32_t from = s.type.width, to = s.result_type.width;
  switch (s.opcode) {
    case OpUConvert: return a & mask_of(to);
    case OpSConvert: return static_cast<Cell>(sign_extended(a, from)) & mask_of(to);
    case OpConvertFToU:
    case OpConvertFToS: return to_integer(double_of(a, s.type.format).value_or(0), to, s.opcode == OpConvertFToS);
    default: break;
  }
  // The rest is arithmetic of constants too.
  const bool from_int = s.opcode == OpConvertSToF || s.opcode == OpConvertUToF;
  const FoldValue value{{from_int ? FoldType::Class::Int : FoldType::Class::Float, from, s.type.format}, a};
  return fold(s.opcode, {FoldType::Class::Float, to, s.result_type.format}, std::span(&value, 1)).value_or(0);
}

}  // namespace

void convert(Machine& m, const Step& s) {
  Cell* const to = m.cells(s.result);
  const Cell* const a = m.cells(s.a);
  const std::size_t width = m.width();
  for (std::uint32_t cell = 0; cell < s.count; ++cell)
    for_each_lane(m.active(),
                  [&](std::uint32_t lane) { to[cell * width + lane] = converted(s, a[cell * width + lane]); });
}

// Components of another width are joined or split, the low-order bits first.
void bitcast(Machine& m, const Step& s) {
  Cell* const to = m.cells(s.result);
  const Cell* const a = m.cells(s.a);
  const std::size_t width = m.width();
  const std::uint32_t from_bits = s.type.width, to_bits = s.result_type.width;
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    for (std::uint32_t cell = 0; cell < s.count; ++cell) {
      const std::uint32_t first_bit = cell * to_bits;
      Cell bits = 0;
      for (std::uint32_t done = 0; done < to_bits;) {
        const std::uint32_t at = first_bit + done, source = at / from_bits, shift = at % from_bits;
        bits |= a[source * width + lane] >> shift << done;
        done += from_bits - shift;
      }
      to[cell * width + lane] = bits & mask_of(to_bits);
    }
  });
}

}  // namespace vireo::spirv
