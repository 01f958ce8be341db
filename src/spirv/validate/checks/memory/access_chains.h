// SPDX-License-Identifier: Apache-2.0
//
// Access chains of all kinds, with their operands.
//
// The one idea: all kinds are one walk over a type, from a base by indexes; who walks asks here for the operands, and not
// which kind it is.
#pragma once

#include <cstddef>
#include <optional>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/view.h"

namespace vireo::spirv {

/// An access chain of any kind.
struct AccessChain {
  bool is_untyped = false;              ///< the type to walk is an operand, and the result an untyped pointer
  IdOperand<IdKind::Type> base_type{};  ///< the type to walk; only untyped chains have it
  IdOperand<IdKind::Value> base{};      ///< the pointer that the chain begins with
  std::optional<IdOperand<IdKind::Value>> element{};
  IdList<IdKind::Value> indexes{};
};

/// The operands of a chain; nothing when the instruction is none.
std::optional<AccessChain> access_chain(InstructionView instruction);

}  // namespace vireo::spirv
