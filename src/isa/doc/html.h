// SPDX-License-Identifier: Apache-2.0
//
// A page while it is written.
//
// The one idea: only literals of this program go out as they are; whatever comes from a description goes through text(),
// which escapes. So markup cannot be smuggled in, and whoever reviews it has one function to look at.
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

  /// Markup. `consteval` would say it better: give it literals, and anchors made by slug_of().
  Html& raw(std::string_view markup) {
    out_ += markup;
    return *this;
  }
  Html& text(std::string_view text) {
    append_escaped(out_, text);
    return *this;
  }
  /// What is repeated in many places is cut there.
  Html& brief(std::string_view whole) {
    std::size_t end = whole.size() < longest_brief ? whole.size() : longest_brief;
    while (end > 0 && end < whole.size() && (static_cast<unsigned char>(whole[end]) & 0xC0u) == 0x80) --end;
    text(whole.substr(0, end));
    return end < whole.size() ? raw("…") : *this;
  }
  Html& code(std::string_view text) { return raw("<code>").brief(text).raw("</code>"); }
  Html& number(std::uint64_t value) { return raw(std::to_string(value)); }
  // The anchor is one of Anchors', made of characters that need no escape.
  Html& link(std::string_view anchor, std::string_view text) {
    return raw("<a href=\"#").raw(anchor).raw("\">").code(text).raw("</a>");
  }
  [[nodiscard]] std::string& buffer() { return out_; }

  /// Hands over what there is, once it is worth it.
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
  // Small pieces are gathered: a sink may be a file, and most pieces are a few bytes. After a sink has failed nothing
  // is written any more, but the walk goes on to its end: it has no other way out.
  std::string out_;
  bool ok_ = true;
};

/// A name as part of an anchor: letters, digits, `.`, `_` and `-` stay, other bytes become `~` and two digits.
std::string slug_of(std::string_view name);

/// The page's style, and the script that adds search.
std::string_view page_style();
std::string_view page_script();

}  // namespace vireo::isa
