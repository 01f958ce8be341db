// SPDX-License-Identifier: Apache-2.0
//
// DominanceCheck: within a function, a definition dominates its uses.
//
// The one idea: instructions are visited in module order, so the block of a definition is known at each use
// (definition_state.h). A use costs two comparisons of numbers (control_flow.h). OpPhi may take values that are defined
// later, so its operands are checked at the end of the function.
//
// Source: specification 2.16.1 (uses and definitions), 3.42.17 (OpPhi).
#pragma once

#include <vector>

#include "spirv/validate/engine/context.h"
#include "spirv/validate/engine/definition_state.h"
#include "vireo/spirv/facts/control_flow.h"

namespace vireo::spirv {

class DominanceCheck {
 public:
  /// `visited` belongs to the same walk. Both are borrowed.
  DominanceCheck(const Context& context, const DefinitionState& visited) : context_(context), visited_(visited) {}

  /// `flow` is the control flow of the function. It must stay valid until end().
  void begin(const FunctionRow& function, const ControlFlow& flow);
  /// Checks an id operand of an instruction in the function. Values of OpPhi are checked by end().
  void check_use(const Visit& visit, const Operand& operand, Report& report);
  /// Records the sources of an OpPhi. The value must be available at the end of the parent block, which may come later.
  void note_phi(const Visit& visit);
  void end(Report& report);

 private:
  /// One source of OpPhi.
  struct Incoming {
    Place place;  ///< of the value
    Word value, parent;
  };
  /// The location of a definition, relative to the current function.
  enum class Origin { Here, OtherFunction, Elsewhere };

  [[nodiscard]] Origin origin_of(InstructionIndex definition) const;

  const Context& context_;
  const DefinitionState& visited_;
  const ControlFlow* flow_ = nullptr;
  InstructionRange function_;
  std::vector<Incoming> incoming_;
  bool is_torn_ = false;  // the function has a block without label or terminator, so dominance is unknown
};

}  // namespace vireo::spirv
