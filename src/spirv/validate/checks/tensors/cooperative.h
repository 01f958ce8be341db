// SPDX-License-Identifier: Apache-2.0
//
// What the checks of cooperative matrices and vectors share: shapes, demands on operands, and the functions that
// instructions call for components.
//
// The one idea: scope, rows, columns and use are ids of constants, and a constant may be specialized. So two of them
// differ only when both values are known and unequal; what specialization may still make equal is not reported.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// Ids of constants; 0 where the type is none of a cooperative matrix (NV's has no use).
struct CooperativeShape {
  Word scope = 0, rows = 0, columns = 0, use = 0;
};
CooperativeShape cooperative_shape(const Context& context, const TypeRow& type);

/// Whether two constants are equal, or may become so.
bool may_be_equal(const Context& context, Word a, Word b);

/// Whether the shapes agree in scope, and rows of one are columns of the other, or may become so.
bool may_be_transposed(const Context& context, const CooperativeShape& a, const CooperativeShape& b);

/// Whether a conversion may go from one shape to another: all agrees, and accumulators become operands where a capability
/// lets them.
bool may_convert(const Context& context, const TypeRow& from, const TypeRow& to);

// --- operands -----------------------------------------------------------------------------------------------------------

/// Whether an operand is a 32-bit integer, so that one may go on to ask how large it is. False, without a finding, when
/// its type is not known.
bool check_int32_operand(const Context& context, const Visit& visit, Report& report, AnyOperand operand,
                         std::string_view name);
/// The same, of a constant.
void check_constant_int32_operand(const Context& context, const Visit& visit, Report& report, AnyOperand operand,
                                  std::string_view name);

/// Whether the invocations that hold a matrix or vector together see the same memory in a storage class.
bool is_shared_memory(StorageClass storage);

/// What lies behind the pointer of a load or store.
enum class CooperativeMemory : std::uint8_t {
  Numbers,  ///< scalars or vectors
  Arrays,   ///< arrays of these
};
/// The type of a pointer to such memory; nullptr when it is none, which is reported.
const TypeRow* check_cooperative_memory(const Context& context, const Visit& visit, Report& report, AnyOperand pointer,
                                        CooperativeMemory memory);
/// The type of what is loaded or stored; nullptr when it is of another kind, which is reported, or poisoned. `object` is
/// what is stored; a load has none, and gives its result.
const TypeRow* check_cooperative_object(const Context& context, const Visit& visit, Report& report,
                                        std::optional<AnyOperand> object, TypeKind kind);

// --- functions that instructions call for components --------------------------------------------------------------------

/// The type of a function that is an operand; nullptr when it is none, which is reported.
const TypeRow* check_callee(const Context& context, const Visit& visit, Report& report, AnyOperand function);
/// Reports that such a function is of another type than the instruction calls. `expected`: "one of two components …".
void wrong_callee(const Context& context, const Visit& visit, Report& report, AnyOperand function,
                  std::string_view expected);

}  // namespace vireo::spirv
