// SPDX-License-Identifier: Apache-2.0
//
// The text of a generated program, built from single definitions.
//
// The one idea: a definition is identified by its content. Code that needs a function or a table passes its text and
// receives a name; the same text yields the same name and is written once. So code may be generated for every place
// that needs it, and equal code (the operands of fifty instructions, a layout in four generations) exists once. A
// definition can only use names that were returned before, so the order of creation is a valid order for the compiler.
//
// In all texts `@` represents the prefix of the generated names: `ir3_` in C, nothing in C++, which has namespaces.
// Types are written `@LikeThis`, which C++ keeps, while C gets `ir3_like_this`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vireo::isa::generate {

/// A limit for compilers: if a description multiplies to more text, generation fails.
inline constexpr std::size_t max_output_bytes = std::size_t{64} << 20;

/// A string literal of C with its quotes. All characters except plain ASCII, and `@`, are written as octal escapes.
std::string quoted_literal(std::string_view text);

/// A constant of 64 bits in C syntax.
std::string hex_constant(std::uint64_t value);
std::string signed_constant(std::int64_t value);

/// An expression in parentheses. A pair that is already there is kept, because compilers warn about two.
std::string in_parentheses(const std::string& expression);

/// A text that is safe within a C comment.
std::string comment_text(std::string_view text);

/// Indents each line by two spaces.
std::string indented(std::string_view text);

/// An expression of a description on one line, for a comment: without its own comments, and truncated if it is long.
std::string expression_comment(std::string_view text);

class Writer {
 public:
  /// Returns the name of `static KIND NAME REST`, and writes the definition unless it exists. `letter` begins the name;
  /// `comment` precedes the definition.
  std::string define(char letter, std::string_view before_name, std::string_view after_name,
                     std::string_view comment = {});

  /// Returns a new name regardless of the content, for functions that call each other. It is declared at once and
  /// defined later.
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
