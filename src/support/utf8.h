// SPDX-License-Identifier: Apache-2.0
//
// Decodes one code point from bytes that may be UTF-8 (Unicode 15, table 3-7: well-formed byte sequences).
//
// An ill-formed byte is a result, not an error, so that the caller can print or replace it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vireo {

/// U+FEFF in front of a text marks it as UTF-8 and is not part of the text (Unicode 15, 23.8).
inline constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

/// Size of the byte order mark in front of a text, in bytes; 0 if there is none.
constexpr std::size_t mark_size(std::string_view text) { return text.starts_with(utf8_mark) ? utf8_mark.size() : 0; }

/// The start of a byte sequence: a code point of `length` bytes, or one ill-formed byte.
struct CodePoint {
  char32_t value = 0;       ///< the byte itself if it is ill-formed
  std::uint8_t length = 0;  ///< bytes consumed; 0 only for an empty text
  bool well_formed = false;
};

constexpr CodePoint first_code_point(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};

  // Lead byte → the number of continuation bytes, and the valid range of the first of them. The ranges exclude overlong
  // forms, surrogates and values above 10FFFF.
  struct Row {
    unsigned first, last, count, low, high;
  };
  constexpr Row rows[] = {
      {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF}, {0xE1, 0xEC, 2, 0x80, 0xBF},
      {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF}, {0xF0, 0xF0, 3, 0x90, 0xBF},
      {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
  };
  for (const Row& row : rows) {
    if (lead < row.first || lead > row.last) continue;
    if (text.size() <= row.count || byte(1) < row.low || byte(1) > row.high) break;
    char32_t value = lead & (0x3Fu >> row.count);
    for (std::size_t i = 1; i <= row.count; ++i) {
      if ((byte(i) & 0xC0u) != 0x80) return {lead, 1, false};
      value = value << 6 | (byte(i) & 0x3Fu);
    }
    return {value, static_cast<std::uint8_t>(row.count + 1), true};
  }
  return {lead, 1, false};
}

}  // namespace vireo
