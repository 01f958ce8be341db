// SPDX-License-Identifier: Apache-2.0
//
// TextTable: rows of cells as aligned text.
//
//   TextTable table({{"opcode"}, {"count", true}});
//   table.add({"OpLoad", "12"});
//   table.append_to(text);
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vireo {

/// Collects rows. A column is as wide as its widest cell. The cells must be printable (support/printable.h).
class TextTable {
 public:
  struct Column {
    std::string_view heading;  ///< borrowed
    bool is_right = false;     ///< aligned to the right: numbers
  };
  /// `indent` precedes each line.
  explicit TextTable(std::vector<Column> columns, std::string_view indent = {})
      : columns_(std::move(columns)), indent_(indent) {}

  /// Adds a row with one cell for each column.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Appends a line of headings, and a line for each row, without trailing blanks.
  void append_to(std::string& text) const;

 private:
  std::vector<Column> columns_;
  std::string indent_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace vireo
