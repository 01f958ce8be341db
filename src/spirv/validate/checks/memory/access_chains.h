// SPDX-License-Identifier: Apache-2.0
//
// The operands of access chains of all kinds.
//
// The one idea: all kinds are one walk over a type, from a base by indexes. Callers get the operands here and need not
// know the opcode.
#pragma once

#include <cstddef>
#include <optional>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/view.h"

namespace vireo::spirv {

/// An access chain of any kind.
struct AccessChain {
  bool is_untyped = false;              ///< the type to walk is an operand and the result is an untyped pointer
  IdOperand<IdKind::Type> base_type{};  ///< the type to walk; only for untyped chains
  IdOperand<IdKind::Value> base{};      ///< the base pointer
  std::optional<IdOperand<IdKind::Value>> element{};
  IdList<IdKind::Value> indexes{};
};

/// The operands of a chain; nothing if the instruction is not an access chain.
std::optional<AccessChain> access_chain(InstructionView instruction);

}  // namespace vireo::spirv
