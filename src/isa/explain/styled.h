// SPDX-License-Identifier: Apache-2.0
//
// Text in columns, with or without colours.
//
// Positions are columns; escape sequences for colours take no columns. The colours are those of the disassembler.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vireo/support/text_writer.h"

namespace vireo::isa {

class StyledText {
 public:
  StyledText(std::string& out, bool color) : out_(out), color_(color) {}

  /// Writes printable text that takes `columns` columns.
  void write(std::string_view text, std::uint32_t columns, TokenStyle style) {
    const std::string_view code = color_ && !text.empty() ? code_of(style) : std::string_view();
    out_.append(code).append(text);
    if (!code.empty()) out_ += "\x1b[0m";
    column_ += columns;
  }
  void write(std::string_view ascii, TokenStyle style = TokenStyle::Plain) {
    write(ascii, static_cast<std::uint32_t>(ascii.size()), style);
  }
  /// Writes blanks up to a column; none if the line is already longer.
  void go_to(std::uint32_t column) {
    if (column <= column_) return;
    out_.append(column - column_, ' ');
    column_ = column;
  }
  void end_line() {
    out_ += '\n';
    column_ = 0;
  }
  [[nodiscard]] std::uint32_t column() const { return column_; }

 private:
  static std::string_view code_of(TokenStyle style) {
    switch (style) {
      case TokenStyle::Opcode: return "\x1b[1m";
      case TokenStyle::ResultId: return "\x1b[34m";
      case TokenStyle::Id: return "\x1b[33m";
      case TokenStyle::Number:
      case TokenStyle::ExtendedName: return "\x1b[31m";
      case TokenStyle::String:
      case TokenStyle::Enumerant: return "\x1b[32m";
      case TokenStyle::Comment: return "\x1b[1;30m";
      case TokenStyle::Plain: break;
    }
    return {};
  }

  std::string& out_;
  bool color_;
  std::uint32_t column_ = 0;
};

}  // namespace vireo::isa
