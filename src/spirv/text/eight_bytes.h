// SPDX-License-Identifier: Apache-2.0
//
// Operations on eight bytes of a text in one register, the first one in the lowest byte.
//
// A result is a mask with the top bit set in each matching byte. Only the lowest set bit is used and
// exact; carries and borrows may change the bits above it.
#pragma once

#include <bit>
#include <cstdint>

namespace vireo::spirv::text {

namespace detail {
inline constexpr std::uint64_t ones = 0x0101010101010101ull;
inline constexpr std::uint64_t tops = 0x8080808080808080ull;
}  // namespace detail

/// The same byte eight times.
constexpr std::uint64_t every(unsigned char c) { return detail::ones * c; }

/// The bytes that are at most `c`. Precondition: `c` < 0x7F.
// x - every(c + 1) borrows in each byte that is at most c. `& ~x` removes the bytes from 0x80 on, because bytes of
// UTF-8 sequences do not end a word.
constexpr std::uint64_t bytes_at_most(std::uint64_t x, unsigned char c) {
  return (x - every(static_cast<unsigned char>(c + 1))) & ~x & detail::tops;
}

/// The bytes that equal `c`.
constexpr std::uint64_t bytes_equal(std::uint64_t x, unsigned char c) {
  const std::uint64_t zero_where_equal = x ^ every(c);
  return (zero_where_equal - detail::ones) & ~zero_where_equal & detail::tops;
}

/// The bytes that are not digits. The argument is x ^ every('0').
constexpr std::uint64_t bytes_above_nine(std::uint64_t x) { return ((x + every(0x7F - 9)) | x) & detail::tops; }

/// The number of bits below the first byte that is set in a mask. The mask must not be 0.
constexpr unsigned bits_before(std::uint64_t mask) { return static_cast<unsigned>(std::countr_zero(mask)) & ~7u; }

}  // namespace vireo::spirv::text
