// SPDX-License-Identifier: Apache-2.0
//
// Numbers as text: the literals of assembly, read into the bits of a type and printed from them.
//
// The one idea: a literal has no type of its own. The type that will hold it says how it is read: its width, whether it
// is signed, which of the eleven float formats it has. Reading gives bits ready to be stored as words, or the reason
// why the text has none. Everything here is `noexcept`, allocates nothing, knows no locale, and needs time linear in
// the text. SPIR-V assembly syntax, sections "Integers" and "Floats"; the Khronos and OCP small-float extensions.
//
//   std::uint64_t bits = 0;
//   if (parse_float("0.1", FloatFormat::Half, bits) == NumberFault::None) { /* bits == 0x2e66 */ }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vireo/support/api.h"

namespace vireo {

/// Why a text is not a number of the type asked for.
enum class NumberFault : std::uint8_t {
  None,
  Malformed,         ///< not spelled as a number of this kind
  NegativeUnsigned,  ///< begins with `-`, and the type has no sign; `-0` counts
  OutOfRange,        ///< well spelled, but no value of the type stands for it
  UnsupportedWidth,  ///< integers of 0 or of more than 64 bits
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

/// Bits of a value of the format.
constexpr std::uint32_t width_of(FloatFormat format) {
  constexpr std::uint8_t widths[float_format_count] = {16, 32, 64, 16, 8, 8, 6, 6, 4, 8, 8};
  return widths[static_cast<std::size_t>(format)];
}

/// Reads a decimal, octal (leading `0`) or hexadecimal (`0x`) integer; `+` and `-` may lead. The bits come as the
/// words will hold them: sign- or zero-extended to 32 bits (width <= 32) or to 64. A hexadecimal without sign may use
/// all bits of a signed type: `0xff` is -1 in eight bits. `bits` is written only on success.
[[nodiscard]] VIREO_API NumberFault parse_integer(std::string_view text, IntegerType type,
                                                  std::uint64_t& bits) noexcept;

/// Reads a literal integer of one word; the same rules with 32 unsigned bits.
[[nodiscard]] VIREO_API NumberFault parse_u32(std::string_view text, std::uint32_t& value) noexcept;

/// Reads a decimal or hexadecimal float: `1.5`, `-.5e-3`, `0x1.8p+0`. Rounds once, to the nearest value, ties to even,
/// straight from the text. Only hexadecimal can spell infinities and NaNs, as powers beyond the largest: `0x1.8p+128`.
///  - Too small for the format: silently a subnormal or a zero that keeps its sign.
///  - Too large: OutOfRange. Yet in the narrow formats with an infinity, and in hexadecimal, all below the power of two
///    that spells infinity (half: 65536) is read as the largest finite value. Hexadecimals above it are infinity.
///  - Formats without infinity refuse what would round beyond their largest value; Float8E4M3 reads `0x1.ep+8` as NaN.
///  - Float8UnsignedE8M0 and MXInt8 hold scales and fractions, for which there is no rounding: a decimal, once read as
///    a double, must be a value of the format.
/// The bits are the low width_of(format) bits; all above are zero. `bits` is written only on success.
[[nodiscard]] VIREO_API NumberFault parse_float(std::string_view text, FloatFormat format,
                                                std::uint64_t& bits) noexcept;

/// Room that every print function below needs at `out`, at most.
inline constexpr std::size_t max_number_chars = 32;

/// Prints in decimal; returns one past the last character. Reads the whole word (two words when the type is wider than
/// 32 bits), not only the low bits: upper bits that do not extend the value show, instead of being hidden. Prints
/// nothing for an unsupported width.
[[nodiscard]] VIREO_API char* print_integer(char* out, std::uint64_t bits, IntegerType type) noexcept;

/// Prints in decimal; returns one past the last character.
[[nodiscard]] VIREO_API char* print_u32(char* out, std::uint32_t value) noexcept;

/// Prints zeros and normal numbers of Single and Double with 9 and 17 significant digits (C's `%.9g`, `%.17g`), all
/// else, and all of the narrow formats, as a normalised hexadecimal float: `0x1.8p-149`, `0x0p+0`. Reading what was
/// printed gives the same bits, NaN payloads included. Bits above the width are ignored.
[[nodiscard]] VIREO_API char* print_float(char* out, std::uint64_t bits, FloatFormat format) noexcept;

}  // namespace vireo
