// SPDX-License-Identifier: Apache-2.0
//
// Words: the unit of a SPIR-V module, and the five of them that begin it (specification 2.3, physical layout).
//
// The one idea: a module is a span of 32-bit words in host byte order. Everything that reads looks into such a span and
// copies nothing; the byte order of the file is settled once, at the door (reader.h).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vireo::spirv {

using Word = std::uint32_t;
using Words = std::span<const Word>;   ///< borrowed; unit: words
using WordBuffer = std::vector<Word>;  ///< owned

inline constexpr Word magic_number = 0x07230203;
inline constexpr Word magic_number_swapped = 0x03022307;  ///< what a host of the other byte order reads
inline constexpr std::size_t header_word_count = 5;

enum class ByteOrder : std::uint8_t { Little, Big };

/// A SPIR-V version; in the header it stands as 0x00MMmm00.
struct Version {
  std::uint8_t major = 0;
  std::uint8_t minor = 0;

  [[nodiscard]] static constexpr Version none() { return {}; }  ///< in the grammar: "in no version, only by extension"
  [[nodiscard]] static constexpr Version from_word(Word word) {
    return {static_cast<std::uint8_t>(word >> 16), static_cast<std::uint8_t>(word >> 8)};
  }
  [[nodiscard]] constexpr bool is_none() const { return major == 0 && minor == 0; }
  [[nodiscard]] constexpr Word to_word() const { return Word{major} << 16 | Word{minor} << 8; }
  friend constexpr auto operator<=>(Version, Version) = default;
};

/// The first five words of a module (specification 2.3, table 1).
struct Header {
  Word version_word = 0;  ///< 0x00MMmm00; other bits set mean a malformed version
  Word generator = 0;     ///< high half: registered tool; low half: that tool's own version
  Word bound = 0;         ///< all ids are in 0 < id < bound
  Word schema = 0;

  [[nodiscard]] constexpr Version version() const { return Version::from_word(version_word); }
};

}  // namespace vireo::spirv
