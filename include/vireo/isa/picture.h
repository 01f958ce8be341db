// SPDX-License-Identifier: Apache-2.0
//
// Pictures of bits: a word, or the layout of a leaf, as a ruler, cells and labels.
//
// A picture is a small value that can be drawn as text or as SVG. Its first layer (the base layer) covers
// all bits. Nested bitsets and fields of overrides are in further layers, so the cells of a layer do not overlap. The
// drawing has rows of 32 bits, most significant bit first.
//
//   std::string text;
//   append_text(text, picture_of(model, leaf), {});
//
//       1 1 1 1 1 1
//       5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0
//      |0 0 0|0 0 1|         |         |
//                   DST       SRC
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vireo/isa/model.h"
#include "vireo/support/api.h"

namespace vireo::isa {

/// The meaning of adjacent bits.
enum class BitRole : std::uint8_t {
  Field,
  Pattern,    ///< selects the leaf
  DontCare,   ///< `x` in a pattern
  Assert,     ///< has an expected value
  Uncovered,  ///< in no field, pattern or assert
};

/// Adjacent bits with one meaning.
struct VIREO_API BitCell {
  std::uint32_t low = 0;  ///< lowest bit within the instruction
  std::uint32_t width = 1;
  BitRole role = BitRole::Field;
  std::string label;  ///< for Field: its name

  [[nodiscard]] std::uint32_t high() const { return low + width - 1; }
};

/// One layer of cells that do not overlap.
struct VIREO_API BitLayer {
  std::string caption;         ///< a condition or the name of a leaf; usually empty
  std::vector<BitCell> cells;  ///< highest bit first; in the base layer they cover all bits
};

/// The reason why a bit is irregular. The character is its mark in the text.
enum class BitMark : char {
  None = ' ',         ///< the bit is regular
  DontCareSet = 'x',  ///< the bit is set, although the pattern has `x`
  Unexpected = '!',   ///< an assert expects the other value, or no leaf matches the bitset field
  Differs = '^',      ///< the pattern of the most similar leaf has the other value
  Unread = '?',       ///< the bit is in no field, pattern or assert of the cases that apply
};

/// The bits of an instruction and their meanings, in layers.
struct VIREO_API BitPicture {
  std::uint32_t size = 0;        ///< in bits
  std::string bits;              ///< element i: bit i as '0', '1', 'x', or ' ' if it is unknown
  std::vector<BitMark> marks;    ///< element i: mark of bit i; empty: no marks
  std::vector<BitLayer> layers;  ///< at most max_layers; the first one is the base layer
  std::size_t left_out = 0;      ///< number of further layers that were omitted
};

inline constexpr std::size_t max_layers = 16;
inline constexpr std::uint32_t bits_per_row = 32;  ///< number of bits in a row of a drawing

/// The layout of a leaf. The base layer has the fields of its default cases; each override with other fields has a
/// further layer.
VIREO_API BitPicture picture_of(const Model& model, const Bitset& leaf);

/// Options of append_text() and append_svg().
struct VIREO_API PictureStyle {
  bool color = false;        ///< text: ANSI colours
  bool standalone = true;    ///< SVG: use its own colours and background; false: those of the page
  std::string id = {};       ///< SVG: prefix of the ids of its elements; must be unique in a page
  std::string title = {};    ///< SVG: title for screen readers
  std::uint32_t indent = 2;  ///< text: blanks before each line
};

/// Appends the picture as lines of text. Control characters in names are escaped, and long names are truncated.
VIREO_API void append_text(std::string& text, const BitPicture& picture, const PictureStyle& style);

/// Appends the picture as an `<svg>` element.
VIREO_API void append_svg(std::string& text, const BitPicture& picture, const PictureStyle& style);

}  // namespace vireo::isa
