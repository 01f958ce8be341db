// SPDX-License-Identifier: Apache-2.0
//
// Cuts cells into rows of 32 bits, and places labels on lines.
#include "isa/explain/layout.h"

#include <algorithm>

#include "support/printable.h"

namespace vireo::isa {
namespace {

// Makes "IMM", or "IMM[7:4]" if the row has only a part of the field.
void label_cell(RowCell& part, const BitCell& cell, std::uint32_t low, std::uint32_t high) {
  if (cell.label.empty()) return;
  part.length = append_clipped(part.label, cell.label, longest_label);
  if (low == cell.low && high == cell.high()) return;
  std::string slice = "[" + std::to_string(high - cell.low);
  if (high != low) (slice += ':') += std::to_string(low - cell.low);
  slice += ']';
  part.length += static_cast<std::uint32_t>(slice.size());
  part.label += slice;
}

// Each round fills one line, from the right. A label may extend to the next occupied column on its right. That column
// has a label of this line, or the leader of a label on a later line. In the other direction, those columns would not
// be known yet.
void place_labels(RowLayer& layer) {
  std::vector<RowCell*> waiting;
  for (RowCell& cell : layer.cells) {
    if (!cell.label.empty()) waiting.push_back(&cell);
  }
  while (!waiting.empty()) {
    std::uint32_t taken = ~std::uint32_t{0};  // next occupied column to the right
    std::vector<RowCell*> later;
    for (std::size_t i = waiting.size(); i-- > 0;) {
      RowCell* cell = waiting[i];
      const std::uint32_t column = 2 * cell->first;
      if (column + cell->length < taken) cell->line = layer.lines;
      else later.push_back(cell);
      // Placed or not, this column is occupied now: by the label itself or by its leader.
      taken = column;
    }
    std::reverse(later.begin(), later.end());
    waiting = std::move(later);
    ++layer.lines;
  }
}

}  // namespace

// Cuts between tokens of printable.h: a code point, or the escape of an unprintable one.
std::uint32_t append_clipped(std::string& out, std::string_view text, std::uint32_t columns) {
  std::uint32_t used = 0;
  std::size_t last = out.size();  // position for ".."
  while (!text.empty()) {
    const PrintedCharacter piece = append_printable_character(out, text);
    text.remove_prefix(piece.bytes);
    used += static_cast<std::uint32_t>(piece.columns);
    if (used > columns) {
      out.resize(last);
      out += "..";
      return columns;
    }
    if (used + 2 <= columns) last = out.size();
  }
  return used;
}

std::vector<PictureRow> rows_of(const BitPicture& picture) {
  std::vector<PictureRow> rows;
  const std::uint32_t count = (picture.size + bits_per_row - 1) / bits_per_row;
  // The most significant row is on top, so the rows read like one long number that wraps.
  for (std::uint32_t i = count; i-- > 0;) {
    PictureRow row;
    row.low = i * bits_per_row;
    row.width = std::min(bits_per_row, picture.size - row.low);
    rows.push_back(std::move(row));
  }
  for (const BitLayer& layer : picture.layers) {
    for (PictureRow& row : rows) row.layers.push_back({&layer, {}, 0});
    for (const BitCell& cell : layer.cells) {
      // A cell may extend over several rows.
      for (std::uint32_t i = cell.high() / bits_per_row + 1; i-- > cell.low / bits_per_row;) {
        PictureRow& row = rows[count - 1 - i];
        const std::uint32_t low = std::max(cell.low, row.low);
        const std::uint32_t high = std::min(cell.high(), row.low + row.width - 1);
        RowCell part;
        part.cell = &cell;
        part.first = row.low + row.width - 1 - high;
        part.width = high - low + 1;
        label_cell(part, cell, low, high);
        row.layers.back().cells.push_back(std::move(part));
      }
    }
    for (PictureRow& row : rows) {
      // Drop layers without cells in this row; otherwise an override of four bits would have empty frames in other
      // rows.
      if (row.layers.back().cells.empty()) row.layers.pop_back();
      else place_labels(row.layers.back());
    }
  }
  return rows;
}

}  // namespace vireo::isa
