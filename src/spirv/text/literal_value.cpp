// SPDX-License-Identifier: Apache-2.0
//
// Converts the bits of a float to a double (literal_value.h). support/float_format.h describes each format in a row.
#include "spirv/text/literal_value.h"

#include <bit>
#include <cmath>
#include <limits>

#include "support/float_format.h"

namespace vireo::spirv {

double value_of_float(std::uint64_t bits, FloatFormat format) {
  if (format == FloatFormat::Double) return std::bit_cast<double>(bits);
  if (format == FloatFormat::Single) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  const FloatLayout& layout = layout_of(format);
  const std::uint64_t all = bits & ((std::uint64_t{1} << width_of(format)) - 1);
  const std::uint64_t magnitude = all & ((std::uint64_t{1} << (width_of(format) - layout.sign_bits)) - 1);
  const bool is_negative = layout.sign_bits != 0 && all != magnitude;
  // FixedPoint has no codes for specials, and its largest code bounds only one of its signs.
  if (layout.scheme != FloatScheme::FixedPoint && magnitude > layout.largest_code) {
    const bool is_infinity = layout.specials == FloatSpecials::InfinityAndNan && magnitude == layout.largest_code + 1;
    if (!is_infinity) return std::numeric_limits<double>::quiet_NaN();
    return is_negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  // Exact: no significand of these formats has more than 53 bits, and no exponent leaves a double's range.
  const BinaryReal real = decode_float(bits, format);
  const double value = std::ldexp(static_cast<double>(real.significand), static_cast<int>(real.exponent));
  return real.is_negative ? -value : value;
}

}  // namespace vireo::spirv
