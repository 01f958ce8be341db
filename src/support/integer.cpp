// SPDX-License-Identifier: Apache-2.0
//
// Parses and prints integers. The contract is in vireo/support/number.h.
//
// Parsing has two independent steps. The first reads sign, base and magnitude; the second checks whether
// the type can represent them. Short decimals, the most common literals, take a fast path. SPIR-V assembly syntax,
// section "Integers".
#include <array>
#include <charconv>

#include "vireo/support/number.h"

namespace vireo {
namespace {

constexpr std::uint8_t not_a_digit = 0xff;

/// The value of each character as a hexadecimal digit. A value that is not below the base is rejected.
constexpr std::array<std::uint8_t, 256> digit_values = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(not_a_digit);
  for (std::size_t i = 0; i < 10; ++i) values['0' + i] = static_cast<std::uint8_t>(i);
  for (std::size_t i = 0; i < 6; ++i) {
    values['a' + i] = static_cast<std::uint8_t>(10 + i);
    values['A' + i] = static_cast<std::uint8_t>(10 + i);
  }
  return values;
}();

/// The parts of an integer literal.
struct IntegerText {
  NumberFault fault = NumberFault::None;  ///< None, Malformed, or OutOfRange: more than 64 bits
  bool has_sign = false;
  bool is_negative = false;
  std::uint64_t base = 10;
  std::uint64_t magnitude = 0;
};

IntegerText read_integer(std::string_view text) {
  IntegerText read;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    read.has_sign = true;
    read.is_negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.size() > 1 && text[0] == '0') {
    const bool is_hexadecimal = text[1] == 'x' || text[1] == 'X';
    read.base = is_hexadecimal ? 16 : 8;
    text.remove_prefix(is_hexadecimal ? 2 : 1);
  }
  if (text.empty()) read.fault = NumberFault::Malformed;

  const std::uint64_t largest_before_digit = ~std::uint64_t{0} / read.base;
  for (const char character : text) {
    const std::uint64_t digit = digit_values[static_cast<unsigned char>(character)];
    if (digit >= read.base) {
      read.fault = NumberFault::Malformed;
      return read;
    }
    const std::uint64_t shifted = read.magnitude * read.base;
    // The loop continues after an overflow, because an invalid character after too many digits makes the literal
    // Malformed.
    if (read.magnitude > largest_before_digit || shifted + digit < shifted) read.fault = NumberFault::OutOfRange;
    read.magnitude = shifted + digit;
  }
  return read;
}

/// A mask of the low `count` bits (1 to 64).
constexpr std::uint64_t low_bits(std::uint32_t count) { return ~std::uint64_t{0} >> (64 - count); }

/// Converts a parsed literal to `type` (1 to 64 bits). `bits` is extended to 64 bits.
NumberFault fit(const IntegerText& read, IntegerType type, std::uint64_t& bits) {
  if (read.fault != NumberFault::None) return read.fault;
  const std::uint64_t all = low_bits(type.width);
  const std::uint64_t sign = all ^ (all >> 1);

  // An unsigned number or a bit pattern. Only a hexadecimal literal without sign is a bit pattern; `+0xff` is the
  // number 255.
  if (!type.is_signed || (read.base == 16 && !read.has_sign)) {
    if (read.magnitude > all) return NumberFault::OutOfRange;
    const bool extends_sign = type.is_signed && (read.magnitude & sign) != 0;
    bits = extends_sign ? read.magnitude | ~all : read.magnitude;
    return NumberFault::None;
  }
  if (read.is_negative) {
    if (read.magnitude > sign) return NumberFault::OutOfRange;
    bits = std::uint64_t{0} - read.magnitude;
    return NumberFault::None;
  }
  if (read.magnitude >= sign) return NumberFault::OutOfRange;
  bits = read.magnitude;
  return NumberFault::None;
}

/// Parses a decimal of at most nine digits without leading zero, or the digit 0; it always fits in 32 bits. Almost
/// every literal has this form, so it is tried first.
bool read_short_decimal(std::string_view text, std::uint32_t& value) {
  if (text.empty() || text.size() > 9 || (text.front() == '0' && text.size() > 1)) return false;
  std::uint32_t sum = 0;
  for (const char character : text) {
    const auto digit = static_cast<std::uint32_t>(static_cast<unsigned char>(character)) - '0';
    if (digit > 9) return false;
    sum = sum * 10 + digit;
  }
  value = sum;
  return true;
}

}  // namespace

NumberFault parse_u32(std::string_view text, std::uint32_t& value) noexcept {
  if (read_short_decimal(text, value)) return NumberFault::None;
  std::uint64_t bits = 0;
  const NumberFault fault = parse_integer(text, {.width = 32, .is_signed = false}, bits);
  if (fault == NumberFault::None) value = static_cast<std::uint32_t>(bits);
  return fault;
}

NumberFault parse_integer(std::string_view text, IntegerType type, std::uint64_t& bits) noexcept {
  if (type.width == 0 || type.width > 64) return NumberFault::UnsupportedWidth;
  // The sign is checked before the rest of the text, so even `-x` gives NegativeUnsigned.
  if (!type.is_signed && !text.empty() && text.front() == '-') return NumberFault::NegativeUnsigned;
  std::uint64_t extended = 0;
  const NumberFault fault = fit(read_integer(text), type, extended);
  if (fault != NumberFault::None) return fault;
  bits = type.width <= 32 ? extended & low_bits(32) : extended;
  return NumberFault::None;
}

char* print_u32(char* out, std::uint32_t value) noexcept { return std::to_chars(out, out + 10, value).ptr; }

char* print_integer(char* out, std::uint64_t bits, IntegerType type) noexcept {
  if (type.width == 0 || type.width > 64) return out;
  const std::uint32_t word_bits = type.width <= 32 ? 32 : 64;
  std::uint64_t magnitude = bits & low_bits(word_bits);
  if (type.is_signed && (magnitude >> (word_bits - 1)) != 0) {
    *out++ = '-';
    magnitude = (std::uint64_t{0} - magnitude) & low_bits(word_bits);
  }
  return std::to_chars(out, out + 20, magnitude).ptr;
}

}  // namespace vireo
