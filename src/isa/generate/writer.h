// SPDX-License-Identifier: Apache-2.0
//
// The text of a generated program, built from single definitions.
//
// A definition is identified by its content. Code that needs a function or a table passes its text and
// receives a name; the same text yields the same name and is written once. So generators may generate the same code
// many times, for example for equal operands of different instructions. A definition can use only names that were
// returned earlier, so the order of creation is a valid order of declarations.
//
// In all texts `@` represents the prefix of the generated names: `ir3_` in C, nothing in C++, which has namespaces. A
// type `@LikeThis` becomes `ir3_like_this` in C and `LikeThis` in C++.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vireo::isa::generate {

/// The maximum size of generated code. Generation fails above it, because compilers could not handle the output.
inline constexpr std::size_t max_output_bytes = std::size_t{64} << 20;

/// A C string literal with its quotes. Quotes, backslashes, `?`, `@` and all bytes except printable ASCII become octal
/// escapes.
std::string quoted_literal(std::string_view text);

/// A constant of 64 bits in C syntax.
std::string hex_constant(std::uint64_t value);
std::string signed_constant(std::int64_t value);

/// Puts an expression in parentheses unless it is already, because compilers warn about a second pair.
std::string in_parentheses(const std::string& expression);

/// Converts a text so that it is safe within a C comment.
std::string comment_text(std::string_view text);

/// Indents each line by two spaces.
std::string indented(std::string_view text);

/// An expression of a description on one line, for a comment: without its own comments, and truncated if it is long.
std::string expression_comment(std::string_view text);

class Writer {
 public:
  /// Writes the definition `static BEFORE_NAME NAME AFTER_NAME` unless it exists, and returns its name. The name begins
  /// with `letter`; `comment` precedes the definition.
  std::string define(char letter, std::string_view before_name, std::string_view after_name,
                     std::string_view comment = {});

  /// Declares a function under a new name and returns the name. The caller defines it later. For functions that call
  /// each other.
  std::string declare(char letter, std::string_view before_name, std::string_view after_name);
  void append(std::string_view text) { text_.append(text); }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool is_full() const { return text_.size() > max_output_bytes; }

 private:
  std::string text_;
  std::unordered_map<std::string, std::string> names_;
  std::unordered_map<char, std::uint32_t> counts_;
};

}  // namespace vireo::isa::generate
