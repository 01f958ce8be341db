// SPDX-License-Identifier: Apache-2.0
//
// Defines the result of each operation, for constant folding, the decoder and the solver.
//
// All of them call the same function, so a constant folded at load time equals the value computed for a
// word. isaspec 1.3, "Typing". Values are 64-bit two's complement, comparisons are signed, and arithmetic wraps.
// Operations that are undefined in C (division by zero, large shift counts) have defined results here, because
// descriptions are untrusted input.
#include <limits>

#include "vireo/isa/expression.h"

namespace vireo::isa {
namespace {

// Arithmetic is unsigned, where wrapping is defined.
constexpr std::uint64_t raw(std::int64_t value) { return static_cast<std::uint64_t>(value); }
constexpr std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }
constexpr bool is_count(std::int64_t count) { return count >= 0 && count < 64; }

// Returns whether a quotient overflows. This is the only such quotient; it wraps.
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
    // Mesa computes in C's int or a signed 64-bit type, where a right shift keeps the sign.
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
    // Both operands are always computed. isaspec 1.3 looks up all fields first, so a missing field is reported even if
    // the other operand of `&&` is false.
    case Operation::And: return a != 0 && b != 0;
    case Operation::Or: return a != 0 || b != 0;
    // evaluate() handles these.
    case Operation::Constant:
    case Operation::Slot:
    case Operation::Generation:
    case Operation::Select: break;
  }
  return a;
}

std::int64_t evaluate(std::span<const ExpressionStep> steps, const std::int64_t* slots,
                      std::int64_t generation) noexcept {
  // A fixed array: decoding a word allocates nothing.
  std::int64_t stack[max_expression_depth];
  std::size_t top = 0;  // the parser ensures that the stack does not overflow
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
