// SPDX-License-Identifier: Apache-2.0
//
// Makes the cells of the table from the rows of an explanation.
#include "isa/explain/table.h"

#include <algorithm>

#include "isa/explain/layout.h"
#include "isa/explain/origin.h"

namespace vireo::isa {
namespace {

using Kind = ExplainedRow::Kind;

// Cells are cut at these columns. The last cell, with the condition and the display, may be long: no cell follows it.
constexpr std::array<std::string_view, TableLine::count> headings = {"bits", "field", "type", "raw", "shows", "from"};
constexpr std::array<std::uint32_t, TableLine::count> longest = {9, 40, 24, 34, 48, 160};

struct MeaningRow {
  BitMark mark;
  std::string_view meaning;
};
// One row for each BitMark but None, in the order in which a legend lists them.
constexpr MeaningRow meanings[] = {
    {BitMark::DontCareSet, "set, but don't-care in the pattern"},
    {BitMark::Unexpected, "unexpected value, or no leaf matches"},
    {BitMark::Differs, "differs from the pattern of the nearest leaf"},
    {BitMark::Unread, "not in a field of the selected case"},
};

// Makes a cell. Its text is printable, without terminal control characters, and cut to the column's limit.
TableCell cell_of(std::string_view text, std::uint32_t limit, TokenStyle style) {
  TableCell cell;
  cell.style = style;
  cell.columns = append_clipped(cell.text, text, limit);
  return cell;
}

std::string_view name_of(const ExplainedRow& row) {
  switch (row.kind) {
    case Kind::Pattern: return "pattern";
    case Kind::Assert: return "assert";
    default: return row.name;
  }
}

// The origin of a row: its bitset, the condition of its case, then its details.
std::string origin_of(const Model& model, const ExplainedRow& row) {
  std::string text(model.text(model[row.bitset].name));
  if (!row.from.is_none() && !model[row.from].is_default()) text += " if " + condition_of(model, model[row.from]);
  if (row.kind == Kind::Scope) {
    if (row.from.is_none()) return {};
    const std::string aliases = aliases_text(model, model[row.from]);
    return "displays \"" + row.details + "\" of " + text + (aliases.empty() ? "" : "; ") + aliases;
  }
  return row.details.empty() ? text : text + "; " + row.details;
}

// Leaves are emphasised, fields look like names, and unnamed parts are subdued.
TokenStyle style_of(const ExplainedRow& row) {
  switch (row.kind) {
    case Kind::Scope: return TokenStyle::Opcode;
    case Kind::Pattern:
    case Kind::Assert: return TokenStyle::Comment;
    default: return TokenStyle::Id;
  }
}

TableLine line_of(const Model& model, const ExplainedRow& row) {
  const bool is_value = row.kind == Kind::Field || row.kind == Kind::Derived;
  std::string text = row.text;
  // Parentheses mark a text that the display does not show.
  if (is_value && !row.is_shown && !text.empty()) text = "(" + text + ")";
  TableLine line;
  line.cells[0] = cell_of(row.width == 0 || row.kind == Kind::Scope ? "" : bit_range(row.low, row.width), longest[0],
                          TokenStyle::Number);
  line.cells[1] = cell_of(name_of(row), longest[1], style_of(row));
  // Indent names by depth. The limit of the column does not include the indentation.
  line.cells[1].text.insert(0, std::size_t{2} * row.depth, ' ');
  line.cells[1].columns += 2 * row.depth;
  line.cells[2] = cell_of(row.type, longest[2], TokenStyle::Plain);
  line.cells[3] = cell_of(row.raw, longest[3], TokenStyle::Plain);
  line.cells[4] = cell_of(text, longest[4], TokenStyle::String);
  line.cells[5] = cell_of(origin_of(model, row), longest[5], TokenStyle::Comment);
  return line;
}

}  // namespace

Table table_of(const Model& model, const Explanation& explanation) {
  Table table;
  std::array<std::uint32_t, TableLine::count> widths{};
  // A column is as wide as its widest cell, so most tables fit a terminal.
  const auto measure = [&](const TableLine& line) {
    for (std::size_t i = 0; i < TableLine::count; ++i) widths[i] = std::max(widths[i], line.cells[i].columns);
  };
  for (std::size_t i = 0; i < TableLine::count; ++i)
    table.head.cells[i] = cell_of(headings[i], longest[i], TokenStyle::Comment);
  measure(table.head);
  for (const ExplainedRow& row : explanation.rows) measure(table.lines.emplace_back(line_of(model, row)));
  for (std::size_t i = 1; i < TableLine::count; ++i) table.starts[i] = table.starts[i - 1] + widths[i - 1] + 2;
  return table;
}

Heading heading_of(const Explanation& explanation) {
  std::string text = explanation.line;
  if (explanation.outcome == Explanation::Outcome::NoMatch) text = "no match";
  // A conflict has rows for each leaf; the heading lists the leaves.
  if (explanation.outcome == Explanation::Outcome::Conflict) {
    text.clear();
    for (const ExplainedRow& row : explanation.rows) {
      if (row.kind != Kind::Scope) continue;
      text.append(text.empty() ? "conflict: " : ", ").append(row.name).append(" matches");
    }
  }
  const bool is_match = explanation.outcome == Explanation::Outcome::Match;
  return {cell_of(explanation.hex, 4096, TokenStyle::Number),
          cell_of(text, 400, is_match ? TokenStyle::Opcode : TokenStyle::Number)};
}

std::vector<std::pair<BitMark, std::string_view>> legend_of(const BitPicture& picture) {
  std::vector<std::pair<BitMark, std::string_view>> legend;
  for (const MeaningRow& row : meanings) {
    if (std::find(picture.marks.begin(), picture.marks.end(), row.mark) != picture.marks.end())
      legend.emplace_back(row.mark, row.meaning);
  }
  return legend;
}

std::vector<std::pair<TableCell, TableCell>> annotations_of(const Explanation& explanation) {
  std::vector<std::pair<TableCell, TableCell>> cells;
  for (const ExplainedAnnotation& annotation : explanation.annotations) {
    const std::string bits = annotation.width == 0 ? "" : bit_range(annotation.low, annotation.width);
    cells.emplace_back(cell_of(bits, longest[0], TokenStyle::Number),
                       cell_of(annotation.message, 400, TokenStyle::Plain));
  }
  return cells;
}

}  // namespace vireo::isa
