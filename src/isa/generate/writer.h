// SPDX-License-Identifier: Apache-2.0
//
// The text of a generated program, definition by definition.
//
// The one idea: a definition is named by its content. Whoever needs a function or a table hands in its text and gets a name
// back; the same text gives the same name and is written once. So code may be made for every place where it is needed, as
// if code were free, and what turns out equal (the operands of fifty instructions, a layout in four generations) exists
// once. A definition can only use names it was given before, so the order of making is an order that compiles.
//
// In all texts `@` stands for the prefix of the generated names: `ir3_` in C, nothing in C++, which has namespaces. Types
// are written `@LikeThis`, which C++ keeps, while C gets `ir3_like_this`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vireo::isa::generate {

/// Beyond so much text no compiler is happy; what a description multiplies out to is cut off there.
inline constexpr std::size_t max_output_bytes = std::size_t{64} << 20;

/// A string literal of C, quotes included: what is not plain ASCII is written as octal escapes, `@` too.
std::string quoted_literal(std::string_view text);

/// A constant of 64 bits, as C spells it.
std::string hex_constant(std::uint64_t value);
std::string signed_constant(std::int64_t value);

/// An expression between parentheses, of which it may have a pair already: compilers warn of two.
std::string in_parentheses(const std::string& expression);

/// A text that is safe within a comment of C.
std::string comment_text(std::string_view text);

/// Each line two blanks further in.
std::string indented(std::string_view text);

/// An expression of a description on one line, for a comment: without comments of its own, and not without end.
std::string expression_comment(std::string_view text);

class Writer {
 public:
  /// The name of `static KIND NAME REST`, made anew unless it exists. `letter` begins the name, `comment` stands above.
  std::string define(char letter, std::string_view before_name, std::string_view after_name,
                     std::string_view comment = {});

  /// A new name whatever the content: for functions that call each other. It is declared at once, and defined later.
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
