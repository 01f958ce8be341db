// SPDX-License-Identifier: Apache-2.0
//
// Complaint: the sentences that checks of all chapters say about types.
//
// The one idea: most faults are "this is of that type, and should be of another". A complaint knows the instruction, so
// a check says which word, how the operand is called there, and what was expected; texts are made only now that something
// is wrong.
//
//   const Complaint complain{context, visit, report};
//   if (!index.is(TypeKind::Int)) complain.operand(insert.index(), "the index", "an integer scalar");
#pragma once

#include <string>
#include <string_view>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

struct Complaint {
  const Context& context;
  const Visit& visit;
  Report& report;

  /// The result type is not of a class that the instruction gives.
  void result(std::string_view expected) const;
  /// A value is not of a class that the instruction takes. `name` is the operand's: "the base".
  void operand(AnyOperand operand, std::string_view name, std::string_view expected) const;
  /// A value's type does not agree with another type: "the type of the member" %type.
  void relation(AnyOperand operand, std::string_view name, std::string_view expected, Word type) const;
  /// The result type does not agree with another type.
  void result_relation(std::string_view expected, Word type) const;
  /// An operand is no constant, and has to be.
  void not_constant(AnyOperand operand, std::string_view name) const;
  /// A type is made of a part that it cannot be made of.
  void part(AnyOperand operand, std::string_view name, std::string_view expected) const;

  /// "the index of OpAccessChain, %i,"
  [[nodiscard]] std::string named(AnyOperand operand, std::string_view name) const;
};

}  // namespace vireo::spirv
