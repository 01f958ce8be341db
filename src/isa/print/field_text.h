// SPDX-License-Identifier: Apache-2.0
//
// The text of a single field, for callers that show fields one by one.
//
// The printer compiles displays into segments that it copies. This function implements the same rules (docs/isaspec.md,
// "Types") directly on the model. test/isa/explain/explain_test.cpp compares both.
#pragma once

#include <string>

#include "vireo/isa/bits.h"
#include "vireo/isa/model.h"
#include "vireo/isa/print.h"

namespace vireo::isa {

/// Appends the text that a display shows for a field with this value. `value` has the field's width; 64 bits if it is
/// derived. A branch is printed as a number. Appends nothing for a bitset (its leaf has the text) or a custom field
/// (the caller has the text).
void append_field_text(std::string& text, const Model& model, const Field& field, const Bits& value, FloatStyle style);

}  // namespace vireo::isa
