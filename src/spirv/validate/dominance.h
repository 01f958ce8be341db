// SPDX-License-Identifier: Apache-2.0
//
// DominanceCheck: within a function, a definition dominates its uses.
//
// The one idea: instructions are visited in their order, so where an id was defined is known when it is used; each use is
// then two comparisons of numbers (control_flow.h). What OpPhi takes may be defined further down: it is judged when the
// function ends.
//
// Source: specification 2.16.1 (uses and definitions), 3.42.17 (OpPhi).
#pragma once

#include <vector>

#include "spirv/validate/context.h"
#include "vireo/spirv/control_flow.h"

namespace vireo::spirv {

class DominanceCheck {
 public:
  explicit DominanceCheck(const Context& context)
      : context_(context), function_of_(context.module.defined_bound()), block_of_(context.module.defined_bound()) {}

  /// `flow` is that of the function that begins; it stays until end().
  void begin(FunctionIndex function, const ControlFlow& flow);
  /// An instruction of the function. `block` is none in front of the first label.
  void visit(const Visit& visit, LocalBlock block, Report& report);
  void end(Report& report);

 private:
  /// One pair of OpPhi.
  struct Incoming {
    InstructionIndex phi;
    std::uint16_t word;
    Word value, parent;
  };
  void check_use(const Visit& visit, const Operand& operand, LocalBlock block, Report& report);

  const Context& context_;
  const ControlFlow* flow_ = nullptr;
  FunctionIndex function_;
  std::vector<FunctionIndex> function_of_;  // by id: where it was defined; none: outside of functions
  std::vector<LocalBlock> block_of_;        // by id: the block; none: a parameter, or outside
  std::vector<Incoming> incoming_;
};

}  // namespace vireo::spirv
