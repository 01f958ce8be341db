// SPDX-License-Identifier: Apache-2.0
//
// Pictures of bits: a word, or the layout of a leaf, as a ruler, cells and labels.
//
// The one idea: a picture is a small value that can be drawn as text, as SVG, or within a page. Its first layer (the
// base layer) covers all bits. Nested bitsets and fields of overrides are in further layers, so no two cells of a layer
// share a bit. Drawing cuts the picture into rows of 32 bits, most significant first.
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

/// The meaning of a run of bits.
enum class BitRole : std::uint8_t {
  Field,
  Pattern,    ///< selects the leaf
  DontCare,   ///< `x` in a pattern
  Assert,     ///< has an expected value
  Uncovered,  ///< read by no field, pattern or assert
};

/// Adjacent bits with one meaning.
struct VIREO_API BitCell {
  std::uint32_t low = 0;
  std::uint32_t width = 1;
  BitRole role = BitRole::Field;
  std::string label;  ///< the name, for fields

  [[nodiscard]] std::uint32_t high() const { return low + width - 1; }
};

/// One layer of cells that do not overlap.
struct VIREO_API BitLayer {
  std::string caption;         ///< a condition or the name of a leaf; usually empty
  std::vector<BitCell> cells;  ///< highest bit first; those of the base layer cover all bits
};

/// Why a bit is irregular; the character marks it in text.
enum class BitMark : char {
  None = ' ',
  DontCareSet = 'x',  ///< set, although the pattern has `x`
  Unexpected = '!',   ///< an assert expects the other value, or no leaf matches here
  Differs = '^',      ///< the pattern of the nearest leaf has the other value
  Unread = '?',       ///< no field, pattern or assert of the selected case reads it
};

/// The bits of an instruction and their meanings, in layers.
struct VIREO_API BitPicture {
  std::uint32_t size = 0;
  std::string bits;            ///< [i]: bit i as '0', '1', 'x', or ' ' if it is unknown
  std::vector<BitMark> marks;  ///< [i]: mark of bit i; empty: no marks
  std::vector<BitLayer> layers;
  std::size_t left_out = 0;  ///< layers beyond max_layers
};

inline constexpr std::size_t max_layers = 16;
inline constexpr std::uint32_t bits_per_row = 32;

/// The layout of a leaf: the fields of its default cases, and each override with other fields in a layer above.
VIREO_API BitPicture picture_of(const Model& model, const Bitset& leaf);

/// Options for drawing a picture.
struct VIREO_API PictureStyle {
  bool color = false;        ///< text: ANSI colours
  bool standalone = true;    ///< SVG: has its own colours and background; else uses those of the page
  std::string id = {};       ///< SVG: prefix of its ids; must be unique in a page
  std::string title = {};    ///< SVG: title for screen readers
  std::uint32_t indent = 2;  ///< text: blanks before each line
};

/// Appends lines of text. Names are made printable and cut to a width.
VIREO_API void append_text(std::string& text, const BitPicture& picture, const PictureStyle& style);

/// Appends an `<svg>` element.
VIREO_API void append_svg(std::string& text, const BitPicture& picture, const PictureStyle& style);

}  // namespace vireo::isa
