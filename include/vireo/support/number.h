// SPDX-License-Identifier: Apache-2.0
//
// Numbers as text: parses the literals of assembly into the bits of a type, and prints bits as literals.
//
// The one idea: a literal has no type of its own. The type of the operand determines how it is parsed: the width, the
// signedness, and which of the eleven float formats it has. Parsing returns bits that can be stored as words, or the
// reason for failure. All functions are `noexcept`, allocate nothing, ignore the locale, and take time linear in the
// text. SPIR-V assembly syntax, sections "Integers" and "Floats"; the Khronos and OCP small-float extensions.
//
//   std::uint64_t bits = 0;
//   if (parse_float("0.1", FloatFormat::Half, bits) == NumberFault::None) { /* bits == 0x2e66 */ }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vireo/support/api.h"

namespace vireo {

/// Why a text is not a number of the requested type.
enum class NumberFault : std::uint8_t {
  None,
  Malformed,         ///< not spelled as a number of this kind
  NegativeUnsigned,  ///< begins with `-`, but the type is unsigned; `-0` counts
  OutOfRange,        ///< well formed, but not representable in the type
  UnsupportedWidth,  ///< integers of 0 bits or of more than 64 bits
};

/// An integer type, 1 to 64 bits wide.
struct VIREO_API IntegerType {
  std::uint32_t width;
  bool is_signed;
};

/// The encodings of floating-point types, as the width and the encoding operand of OpTypeFloat name them.
enum class FloatFormat : std::uint8_t {
  Half,
  Single,
  Double,
  BFloat16,
  Float8E4M3,
  Float8E5M2,
  Float6E2M3,
  Float6E3M2,
  Float4E2M1,
  Float8UnsignedE8M0,
  MXInt8,
};
inline constexpr std::size_t float_format_count = 11;

/// Width of the format in bits.
constexpr std::uint32_t width_of(FloatFormat format) {
  constexpr std::uint8_t widths[float_format_count] = {16, 32, 64, 16, 8, 8, 6, 6, 4, 8, 8};
  return widths[static_cast<std::size_t>(format)];
}

/// Parses a decimal, octal (leading `0`) or hexadecimal (`0x`) integer with an optional `+` or `-`. The result has the
/// form in which words store it: sign- or zero-extended to 32 bits (width <= 32) or to 64 bits. A hexadecimal literal
/// without a sign may use all bits of a signed type: `0xff` is -1 in eight bits. `bits` is written only on success.
[[nodiscard]] VIREO_API NumberFault parse_integer(std::string_view text, IntegerType type,
                                                  std::uint64_t& bits) noexcept;

/// Parses a literal integer of one word: an unsigned integer of 32 bits, by the same rules.
[[nodiscard]] VIREO_API NumberFault parse_u32(std::string_view text, std::uint32_t& value) noexcept;

/// Parses a decimal or hexadecimal float: `1.5`, `-.5e-3`, `0x1.8p+0`. Rounds once, from the text to the nearest value,
/// ties to even. Only hexadecimal literals can denote infinities and NaNs, as powers beyond the largest: `0x1.8p+128`.
///  - A number too small for the format becomes a subnormal or a zero with the same sign; this is not an error.
///  - A number too large for the format is OutOfRange. Exception: in the narrow formats with an infinity, and in
///    hexadecimal, every number below the power of two that denotes infinity (half: 65536) becomes the largest finite
///    value. Hexadecimals of higher powers are infinity.
///  - Formats without infinity reject a number that would round beyond their largest value. Float8E4M3 parses
///    `0x1.ep+8` as NaN.
///  - Float8UnsignedE8M0 and MXInt8 hold scales and fractions and do not round: a decimal, parsed as a double, must be
///    a value of the format.
/// The result is in the low width_of(format) bits; all higher bits are zero. `bits` is written only on success.
[[nodiscard]] VIREO_API NumberFault parse_float(std::string_view text, FloatFormat format,
                                                std::uint64_t& bits) noexcept;

/// The largest number of characters that a print function below writes to `out`.
inline constexpr std::size_t max_number_chars = 32;

/// Prints in decimal; returns one past the last character. Prints the whole word (two words if the type is wider than
/// 32 bits), not only the low bits: upper bits that are not an extension of the value remain visible. Prints nothing
/// for an unsupported width.
[[nodiscard]] VIREO_API char* print_integer(char* out, std::uint64_t bits, IntegerType type) noexcept;

/// Prints in decimal; returns one past the last character.
[[nodiscard]] VIREO_API char* print_u32(char* out, std::uint32_t value) noexcept;

/// Prints zeros and normal numbers of Single and Double with 9 and 17 significant digits (C's `%.9g`, `%.17g`). All
/// other values, and all values of the narrow formats, are printed as normalised hexadecimal floats: `0x1.8p-149`,
/// `0x0p+0`. Parsing the result gives the same bits, NaN payloads included. Bits above the width are ignored.
[[nodiscard]] VIREO_API char* print_float(char* out, std::uint64_t bits, FloatFormat format) noexcept;

}  // namespace vireo
