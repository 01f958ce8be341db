// SPDX-License-Identifier: Apache-2.0
//
// Defines the characters that are escaped, and the form of the escapes.
#include "support/printable.h"

#include "support/utf8.h"

namespace vireo {
namespace {

// Code points that are escaped. They include the bidirectional controls, because these change the displayed order of a
// text (Unicode technical report 36).
struct Range {
  char32_t first, last;
};
constexpr Range hidden[] = {
    {0x0000, 0x001F},  // C0 controls
    {0x007F, 0x009F},  // delete, C1 controls
    {0x061C, 0x061C},  // arabic letter mark
    {0x200B, 0x200F},  // zero-width characters, direction marks
    {0x2028, 0x202E},  // line and paragraph separators, embeddings and overrides
    {0x2066, 0x2069},  // isolates
    {0xFEFF, 0xFEFF},  // byte order mark
};

constexpr bool is_hidden(char32_t point) {
  for (const Range& range : hidden) {
    if (point >= range.first && point <= range.last) return true;
  }
  return false;
}

void append_hex(std::string& out, char32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[value >> shift & 15];
}

}  // namespace

PrintedCharacter append_printable_character(std::string& out, std::string_view text) {
  const CodePoint point = first_code_point(text);
  if (point.well_formed && !is_hidden(point.value)) {
    out.append(text.substr(0, point.length));
    return {point.length, 1};
  }
  if (point.value < 0x80 || !point.well_formed) {
    out += "\\x";
    append_hex(out, point.value, 2);
    return {point.length, 4};
  }
  out += "\\u";
  append_hex(out, point.value, 4);  // no escaped range is above FFFF
  return {point.length, 6};
}

void append_printable(std::string& out, std::string_view text) {
  while (!text.empty()) text.remove_prefix(append_printable_character(out, text).bytes);
}

std::string quoted(std::string_view text) { return '\'' + std::string(text) + '\''; }

}  // namespace vireo
