// SPDX-License-Identifier: Apache-2.0
//
// Words: the unit of a SPIR-V module, and the five words of its header (specification 2.3, physical layout).
//
// A module is a span of 32-bit words in host byte order. The reader (reader.h) converts the byte order of
// a file once. All other classes borrow the span and copy no words.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/support/api.h"
#include "vireo/support/cpp20.h"

namespace vireo::spirv {

using Word = std::uint32_t;            ///< in host byte order unless stated otherwise
using Words = std::span<const Word>;   ///< borrowed; unit: words
using WordBuffer = std::vector<Word>;  ///< owned

/// The first word of a module, in the module's byte order.
inline constexpr Word magic_number = 0x07230203;
inline constexpr Word magic_number_swapped = 0x03022307;  ///< the same word read in the other byte order
inline constexpr std::size_t header_word_count = 5;       ///< words before the first instruction

/// The order of a word's bytes in a file: lowest byte first, or highest byte first. The specification permits both
/// (2.3); the magic number shows the byte order of a file.
enum class ByteOrder : std::uint8_t { Little, Big };

inline constexpr ByteOrder host_order = std::endian::native == std::endian::big ? ByteOrder::Big : ByteOrder::Little;

/// The word with its bytes in reverse order.
constexpr Word swapped(Word w) { return w >> 24 | (w >> 8 & 0xFF00u) | (w << 8 & 0xFF0000u) | w << 24; }
static_assert(swapped(magic_number) == magic_number_swapped);

/// A SPIR-V version; in the header it is 0x00MMmm00. Versions are ordered; Version::none() is the smallest value.
struct VIREO_API Version {
  std::uint8_t major = 0;
  std::uint8_t minor = 0;

  [[nodiscard]] static constexpr Version none() { return {}; }  ///< in the grammar: in no version, only by extension
  [[nodiscard]] static constexpr Version from_word(Word word) {
    return {static_cast<std::uint8_t>(word >> 16), static_cast<std::uint8_t>(word >> 8)};
  }
  [[nodiscard]] constexpr bool is_none() const { return major == 0 && minor == 0; }
  [[nodiscard]] constexpr Word to_word() const { return Word{major} << 16 | Word{minor} << 8; }
  friend constexpr auto operator<=>(Version, Version) = default;
};

/// The first five words of a module (specification 2.3, table 1).
struct VIREO_API Header {
  Word version_word = 0;  ///< 0x00MMmm00; if other bits are set, the version is malformed
  Word generator = 0;     ///< high half: number of the tool in the registry; low half: version of the tool
  Word bound = 0;         ///< all ids satisfy 0 < id < bound
  Word schema = 0;

  [[nodiscard]] constexpr Version version() const { return Version::from_word(version_word); }
};

}  // namespace vireo::spirv
