// SPDX-License-Identifier: Apache-2.0
//
// Writes explanations as text.
#include "isa/explain/styled.h"
#include "isa/explain/table.h"

namespace vireo::isa {
namespace {

void put(StyledText& out, const TableCell& cell) { out.write(cell.text, cell.columns, cell.style); }

// Writes nothing for empty cells, so no line ends in blanks, and diffs and golden files are clean.
void put_line(StyledText& out, const Table& table, const TableLine& line, std::uint32_t indent) {
  for (std::size_t i = 0; i < TableLine::count; ++i) {
    if (line.cells[i].columns == 0) continue;
    out.go_to(indent + table.starts[i]);
    put(out, line.cells[i]);
  }
  out.end_line();
}

}  // namespace

void append_text(std::string& text, const Model& model, const Explanation& explanation, const PictureStyle& style) {
  StyledText out(text, style.color);
  const Heading heading = heading_of(explanation);
  put(out, heading.hex);
  out.write("  ");
  put(out, heading.text);
  out.end_line();
  if (!explanation.picture.layers.empty()) {
    out.end_line();
    // This uses another writer on the same string; both begin and end at the start of a line.
    append_text(text, explanation.picture, style);
  }
  const auto legend = legend_of(explanation.picture);
  if (!legend.empty()) out.end_line();
  for (const auto& [mark, meaning] : legend) {
    const char sign = static_cast<char>(mark);
    out.go_to(style.indent + 1);
    out.write({&sign, 1}, TokenStyle::Number);
    out.write("  ");
    out.write(meaning, TokenStyle::Comment);
    out.end_line();
  }
  if (!explanation.rows.empty()) {
    const Table table = table_of(model, explanation);
    out.end_line();
    put_line(out, table, table.head, style.indent);
    for (const TableLine& line : table.lines) put_line(out, table, line, style.indent);
  }
  if (explanation.annotations.empty()) return;
  out.end_line();
  for (const auto& [bits, message] : annotations_of(explanation)) {
    out.go_to(style.indent);
    put(out, bits);
    // Seven columns hold `127:64` and a blank; a longer range moves its message to the right.
    out.go_to(style.indent + 7);
    put(out, message);
    out.end_line();
  }
}

}  // namespace vireo::isa
