// SPDX-License-Identifier: Apache-2.0
//
// Scope operands: the scope, and its role (specification 3.27).
#pragma once

#include <optional>

#include "spirv/validate/core/check.h"
#include "spirv/validate/tables/stage_rows.h"

namespace vireo::spirv {

/// Instructions with scopes that the grammar does not mark: those of tensor operands (SPV_ARM_tensors).
constexpr bool has_unmarked_scopes(Op opcode) {
  return opcode == Op::OpTensorReadARM || opcode == Op::OpTensorWriteARM;
}

/// Whether an operand is a scope.
bool is_scope(const InstructionCheck& c, const Operand& operand);

/// The role of a scope.
ScopeRole role_of_scope(const InstructionCheck& c, const Operand& operand);

/// The scope of an operand; nullopt if it is not a constant or if the grammar has no such scope.
std::optional<Scope> scope_of(const InstructionCheck& c, const Operand& operand);

/// OpControlBarrierArriveEXT and OpControlBarrierWaitEXT, which are also those of SPV_INTEL_split_barrier.
inline bool is_split_barrier(Op op) { return op == Op::OpControlBarrierArriveEXT || op == Op::OpControlBarrierWaitEXT; }

}  // namespace vireo::spirv
