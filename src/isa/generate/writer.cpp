// SPDX-License-Identifier: Apache-2.0
//
// Converts texts for C: any text of a description stays inside its literal or comment.
#include "isa/generate/writer.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace vireo::isa::generate {

// Octal escapes have at most three digits, but a hexadecimal escape would include all digits that follow. `@` is
// escaped, because it would be expanded to the prefix.
std::string quoted_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F || c == '"' || c == '\\' || c == '@' || c == '?') {  // `?`: trigraphs
      result.push_back('\\');
      for (const int shift : {6, 3, 0}) result.push_back(static_cast<char>('0' + (byte >> shift & 7)));
    } else {
      result.push_back(c);
    }
  }
  result.push_back('"');
  return result;
}

// The suffix `u` is needed, because a hexadecimal literal is signed in C if its value fits. `ll` has 64 bits on all
// platforms, `l` does not.
std::string hex_constant(std::uint64_t value) {
  char digits[20];
  const char* end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return "0x" + std::string(static_cast<const char*>(digits), end) + "u" + (value > 0xFFFFFFFFu ? "ll" : "");
}

std::string signed_constant(std::int64_t value) {
  // The smallest number has no literal of its own: `-9223372036854775808` negates a literal that does not fit.
  if (value == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807ll - 1)";
  const bool fits =
      value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
  return std::to_string(value) + (fits ? "" : "ll");
}

// The parentheses at the ends of `(a) + (b)` are not a pair: the first one is closed before the end.
std::string in_parentheses(const std::string& expression) {
  if (!expression.starts_with('(')) return "(" + expression + ")";
  int depth = 0;
  for (std::size_t at = 0; at < expression.size(); ++at) {
    depth += expression[at] == '(' ? 1 : expression[at] == ')' ? -1 : 0;
    if (depth == 0 && at + 1 != expression.size()) return "(" + expression + ")";
  }
  return expression;
}

// Replaces characters that would end the comment, open another one, join lines or be expanded to the prefix.
std::string comment_text(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), '@', 'a');
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c == '\n' || c == '\r' || c == '\\'; }, ' ');
  for (std::size_t at = 0; (at = result.find("??", at)) != std::string::npos;) result[at] = ' ';  // trigraphs
  for (std::size_t at = 0; (at = result.find("*/", at)) != std::string::npos;) result[at] = ' ';
  for (std::size_t at = 0; (at = result.find("/*", at)) != std::string::npos;) result[at] = ' ';
  return result;
}

std::string expression_comment(std::string_view text) {
  constexpr std::size_t longest = 120;
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    // A comment without an end extends to the end of the text.
    if (text.substr(at, 2) == "/*") {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 1;
      continue;
    }
    // An expression may have several lines, but the comment has one.
    const bool is_blank = text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r';
    if (!is_blank) result.push_back(text[at]);
    else if (!result.empty() && result.back() != ' ') result.push_back(' ');
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  if (result.size() > longest) result.replace(longest, std::string::npos, " ...");
  return comment_text(result);
}

// Each level of nesting copies the nested text once more.
std::string indented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    result.append("  ").append(text.substr(0, end));
    text.remove_prefix(end);
  }
  return result;
}

// The comment is not part of the key, so equal definitions share the first comment.
std::string Writer::define(char letter, std::string_view before_name, std::string_view after_name,
                           std::string_view comment) {
  // The text of a definition is the key, so generations and leaves share equal code.
  std::string key;
  key.reserve(before_name.size() + after_name.size() + 2);
  key.append(1, letter).append(before_name).append(1, '\0').append(after_name);
  const auto [entry, is_new] = names_.try_emplace(std::move(key));
  if (!is_new) return entry->second;
  entry->second = "@" + std::string(1, letter) + std::to_string(++counts_[letter]);
  if (!comment.empty()) text_.append("/* ").append(comment_text(comment)).append(" */\n");
  text_.append("static ").append(before_name).append(" ").append(entry->second).append(after_name).append("\n\n");
  return entry->second;
}

// The body is not known yet, so equal functions are not merged.
std::string Writer::declare(char letter, std::string_view before_name, std::string_view after_name) {
  std::string name = "@" + std::string(1, letter) + std::to_string(++counts_[letter]);
  text_.append("static ").append(before_name).append(" ").append(name).append(after_name).append(";\n\n");
  return name;
}

}  // namespace vireo::isa::generate
