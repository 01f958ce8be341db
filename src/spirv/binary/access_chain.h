// SPDX-License-Identifier: Apache-2.0
//
// The operands of all kinds of access chains.
//
// Every access chain walks a type from a base pointer, one index at a time. All components read the operands
// here, so they do not depend on the opcode.
#pragma once

#include <cstddef>
#include <optional>

#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

/// The operands of an access chain.
struct AccessChain {
  bool is_untyped = false;              ///< the Base Type operand is the type to walk; the result is untyped
  IdOperand<IdKind::Type> base_type{};  ///< the type to walk; only for untyped chains
  IdOperand<IdKind::Value> base{};      ///< the base pointer
  std::optional<IdOperand<IdKind::Value>> element{};
  IdList<IdKind::Value> indexes{};
};

/// Reads the operands of a chain. Returns nothing if the instruction is not an access chain.
std::optional<AccessChain> access_chain(InstructionView instruction);

}  // namespace vireo::spirv
