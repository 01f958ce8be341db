// SPDX-License-Identifier: Apache-2.0
//
// Source text: a named run of bytes that diagnostics can point into.
//
// The one idea: places are byte offsets, nothing else. Lines and columns are worked out from the bytes only
// when somebody wants to read them, so scanners never count lines and multi-line strings cannot confuse them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/support/api.h"

namespace vireo {

/// A half-open run of bytes [begin, end) of some text. Unit: bytes.
struct VIREO_API ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] constexpr std::uint64_t size() const { return end - begin; }
  friend constexpr bool operator==(ByteRange, ByteRange) = default;
};

/// A place as people count it: both from 1. A column counts bytes; a tab is one. A byte order mark in front of the text
/// is no column, as editors do not show it.
struct VIREO_API LineColumn {
  std::uint64_t line = 1;
  std::uint64_t column = 1;

  friend constexpr bool operator==(LineColumn, LineColumn) = default;
};

/// A borrowed text with a name. The bytes and the name must outlive it; copying is cheap.
///
///   SourceText source("shader.spvasm", text);
///   LineIndex lines(source.text);
///   LineColumn at = lines.locate(offset);
struct VIREO_API SourceText {
  std::string_view name;  ///< what to print before `:line:col`; `<stdin>` for standard input
  std::string_view text;  ///< the bytes, in no particular encoding

  constexpr SourceText() = default;
  constexpr SourceText(std::string_view name_, std::string_view text_) : name(name_), text(text_) {}
};

/// Where the lines of a text begin. Only a line feed ends a line. The text is borrowed. Built in one pass; lookups are
/// logarithmic. Takes a thirty-second of the text's size in memory, whatever its lines are like.
class VIREO_API LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  /// The line and column of a byte. An offset at or beyond the end gives the place after the last byte.
  [[nodiscard]] LineColumn locate(std::uint64_t offset) const;

  /// The bytes of a line (from 1) without its line feed and carriage return; empty when there is no such line.
  [[nodiscard]] std::string_view line(std::uint64_t number) const;

  [[nodiscard]] std::uint64_t line_count() const { return line_count_; }

 private:
  struct Chunk {
    std::uint64_t line;        // number of the line that the chunk begins in
    std::uint64_t line_start;  // where that line begins, in this chunk or an earlier one
  };

  std::string_view text_;
  std::vector<Chunk> chunks_;  // one for each chunk_size bytes of text; never empty
  std::uint64_t line_count_ = 1;
};

}  // namespace vireo
