// SPDX-License-Identifier: Apache-2.0
//
// Reads allow comments (vireo/spirv/one_call/allow_comments.h).
//
// One pass finds the comments. A semicolon inside a literal string begins no comment, so the pass skips strings. The
// source map then attributes each comment to an instruction, which may span several lines.
#include "vireo/spirv/one_call/allow_comments.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace vireo::spirv {
namespace {

constexpr std::string_view tool = "vireo:";
constexpr std::string_view verb = "allow";
constexpr std::string_view blanks = " \t\r";
// The instruction number of a comment that no instruction follows. No finding has it.
constexpr std::uint64_t no_instruction = std::numeric_limits<std::uint64_t>::max();

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// Removes a prefix and the blanks after it. Returns false if the text does not begin with it.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text = without_blanks(text.substr(prefix.size()));
  return true;
}

// The offset of the first byte after a literal string. A backslash quotes the next byte.
std::size_t end_of_string(std::string_view text, std::size_t quote) {
  std::size_t at = quote + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

class AllowReader {
 public:
  AllowReader(std::string_view text, const SourceMap& map) : text_(text), tokens_(map.tokens()) {}

  std::vector<AllowedRule> read() {
    std::size_t line = 0;  // the first byte of the current line, or of its rest after a string of several lines
    for (std::size_t at = 0; (at = text_.find_first_of(";\"\n", at)) != std::string_view::npos;) {
      if (text_[at] == '\n') {
        line = ++at;
      } else if (text_[at] == '"') {
        at = end_of_string(text_, at);
      } else {
        const std::size_t end = std::min(text_.find('\n', at), text_.size());
        read_comment(line, at, end);
        at = end;
      }
    }
    return std::move(rows_);
  }

 private:
  // The instruction that a comment at `at` applies to.
  [[nodiscard]] std::uint64_t instruction_at(std::size_t line, std::size_t at) const {
    auto next = std::ranges::lower_bound(tokens_, at, {}, &Token::begin);
    // A token that begins or ends on the line precedes the comment.
    if (next != tokens_.begin() && (next - 1)->range().end > line && (next - 1)->instruction != 0)
      return (next - 1)->instruction;
    while (next != tokens_.end() && next->instruction == 0) ++next;
    return next == tokens_.end() ? no_instruction : next->instruction;
  }

  void read_comment(std::size_t line, std::size_t begin, std::size_t end) {
    std::string_view rest = without_blanks(text_.substr(begin + 1, end - begin - 1));
    if (!take(rest, tool) || !rest.starts_with(verb)) return;
    // "allowed" is another word.
    if (rest.size() > verb.size() && blanks.find(rest[verb.size()]) == std::string_view::npos) return;
    take(rest, verb);
    const std::uint64_t instruction = instruction_at(line, begin);
    const std::string_view names = without_blanks(rest.substr(0, rest.find("--")));
    // An empty list gives one row with an empty name, which validate() reports.
    for (std::size_t at = 0; at <= names.size();) {
      const std::size_t comma = std::min(names.find(',', at), names.size());
      const std::string_view name = without_blanks(names.substr(at, comma - at));
      // A list without names has the location of the comment.
      const std::size_t from = name.empty() ? begin : static_cast<std::size_t>(name.data() - text_.data());
      const std::size_t size = name.empty() ? end - begin : name.size();
      rows_.push_back({instruction, name, Location::in_text(from, from + size)});
      at = comma + 1;
    }
  }

  const std::string_view text_;
  const std::vector<Token>& tokens_;
  std::vector<AllowedRule> rows_;
};

}  // namespace

bool may_have_allow_comments(std::string_view text) { return text.find(tool) != std::string_view::npos; }

std::vector<AllowedRule> read_allow_comments(std::string_view text, const SourceMap& map) {
  return AllowReader(text, map).read();
}

}  // namespace vireo::spirv
