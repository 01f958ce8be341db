// SPDX-License-Identifier: Apache-2.0
//
// Expressions: what each operation gives. The folding of constants, the decoder and whoever solves for fields ask here.
//
// The one idea: one switch says what an operation means, and everybody who computes calls it, so that a constant folded
// while loading can never differ from the same value computed for a word. isaspec 1.3, "Typing". All values have 64
// bits in two's complement, comparisons are signed, everything wraps. What is undefined in C (division by zero, shifts
// by too much) has a value here, for a description is input: no word may stop the decoder.
#include <limits>

#include "vireo/isa/expression.h"

namespace vireo::isa {
namespace {

// Arithmetic is done without signs, where wrapping is defined.
constexpr std::uint64_t raw(std::int64_t value) { return static_cast<std::uint64_t>(value); }
constexpr std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }
constexpr bool is_count(std::int64_t count) { return count >= 0 && count < 64; }

// The one quotient that does not fit wraps, as everything else does.
constexpr bool overflows(std::int64_t a, std::int64_t b) {
  return a == std::numeric_limits<std::int64_t>::min() && b == -1;
}

}  // namespace

std::int64_t apply(Operation operation, std::int64_t a, std::int64_t b) noexcept {
  switch (operation) {
    case Operation::Not: return a == 0;
    case Operation::Negate: return wrapped(0 - raw(a));
    case Operation::Complement: return ~a;
    case Operation::Multiply: return wrapped(raw(a) * raw(b));
    case Operation::Divide: return b == 0 ? 0 : overflows(a, b) ? a : a / b;
    case Operation::Remainder: return b == 0 || b == -1 ? 0 : a % b;
    case Operation::Add: return wrapped(raw(a) + raw(b));
    case Operation::Subtract: return wrapped(raw(a) - raw(b));
    case Operation::ShiftLeft: return is_count(b) ? wrapped(raw(a) << b) : 0;
    // Mesa computes in C's int or a signed 64-bit type; shifting right keeps the sign in both.
    case Operation::ShiftRight: return is_count(b) ? a >> b : (a < 0 ? -1 : 0);
    case Operation::Less: return a < b;
    case Operation::LessEqual: return a <= b;
    case Operation::Greater: return a > b;
    case Operation::GreaterEqual: return a >= b;
    case Operation::Equal: return a == b;
    case Operation::NotEqual: return a != b;
    case Operation::BitAnd: return a & b;
    case Operation::BitXor: return a ^ b;
    case Operation::BitOr: return a | b;
    // Both sides are always computed. isaspec 1.3 looks up all fields before it begins, so there is nothing to be
    // spared, and a field that is missing is reported even behind an `&&` that is false.
    case Operation::And: return a != 0 && b != 0;
    case Operation::Or: return a != 0 || b != 0;
    // These have no operands or three; evaluate() knows them.
    case Operation::Constant:
    case Operation::Slot:
    case Operation::Generation:
    case Operation::Select: break;
  }
  return a;
}

std::int64_t evaluate(std::span<const ExpressionStep> steps, const std::int64_t* slots,
                      std::int64_t generation) noexcept {
  // On the machine's own stack: decoding a word allocates nothing.
  std::int64_t stack[max_expression_depth];
  std::size_t top = 0;  // the parser has made sure that the stack suffices
  for (const ExpressionStep& step : steps) {
    switch (operand_count(step.operation)) {
      case 0:
        stack[top++] = step.operation == Operation::Constant ? step.constant
                       : step.operation == Operation::Slot   ? slots[step.slot]
                                                             : generation;
        break;
      case 1: stack[top - 1] = apply(step.operation, stack[top - 1], 0); break;
      case 2:
        --top;
        stack[top - 1] = apply(step.operation, stack[top - 1], stack[top]);
        break;
      default:
        top -= 2;
        stack[top - 1] = stack[top - 1] != 0 ? stack[top] : stack[top + 1];
        break;
    }
  }
  return top == 0 ? 0 : stack[top - 1];
}

}  // namespace vireo::isa
