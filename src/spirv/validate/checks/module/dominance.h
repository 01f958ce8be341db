// SPDX-License-Identifier: Apache-2.0
//
// DominanceCheck: within a function, a definition dominates its uses.
//
// The checks visit instructions in module order, so the block of a definition is known at each use
// (definition_state.h). A dominance query takes two integer comparisons (control_flow.h). OpPhi may take values that
// are defined later, so its operands are checked at the end of the function.
//
// Source: specification 2.16.1 (uses and definitions), 3.42.17 (OpPhi).
#pragma once

#include <vector>

#include "spirv/validate/checks/module/definition_state.h"
#include "spirv/validate/core/check.h"
#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {

/// The cause of findings about the operands of an OpPhi (Report::add_once): wrong parents, and values that do not
/// dominate their parents, usually have the same fault.
inline std::string phi_cause(InstructionIndex phi) { return std::to_string(phi.raw); }

class DominanceCheck {
 public:
  /// `visited` is the state of the same walk. Borrows both arguments.
  DominanceCheck(const ModuleCheck& c, const DefinitionState& visited) : c_(c), visited_(visited) {}

  /// Begins a function with its control flow, which must remain valid until end().
  void begin(const FunctionRow& function, const ControlFlow& flow);
  /// Checks an id operand of an instruction in the function. end() checks the values of OpPhi.
  void check_use(const InstructionCheck& c, const Operand& operand);
  /// Records the sources of an OpPhi. Each value must be defined at the end of its parent block, which may come later.
  void note_phi(const DecodedInstruction& inst);
  void end();

 private:
  /// One source of OpPhi.
  struct Incoming {
    Place place;  ///< of the value
    Word value, parent;
  };
  /// The location of a definition, relative to the current function. Elsewhere: the definition needs no dominance
  /// check.
  enum class Origin { Here, OtherFunction, Elsewhere };

  [[nodiscard]] Origin origin_of(InstructionIndex definition) const;
  void report_incoming(const Incoming& in, Word block, InstructionIndex definition) const;
  void report_other_function(Place place, Word id, InstructionIndex definition) const;

  const ModuleCheck& c_;
  const DefinitionState& visited_;
  const ControlFlow* flow_ = nullptr;
  InstructionRange function_;
  std::vector<Incoming> incoming_;
  bool has_incomplete_blocks_ = false;  // the function has a block without label or terminator, so dominance is unknown
};

}  // namespace vireo::spirv
