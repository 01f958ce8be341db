// SPDX-License-Identifier: Apache-2.0
//
// Scope operands: which scope, and what it is for (specification 3.27).
#pragma once

#include <optional>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

enum class ScopeRole : std::uint8_t {
  Execution,  ///< who takes part
  Memory,     ///< who sees what is written
  Other,      ///< whose clock is read, who shares a matrix
};

/// Of an operand whose shape is IdScope.
ScopeRole role_of_scope(const Context& context, const Visit& visit, const Operand& operand);

/// The scope that an operand names; nothing when it is no constant, or no scope that exists.
std::optional<Scope> scope_of(const Context& context, const Visit& visit, const Operand& operand);

}  // namespace vireo::spirv
