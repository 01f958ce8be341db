// SPDX-License-Identifier: Apache-2.0
//
// Escapes texts for the DOT language. Control characters and ill-formed UTF-8 become printable escapes first, because
// the parser of HTML-like labels is an XML parser and rejects them.
#include "spirv/inspect/graphs/dot_text.h"

#include <algorithm>

#include "support/printable.h"
#include "support/utf8.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t deepest_indent = 24;

// The noncharacters U+FFFE and U+FFFF are well-formed UTF-8, but not characters of XML (XML 1.0, 2.2).
bool is_xml_noncharacter(std::string_view character) {
  const char32_t value = first_code_point(character).value;
  return character.size() > 1 && (value == 0xFFFE || value == 0xFFFF);
}

// Calls `take` with each character of a text in its printable form, at most `most` of them.
template <typename Take>
void for_each_printable(std::string_view text, std::size_t most, std::string& scratch, Take take) {
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == most) return take("…");
    scratch.clear();
    const PrintedCharacter printed = append_printable_character(scratch, text);
    take(is_xml_noncharacter(text.substr(0, printed.bytes)) ? std::string_view("\\uffff") : std::string_view(scratch));
    text.remove_prefix(printed.bytes);
  }
}

}  // namespace

DotText& DotText::raw(std::string_view text) {
  buffer_.append(text);
  flush_if_full();
  return *this;
}

DotText& DotText::number(std::uint64_t value) { return raw(std::to_string(value)); }

DotText& DotText::html(std::string_view text, std::size_t most) {
  for_each_printable(text, most, printable_, [this](std::string_view shown) {
    for (const char c : shown) {
      switch (c) {
        case '&': buffer_.append("&amp;"); break;
        case '<': buffer_.append("&lt;"); break;
        case '>': buffer_.append("&gt;"); break;
        case '"': buffer_.append("&quot;"); break;
        case '\\': buffer_.append("&#92;"); break;  // Graphviz replaces `\N` in labels
        default: buffer_.push_back(c);
      }
    }
  });
  flush_if_full();
  return *this;
}

// In tooltips Graphviz also replaces `\N` and its like, and entities of HTML; a doubled backslash and `&amp;` prevent
// this.
DotText& DotText::quoted(std::string_view text) {
  buffer_.push_back('"');
  for_each_printable(text, longest_text, printable_, [this](std::string_view shown) {
    for (const char c : shown) {
      if (c == '"' || c == '\\') buffer_.push_back('\\');
      buffer_.append(c == '&' ? std::string_view("&amp;") : std::string_view(&c, 1));
    }
  });
  return raw("\"");
}

DotText& DotText::line(std::size_t depth) {
  buffer_.push_back('\n');
  buffer_.append(2 * std::min(depth, deepest_indent), ' ');
  return *this;
}

bool DotText::finish() {
  if (ok_ && !buffer_.empty()) ok_ = sink_.write(buffer_);
  buffer_.clear();
  return ok_;
}

}  // namespace vireo::spirv
