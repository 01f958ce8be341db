// SPDX-License-Identifier: Apache-2.0
//
// Draws pictures as SVG. Texts are text elements, so that they can be searched, selected and read aloud. CSS classes
// set the colours, so a page or the reader's preference for dark mode can change them.
#include "isa/explain/svg.h"

#include <algorithm>

#include "isa/explain/layout.h"
#include "support/counted.h"
#include "support/utf8.h"

namespace vireo::isa {
namespace {

// Pixels. The layout reserves 10 for each column; a character of a label takes at most 7.
constexpr std::uint32_t column = 10;
constexpr std::uint32_t bit = 2 * column;
constexpr std::uint32_t ruler = 16;
constexpr std::uint32_t cell_height = 24;
constexpr std::uint32_t frame_height = 8;
constexpr std::uint32_t label_height = 15;
constexpr std::uint32_t row_gap = 14;
constexpr std::uint32_t caption_width = 300;

// Class names have one letter, since a page has tens of thousands of cells. svg_style() defines them.
std::string_view class_of(BitRole role) {
  switch (role) {
    case BitRole::Field: return "f";
    case BitRole::Pattern: return "p";
    case BitRole::DontCare: return "d";
    case BitRole::Assert: return "a";
    case BitRole::Uncovered: break;
  }
  return "u";
}

void add_number(std::string& out, std::string_view name, std::uint32_t value) {
  out.append(" ").append(name).append("=\"").append(std::to_string(value)) += '"';
}

// Draws a vertical line: leaders are the only lines.
void draw_line(std::string& out, std::uint32_t x, std::uint32_t from, std::uint32_t to) {
  out += "<line class=\"l\"";
  add_number(out, "x1", x);
  add_number(out, "y1", from);
  add_number(out, "x2", x);
  add_number(out, "y2", to);
  out += "/>";
}

void draw_box(std::string& out, std::string_view classes, std::uint32_t x, std::uint32_t y, std::uint32_t width,
              std::uint32_t height) {
  out.append("<rect class=\"").append(classes) += '"';
  add_number(out, "x", x);
  add_number(out, "y", y);
  add_number(out, "width", width);
  add_number(out, "height", height);
  out += "/>";
}

std::uint32_t label_space(const RowLayer& layer) { return layer.lines * label_height; }
bool is_base(const BitPicture& picture, const RowLayer& layer) { return layer.layer == &picture.layers.front(); }

// Must use the same numbers as Drawing::draw(): pages and sheets need the size before the drawing.
std::uint32_t height_of(const BitPicture& picture, const PictureRow& row) {
  std::uint32_t height = ruler;
  for (const RowLayer& layer : row.layers) {
    height += (is_base(picture, layer) ? cell_height : frame_height) + label_space(layer) + 4;
  }
  return height;
}

bool has_captions(const BitPicture& picture) {
  return std::any_of(picture.layers.begin(), picture.layers.end(),
                     [](const BitLayer& layer) { return !layer.caption.empty(); });
}

// Labels may extend beyond a narrow last cell.
std::uint32_t width_of(const BitPicture& picture, const std::vector<PictureRow>& rows) {
  std::uint32_t columns = 2 * std::min(picture.size, bits_per_row) + 1;
  for (const PictureRow& row : rows) {
    for (const RowLayer& layer : row.layers) {
      // The layout counts columns of 10 pixels; characters are 7 wide.
      for (const RowCell& cell : layer.cells) columns = std::max(columns, 2 * cell.first + cell.length * 7 / 10 + 1);
    }
  }
  return columns * column + (has_captions(picture) ? caption_width : 0);
}

DrawnSize size_of(const BitPicture& picture, const std::vector<PictureRow>& rows) {
  std::uint32_t height = picture.left_out == 0 ? 0 : label_height;
  for (const PictureRow& row : rows) height += height_of(picture, row) + row_gap;
  if (!rows.empty()) height -= row_gap;
  return {width_of(picture, rows), height};
}

// Draws from top to bottom. y_ is the upper edge of the next part; for text, its baseline.
class Drawing {
 public:
  Drawing(std::string& out, const BitPicture& picture, std::uint32_t x, std::uint32_t y)
      : out_(out), picture_(picture), x_(x), y_(y) {}

  void draw(const std::vector<PictureRow>& rows) {
    for (const PictureRow& row : rows) {
      draw_ruler(row);
      for (const RowLayer& layer : row.layers) {
        const bool base = is_base(picture_, layer);
        draw_cells(row, layer, base ? cell_height : frame_height);
        draw_labels(layer);
        y_ += label_space(layer) + 4;
      }
      y_ += row_gap;
    }
    if (picture_.left_out != 0) draw_text(out_, x_, y_, "n", "… and " + counted(picture_.left_out, "more override"));
  }

 private:
  [[nodiscard]] std::uint32_t at(std::uint32_t bit_from_left) const { return x_ + bit_from_left * bit; }

  // Draws the numbers of the bits at which cells of the base layer begin and end.
  void draw_ruler(const PictureRow& row) {
    y_ += ruler;
    if (row.layers.empty()) return;
    for (const RowCell& cell : row.layers.front().cells) {
      const std::uint32_t high = row.low + row.width - 1 - cell.first;
      const std::uint32_t low = high - cell.width + 1;
      // A cell of one bit has one number.
      if (cell.width == 1) {
        draw_text(out_, at(cell.first) + column, y_ - 4, "n", std::to_string(high), "middle");
        continue;
      }
      draw_text(out_, at(cell.first) + column, y_ - 4, "n", std::to_string(high), "middle");
      draw_text(out_, at(cell.first + cell.width) - column, y_ - 4, "n", std::to_string(low), "middle");
    }
  }

  void draw_cells(const PictureRow& row, const RowLayer& layer, std::uint32_t height) {
    // Frames are lower than cells, because the base layer already shows the bits.
    const bool base = height == cell_height;
    for (const RowCell& cell : layer.cells) {
      draw_box(out_, class_of(cell.cell->role), at(cell.first), y_, cell.width * bit, height);
      for (std::uint32_t i = 0; base && i < cell.width; ++i)
        draw_bit(row.low + row.width - 1 - cell.first - i, cell.first + i);
    }
    // Captions are to the right of all bits; width_of() reserves the space.
    if (!layer.layer->caption.empty()) {
      std::string caption;
      append_clipped(caption, layer.layer->caption, longest_caption);
      draw_text(out_, at(row.width) + column, y_ + (base ? 16 : 9), "c", caption);
    }
    y_ += height;
  }

  void draw_bit(std::uint32_t number, std::uint32_t place) {
    const BitMark mark = picture_.marks.empty() ? BitMark::None : picture_.marks[number];
    // A tint, and the legend's sign for readers who cannot distinguish the tint.
    if (mark != BitMark::None) draw_box(out_, "m", at(place) + 1, y_ + 1, bit - 2, cell_height - 2);
    if (mark != BitMark::None) {
      const char sign = static_cast<char>(mark);
      draw_text(out_, at(place) + bit - 4, y_ + 9, "k", {&sign, 1}, "middle");
    }
    if (picture_.bits[number] == ' ') return;
    draw_text(out_, at(place) + column, y_ + 16, mark == BitMark::None ? "b" : "b o", {&picture_.bits[number], 1},
              "middle");
  }

  // A label that fits below its cell is centred; others have leaders.
  void draw_labels(const RowLayer& layer) {
    for (const RowCell& cell : layer.cells) {
      if (cell.label.empty()) continue;
      const std::uint32_t base = y_ + cell.line * label_height + 12;
      const bool fits = cell.line == 0 && cell.length * 7 <= cell.width * bit;
      if (fits) {
        draw_text(out_, at(cell.first) + cell.width * column, base, "t", cell.label, "middle");
        continue;
      }
      if (cell.line > 0) draw_line(out_, at(cell.first) + 4, y_, base - 10);
      draw_text(out_, at(cell.first) + 2, base, "t", cell.label);
    }
  }

  std::string& out_;
  const BitPicture& picture_;
  // The left edge of the first bit, and the top of the current part.
  std::uint32_t x_;
  std::uint32_t y_;
};

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const std::string_view bytes = text.substr(0, point.length);
    text.remove_prefix(point.length);
    const bool is_control = (point.value < 0x20 && point.value != '\t' && point.value != '\n') || point.value == 0x7F;
    const bool is_forbidden = !point.well_formed || is_control || point.value == 0xFFFE || point.value == 0xFFFF;
    // All texts from descriptions pass through here, for drawings and pages. An XML reader stops at the first forbidden
    // character, so one bad byte in a name would make the whole document unreadable.
    if (is_forbidden) out += "\xEF\xBF\xBD";
    else if (bytes == "&") out += "&amp;";
    else if (bytes == "<") out += "&lt;";
    else if (bytes == ">") out += "&gt;";
    else if (bytes == "\"") out += "&quot;";
    else if (bytes == "'") out += "&#39;";
    else out += bytes;
  }
}

void draw_text(std::string& out, std::uint32_t x, std::uint32_t y, std::string_view classes, std::string_view text,
               std::string_view anchor) {
  out.append("<text class=\"").append(classes) += '"';
  add_number(out, "x", x);
  add_number(out, "y", y);
  if (!anchor.empty()) out.append(" text-anchor=\"").append(anchor) += '"';
  out += '>';
  append_escaped(out, text);
  out += "</text>\n";
}

DrawnSize size_of(const BitPicture& picture) { return size_of(picture, rows_of(picture)); }

// The rows are laid out once for drawing and measuring: layout is the expensive step, and both must agree.
DrawnSize draw_picture(std::string& out, const BitPicture& picture, std::uint32_t x, std::uint32_t y) {
  const std::vector<PictureRow> rows = rows_of(picture);
  Drawing(out, picture, x, y).draw(rows);
  return size_of(picture, rows);
}

// Plain colours without CSS variables; viewers that do not support media queries show the first set.
std::string_view svg_style() {
  return R"(.bits{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.bits text{fill:#1c2330}.bits rect{fill:#eceff3;stroke:#8a94a3}.bits .l{stroke:#8a94a3}
.bits .f{fill:#dbe9ff}.bits .a{stroke-dasharray:4 2}.bits .d,.bits .u{fill:none;stroke-dasharray:2 2}
.bits .m{fill:#ffd9e1;stroke:none}.bits .o,.bits .k{fill:#b3123b;font-weight:bold}.bits .k{font-size:8px}
.bits .n,.bits .c{fill:#5b6675}.bits .n{font-size:9px}.bits .b{font-size:12px}
.bits .h{font-size:14px;font-weight:bold}.bits .s{font-weight:bold}.bits .g{fill:#fff;stroke:none}
@media(prefers-color-scheme:dark){.bits text{fill:#e6e9ef}.bits rect{fill:#242a33;stroke:#5d6878}.bits .l{stroke:#5d6878}
.bits .f{fill:#1d3658}.bits .d,.bits .u{fill:none}.bits .m{fill:#571828}.bits .o,.bits .k{fill:#ff9db0}
.bits .n,.bits .c{fill:#9aa5b4}.bits .g{fill:#12161c}}
)";
}

void begin_svg(std::string& out, DrawnSize size, const PictureStyle& style, std::string_view title,
               std::string_view description) {
  // `aria-labelledby` refers to the title by id. If two drawings in one page had the same id, both would get the first
  // title.
  const std::string id = style.id.empty() ? "bits" : style.id;
  out += "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bits\" role=\"img\"";
  add_number(out, "width", size.width);
  add_number(out, "height", size.height);
  out.append(" viewBox=\"0 0 ").append(std::to_string(size.width)) += ' ';
  out.append(std::to_string(size.height)).append("\" aria-labelledby=\"").append(id).append("-t");
  if (!description.empty()) out.append(" ").append(id).append("-d");
  out.append("\"><title id=\"").append(id).append("-t\">");
  append_escaped(out, title);
  out += "</title>";
  if (!description.empty()) {
    out.append("<desc id=\"").append(id).append("-d\">");
    append_escaped(out, description);
    out += "</desc>";
  }
  // A page defines the rules once, and its own background is visible.
  if (!style.standalone) return;
  out.append("<style>").append(svg_style()).append("</style><rect class=\"g\" width=\"100%\" height=\"100%\"/>");
}

void append_svg(std::string& text, const BitPicture& picture, const PictureStyle& style) {
  constexpr std::uint32_t margin = 2;
  DrawnSize size = size_of(picture);
  size.width += 2 * margin;
  size.height += margin;
  begin_svg(text, size, style, style.title, {});
  draw_picture(text, picture, margin, 0);
  text += "</svg>";
}

}  // namespace vireo::isa
