// SPDX-License-Identifier: Apache-2.0
//
// The text of one field by itself, for those who show fields one by one.
//
// The one idea: the printer compiles what a field looks like into pieces it copies; here the same rules (docs/isaspec.md,
// "Types") stand as rules, over the model's own rows. test/isa/explain/explain_test.cpp holds the two against each other.
#pragma once

#include <string>

#include "vireo/isa/bits.h"
#include "vireo/isa/model.h"
#include "vireo/isa/print.h"

namespace vireo::isa {

/// Appends what a display shows for a field with this value. `value` has the field's bits, of a derived field 64. Branches
/// are numbers, as there is no program around; nothing is appended for bitsets (the text is that of the leaf) and for
/// custom fields (the text is the caller's).
void append_field_text(std::string& text, const Model& model, const Field& field, const Bits& value, FloatStyle style);

}  // namespace vireo::isa
