// SPDX-License-Identifier: Apache-2.0
//
// Description → rows.
//
// The one idea: what is checked here is what the rest of the library may rely on without looking: rows are sorted,
// indexes are in range, names are unique in their scope, results stand where they belong, and no operand pattern nests
// deeper than `max_kind_nesting`. Whatever breaks that is reported, and then there are no rows.
#pragma once

#include <memory>

#include "spirv/grammar/grammar_data.h"
#include "spirv/grammar/load/description.h"
#include "spirv/grammar/load/faults.h"

namespace vireo::spirv {

/// How deep parameters may nest: an enumerant with a parameter of an enumerated kind, and so on. The current grammar
/// needs 1; whoever walks operands may use a fixed stack of this many levels.
inline constexpr int max_kind_nesting = 8;

/// Makes rows; nullptr when something was reported.
Owned<GrammarData::Rows> compact(const GrammarDescription& description, GrammarFaults& faults);

}  // namespace vireo::spirv
