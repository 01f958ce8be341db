// SPDX-License-Identifier: Apache-2.0
//
// Values of fields as text: numbers of any width, floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vireo/isa/bits.h"
#include "vireo/isa/print.h"

namespace vireo::isa {

/// Each writes at most 24 characters and returns one past the last.
char* write_unsigned(char* out, std::uint64_t value);
char* write_signed(char* out, std::int64_t value);
char* write_hex(char* out, std::uint64_t value);

/// A float of 16 or 32 bits. Returns one past the last of at most 56 characters.
char* write_float(char* out, std::uint64_t bits, std::uint32_t width, FloatStyle style);

/// Reads the decimal number that a text begins with, as the nearest double; `inf` and `nan` are numbers, too. One beyond
/// the largest double is infinite. Returns how many characters it takes; none: there is no number, and `value` stays.
std::size_t read_decimal(std::string_view text, double& value);

/// The float of 16 or 32 bits that is nearest to a number.
std::uint32_t float_bits(double value, std::uint32_t width);

/// Appends a number of more than 64 bits; with a `sign_width` read as two's complement of so many bits. The division goes
/// on in `value` itself, which is 0 in the end.
void append_wide_decimal(std::string& text, std::span<BitWord> value, std::uint32_t sign_width);
void append_wide_hex(std::string& text, std::span<const BitWord> value, std::uint32_t width);

}  // namespace vireo::isa
