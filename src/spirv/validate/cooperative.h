// SPDX-License-Identifier: Apache-2.0
//
// The shapes of cooperative matrices, and the functions that instructions call for their components.
//
// The one idea: scope, rows, columns and use are ids of constants, and a constant may be specialized. So two of them
// differ only when both values are known and unequal; what specialization may still make equal is not reported.
#pragma once

#include "spirv/validate/context.h"

namespace vireo::spirv {

/// Ids of constants; 0 where the type is none of a cooperative matrix (NV's has no use).
struct CooperativeShape {
  Word scope = 0, rows = 0, columns = 0, use = 0;
};
CooperativeShape cooperative_shape(const Context& context, const TypeRow& type);

/// Whether two constants are equal, or may become so.
bool may_be_equal(const Context& context, Word a, Word b);

/// Whether a conversion may go from one shape to another: all agrees, and accumulators become operands where a capability
/// lets them.
bool may_convert(const Context& context, const TypeRow& from, const TypeRow& to);

// --- functions that instructions call for components --------------------------------------------------------------------

/// The type of a function that is an operand; nullptr when it is none, which is reported.
const TypeRow* check_callee(const Context& context, const Visit& visit, Report& report, std::size_t word);
/// Reports that such a function is of another type than the instruction calls. `expected`: "one of two components …".
void wrong_callee(const Context& context, const Visit& visit, Report& report, std::size_t word,
                  std::string_view expected);

}  // namespace vireo::spirv
