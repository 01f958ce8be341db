// SPDX-License-Identifier: Apache-2.0
//
// Scope operands: the scope, and its role (specification 3.27).
#pragma once

#include <optional>

#include "spirv/validate/engine/check.h"

namespace vireo::spirv {

enum class ScopeRole : std::uint8_t {
  Execution,  ///< the invocations that take part
  Memory,     ///< the invocations that observe memory accesses
  Other,      ///< of OpReadClockKHR or a cooperative matrix type
};

/// The role of an operand whose shape is IdScope.
ScopeRole role_of_scope(const InstructionCheck& c, const Operand& operand);

/// The scope of an operand; nullopt if it is not a constant or if the grammar has no such scope.
std::optional<Scope> scope_of(const InstructionCheck& c, const Operand& operand);

}  // namespace vireo::spirv
