// SPDX-License-Identifier: Apache-2.0
//
// Cells cut into rows of 32 bits, labels placed on lines.
#include "isa/explain/layout.h"

#include <algorithm>

#include "support/printable.h"

namespace vireo::isa {
namespace {

// "IMM", or "IMM[7:4]" for the part of a field that this row has.
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

// Each round fills one line, from the right: a label may reach up to what stands to its right, which is a label of this
// line or the leader of one that is placed below. Going from the left would need to know how long the leaders are that
// come later.
void place_labels(RowLayer& layer) {
  std::vector<RowCell*> waiting;
  for (RowCell& cell : layer.cells) {
    if (!cell.label.empty()) waiting.push_back(&cell);
  }
  while (!waiting.empty()) {
    std::uint32_t taken = ~std::uint32_t{0};  // column where something stands to the right
    std::vector<RowCell*> later;
    for (std::size_t i = waiting.size(); i-- > 0;) {
      RowCell* cell = waiting[i];
      const std::uint32_t column = 2 * cell->first;
      if (column + cell->length < taken) cell->line = layer.lines;
      else later.push_back(cell);
      // Placed or not, something stands in this column now: the label itself, or its leader.
      taken = column;
    }
    std::reverse(later.begin(), later.end());
    waiting = std::move(later);
    ++layer.lines;
  }
}

}  // namespace

// Pieces are what printable.h takes for one: a code point, or the escape of what cannot be shown. A cut falls between
// two.
std::uint32_t append_clipped(std::string& out, std::string_view text, std::uint32_t columns) {
  std::uint32_t used = 0;
  std::size_t last = out.size();  // where the mark of a cut would go
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
  // The most significant row is on top, so that the rows read like one long number that was wrapped.
  for (std::uint32_t i = count; i-- > 0;) {
    PictureRow row;
    row.low = i * bits_per_row;
    row.width = std::min(bits_per_row, picture.size - row.low);
    rows.push_back(std::move(row));
  }
  for (const BitLayer& layer : picture.layers) {
    for (PictureRow& row : rows) row.layers.push_back({&layer, {}, 0});
    for (const BitCell& cell : layer.cells) {
      // A cell may reach over several rows.
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
      // An override of four bits in an instruction of 128 would otherwise have a frame, empty, in each of four rows.
      if (row.layers.back().cells.empty()) row.layers.pop_back();
      else place_labels(row.layers.back());
    }
  }
  return rows;
}

}  // namespace vireo::isa
