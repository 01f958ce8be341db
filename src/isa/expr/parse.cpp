// SPDX-License-Identifier: Apache-2.0
//
// Parses C's expression grammar into postfix code, without recursion.
//
// The shunting-yard algorithm. Operators remain on an explicit stack until an operator of lower
// precedence follows. So nesting uses a vector instead of the call stack, and its depth is limited. The parser
// alternates between two states: it expects an operand or an operator.
//
// The language is that of isaspec 1.3, with all of C's operators. Mesa's tools paste the text into C, so precedence is
// C's, where `&` binds looser than `==`. Assignments, casts and calls other than ISA_GPU_ID() are errors. Time is
// linear, except for the linear search of at most 64 names.
#include <algorithm>
#include <array>

#include "support/ascii.h"
#include "vireo/isa/expression.h"

namespace vireo::isa {
namespace {

struct OperatorRow {
  std::string_view text;
  Operation operation;
  std::uint8_t precedence;  // higher binds tighter; C's order
};

// Longer spellings come first, so the first match is the longest.
// clang-format off
constexpr OperatorRow binary_operators[] = {
    {"<<", Operation::ShiftLeft,    10}, {">>", Operation::ShiftRight,   10},
    {"<=", Operation::LessEqual,     9}, {">=", Operation::GreaterEqual,  9},
    {"==", Operation::Equal,         8}, {"!=", Operation::NotEqual,      8},
    {"&&", Operation::And,           4}, {"||", Operation::Or,            3},
    {"*",  Operation::Multiply,     12}, {"/",  Operation::Divide,       12}, {"%", Operation::Remainder, 12},
    {"+",  Operation::Add,          11}, {"-",  Operation::Subtract,     11},
    {"<",  Operation::Less,          9}, {">",  Operation::Greater,       9},
    {"&",  Operation::BitAnd,        7}, {"^",  Operation::BitXor,        6}, {"|", Operation::BitOr,      5},
};
constexpr OperatorRow unary_operators[] = {
    {"!", Operation::Not, 13}, {"-", Operation::Negate, 13}, {"~", Operation::Complement, 13},
};
// clang-format on
// `?:` is the only right-associative operator: `?` reduces only operators that bind tighter, so an open `?:` remains on
// the stack.
constexpr std::uint8_t select_precedence = 2;

constexpr bool is_name(char c) { return is_digit(c) || is_letter(c) || c == '_'; }
constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  ParsedExpression run() {
    // This state suffices to reject `a b` and `a + * b`.
    bool expects_operand = true;
    while (result_.ok()) {
      skip_blanks();
      if (!result_.ok()) break;
      if (at_ == text_.size()) {
        finish(expects_operand);
        break;
      }
      expects_operand = expects_operand ? operand() : operation();
    }
    // A partial expression would be wrong. Without steps its value is 0, and a model with such an error is unusable
    // anyway.
    if (!result_.ok()) result_.steps.clear();
    return std::move(result_);
  }

 private:
  // An operator on the stack. A `?` remains until its `:` follows; then both become one operator with three operands.
  struct Open {
    enum class Kind : std::uint8_t { Unary, Binary, Parenthesis, Question, Select } kind;
    Operation operation;
    std::uint8_t precedence;
    std::uint32_t at;
  };

  // Records the first fault only: after it, the parser is out of step and would report spurious faults.
  void fail(std::size_t begin, std::size_t end, std::string message) {
    if (!result_.ok()) return;
    result_.faults.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), std::move(message)});
  }

  // Returns the byte at the current position, quoted for a message, or "the end".
  [[nodiscard]] std::string found() const {
    if (at_ == text_.size()) return "the end";
    return '\'' + std::string(text_.substr(at_, 1)) + '\'';
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
        // Real descriptions have comments in their conditions.
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return fail(at_, at_ + 2, "unterminated comment");
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  // --- operands: each function returns whether an operand is still expected ------------------------------------------

  bool operand() {
    const char c = text_[at_];
    if (c == '(') return push({Open::Kind::Parenthesis, Operation::Constant, 0, here()}, 1);
    if (c == '{') return field();
    if (is_digit(c)) return number();
    if (is_name(c)) return call();
    for (const OperatorRow& row : unary_operators) {
      if (c == row.text.front()) return push({Open::Kind::Unary, row.operation, row.precedence, here()}, 1);
    }
    if (c == '+') {  // a unary plus has no effect
      ++at_;
      return true;
    }
    fail(at_, at_ + 1, "expected a field, a number or '(', found " + found());
    return true;
  }

  bool push(Open open, std::size_t length) {
    // Limits the stack of operators; emit() limits the stack of operands.
    if (open_.size() >= max_expression_depth) fail(at_, at_ + length, "expression nested too deeply");
    open_.push_back(open);
    at_ += length;
    return true;
  }

  bool field() {
    const std::size_t begin = at_;
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_name(text_[end])) ++end;
    const std::string_view name = text_.substr(begin + 1, end - begin - 1);
    if (end == text_.size() || text_[end] != '}') {
      fail(begin, end, "expected '}' after a field name of letters, digits and '_'");
    } else if (name.empty()) {
      fail(begin, end + 1, "expected a field name between '{' and '}'");
    }
    at_ = std::min(end + 1, text_.size());
    // A name that is read twice uses one slot: it is looked up once, and reported once if missing (isaspec 2.7).
    const auto known = std::find_if(result_.names.begin(), result_.names.end(),
                                    [&](const ParsedExpression::Name& other) { return other.name == name; });
    const std::size_t slot = static_cast<std::size_t>(known - result_.names.begin());
    if (known == result_.names.end()) {
      if (slot >= max_expression_slots) fail(begin, at_, "more than 64 fields in one expression");
      result_.names.push_back({name, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)});
    }
    emit({Operation::Slot, static_cast<std::uint32_t>(slot), 0});
    return false;
  }

  bool number() {
    const std::size_t begin = at_;
    std::uint64_t base = 10;
    if (text_[at_] == '0' && at_ + 1 < text_.size()) {
      const char next = text_[at_ + 1];
      if (next == 'x' || next == 'X') base = 16;
      else if (next == 'b' || next == 'B') base = 2;
      // 010 is octal, as in C and therefore in Mesa's generated code.
      else if (is_digit(next)) base = 8;
      if (base != 10) at_ += base == 8 ? 1 : 2;
    }
    const std::size_t first = at_;
    std::uint64_t value = 0;
    // Accept the whole unsigned range, for masks such as 2^64 - 1; values wrap to signed.
    bool overflows = false;
    for (; at_ < text_.size() && digit_value(text_[at_]) < static_cast<int>(base); ++at_) {
      const auto digit = static_cast<std::uint64_t>(digit_value(text_[at_]));
      overflows |= value > (~std::uint64_t{0} - digit) / base;
      value = value * base + digit;
    }
    const bool has_digits = at_ > first;
    while (at_ < text_.size() && (text_[at_] == 'u' || text_[at_] == 'U' || text_[at_] == 'l' || text_[at_] == 'L'))
      ++at_;
    // Suffixes have no effect on 64-bit values, but real descriptions contain `2ULL`. Any other suffix is an error.
    std::size_t end = at_;
    while (end < text_.size() && (is_name(text_[end]) || text_[end] == '.')) ++end;
    if (end != at_ || !has_digits)
      fail(begin, end, "'" + std::string(text_.substr(begin, end - begin)) + "' is not an integer");
    if (overflows) fail(begin, at_, "the number does not fit in 64 bits");
    emit({Operation::Constant, 0, static_cast<std::int64_t>(value)});
    return false;
  }

  bool call() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    // A bare word is usually a field without braces, so the message suggests them.
    if (name != "ISA_GPU_ID") {
      fail(begin, at_, "expected '{" + std::string(name) + "}' or ISA_GPU_ID()");
      return false;
    }
    for (const char expected : {'(', ')'}) {
      skip_blanks();
      if (at_ == text_.size() || text_[at_] != expected) {
        fail(at_, at_, std::string("expected '") + expected + "' in ISA_GPU_ID(), found " + found());
        return false;
      }
      ++at_;
    }
    emit({Operation::Generation, 0, 0});
    return false;
  }

  // --- operators ---------------------------------------------------------------------------------------------------------

  bool operation() {
    const char c = text_[at_];
    if (c == ')') {
      reduce(0);
      if (open_.empty() || open_.back().kind != Open::Kind::Parenthesis) {
        fail(at_, at_ + 1, open_.empty() ? "')' without '('" : "expected ':' for '?' before ')'");
        return true;
      }
      open_.pop_back();
      ++at_;
      return false;
    }
    // Reduce the condition before `?`, but not an enclosing `?:`, which is right-associative.
    if (c == '?') {
      reduce(select_precedence + 1);
      return push({Open::Kind::Question, Operation::Select, 0, here()}, 1);
    }
    if (c == ':') {
      reduce(0);
      if (open_.empty() || open_.back().kind != Open::Kind::Question) {
        fail(at_, at_ + 1, "':' without '?'");
        return true;
      }
      open_.back() = {Open::Kind::Select, Operation::Select, select_precedence, open_.back().at};
      ++at_;
      return true;
    }
    for (const OperatorRow& row : binary_operators) {
      // A single `=` is not in the table, so an assignment is an error, unlike in C.
      if (!text_.substr(at_).starts_with(row.text)) continue;
      reduce(row.precedence);
      return push({Open::Kind::Binary, row.operation, row.precedence, here()}, row.text.size());
    }
    fail(at_, at_ + 1, "expected an operator, found " + found());
    return true;
  }

  // Emits the operators on the stack that bind at least as tightly as `precedence`. Stops at parentheses and `?`.
  void reduce(std::uint8_t precedence) {
    while (!open_.empty() && open_.back().kind != Open::Kind::Parenthesis &&
           open_.back().kind != Open::Kind::Question && open_.back().precedence >= precedence) {
      emit({open_.back().operation, 0, 0});
      open_.pop_back();
    }
  }

  void finish(bool expects_operand) {
    if (expects_operand) return fail(at_, at_, "expected a field, a number or '(', found the end");
    reduce(0);
    if (open_.empty()) return;
    const bool is_parenthesis = open_.back().kind == Open::Kind::Parenthesis;
    fail(open_.back().at, open_.back().at + 1, is_parenthesis ? "'(' without ')'" : "'?' without ':'");
  }

  // Appends a step, or folds it if its operands are constants.
  void emit(ExpressionStep step) {
    std::vector<ExpressionStep>& steps = result_.steps;
    const std::uint32_t count = operand_count(step.operation);
    depth_ = depth_ + 1 - count;
    // Checked here, so that evaluate() needs no check in the decoder's innermost loop.
    if (depth_ > max_expression_depth) fail(at_, at_, "expression nested too deeply");
    if (steps.size() >= max_expression_steps) fail(at_, at_, "expression too long");
    // In postfix code, constant operands are the last steps. Folding while parsing keeps `1 << 4 | 1 << 8` as short as
    // a number.
    const bool is_constant = count != 0 && steps.size() >= count &&
                             std::all_of(steps.end() - count, steps.end(), [](const ExpressionStep& operand) {
                               return operand.operation == Operation::Constant;
                             });
    if (!is_constant) {
      steps.push_back(step);
      return;
    }
    const std::int64_t value = evaluate_tail(step, count);
    steps.resize(steps.size() - count);
    steps.push_back({Operation::Constant, 0, value});
  }

  [[nodiscard]] std::int64_t evaluate_tail(ExpressionStep step, std::uint32_t count) const {
    std::array<ExpressionStep, 4> tail{};
    std::copy(result_.steps.end() - count, result_.steps.end(), tail.begin());
    tail[count] = step;
    return evaluate({tail.data(), count + 1}, nullptr, 0);
  }

  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(at_); }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::vector<Open> open_;
  ParsedExpression result_;
};

}  // namespace

ParsedExpression parse_expression(std::string_view text) { return Parser(text).run(); }

// `-` denotes both negation and subtraction, but each operation has one spelling, so the order of the tables is
// irrelevant.
std::string_view spelling_of(Operation operation) {
  for (const OperatorRow& row : unary_operators) {
    if (row.operation == operation) return row.text;
  }
  for (const OperatorRow& row : binary_operators) {
    if (row.operation == operation) return row.text;
  }
  return {};
}

}  // namespace vireo::isa
