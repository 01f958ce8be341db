// SPDX-License-Identifier: Apache-2.0
//
// UnusedRole: what remove_unused() must know about an opcode.
#pragma once

#include <cstdint>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

enum class UnusedRole : std::uint8_t {
  Needed,      ///< has an effect, or its purpose is unknown: needed wherever it is
  Pure,        ///< does nothing but compute its result
  Load,        ///< the same, unless it is volatile
  Store,       ///< writes through its first operand, and does nothing else
  Branch,      ///< OpBranch, OpBranchConditional, OpSwitch
  Merge,       ///< OpSelectionMerge, OpLoopMerge
  Part,        ///< belongs to its function: parameters, labels, OpFunctionEnd
  Function,    ///< OpFunction
  Variable,    ///< OpVariable, OpUntypedVariableKHR
  Type,        ///< a type declaration
  Constant,    ///< a constant instruction, and OpUndef among the globals
  Import,      ///< OpExtInstImport
  Extended,    ///< OpExtInst: its set decides
  Continued,   ///< continues the instruction before it
  Lifetime,    ///< OpLifetimeStart, OpLifetimeStop: remains with its variable
  Forward,     ///< OpTypeForwardPointer: remains with its pointer type
  Line,        ///< OpLine, OpNoLine: remains with the instruction after it
  Annotation,  ///< decorations and names: remains with its target
};

/// `row` is null for an opcode that the grammar does not have.
UnusedRole unused_role_of(const Grammar& grammar, const InstructionRow* row);

/// Whether an instruction of an extended instruction set only computes its result, if it has no pointer operand.
bool is_pure_set(std::string_view set);

}  // namespace vireo::spirv
