// SPDX-License-Identifier: Apache-2.0
//
// Bit strings: instruction words and their masks. Units: bits, counted from 0, and 64-bit words.
//
// The one idea: a bit string is a width and 64-bit words; bit 0 is the least significant bit of word 0. Up to 128 bits
// are stored in the object, so masks of real instruction sets never allocate; wider ones are on the heap. Functions
// that run for every decoded word take plain words. Bits at and above the width are always zero.
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

namespace vireo::isa {

/// The storage unit of bit strings.
using BitWord = std::uint64_t;
inline constexpr std::uint32_t bits_per_word = 64;

constexpr std::size_t words_for(std::uint32_t width) {
  return (static_cast<std::size_t>(width) + bits_per_word - 1) / bits_per_word;
}

/// A mask of the lowest `width` bits; all bits for a width of 64 or more.
constexpr BitWord low_mask(std::uint32_t width) {
  return width >= bits_per_word ? ~BitWord{0} : (BitWord{1} << width) - 1;
}

/// The `width` bits (1 to 64) from bit `low` on. Reads only the words that contain them.
constexpr BitWord slice_of(const BitWord* words, std::uint32_t low, std::uint32_t width) {
  const std::uint32_t shift = low % bits_per_word;
  BitWord value = words[low / bits_per_word] >> shift;
  if (shift + width > bits_per_word) value |= words[low / bits_per_word + 1] << (bits_per_word - shift);
  return value & low_mask(width);
}

/// The low `width` bits (1 to 64) of a value, as a two's complement number.
constexpr std::int64_t sign_extended(BitWord value, std::uint32_t width) {
  if (width == 0 || width >= bits_per_word) return static_cast<std::int64_t>(value);
  const BitWord sign = BitWord{1} << (width - 1);
  return static_cast<std::int64_t>(((value & low_mask(width)) ^ sign) - sign);
}

/// An owned bit string.
class VIREO_API Bits {
 public:
  Bits() = default;
  /// A bit string of `width` bits with the lowest 64 in `low_word` and zeros above. Ignores bits of `low_word` at and
  /// above the width.
  explicit Bits(std::uint32_t width, BitWord low_word = 0);

  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] std::span<const BitWord> words() const { return {data(), words_for(width_)}; }
  [[nodiscard]] const BitWord* data() const { return is_inline() ? inline_.data() : heap_.data(); }
  [[nodiscard]] BitWord* data() { return is_inline() ? inline_.data() : heap_.data(); }

  // A bit must be below the width; a range must be within it.
  [[nodiscard]] bool test(std::uint32_t bit) const {
    return (data()[bit / bits_per_word] >> bit % bits_per_word & 1) != 0;
  }
  void set(std::uint32_t bit) { data()[bit / bits_per_word] |= BitWord{1} << bit % bits_per_word; }
  /// Sets the bits low … high, inclusive.
  void set_range(std::uint32_t low, std::uint32_t high);

  /// The bits low … high as a number; the lowest 64 of a wider range.
  [[nodiscard]] BitWord slice(std::uint32_t low, std::uint32_t high) const;
  /// The bits low … high as a bit string.
  [[nodiscard]] Bits extract(std::uint32_t low, std::uint32_t high) const;
  /// Replaces the bits low … low + value.width() - 1.
  void insert(std::uint32_t low, const Bits& value);

  [[nodiscard]] bool any() const;
  [[nodiscard]] bool is_zero() const { return !any(); }
  [[nodiscard]] std::uint32_t count() const;
  /// The lowest bit that is set; width() if there is none.
  [[nodiscard]] std::uint32_t lowest() const;

  // Both operands must have the same width.
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

/// Whether the words of a value agree with `match` in all bits of `care`.
constexpr bool matches(const BitWord* value, const BitWord* care, const BitWord* match, std::size_t word_count) {
  BitWord difference = 0;
  for (std::size_t i = 0; i < word_count; ++i) difference |= (value[i] & care[i]) ^ match[i];
  return difference == 0;
}

/// The number of hexadecimal digits for a width: one for each four bits.
constexpr std::size_t hex_digits(std::uint32_t width) { return (static_cast<std::size_t>(width) + 3) / 4; }

/// Lower-case hexadecimal, most significant digit first, with all leading zeros up to `width` bits. If `words` has
/// fewer words than the width needs, the missing ones are zero.
VIREO_API void append_hex(std::string& text, std::span<const BitWord> words, std::uint32_t width);
/// All digits, highest first, without a prefix.
VIREO_API std::string to_hex(const Bits& bits);

/// Reads hexadecimal text of either case, with or without `0x`, most significant digit first; `_` may group digits.
/// None if there is another character, no digit, or a set bit at or above the width.
VIREO_API std::optional<Bits> parse_hex(std::string_view text, std::uint32_t width);

}  // namespace vireo::isa
