// SPDX-License-Identifier: Apache-2.0
//
// Writes tables (reflection_cells.h).
#include "spirv/inspect/reflect/reflection_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/printable.h"

namespace vireo::spirv {

void append_table(std::string& out, std::string_view title, const TableRow& head, const std::vector<TableRow>& rows) {
  if (rows.empty()) return;
  std::vector<std::size_t> widths(head.size());
  for (std::size_t column = 0; column < head.size(); ++column) {
    for (const TableRow& row : rows) widths[column] = std::max(widths[column], row[column].size());
    if (widths[column] != 0) widths[column] = std::max(widths[column], head[column].size());
  }
  const auto append_row = [&](const TableRow& row) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (widths[column] != 0) line += fmt::format("  {:<{}}", row[column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  out += fmt::format("\n{}\n", title);
  append_row(head);
  for (const TableRow& row : rows) append_row(row);
}

std::string array_text(const std::vector<ReflectedLength>& lengths) {
  std::string text;
  for (const ReflectedLength& length : lengths) {
    text += length.count == 0 ? "[]" : fmt::format("[{}]", length.count);
    if (length.spec_id) text += fmt::format(" (SpecId {})", *length.spec_id);
  }
  return text;
}

std::string name_text(std::string_view name, Word id) {
  if (name.empty()) return fmt::format("%{}", id);
  std::string text;
  append_printable(text, shortened(name));
  return text;
}

}  // namespace vireo::spirv
