// SPDX-License-Identifier: Apache-2.0
//
// Bit strings: instruction words and their masks. Units: bits, counted from 0, and 64-bit words.
//
// A bit string is a width and 64-bit words; bit 0 is the least significant bit of word 0. Up to 128 bits
// are stored in the object, so masks of usual instruction sets need no allocation; wider ones are on the heap.
// Functions that the decoder calls for every word take plain words. Bits at and above the width are always zero.
//
//   Bits word = *parse_hex("0080000000000004", 64);
//   word.slice(0, 31);   // 4
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/support/api.h"
#include "vireo/support/cpp20.h"

namespace vireo::isa {

/// The storage unit of bit strings.
using BitWord = std::uint64_t;
inline constexpr std::uint32_t bits_per_word = 64;

/// The number of 64-bit words for `width` bits.
constexpr std::size_t words_for(std::uint32_t width) {
  return (static_cast<std::size_t>(width) + bits_per_word - 1) / bits_per_word;
}

/// A mask of the lowest `width` bits; all bits for a width of 64 or more.
constexpr BitWord low_mask(std::uint32_t width) {
  return width >= bits_per_word ? ~BitWord{0} : (BitWord{1} << width) - 1;
}

/// The value of the bits low … low + width - 1; `width` is 1 to 64. Reads only the words that contain these bits.
constexpr BitWord slice_of(const BitWord* words, std::uint32_t low, std::uint32_t width) {
  const std::uint32_t shift = low % bits_per_word;
  BitWord value = words[low / bits_per_word] >> shift;
  if (shift + width > bits_per_word) value |= words[low / bits_per_word + 1] << (bits_per_word - shift);
  return value & low_mask(width);
}

/// The low `width` bits of a value (1 to 64), interpreted as a two's complement number.
constexpr std::int64_t sign_extended(BitWord value, std::uint32_t width) {
  if (width == 0 || width >= bits_per_word) return static_cast<std::int64_t>(value);
  const BitWord sign = BitWord{1} << (width - 1);
  return static_cast<std::int64_t>(((value & low_mask(width)) ^ sign) - sign);
}

/// An owned bit string.
class VIREO_API Bits {
 public:
  Bits() = default;
  /// A bit string of `width` bits. `low_word` contains the lowest 64 bits; higher bits are 0. Ignores the bits of
  /// `low_word` at and above the width.
  explicit Bits(std::uint32_t width, BitWord low_word = 0);

  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] std::span<const BitWord> words() const { return {data(), words_for(width_)}; }
  [[nodiscard]] const BitWord* data() const { return is_inline() ? inline_.data() : heap_.data(); }
  [[nodiscard]] BitWord* data() { return is_inline() ? inline_.data() : heap_.data(); }

  // Precondition of the functions below: bits and ranges are below the width.
  [[nodiscard]] bool test(std::uint32_t bit) const {
    return (data()[bit / bits_per_word] >> bit % bits_per_word & 1) != 0;
  }
  void set(std::uint32_t bit) { data()[bit / bits_per_word] |= BitWord{1} << bit % bits_per_word; }
  /// Sets the bits low … high, inclusive.
  void set_range(std::uint32_t low, std::uint32_t high);

  /// The bits low … high, inclusive, as a number. If the range is wider than 64 bits, its lowest 64.
  [[nodiscard]] BitWord slice(std::uint32_t low, std::uint32_t high) const;
  /// The bits low … high, inclusive, as a bit string.
  [[nodiscard]] Bits extract(std::uint32_t low, std::uint32_t high) const;
  /// Replaces the bits low … low + value.width() - 1.
  void insert(std::uint32_t low, const Bits& value);

  [[nodiscard]] bool any() const;
  [[nodiscard]] bool is_zero() const { return !any(); }
  /// The number of bits that are set.
  [[nodiscard]] std::uint32_t count() const;
  /// The index of the lowest bit that is set; width() if no bit is set.
  [[nodiscard]] std::uint32_t lowest() const;

  // Precondition: both operands have the same width.
  Bits& operator|=(const Bits& other);
  Bits& operator&=(const Bits& other);
  Bits& operator^=(const Bits& other);
  friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend Bits operator^(Bits a, const Bits& b) { return a ^= b; }
  [[nodiscard]] Bits operator~() const;
  friend bool operator==(const Bits& a, const Bits& b);

 private:
  static constexpr std::uint32_t inline_width = 128;
  [[nodiscard]] bool is_inline() const { return width_ <= inline_width; }

  std::uint32_t width_ = 0;
  std::array<BitWord, 2> inline_{};
  std::vector<BitWord> heap_;
};

/// Whether the value equals `match` in all bits that are set in `care`. Other bits of `match` must be 0. Each array has
/// `word_count` words.
constexpr bool matches(const BitWord* value, const BitWord* care, const BitWord* match, std::size_t word_count) {
  BitWord difference = 0;
  for (std::size_t i = 0; i < word_count; ++i) difference |= (value[i] & care[i]) ^ match[i];
  return difference == 0;
}

/// The number of hexadecimal digits for `width` bits.
constexpr std::size_t hex_digits(std::uint32_t width) { return (static_cast<std::size_t>(width) + 3) / 4; }

/// Appends hex_digits(width) lower-case digits, most significant first, without a prefix. If `words` has fewer words
/// than the width needs, the missing ones count as 0.
VIREO_API void append_hex(std::string& text, std::span<const BitWord> words, std::uint32_t width);
/// The text that append_hex() appends for these bits.
VIREO_API std::string to_hex(const Bits& bits);

/// Parses hexadecimal text of either case, with or without `0x`, most significant digit first; `_` may separate digits.
/// None if the text has another character or no digit, or if the value does not fit in `width` bits.
VIREO_API std::optional<Bits> parse_hex(std::string_view text, std::uint32_t width);

}  // namespace vireo::isa
