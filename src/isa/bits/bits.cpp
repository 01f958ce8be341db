// SPDX-License-Identifier: Apache-2.0
//
// Operations on bit strings that loop over words.
//
// Up to 128 bits are stored in the object, wider values in a vector. So the program copies and compares
// 64-bit instructions and nearly all masks without heap allocation, and the interface is the same for every width.
// isaspec 1.4 (sizes), 2.1 (hexadecimal). Bits above the width are 0 in every value, so words can be compared, counted
// and hashed directly. Operations that could set such a bit (complement, construction from a word) clear it.
#include "vireo/isa/bits.h"

#include <algorithm>
#include <bit>

namespace vireo::isa {

Bits::Bits(std::uint32_t width, BitWord low_word) : width_(width) {
  if (!is_inline()) heap_.resize(words_for(width));
  if (width != 0) data()[0] = low_word & low_mask(width);
}

// Sets whole words, not single bits, for speed. The loader builds the masks of all leaves from ranges, and only its
// limits bound their total size.
void Bits::set_range(std::uint32_t low, std::uint32_t high) {
  for (std::size_t i = low / bits_per_word; i <= high / bits_per_word; ++i) {
    BitWord mask = ~BitWord{0};
    if (i == low / bits_per_word) mask &= ~BitWord{0} << low % bits_per_word;
    if (i == high / bits_per_word) mask &= low_mask(high % bits_per_word + 1);
    data()[i] |= mask;
  }
}

// Expressions and numeric types use only the lowest 64 bits of a field (isaspec 1.4.4).
BitWord Bits::slice(std::uint32_t low, std::uint32_t high) const {
  return slice_of(data(), low, std::min(high - low + 1, bits_per_word));
}

// Pictures and reports use this to treat a nested bitset as a value of its own. The decoder does not copy bits; it adds
// offsets.
Bits Bits::extract(std::uint32_t low, std::uint32_t high) const {
  Bits part(high - low + 1);
  for (std::uint32_t at = low; at <= high; at += bits_per_word) {
    part.data()[(at - low) / bits_per_word] = slice_of(data(), at, std::min(high - at + 1, bits_per_word));
  }
  return part;
}

// `value` may cross a word boundary. Bits outside the range are unchanged.
void Bits::insert(std::uint32_t low, const Bits& value) {
  for (std::uint32_t from = 0; from < value.width(); from += bits_per_word) {
    const std::uint32_t count = std::min(value.width() - from, bits_per_word);
    const BitWord part = slice_of(value.data(), from, count);
    const std::uint32_t shift = (low + from) % bits_per_word;
    const std::size_t i = (low + from) / bits_per_word;
    data()[i] = (data()[i] & ~(low_mask(count) << shift)) | part << shift;
    if (shift + count > bits_per_word) {
      const std::uint32_t taken = bits_per_word - shift;
      data()[i + 1] = (data()[i + 1] & ~low_mask(count - taken)) | part >> taken;
    }
  }
}

bool Bits::any() const {
  return std::any_of(words().begin(), words().end(), [](BitWord word) { return word != 0; });
}

std::uint32_t Bits::count() const {
  std::uint32_t total = 0;
  for (const BitWord word : words()) total += static_cast<std::uint32_t>(std::popcount(word));
  return total;
}

// Returns the width if no bit is set, so loops that start here need no special case.
std::uint32_t Bits::lowest() const {
  for (std::size_t i = 0; i < words().size(); ++i) {
    if (words()[i] != 0)
      return static_cast<std::uint32_t>(i * bits_per_word) + static_cast<std::uint32_t>(std::countr_zero(words()[i]));
  }
  return width_;
}

// Requires operands of the same width. Callers combine masks only within one root.
Bits& Bits::operator|=(const Bits& other) {
  for (std::size_t i = 0; i < words().size(); ++i) data()[i] |= other.data()[i];
  return *this;
}

Bits& Bits::operator&=(const Bits& other) {
  for (std::size_t i = 0; i < words().size(); ++i) data()[i] &= other.data()[i];
  return *this;
}

Bits& Bits::operator^=(const Bits& other) {
  for (std::size_t i = 0; i < words().size(); ++i) data()[i] ^= other.data()[i];
  return *this;
}

Bits Bits::operator~() const {
  Bits result = *this;
  for (std::size_t i = 0; i < words().size(); ++i) result.data()[i] = ~data()[i];
  if (width_ % bits_per_word != 0) result.data()[words().size() - 1] &= low_mask(width_ % bits_per_word);
  return result;
}

// Values of different widths differ, whatever their bits.
bool operator==(const Bits& a, const Bits& b) {
  return a.width_ == b.width_ && std::equal(a.words().begin(), a.words().end(), b.words().begin());
}

// Writes all digits of the width, most significant first, so that words in messages can be pasted as input.
void append_hex(std::string& text, std::span<const BitWord> words, std::uint32_t width) {
  for (std::size_t digit = hex_digits(width); digit-- > 0;) {
    const std::size_t word = digit / 16;
    const BitWord nibble = word < words.size() ? words[word] >> digit % 16 * 4 & 0xF : 0;
    text.push_back("0123456789abcdef"[nibble]);
  }
}

std::string to_hex(const Bits& bits) {
  std::string text;
  append_hex(text, bits.words(), bits.width());
  return text;
}

std::optional<Bits> parse_hex(std::string_view text, std::uint32_t width) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  Bits bits(width);
  std::uint32_t at = 0;
  bool has_digit = false;
  for (std::size_t i = text.size(); i-- > 0;) {
    const char c = text[i];
    // `_` may group digits.
    if (c == '_') continue;
    BitWord digit = 0;
    if (c >= '0' && c <= '9') digit = static_cast<BitWord>(c - '0');
    else if (c >= 'a' && c <= 'f') digit = static_cast<BitWord>(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F') digit = static_cast<BitWord>(c - 'A') + 10;
    else return std::nullopt;
    has_digit = true;
    if (at < width) {
      // A digit with bits beyond the width is an error. Leading zeros are accepted.
      if ((digit & ~low_mask(width - at)) != 0) return std::nullopt;
      bits.data()[at / bits_per_word] |= digit << at % bits_per_word;
      at += 4;  // 64 is a multiple of 4: a digit never crosses a word boundary
    } else if (digit != 0) {
      return std::nullopt;
    }
  }
  if (!has_digit) return std::nullopt;
  return bits;
}

}  // namespace vireo::isa
