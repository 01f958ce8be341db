// SPDX-License-Identifier: Apache-2.0
//
// Source text: a named sequence of bytes that diagnostics refer to.
//
// All locations are byte offsets. Lines and columns are computed from the bytes only when a location is
// printed. So scanners need not count lines, and multi-line strings need no special treatment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/support/api.h"
#include "vireo/support/cpp20.h"

namespace vireo {

/// A half-open range of bytes [begin, end) of a text.
struct VIREO_API ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] constexpr std::uint64_t size() const { return end - begin; }
  friend constexpr bool operator==(ByteRange, ByteRange) = default;
};

/// A line and a column, both counted from 1. A column counts bytes; a tab counts as one. A byte order mark at the start
/// of the text is not counted, because editors do not show it.
struct VIREO_API LineColumn {
  std::uint64_t line = 1;
  std::uint64_t column = 1;

  friend constexpr bool operator==(LineColumn, LineColumn) = default;
};

/// A text with a name. Both are borrowed: the bytes and the name must outlive this object. Copying is cheap.
///
///   SourceText source("shader.spvasm", text);
///   LineIndex lines(source.text);
///   LineColumn at = lines.locate(offset);
struct VIREO_API SourceText {
  std::string_view name;  ///< printed before `:line:col`; `<stdin>` for standard input
  std::string_view text;  ///< the bytes, in any encoding

  constexpr SourceText() = default;
  constexpr SourceText(std::string_view name_, std::string_view text_) : name(name_), text(text_) {}
};

/// An index of the lines of a text. The text is borrowed and must outlive the index. Only a line feed ends a line.
/// Construction takes one pass over the text; lookups take logarithmic time. Memory: about 1/32 of the text's size.
class VIREO_API LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  /// The line and column of the byte at `offset`. At or beyond the end: the position after the last byte.
  [[nodiscard]] LineColumn locate(std::uint64_t offset) const;

  /// The bytes of a line (counted from 1) without its line feed and carriage return; empty if there is no such line.
  /// Borrowed from the text.
  [[nodiscard]] std::string_view line(std::uint64_t number) const;

  [[nodiscard]] std::uint64_t line_count() const { return line_count_; }

 private:
  struct Chunk {
    std::uint64_t line;        // number of the line that the chunk begins in
    std::uint64_t line_start;  // start of that line, in this chunk or an earlier one
  };

  std::string_view text_;
  std::vector<Chunk> chunks_;  // one for each chunk_size bytes of text; never empty
  std::uint64_t line_count_ = 1;
};

}  // namespace vireo
