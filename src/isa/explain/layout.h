// SPDX-License-Identifier: Apache-2.0
//
// Places the labels of a row of cells.
//
// Text and SVG draw the same rows. A bit is two columns wide, and a label begins below its cell's first
// bit. A label that would overlap a label or a leader on its right moves to a later line. Its leader occupies the
// column down to that line. The rightmost waiting label always fits, so there are no more lines than labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vireo/isa/picture.h"

namespace vireo::isa {

/// The part of a cell in one row.
struct RowCell {
  const BitCell* cell = nullptr;
  std::uint32_t first = 0;   ///< position in bits, from the left end of the row
  std::uint32_t width = 1;   ///< in bits
  std::string label;         ///< printable; has a slice such as [7:4] if the row cuts the cell
  std::uint32_t length = 0;  ///< of the label, in columns
  std::uint32_t line = 0;    ///< line of the label below the cells
};

struct RowLayer {
  const BitLayer* layer = nullptr;
  std::vector<RowCell> cells;  ///< left to right
  std::uint32_t lines = 0;     ///< number of label lines
};

struct PictureRow {
  std::uint32_t low = 0;    ///< rightmost bit
  std::uint32_t width = 0;  ///< in bits
  std::vector<RowLayer> layers;
};

/// Makes the rows, most significant first. A row has only layers that have a cell in it.
std::vector<PictureRow> rows_of(const BitPicture& picture);

/// Appends `text`, made printable and cut to `columns` columns. Returns the number of columns that it takes.
std::uint32_t append_clipped(std::string& out, std::string_view text, std::uint32_t columns);

inline constexpr std::uint32_t longest_label = 24;    ///< columns
inline constexpr std::uint32_t longest_caption = 60;  ///< columns

}  // namespace vireo::isa
