// SPDX-License-Identifier: Apache-2.0
//
// Converts a description to rows.
//
// The properties checked here hold for all rows, and the rest of the library relies on them. Rows are
// sorted, indexes are in range, and names are unique in their scope. The result id is word 1 or 2 of an instruction.
// Parameters nest at most `max_kind_nesting` levels (pattern_cursor.h). A violation is reported, and no rows are made.
#pragma once

#include <memory>

#include "spirv/grammar/grammar_data.h"
#include "spirv/grammar/load/description.h"
#include "spirv/grammar/load/faults.h"

namespace vireo::spirv {

/// Makes rows; nullptr if a fault was reported.
Owned<GrammarData::Rows> compact(const GrammarDescription& description, GrammarFaults& faults);

}  // namespace vireo::spirv
