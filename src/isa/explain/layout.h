// SPDX-License-Identifier: Apache-2.0
//
// Where the labels of a row of cells go.
//
// The one idea: text and SVG draw the same rows. A bit is two columns wide; a label begins below its cell's first bit. One
// that would run into a label or a leader to its right waits for a later line, and a leader keeps its column until then.
// The rightmost label that waits always fits, so each line places at least one: no more lines than labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vireo/isa/picture.h"

namespace vireo::isa {

/// The part of a cell that lies in a row.
struct RowCell {
  const BitCell* cell = nullptr;
  std::uint32_t first = 0;   ///< bits from the left end of the row
  std::uint32_t width = 1;   ///< bits
  std::string label;         ///< safe to show; with its slice, where the row cuts the cell
  std::uint32_t length = 0;  ///< columns of the label
  std::uint32_t line = 0;    ///< of the label, below the cells
};

struct RowLayer {
  const BitLayer* layer = nullptr;
  std::vector<RowCell> cells;  ///< left to right
  std::uint32_t lines = 0;     ///< of labels
};

struct PictureRow {
  std::uint32_t low = 0;    ///< bit at the right end
  std::uint32_t width = 0;  ///< bits
  std::vector<RowLayer> layers;
};

/// Rows, the most significant first. Layers without a cell in a row are left out of it.
std::vector<PictureRow> rows_of(const BitPicture& picture);

/// Makes text safe to show and cuts it to so many columns. Gives its columns.
std::uint32_t append_clipped(std::string& out, std::string_view text, std::uint32_t columns);

inline constexpr std::uint32_t longest_label = 24;    ///< columns
inline constexpr std::uint32_t longest_caption = 60;  ///< columns

}  // namespace vireo::isa
