// SPDX-License-Identifier: Apache-2.0
//
// Expressions of a description: the conditions of overrides and the values of derived fields.
//
// An expression is parsed once, with C's precedence, into postfix code over slots. Slot i is the i-th
// distinct field in the expression. Values are 64-bit two's complement and compared as signed numbers; constants are
// folded. The bits of a field are zero-extended. All fields are read before the evaluation, so `&&`, `||` and `?:` need
// no jumps.
//
//   {A} << 2 | {B}      →  slot 0, constant 2, shift left, slot 1, or
//
// Operations that are undefined in C have results: division by zero and remainder by zero are 0. A left shift by 64
// or more, or by a negative count, is 0; such a right shift is 0, or -1 for a negative value. Reference:
// docs/isaspec.md.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/support/api.h"
#include "vireo/support/cpp20.h"

namespace vireo::isa {

/// The effect of a step on the stack of values.
enum class Operation : std::uint8_t {
  Constant,    ///< pushes `constant`
  Slot,        ///< pushes the value of slot `slot`
  Generation,  ///< pushes the generation: ISA_GPU_ID()
  Not,
  Negate,
  Complement,
  Multiply,
  Divide,
  Remainder,
  Add,
  Subtract,
  ShiftLeft,
  ShiftRight,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  BitAnd,
  BitXor,
  BitOr,
  And,
  Or,
  Select,  ///< pops c, b, a; pushes a ? b : c
};

/// One step of postfix code.
struct VIREO_API ExpressionStep {
  Operation operation = Operation::Constant;
  std::uint32_t slot = 0;
  std::int64_t constant = 0;

  friend constexpr auto operator<=>(const ExpressionStep&, const ExpressionStep&) = default;
};

/// A fault in the text of an expression.
struct VIREO_API ExpressionFault {
  std::uint32_t begin = 0;  ///< range of bytes in the text: begin … end - 1
  std::uint32_t end = 0;
  std::string message;
};

/// The code of an expression, or the faults in its text.
struct VIREO_API ParsedExpression {
  /// A field that the expression reads.
  struct Name {
    std::string_view name;    ///< borrowed from the text
    std::uint32_t begin = 0;  ///< range of bytes in the text: begin … end - 1
    std::uint32_t end = 0;
  };
  std::vector<ExpressionStep> steps;
  std::vector<Name> names;  ///< each name once, at its first use; index = slot
  std::vector<ExpressionFault> faults;

  [[nodiscard]] bool ok() const { return faults.empty(); }
};

/// Limits, so that evaluation needs only a stack of fixed size. Exceeding one is a fault.
inline constexpr std::size_t max_expression_depth = 64;  ///< values on the stack, and pending operators
inline constexpr std::size_t max_expression_slots = 64;
inline constexpr std::size_t max_expression_steps = 4096;

/// Parses one expression. `text` must outlive the result. Parsing stops at the first fault, which is in the result.
VIREO_API ParsedExpression parse_expression(std::string_view text);

/// The result of a unary operation on `a`, or of a binary operation on `a` and `b`. Not for the operations without
/// operands and for Select.
VIREO_API std::int64_t apply(Operation operation, std::int64_t a, std::int64_t b) noexcept;

/// Evaluates the steps. `slots` has a value for each name of the expression; `generation` is the value of ISA_GPU_ID().
/// Allocates nothing.
VIREO_API std::int64_t evaluate(std::span<const ExpressionStep> steps, const std::int64_t* slots,
                                std::int64_t generation) noexcept;

/// The number of operands that an operation takes from the stack.
constexpr std::uint32_t operand_count(Operation operation) {
  if (operation <= Operation::Generation) return 0;
  if (operation <= Operation::Complement) return 1;
  return operation == Operation::Select ? 3 : 2;
}

/// The operator in C; empty if the operation is not an operator.
VIREO_API std::string_view spelling_of(Operation operation);

}  // namespace vireo::isa
