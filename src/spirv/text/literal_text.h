// SPDX-License-Identifier: Apache-2.0
//
// Typed literals as text: the numbers of OpConstant and OpSwitch (specification 2.2.1, Literal).
//
// The type determines the number of words of a literal and its notation. Types of up to 64 bits have a
// notation. Literals of other types (wider integers, floats of unusual widths) are written as raw words, which the
// assembler accepts.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/grammar/special_cases.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

static_assert(no_float_encoding == ScalarType::no_encoding);

/// Up to 64 bits of a literal, low word first.
inline std::uint64_t literal_bits(Words words) {
  return words.size() < 2 ? (words.empty() ? 0 : words[0]) : std::uint64_t{words[1]} << 32 | words[0];
}

/// Writes a literal of a type at `out` (max_number_chars must fit). Returns `out` if the literal has no notation.
inline char* print_literal(char* out, Words words, ScalarType type) {
  if (type.width > 64 || words.size() * 32 < type.width) return out;
  const std::uint64_t bits = literal_bits(words);
  if (type.class_ == ScalarType::Class::Integer) return print_integer(out, bits, {type.width, type.is_signed});
  const std::optional<FloatFormat> format = float_format_of(type.width, type.encoding);
  return format ? print_float(out, bits, *format) : out;
}

}  // namespace vireo::spirv
