// SPDX-License-Identifier: Apache-2.0
//
// Expressions, see the header. One function per level of C's precedence, loosest first.
#include "isa/naive/naive_expression.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace vireo::isa::naive {
namespace {

constexpr std::string_view identifier_chars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

class Evaluator {
 public:
  Evaluator(std::string_view text, std::uint32_t gen, const std::function<std::int64_t(const std::string&)>& value_of)
      : text_(text), gen_(gen), value_of_(value_of) {}

  std::int64_t run() {
    const std::int64_t value = conditional();
    skip_blanks();
    if (!text_.empty()) throw std::runtime_error("rest of an expression: '" + std::string(text_) + "'");
    return value;
  }

 private:
  std::int64_t conditional() {
    const std::int64_t condition = logical_or();
    if (!take("?")) return condition;
    const std::int64_t if_true = conditional();
    expect(":");
    const std::int64_t if_false = conditional();
    return condition != 0 ? if_true : if_false;
  }

  // Both sides are always evaluated. C would skip the right one, but there are no side effects.
  std::int64_t logical_or() {
    std::int64_t left = logical_and();
    while (take("||")) {
      const std::int64_t right = logical_and();
      left = left != 0 || right != 0;
    }
    return left;
  }

  std::int64_t logical_and() {
    std::int64_t left = bitwise_or();
    while (take("&&")) {
      const std::int64_t right = bitwise_or();
      left = left != 0 && right != 0;
    }
    return left;
  }

  std::int64_t bitwise_or() {
    std::int64_t left = bitwise_xor();
    while (take_single('|')) left |= bitwise_xor();
    return left;
  }

  std::int64_t bitwise_xor() {
    std::int64_t left = bitwise_and();
    while (take("^")) left ^= bitwise_and();
    return left;
  }

  std::int64_t bitwise_and() {
    std::int64_t left = equality();
    while (take_single('&')) left &= equality();
    return left;
  }

  std::int64_t equality() {
    std::int64_t left = relation();
    for (;;) {
      if (take("==")) left = left == relation();
      else if (take("!=")) left = left != relation();
      else return left;
    }
  }

  std::int64_t relation() {
    std::int64_t left = shift();
    for (;;) {
      if (take("<=")) left = left <= shift();
      else if (take(">=")) left = left >= shift();
      else if (take_single('<')) left = left < shift();
      else if (take_single('>')) left = left > shift();
      else return left;
    }
  }

  // A shift count outside 0..63 is undefined in C. Here the result is 0, or the sign for a right shift.
  std::int64_t shift() {
    std::int64_t left = sum();
    for (;;) {
      if (take("<<")) {
        const std::int64_t count = sum();
        left = count < 0 || count > 63 ? 0 : as_signed(as_unsigned(left) << count);
      } else if (take(">>")) {
        const std::int64_t count = sum();
        left >>= count < 0 || count > 63 ? 63 : count;
      } else {
        return left;
      }
    }
  }

  std::int64_t sum() {
    std::int64_t left = product();
    for (;;) {
      if (take("+")) left = as_signed(as_unsigned(left) + as_unsigned(product()));
      else if (take("-")) left = as_signed(as_unsigned(left) - as_unsigned(product()));
      else return left;
    }
  }

  // Division by 0 gives 0, and so does its remainder; the one quotient that overflows wraps.
  std::int64_t product() {
    std::int64_t left = unary();
    for (;;) {
      if (take("*")) {
        left = as_signed(as_unsigned(left) * as_unsigned(unary()));
      } else if (take("/")) {
        const std::int64_t right = unary();
        if (right == 0) left = 0;
        else left = right == -1 ? as_signed(0 - as_unsigned(left)) : left / right;
      } else if (take("%")) {
        const std::int64_t right = unary();
        left = right == 0 || right == -1 ? 0 : left % right;
      } else {
        return left;
      }
    }
  }

  std::int64_t unary() {
    if (take_single('!')) return unary() == 0;
    if (take("-")) return as_signed(0 - as_unsigned(unary()));
    if (take("~")) return ~unary();
    if (take("+")) return unary();
    return primary();
  }

  std::int64_t primary() {
    if (take("(")) {
      const std::int64_t value = conditional();
      expect(")");
      return value;
    }
    if (take("{")) {
      const std::string name(text_.substr(0, text_.find('}')));
      text_.remove_prefix(name.size() + 1);
      return value_of_(name);
    }
    const std::string_view word = text_.substr(0, text_.find_first_not_of(identifier_chars));
    text_.remove_prefix(word.size());
    if (word == "ISA_GPU_ID") {
      expect("(");
      expect(")");
      return gen_;
    }
    return number(word);
  }

  static std::int64_t number(std::string_view word) {
    const int base = word.starts_with("0x") || word.starts_with("0X") ? 16 : 10;
    const std::string_view digits = word.substr(base == 16 ? 2 : 0);
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    const std::string_view suffix(rest, static_cast<std::size_t>(digits.data() + digits.size() - rest));
    if (error != std::errc() || suffix.find_first_not_of("uUlL") != std::string_view::npos)
      throw std::runtime_error("no number in an expression: '" + std::string(word) + "'");
    return as_signed(value);
  }

  static std::uint64_t as_unsigned(std::int64_t value) { return static_cast<std::uint64_t>(value); }
  static std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

  void skip_blanks() {
    for (;;) {
      text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size()));
      if (!text_.starts_with("/*")) return;
      text_.remove_prefix(std::min(text_.find("*/") + 2, text_.size()));
    }
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  // `|` but not `||`, `<` but not `<<` or `<=`, `!` but not `!=`.
  bool take_single(char token) {
    skip_blanks();
    if (!text_.starts_with(token)) return false;
    if (text_.size() > 1 && (text_[1] == token || (text_[1] == '=' && token != '|' && token != '&')) && token != '!')
      return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) throw std::runtime_error("expected '" + std::string(token) + "' before '" + std::string(text_));
  }

  std::string_view text_;
  std::uint32_t gen_;
  const std::function<std::int64_t(const std::string&)>& value_of_;
};

}  // namespace

std::vector<std::string> names_in_expression(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    std::string name(text.substr(open + 1, text.find('}', open) - open - 1));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::int64_t evaluate_expression(std::string_view text, std::uint32_t gen,
                                 const std::function<std::int64_t(const std::string&)>& value_of) {
  return Evaluator(text, gen, value_of).run();
}

}  // namespace vireo::isa::naive
