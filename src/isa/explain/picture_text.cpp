// SPDX-License-Identifier: Apache-2.0
//
// Draws pictures as text: ruler, bits between bars, marks, labels with leaders, then the upper layers.
#include <algorithm>

#include "isa/explain/layout.h"
#include "isa/explain/styled.h"
#include "support/counted.h"

namespace vireo::isa {
namespace {

// A bit takes two columns: a bar or a blank, then the bit. A bar belongs to the cell on its right; the row ends with
// one more bar. All positions come from column_of(), so rulers, bits, frames and labels are aligned.
class TextPicture {
 public:
  TextPicture(std::string& text, const BitPicture& picture, const PictureStyle& style)
      : out_(text, style.color), picture_(picture), indent_(style.indent) {}

  void draw() {
    const std::vector<PictureRow> rows = rows_of(picture_);
    for (const PictureRow& row : rows) {
      // An empty line between rows; the caller adds one after the picture.
      if (&row != &rows.front()) out_.end_line();
      draw_ruler(row);
      for (const RowLayer& layer : row.layers) {
        if (layer.layer == &picture_.layers.front()) draw_bits(row, layer);
        else draw_frame(row, layer);
        draw_labels(layer);
      }
    }
    if (picture_.left_out == 0) return;
    out_.go_to(indent_);
    // The picture must show that it is incomplete.
    out_.write("... and " + counted(picture_.left_out, "more override"), TokenStyle::Comment);
    out_.end_line();
  }

 private:
  // Bit numbers are written vertically above their bits, so that they fit at any size.
  void draw_ruler(const PictureRow& row) {
    std::uint32_t power = 1;
    for (std::uint32_t high = row.low + row.width - 1; high >= 10; high /= 10) power *= 10;
    for (; power > 0; power /= 10) {
      for (std::uint32_t i = 0; i < row.width; ++i) {
        const std::uint32_t bit = row.low + row.width - 1 - i;
        // No leading zeros. Bit numbers decrease to the right, so all further ones are shorter.
        if (bit < power && power > 1) break;
        out_.go_to(column_of(i));
        out_.write(std::string(1, static_cast<char>('0' + bit / power % 10)), TokenStyle::Comment);
      }
      out_.end_line();
    }
  }

  void draw_bits(const PictureRow& row, const RowLayer& layer) {
    for (const RowCell& cell : layer.cells) {
      out_.go_to(column_of(cell.first) - 1);
      out_.write("|");
      for (std::uint32_t i = 0; i < cell.width; ++i) {
        out_.go_to(column_of(cell.first + i));
        // Highlight the bits of fields; the bits of patterns never vary.
        const char bit = picture_.bits[row.low + row.width - 1 - cell.first - i];
        out_.write({&bit, 1}, cell.cell->role == BitRole::Field ? TokenStyle::Plain : TokenStyle::Comment);
      }
    }
    out_.go_to(column_of(row.width) - 1);
    out_.write("|");
    end_with_caption(layer);
    draw_marks(row);
  }

  void draw_marks(const PictureRow& row) {
    // If there are no marks, draw no line for them.
    const auto begin = picture_.marks.begin() + (picture_.marks.empty() ? 0 : row.low);
    const auto end = begin + (picture_.marks.empty() ? 0 : row.width);
    if (std::all_of(begin, end, [](BitMark mark) { return mark == BitMark::None; })) return;
    for (std::uint32_t i = 0; i < row.width; ++i) {
      const char mark = static_cast<char>(picture_.marks[row.low + row.width - 1 - i]);
      if (mark == ' ') continue;
      out_.go_to(column_of(i));
      out_.write({&mark, 1}, TokenStyle::Number);
    }
    out_.end_line();
  }

  // Draws an upper layer. It has no bits, because the base layer shows them. Its frame shows the extent, and its label
  // the name.
  void draw_frame(const PictureRow& row, const RowLayer& layer) {
    std::uint32_t end = 0;  // end of the previous cell, in bits from the left
    for (const RowCell& cell : layer.cells) {
      // Adjacent cells share a bar; before a gap, the left cell needs a closing bar.
      if (&cell != &layer.cells.front() && cell.first != end) close(end);
      out_.go_to(column_of(cell.first) - 1);
      out_.write("|");
      out_.write(std::string(2 * cell.width - 1, '-'));
      end = cell.first + cell.width;
    }
    close(end);
    if (!layer.layer->caption.empty()) out_.go_to(column_of(row.width));
    end_with_caption(layer);
  }
  void close(std::uint32_t end) {
    out_.go_to(column_of(end) - 1);
    out_.write("|");
  }

  void end_with_caption(const RowLayer& layer) {
    if (!layer.layer->caption.empty()) {
      std::string caption;
      const std::uint32_t columns = append_clipped(caption, layer.layer->caption, longest_caption);
      out_.write("  ");
      out_.write(caption, columns, TokenStyle::Comment);
    }
    out_.end_line();
  }

  void draw_labels(const RowLayer& layer) {
    for (std::uint32_t line = 0; line < layer.lines; ++line) {
      for (const RowCell& cell : layer.cells) {
        // On the lines above a label, draw its leader.
        if (cell.label.empty() || cell.line < line) continue;
        out_.go_to(column_of(cell.first));
        if (cell.line == line) out_.write(cell.label, cell.length, TokenStyle::Id);
        else out_.write("|", TokenStyle::Comment);
      }
      out_.end_line();
    }
  }

  [[nodiscard]] std::uint32_t column_of(std::uint32_t bit_from_left) const { return indent_ + 1 + 2 * bit_from_left; }

  StyledText out_;
  const BitPicture& picture_;
  std::uint32_t indent_;
};

}  // namespace

void append_text(std::string& text, const BitPicture& picture, const PictureStyle& style) {
  TextPicture(text, picture, style).draw();
}

}  // namespace vireo::isa
