// SPDX-License-Identifier: Apache-2.0
//
// Pictures of bits: a word, or the layout of a leaf, as a ruler, cells and labels.
//
// The one idea: a picture is a small value, made once and drawn anywhere: as text, as SVG, within a page. Its first layer
// divides all bits; what lies over it (nested bitsets, fields of overrides) stands in layers of its own, so that no two
// cells of one layer share a bit. Drawing cuts it into rows of 32 bits, the most significant first.
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

/// What a run of bits is.
enum class BitRole : std::uint8_t {
  Field,
  Pattern,    ///< chooses the leaf
  DontCare,   ///< `x` of a pattern
  Assert,     ///< expected to have a value
  Uncovered,  ///< nobody reads it
};

/// Neighbouring bits that are one thing.
struct VIREO_API BitCell {
  std::uint32_t low = 0;
  std::uint32_t width = 1;
  BitRole role = BitRole::Field;
  std::string label;  ///< of fields: the name

  [[nodiscard]] std::uint32_t high() const { return low + width - 1; }
};

/// Cells beside each other: one reading of the bits.
struct VIREO_API BitLayer {
  std::string caption;         ///< what the layer is: a condition, the name of a leaf; mostly empty
  std::vector<BitCell> cells;  ///< highest first; those of the first layer of a picture have all bits
};

/// Why a bit deserves a second look; the character that marks it in text.
enum class BitMark : char {
  None = ' ',
  DontCareSet = 'x',  ///< set, though the pattern says that it does not count
  Unexpected = '!',   ///< an assert expects the other value, or no leaf matches here
  Differs = '^',      ///< the pattern of the leaf that is shown wants the other value
  Unread = '?',       ///< no field, pattern or assert of this case reads it
};

/// The bits of an instruction with what they are, in layers.
struct VIREO_API BitPicture {
  std::uint32_t size = 0;
  std::string bits;            ///< [i]: bit i as '0', '1', 'x', or ' ' where it is open
  std::vector<BitMark> marks;  ///< [i]: of bit i; empty: there are none
  std::vector<BitLayer> layers;
  std::size_t left_out = 0;  ///< layers beyond max_layers
};

inline constexpr std::size_t max_layers = 16;
inline constexpr std::uint32_t bits_per_row = 32;

/// The layout of a leaf, whatever the word: below the fields of the default cases each override that has other bits.
VIREO_API BitPicture picture_of(const Model& model, const Bitset& leaf);

/// How a picture is drawn.
struct VIREO_API PictureStyle {
  bool color = false;        ///< of text: ANSI colours
  bool standalone = true;    ///< of SVG: with its own colours and background, else those of the page around it
  std::string id = {};       ///< of SVG: begins the ids in it, which must be unique in a page
  std::string title = {};    ///< of SVG: for people who hear pictures
  std::uint32_t indent = 2;  ///< of text: blanks before each line
};

/// Appends lines. Names are made safe for a terminal and cut to a width.
VIREO_API void append_text(std::string& text, const BitPicture& picture, const PictureStyle& style);

/// Appends an `<svg>` element.
VIREO_API void append_svg(std::string& text, const BitPicture& picture, const PictureStyle& style);

}  // namespace vireo::isa
