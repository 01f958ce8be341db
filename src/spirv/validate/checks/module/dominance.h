// SPDX-License-Identifier: Apache-2.0
//
// DominanceCheck: within a function, a definition dominates its uses.
//
// The one idea: instructions are visited in their order, so the block of a definition is known when it is used
// (visited_ids.h); each use is then two comparisons of numbers (control_flow.h). What OpPhi takes may be defined further
// down: it is judged when the function ends.
//
// Source: specification 2.16.1 (uses and definitions), 3.42.17 (OpPhi).
#pragma once

#include <vector>

#include "spirv/validate/engine/context.h"
#include "spirv/validate/engine/visited_ids.h"
#include "vireo/spirv/facts/control_flow.h"

namespace vireo::spirv {

class DominanceCheck {
 public:
  /// `visited` is that of the same walk.
  DominanceCheck(const Context& context, const VisitedIds& visited) : context_(context), visited_(visited) {}

  /// `flow` is that of the function that begins; it stays until end().
  void begin(const FunctionRow& function, const ControlFlow& flow);
  /// An operand that is an id, of an instruction of the function. Values of OpPhi wait for the end.
  void check_use(const Visit& visit, const Operand& operand, Report& report);
  /// Notes the sources of an OpPhi. A value reaches it at the end of its parent, which may stand further down.
  void note_phi(const Visit& visit);
  void end(Report& report);

 private:
  /// One source of OpPhi.
  struct Incoming {
    Place place;  ///< of the value
    Word value, parent;
  };
  /// Where a definition is, seen from the function at hand.
  enum class Origin { Here, OtherFunction, Elsewhere };

  [[nodiscard]] Origin origin_of(InstructionIndex definition) const;

  const Context& context_;
  const VisitedIds& visited_;
  const ControlFlow* flow_ = nullptr;
  InstructionRange function_;
  std::vector<Incoming> incoming_;
  bool is_torn_ = false;  // a block of the function lacks its begin or end, so that nobody knows what dominates what
};

}  // namespace vireo::spirv
