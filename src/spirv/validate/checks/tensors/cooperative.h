// SPDX-License-Identifier: Apache-2.0
//
// Shared by the checks of cooperative matrices and vectors: shapes, checks of operands, and callback functions over
// components.
//
// Scope, rows, columns and use are ids of constants, which may be specialization constants. So two of
// them differ only if both values are known and unequal. Values that specialization may make equal are not reported.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The shape of a cooperative matrix, as ids of constants. All ids are 0 for other types. NV matrices have no use.
struct CooperativeShape {
  Word scope = 0, rows = 0, columns = 0, use = 0;
};
CooperativeShape cooperative_shape(const ModuleCheck& c, const TypeRow& type);

/// Whether two constants are equal or may become equal.
bool may_be_equal(const ModuleCheck& c, Word a, Word b);

/// Whether the scopes agree and the rows and columns of one are, or may become, the columns and rows of the other.
bool may_be_transposed(const ModuleCheck& c, const CooperativeShape& a, const CooperativeShape& b);

/// Whether the scope, the rows and the columns of two matrices agree or may become equal.
bool may_have_same_size(const ModuleCheck& c, const CooperativeShape& a, const CooperativeShape& b);

/// Whether two types are matrices of one extension whose scope, rows, columns and use agree or may become equal.
bool may_have_same_shape(const ModuleCheck& c, const TypeRow& a, const TypeRow& b);

/// The use of a KHR matrix; nothing if specialization determines it, or if the matrix has none.
std::optional<CooperativeMatrixUse> known_use(const ModuleCheck& c, Word use);

/// The value of a constant that an enumeration of the grammar does not list, for messages. Nothing if the value is
/// listed, if specialization determines it, or if it is not a constant integer.
std::optional<std::string> unlisted_value(const ModuleCheck& c, Word constant, std::string_view enumeration);

/// Whether a capability allows a conversion to change the use. NV's capability allows it only from an accumulator to
/// an operand of the next product; EXT's capability allows both directions. Unknown uses are accepted.
bool may_change_use(const ModuleCheck& c, const CooperativeShape& from, const CooperativeShape& to);

/// Checks the requirements of decoration CooperativeMatrixTransposeEXT on a conversion: it exchanges rows and columns,
/// and converts an accumulator to a matrix A or B. Returns false without a check if the result lacks the decoration.
bool check_matrix_transposition(const InstructionCheck& c, AnyOperand matrix);

// --- operands --------------------------------------------------------------------------------------------------------

/// Checks that an operand is a 32-bit integer, so that its value can be read. Returns false without a finding if its
/// type is unknown.
bool check_int32_operand(const InstructionCheck& c, AnyOperand operand, std::string_view name);
/// Checks that an operand is a constant 32-bit integer.
void check_constant_int32_operand(const InstructionCheck& c, AnyOperand operand, std::string_view name);

/// Checks that a memory layout is a constant 32-bit integer that an enumeration of the grammar lists. Returns false if
/// its value is not listed. The default of a specialization constant is not judged.
bool check_memory_layout(const InstructionCheck& c, AnyOperand layout, std::string_view enumeration);

/// Whether the storage class is memory that the invocations of a cooperative load or store share.
bool is_shared_memory(StorageClass storage);

/// The required pointee type of the pointer of a load or store.
enum class CooperativeMemory : std::uint8_t {
  Numbers,  ///< scalars or vectors
  Arrays,   ///< arrays of these
};
/// Returns the type of a pointer to such memory. For another type, reports a finding and returns nullptr.
const TypeRow* check_cooperative_memory(const InstructionCheck& c, AnyOperand pointer, CooperativeMemory memory);
/// Returns the type of the loaded or stored value. If it has another kind, reports a finding and returns nullptr. Also
/// returns nullptr if the type is unknown. `object` is the stored value; a load has none, so its result is checked.
const TypeRow* check_cooperative_object(const InstructionCheck& c, std::optional<AnyOperand> object, TypeKind kind);

// --- callback functions over components ------------------------------------------------------------------------------

/// Returns the type of a function operand. If the operand is not a function, reports a finding and returns nullptr.
const TypeRow* check_callee(const InstructionCheck& c, AnyOperand function);
/// Reports a callback function with a wrong type. `expected` is the text of the message: "two component parameters and
/// a component result".
void wrong_callee(const InstructionCheck& c, AnyOperand function, std::string_view expected);

}  // namespace vireo::spirv
