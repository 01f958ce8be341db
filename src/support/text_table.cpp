// SPDX-License-Identifier: Apache-2.0
//
// Aligns the cells of a table (text_table.h).
#include "support/text_table.h"

#include <algorithm>
#include <cstddef>

namespace vireo {
namespace {

// Characters, not bytes: names may be UTF-8.
std::size_t width_of(std::string_view cell) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cell, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void TextTable::append_to(std::string& text) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = width_of(columns_[c].heading);
    for (const auto& row : rows_) width = std::max(width, width_of(row[c]));
    widths.push_back(width);
  }
  const auto append_row = [&](auto cell_of) {
    text += indent_;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string_view cell = cell_of(c);
      const std::size_t padding = widths[c] - width_of(cell);
      if (columns_[c].is_right) text.append(padding, ' ').append(cell);
      else text.append(cell).append(padding, ' ');
      text += "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  append_row([&](std::size_t c) { return columns_[c].heading; });
  for (const auto& row : rows_) append_row([&](std::size_t c) { return std::string_view(row[c]); });
}

}  // namespace vireo
