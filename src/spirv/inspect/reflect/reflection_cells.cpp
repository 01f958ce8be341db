// SPDX-License-Identifier: Apache-2.0
//
// The tables and cells of reflection_cells.h.
#include "spirv/inspect/reflect/reflection_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "support/printable.h"
#include "support/text_table.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

void append_table(std::string& out, std::string_view title, const TableRow& head, const std::vector<TableRow>& rows) {
  if (rows.empty()) return;
  std::vector<std::size_t> used;  // columns with a text
  std::vector<TextTable::Column> columns;
  for (std::size_t column = 0; column < head.size(); ++column) {
    if (std::ranges::all_of(rows, [&](const TableRow& row) { return row[column].empty(); })) continue;
    used.push_back(column);
    columns.push_back({head[column]});
  }
  TextTable table(std::move(columns), "  ");
  for (const TableRow& row : rows) {
    TableRow cells;
    cells.reserve(used.size());
    for (const std::size_t column : used) cells.push_back(row[column]);
    table.add(std::move(cells));
  }
  out += fmt::format("\n{}\n", title);
  table.append_to(out);
}

std::string array_text(const std::vector<ReflectedLength>& lengths) {
  std::string text;
  for (const ReflectedLength& length : lengths) {
    text += length.count == 0 ? "[]" : fmt::format("[{}]", length.count);
    if (length.spec_id) text += fmt::format(" (SpecId {})", *length.spec_id);
  }
  return text;
}

std::vector<std::uint32_t> array_strides(const Facts& facts, Word type, std::size_t count) {
  const Types& types = facts.types();
  const Decorations& decorations = facts.decorations();
  std::vector<std::uint32_t> strides;
  strides.reserve(count);
  for (Word array = type; strides.size() < count; array = types.of(array).element) {
    const DecorationRow* row = decorations.find(array, Decoration::ArrayStride);
    strides.push_back(row == nullptr ? 0 : decorations.operand_or(*row, 0));
  }
  return strides;
}

std::string name_text(std::string_view name, Word id) {
  if (name.empty()) return fmt::format("%{}", id);
  std::string text;
  append_printable(text, shortened(name));
  return text;
}

}  // namespace vireo::spirv
