// SPDX-License-Identifier: Apache-2.0
//
// The text of a single field, for pictures and reports.
//
// The printer uses compiled tables. This function implements the same rules (docs/isaspec.md, "Types") on the model;
// test/isa/explain/explain_test.cpp compares the two.
#pragma once

#include <string>

#include "vireo/isa/bits.h"
#include "vireo/isa/model.h"
#include "vireo/isa/print.h"

namespace vireo::isa {

/// Appends the text that a display shows for a field with this value. `value` has the width of the field; 64 bits for a
/// derived field. A branch is printed as a number. Appends nothing for a bitset (its leaf has the text) or a custom
/// field (the caller has the text).
void append_field_text(std::string& text, const Model& model, const Field& field, const Bits& value, FloatStyle style);

}  // namespace vireo::isa
