// SPDX-License-Identifier: Apache-2.0
//
// TypeErrorReporter: reports the type errors that check functions have in common.
//
// Most type errors have the form "this has type A; expected type B". A TypeErrorReporter contains the
// instruction. A check passes the operand, its name in this instruction, and the expected type. Texts are built only
// after a check has failed. The messages read
//
//   the index (%i) of OpAccessChain has type f32; expected an integer scalar
//   the object (%51) of OpStore has type vec2; expected the pointee type (vec3)
//
//   const TypeErrorReporter type_errors{context, visit, report};
//   if (!index.is(TypeKind::Int)) type_errors.operand(insert.index(), "the index", "an integer scalar");
#pragma once

#include <string>
#include <string_view>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

struct TypeErrorReporter {
  const Context& context;
  const DecodedInstruction& visit;
  Report& report;

  /// Reports that the instruction does not produce results of the result type.
  void result(std::string_view expected) const;
  /// Reports that the instruction does not accept the type of an operand. `name` is the name of the operand: "the
  /// base".
  void operand(AnyOperand operand, std::string_view name, std::string_view expected) const;
  /// Reports that the type of a value does not agree with `type`. `expected` states the requirement; `type` follows it
  /// in parentheses: "the type of the member", "as many components as the result".
  void relation(AnyOperand operand, std::string_view name, std::string_view expected, Word type) const;
  /// Reports that the result type does not agree with `type`.
  void result_relation(std::string_view expected, Word type) const;
  /// Reports an operand that must be a constant and is not.
  void not_constant(AnyOperand operand, std::string_view name) const;
  /// Reports a type with a component, element or member of a type that is not allowed there.
  void part(AnyOperand operand, std::string_view name, std::string_view expected) const;

  /// "the index (%i) of OpAccessChain"
  [[nodiscard]] std::string named(AnyOperand operand, std::string_view name) const;
};

}  // namespace vireo::spirv
