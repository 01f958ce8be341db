// SPDX-License-Identifier: Apache-2.0
//
// Draws explanations as one SVG document, with the same parts in the same order as the text.
#include <algorithm>

#include "isa/explain/svg.h"
#include "isa/explain/table.h"

namespace vireo::isa {
namespace {

// In pixels. The width of a text in a viewer is unknown, so positions assume characters slightly wider than usual.
// Columns then do not overlap with any monospaced font.
constexpr std::uint32_t margin = 12;
constexpr std::uint32_t character = 7;  // a monospaced font of 11 pixels has 6.6
constexpr std::uint32_t line_height = 16;

// Three styles instead of the terminal's eight: weight and grey are enough on paper and in a page.
std::string_view class_of(TokenStyle style) {
  switch (style) {
    case TokenStyle::Comment: return "c";
    case TokenStyle::Opcode: return "t s";
    default: return "t";
  }
}

// Draws parts from top to bottom. Each part is drawn at y_, and then y_ advances by its height.
class Sheet {
 public:
  Sheet(std::string& out, const Model& model) : out_(out), model_(model) {}

  void add(const Explanation& explanation) {
    const Heading heading = heading_of(explanation);
    y_ += 22;
    put(margin, "h", heading.hex.text + "  " + heading.text.text, heading.hex.columns + heading.text.columns + 2, 9);
    y_ += 8;
    if (!explanation.picture.layers.empty()) {
      const DrawnSize size = draw_picture(out_, explanation.picture, margin, y_);
      y_ += size.height;
      // The drawing returns its exact size, because the layout determines how far the labels extend.
      width_ = std::max(width_, size.width + margin);
    }
    for (const auto& [mark, meaning] : legend_of(explanation.picture)) {
      y_ += line_height;
      put(margin, "c", std::string(1, static_cast<char>(mark)) + "  " + std::string(meaning),
          static_cast<std::uint32_t>(meaning.size()) + 3, character);
    }
    add_table(explanation);
    for (const auto& [bits, message] : annotations_of(explanation)) {
      y_ += line_height;
      put(margin, "n", bits.text, bits.columns, character);
      put(margin + 7 * character, "t", message.text, message.columns, character);
    }
    y_ += 2 * line_height;
  }

  [[nodiscard]] DrawnSize size() const { return {width_ + margin, y_}; }

 private:
  void add_table(const Explanation& explanation) {
    if (explanation.rows.empty()) return;
    const Table table = table_of(model_, explanation);
    y_ += line_height / 2;
    add_line(table, table.head);
    for (const TableLine& line : table.lines) add_line(table, line);
    y_ += line_height / 2;
  }

  void add_line(const Table& table, const TableLine& line) {
    y_ += line_height;
    for (std::size_t i = 0; i < TableLine::count; ++i) {
      const TableCell& cell = line.cells[i];
      if (cell.columns == 0) continue;
      // Convert leading blanks to an offset, because not every viewer keeps them.
      const std::size_t blanks = std::min(cell.text.find_first_not_of(' '), cell.text.size());
      const std::uint32_t x = margin + (table.starts[i] + static_cast<std::uint32_t>(blanks)) * character;
      put(x, class_of(cell.style), std::string_view(cell.text).substr(blanks), cell.columns, character);
    }
  }

  void put(std::uint32_t x, std::string_view classes, std::string_view text, std::uint32_t columns,
           std::uint32_t advance) {
    draw_text(out_, x, y_, classes, text);
    width_ = std::max(width_, x + columns * advance);
  }

  std::string& out_;
  const Model& model_;
  std::uint32_t width_ = 0;
  std::uint32_t y_ = 0;
};

}  // namespace

void append_svg(std::string& text, const Model& model, std::span<const Explanation> explanations,
                const PictureStyle& style) {
  // The size comes first in the document but is known only after drawing.
  std::string drawn;
  Sheet sheet(drawn, model);
  std::string title;
  for (const Explanation& explanation : explanations) {
    sheet.add(explanation);
    // Screen readers read the title, and browsers show it on hovering, so its length is limited.
    const Heading heading = heading_of(explanation);
    if (title.size() < 400)
      title.append(title.empty() ? "" : "; ").append(heading.hex.text).append(" ").append(heading.text.text);
  }
  begin_svg(text, sheet.size(), style, title, "The bits of each word, the fields they belong to, and what these mean.");
  text.append(drawn).append("</svg>\n");
}

}  // namespace vireo::isa
