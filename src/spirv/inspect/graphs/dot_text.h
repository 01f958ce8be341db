// SPDX-License-Identifier: Apache-2.0
//
// DotText: writes the DOT language (graphviz.org/doc/info/lang.html) to a sink, and escapes texts of the module.
//
// Names in a module are arbitrary bytes. They occur only in HTML-like labels and in quoted strings, each
// of which has one function that escapes. Ids of nodes are numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "vireo/support/text_writer.h"

namespace vireo::spirv {

class DotText {
 public:
  static constexpr std::size_t longest_text = 100;  ///< characters of an escaped text; the rest becomes `…`

  explicit DotText(TextSink& sink) : sink_(sink) {}
  DotText(const DotText&) = delete;
  DotText& operator=(const DotText&) = delete;

  /// Writes text of the DOT language.
  DotText& raw(std::string_view text);
  DotText& number(std::uint64_t value);
  /// Writes any bytes as text of an HTML-like label.
  DotText& html(std::string_view text, std::size_t most = longest_text);
  /// Writes any bytes as a quoted string, with its quotes.
  DotText& quoted(std::string_view text);
  /// Begins a line, indented by the depth. Limited, so that the text stays linear in the depth.
  DotText& line(std::size_t depth);

  /// Writes the rest. Returns false if the sink refused a chunk.
  bool finish();
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  void flush_if_full() {
    if (buffer_.size() >= chunk) finish();
  }

  static constexpr std::size_t chunk = std::size_t{64} << 10;  // bytes
  TextSink& sink_;
  std::string buffer_;
  std::string printable_;
  bool ok_ = true;
};

}  // namespace vireo::spirv
