// SPDX-License-Identifier: Apache-2.0
//
// Expressions of an instruction set: the conditions of overrides and the values of derived fields.
//
// The one idea: an expression is parsed once, with C's precedence and with positions, into postfix code over slots;
// slot i is the field that the expression names as its i-th. Values are 64-bit two's complement and compared signed;
// constants are folded. A field's bits are zero-extended. All fields are read before anything is computed, so `&&`,
// `||` and `?:` need no jumps.
//
//   {A} << 2 | {B}      →  slot 0, constant 2, shift left, slot 1, or
//
// Results that C leaves undefined are defined: a quotient or remainder by zero is 0; a shift by 64 or more, or by a
// negative count, gives the limit of repeated shifting by one. Reference: docs/isaspec.md.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/support/api.h"

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

/// A fault in the text of an expression; positions are in bytes.
struct VIREO_API ExpressionFault {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string message;
};

/// The code of an expression, or the faults in its text.
struct VIREO_API ParsedExpression {
  /// A field that the expression reads.
  struct Name {
    std::string_view name;  ///< borrowed from the text
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  std::vector<ExpressionStep> steps;
  std::vector<Name> names;  ///< each name once, at its first use; index = slot
  std::vector<ExpressionFault> faults;

  [[nodiscard]] bool ok() const { return faults.empty(); }
};

/// Limits that allow a stack of fixed size; far beyond hand-written expressions.
inline constexpr std::size_t max_expression_depth = 64;  ///< values on the stack, and pending operators
inline constexpr std::size_t max_expression_slots = 64;
inline constexpr std::size_t max_expression_steps = 4096;

/// Parses one expression. Reports errors only as faults; the first fault ends the parse.
VIREO_API ParsedExpression parse_expression(std::string_view text);

/// The result of the operation for two operands (unary ones use only `a`).
VIREO_API std::int64_t apply(Operation operation, std::int64_t a, std::int64_t b) noexcept;

/// Evaluates the steps. `slots` has a value for each name. Allocates nothing.
VIREO_API std::int64_t evaluate(std::span<const ExpressionStep> steps, const std::int64_t* slots,
                                std::int64_t generation) noexcept;

/// The number of operands that an operation takes from the stack.
constexpr std::uint32_t operand_count(Operation operation) {
  if (operation <= Operation::Generation) return 0;
  if (operation <= Operation::Complement) return 1;
  return operation == Operation::Select ? 3 : 2;
}

/// The operator as C spells it; empty if the operation is no operator.
VIREO_API std::string_view spelling_of(Operation operation);

}  // namespace vireo::isa
