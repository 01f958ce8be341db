// SPDX-License-Identifier: Apache-2.0
//
// Converts values of fields to text: numbers of any width, and floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vireo/isa/bits.h"
#include "vireo/isa/print.h"

namespace vireo::isa {

/// Each function writes at most 24 characters and returns the position after the last.
char* write_unsigned(char* out, std::uint64_t value);
char* write_signed(char* out, std::int64_t value);
char* write_hex(char* out, std::uint64_t value);

/// Writes a float of 16 or 32 bits in at most 56 characters. Returns the position after the last.
char* write_float(char* out, std::uint64_t bits, std::uint32_t width, FloatStyle style);

/// Reads the decimal number at the start of a text and rounds it to the nearest double; accepts `inf` and `nan`. A
/// number beyond the largest double is infinite. Returns the number of characters read. If there is no number, returns
/// 0 and does not change `value`.
std::size_t read_decimal(std::string_view text, double& value);

/// The 16-bit or 32-bit float nearest to a number, as bits.
std::uint32_t float_bits(double value, std::uint32_t width);

/// Appends a number of more than 64 bits. If `sign_width` is not 0, the number is in two's complement with this number
/// of bits. Sets `value` to 0.
void append_wide_decimal(std::string& text, std::span<BitWord> value, std::uint32_t sign_width);
void append_wide_hex(std::string& text, std::span<const BitWord> value, std::uint32_t width);

}  // namespace vireo::isa
