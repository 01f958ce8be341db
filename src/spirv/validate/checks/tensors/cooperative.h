// SPDX-License-Identifier: Apache-2.0
//
// Shared by the checks of cooperative matrices and vectors: shapes, checks of operands, and callback functions over
// components.
//
// The one idea: scope, rows, columns and use are ids of constants, which may be specialization constants. So two of
// them differ only if both values are known and unequal. Values that specialization may make equal are not reported.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// The shape of a cooperative matrix as ids of constants. All are 0 for other types; NV matrices have no use.
struct CooperativeShape {
  Word scope = 0, rows = 0, columns = 0, use = 0;
};
CooperativeShape cooperative_shape(const Context& context, const TypeRow& type);

/// Whether two constants are equal or may become equal.
bool may_be_equal(const Context& context, Word a, Word b);

/// Whether the scopes agree and the rows and columns of one are, or may become, the columns and rows of the other.
bool may_be_transposed(const Context& context, const CooperativeShape& a, const CooperativeShape& b);

/// Whether a conversion between two shapes is valid: all properties agree, except that a capability allows accumulators
/// to become operands.
bool may_convert(const Context& context, const TypeRow& from, const TypeRow& to);

// --- operands --------------------------------------------------------------------------------------------------------

/// Checks that an operand is a 32-bit integer; if true, its value may be read. False without a finding if its type is
/// unknown.
bool check_int32_operand(const Context& context, const Visit& visit, Report& report, AnyOperand operand,
                         std::string_view name);
/// Checks that an operand is a constant 32-bit integer.
void check_constant_int32_operand(const Context& context, const Visit& visit, Report& report, AnyOperand operand,
                                  std::string_view name);

/// Whether all invocations that share a matrix or vector access the same memory in a storage class.
bool is_shared_memory(StorageClass storage);

/// The pointee of the pointer of a load or store.
enum class CooperativeMemory : std::uint8_t {
  Numbers,  ///< scalars or vectors
  Arrays,   ///< arrays of these
};
/// The type of a pointer to such memory; nullptr after a finding if it is not one.
const TypeRow* check_cooperative_memory(const Context& context, const Visit& visit, Report& report, AnyOperand pointer,
                                        CooperativeMemory memory);
/// The type of the loaded or stored value. nullptr after a finding if it has another kind, or if it is poisoned.
/// `object` is the stored value; a load has none, and its result is used.
const TypeRow* check_cooperative_object(const Context& context, const Visit& visit, Report& report,
                                        std::optional<AnyOperand> object, TypeKind kind);

// --- callback functions over components ------------------------------------------------------------------------------

/// The type of a function operand; nullptr after a finding if the operand is not a function.
const TypeRow* check_callee(const Context& context, const Visit& visit, Report& report, AnyOperand function);
/// Reports a callback function of a wrong type. `expected`: "one of two components …".
void wrong_callee(const Context& context, const Visit& visit, Report& report, AnyOperand function,
                  std::string_view expected);

}  // namespace vireo::spirv
