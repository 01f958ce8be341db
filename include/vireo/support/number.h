// SPDX-License-Identifier: Apache-2.0
//
// Numbers as text: parses the literals of assembly into the bits of a type, and prints bits as literals.
//
// A literal has no type of its own. The operand's type determines how the literal is parsed: as an
// integer of some width and signedness, or as a float of one of eleven formats. Parsing returns bits that can be stored
// as words, or the reason for failure. All functions are `noexcept`, allocate nothing, ignore the locale, and take time
// linear in the text.
//
// Source: SPIR-V assembly syntax, sections "Integers" and "Floats"; the Khronos and OCP small-float extensions.
//
//   std::uint64_t bits = 0;
//   if (parse_float("0.1", FloatFormat::Half, bits) == NumberFault::None) { /* bits == 0x2e66 */ }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vireo/support/api.h"
#include "vireo/support/cpp20.h"

namespace vireo {

/// Why a text is not a number of the requested type.
enum class NumberFault : std::uint8_t {
  None,
  Malformed,         ///< does not have the syntax of an integer or float
  NegativeUnsigned,  ///< begins with `-` (even `-0`), but the type is unsigned
  OutOfRange,        ///< well formed, but not representable in the type
  UnsupportedWidth,  ///< integers of 0 bits or of more than 64 bits
};

/// An integer type, 1 to 64 bits wide.
struct VIREO_API IntegerType {
  std::uint32_t width;
  bool is_signed;
};

/// The floating-point formats that OpTypeFloat can declare by its width and its encoding operand.
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

/// Parses a decimal, octal (leading `0`) or hexadecimal (`0x`) integer with an optional `+` or `-`. Extends the value
/// by the type's signedness to 32 bits (width <= 32) or to 64 bits, as SPIR-V stores it in words (low bits of `bits`).
/// A hexadecimal literal without `+` or `-` states the bits of the type: `0xff` is -1 for a signed type of eight bits.
/// `bits` is written only on success.
[[nodiscard]] VIREO_API NumberFault parse_integer(std::string_view text, IntegerType type,
                                                  std::uint64_t& bits) noexcept;

/// Parses an unsigned 32-bit integer, as parse_integer() does. `value` is written only on success.
[[nodiscard]] VIREO_API NumberFault parse_u32(std::string_view text, std::uint32_t& value) noexcept;

/// Parses a decimal or hexadecimal float: `1.5`, `-.5e-3`, `0x1.8p+0`. Rounds once, from the text to the nearest value
/// of the format, ties to even.
///  - A number too small for the format becomes a subnormal or a zero with the same sign; this is not an error.
///  - Infinities and NaNs can only be written in hexadecimal, with an exponent one above that of the largest finite
///    value. Single: `0x1p+128` is the infinity, `0x1.8p+128` a NaN. With larger exponents the result is infinity.
///  - If a format has an infinity, a power of two denotes it (Half: 2^16). Decimals from this power on are OutOfRange.
///    Numbers between the largest finite value and this power become the largest finite value. Exception: decimals of
///    Single and Double that round to infinity are OutOfRange.
///  - If a format has no infinity, a number that rounds to more than its largest value is OutOfRange. Float8E4M3 parses
///    `0x1.ep+8` as NaN; Float8UnsignedE8M0 parses `0x1p+128` as NaN.
///  - Float8UnsignedE8M0 and MXInt8 do not round: a number that is not exactly a value of the format is OutOfRange. A
///    decimal is first rounded to a double.
/// The result is in the low width_of(format) bits; all higher bits are zero. `bits` is written only on success.
[[nodiscard]] VIREO_API NumberFault parse_float(std::string_view text, FloatFormat format,
                                                std::uint64_t& bits) noexcept;

/// The largest number of characters that a print function below writes to `out`. They write no terminating zero byte.
inline constexpr std::size_t max_number_chars = 32;

/// Prints in decimal; returns one past the last character. Interprets the low 32 bits of `bits` by the type's
/// signedness; 64 bits if the type is wider than 32 bits. So bits above the width that do not extend the value change
/// the text. Prints nothing if the width is 0 or above 64.
[[nodiscard]] VIREO_API char* print_integer(char* out, std::uint64_t bits, IntegerType type) noexcept;

/// Prints in decimal; returns one past the last character.
[[nodiscard]] VIREO_API char* print_u32(char* out, std::uint32_t value) noexcept;

/// Prints a float; returns one past the last character. Zeros and normal numbers of Single and Double are printed with
/// 9 and 17 significant digits (C's `%.9g`, `%.17g`). Their other values, and all values of the other formats, are
/// printed as normalised hexadecimal floats: `0x1.8p-149`, `0x0p+0`. parse_float() of the text returns the same bits,
/// NaN payloads included. Bits above the width are ignored.
[[nodiscard]] VIREO_API char* print_float(char* out, std::uint64_t bits, FloatFormat format) noexcept;

}  // namespace vireo
