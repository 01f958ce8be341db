// SPDX-License-Identifier: Apache-2.0
//
// Reads header comments (header_comments.h): one table row for each, and a loop over the lines before the first word.
#include "spirv/text/header_comments.h"

#include <charconv>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "spirv/generators.h"
#include "spirv/rules.h"

namespace vireo::spirv::text {
namespace {

/// The newest version that `; Version: 1.N` selects when `exact` is off.
constexpr unsigned newest_minor = 6;

/// The value of `text` if all of it is a decimal number; otherwise empty.
template <typename Number>
// from_chars accepts no sign, blank or prefix, and the disassembler writes none.
std::optional<Number> decimal(std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// Each function parses the complete text that the disassembler prints after the prefix, or rejects it.
bool take_version(std::string_view text, HeaderComments& comments) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return false;
  const auto major = decimal<std::uint8_t>(text.substr(0, dot));
  const auto minor = decimal<std::uint8_t>(text.substr(dot + 1));
  if (!major || !minor) return false;
  comments.version = Version{*major, *minor};
  return true;
}

bool take_generator(std::string_view text, HeaderComments& comments) {
  // The search starts at the right: a vendor name can contain the separator, but the number after it cannot.
  const std::size_t separator = text.rfind("; ");
  if (separator == std::string_view::npos) return false;
  const auto tool = find_generator(text.substr(0, separator));
  const auto tool_version = decimal<std::uint16_t>(text.substr(separator + 2));
  if (!tool || !tool_version) return false;
  comments.generator = generator_word(*tool, *tool_version);
  return true;
}

bool take_bound(std::string_view text, HeaderComments& comments) {
  comments.bound = decimal<Word>(text);
  return comments.bound.has_value();
}

bool take_schema(std::string_view text, HeaderComments& comments) {
  comments.schema = decimal<Word>(text);
  return comments.schema.has_value();
}

struct CommentRow {
  std::string_view prefix;
  std::string_view form;
  bool (*take)(std::string_view, HeaderComments&);
};
// Comments with other prefixes are ordinary comments. `; SPIR-V` contains no value and is not read.
constexpr CommentRow rows[] = {
    {"; Version: ", "; Version: MAJOR.MINOR", take_version},
    {"; Generator: ", "; Generator: NAME; NUMBER", take_generator},
    {"; Bound: ", "; Bound: NUMBER", take_bound},
    {"; Schema: ", "; Schema: NUMBER", take_schema},
};

/// Calls `visit` with each comment before the first word of the text.
template <typename DecodedInstruction>
void for_each_leading_comment(const Lexer& lexer, DecodedInstruction visit) {
  const char* p = lexer.begin();
  while (p < lexer.end()) {
    if (class_of(*p) == ByteClass::Blank) {
      ++p;
      continue;
    }
    if (*p != ';') return;
    const std::string_view rest(p, static_cast<std::size_t>(lexer.end() - p));
    std::string_view comment = rest.substr(0, rest.find('\n'));
    p += comment.size();
    // The line ends of other systems are accepted.
    while (!comment.empty() && comment.back() == '\r') comment.remove_suffix(1);
    visit(comment);
  }
}

}  // namespace

HeaderComments read_version_comment(const Lexer& lexer) {
  HeaderComments comments;
  // Only an existing version in the exact spelling is used: a comment is free text, so any other text is no error. If
  // there are several, the first one applies.
  constexpr std::string_view prefix = "; Version: 1.";
  for_each_leading_comment(lexer, [&](std::string_view comment) {
    if (!comments.deduced_version.is_none() || !comment.starts_with(prefix)) return;
    const std::string_view minor = comment.substr(prefix.size());
    // Exactly one digit: "1.10" must not select 1.1.
    if (minor.size() != 1 || minor[0] < '0' || minor[0] > static_cast<char>('0' + newest_minor)) return;
    comments.deduced_version = Version{1, static_cast<std::uint8_t>(minor[0] - '0')};
  });
  return comments;
}

// If there are two comments of one kind, the last one applies; the disassembler does not print such a text.
HeaderComments read_header_comments(const Lexer& lexer, Diagnostics& diagnostics) {
  HeaderComments comments;
  for_each_leading_comment(lexer, [&](std::string_view comment) {
    const ByteRange range = lexer.range_of(comment.data(), comment.data() + comment.size());
    for (const CommentRow& row : rows) {
      if (!comment.starts_with(row.prefix)) continue;
      if (!row.take(comment.substr(row.prefix.size()), comments)) {
        comments.reported = diagnostics.error(rule::bad_header_comment, Location::in_text(range),
                                              fmt::format("header comment is not of the form '{}'", row.form));
      } else if (row.take == take_bound) {
        // The bound can be checked only when all ids are known, so its range is kept.
        comments.bound_range = range;
      }
    }
  });
  if (comments.version) comments.deduced_version = *comments.version;
  return comments;
}

}  // namespace vireo::spirv::text
