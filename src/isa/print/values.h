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

/// Reads the decimal number at the start of a text and rounds it to the nearest double; accepts `inf` and `nan`. A
/// number beyond the largest double is infinite. Returns its length in characters; 0 if there is no number, and then
/// `value` is unchanged.
std::size_t read_decimal(std::string_view text, double& value);

/// The 16-bit or 32-bit float nearest to a number, as bits.
std::uint32_t float_bits(double value, std::uint32_t width);

/// Appends a number of more than 64 bits. If `sign_width` is not 0, the number is in two's complement with so many
/// bits. Uses `value` as scratch space and leaves it 0.
void append_wide_decimal(std::string& text, std::span<BitWord> value, std::uint32_t sign_width);
void append_wide_hex(std::string& text, std::span<const BitWord> value, std::uint32_t width);

}  // namespace vireo::isa
