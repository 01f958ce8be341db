// SPDX-License-Identifier: Apache-2.0
//
// A buffered HTML writer.
//
// raw() writes only literals of this program unescaped. All texts of a description go through text(),
// which escapes them, so they can never become markup.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/explain/svg.h"
#include "vireo/support/text_writer.h"

namespace vireo::isa {

class Html {
 public:
  explicit Html(TextSink& sink) : sink_(sink) {}

  /// Appends markup: literals, and anchors made with slug_of().
  Html& raw(std::string_view markup) {
    out_ += markup;
    return *this;
  }
  Html& text(std::string_view text) {
    append_escaped(out_, text);
    return *this;
  }
  /// Appends a text, cut to `longest_brief` bytes. For texts that are repeated in many places.
  Html& brief(std::string_view whole) {
    std::size_t end = whole.size() < longest_brief ? whole.size() : longest_brief;
    while (end > 0 && end < whole.size() && (static_cast<unsigned char>(whole[end]) & 0xC0u) == 0x80) --end;
    text(whole.substr(0, end));
    return end < whole.size() ? raw("…") : *this;
  }
  Html& code(std::string_view text) { return raw("<code>").brief(text).raw("</code>"); }
  Html& number(std::uint64_t value) { return raw(std::to_string(value)); }
  // The anchor comes from Anchors, and its characters need no escape.
  Html& link(std::string_view anchor, std::string_view text) {
    return raw("<a href=\"#").raw(anchor).raw("\">").code(text).raw("</a>");
  }
  [[nodiscard]] std::string& buffer() { return out_; }

  /// Writes the buffer to the sink once it is large enough.
  void pause() {
    if (out_.size() >= std::size_t{1} << 16) flush();
  }
  bool flush() {
    ok_ = ok_ && sink_.write(out_);
    out_.clear();
    return ok_;
  }

 private:
  static constexpr std::size_t longest_brief = 400;
  TextSink& sink_;
  // Buffers small writes: a sink may be a file, and most writes are a few bytes. After the sink has failed, nothing
  // more is written, but the caller runs to its end.
  std::string out_;
  bool ok_ = true;
};

/// Converts a name to a part of an anchor: letters, digits, `.`, `_` and `-` stay, other bytes become `~` and two
/// digits.
std::string slug_of(std::string_view name);

/// The style of the page, and the script that adds search.
std::string_view page_style();
std::string_view page_script();

}  // namespace vireo::isa
