// SPDX-License-Identifier: Apache-2.0
//
// Rows → the methods of the builder; see emit_tables.h for the files' form.
//
// The one idea: a method is an instruction's row, read as a signature: each operand's kind becomes the C++ type that
// takes nothing else. What the grammar says of ids by the names of operands only ("Merge Block") stands in one table.
#pragma once

#include <vector>

#include "spirv/grammar/emit/emit_tables.h"

namespace vireo::spirv {

/// include/vireo/spirv/{builder_ops.inc,enumerants_with.h,ext_insts.h}.
std::vector<GeneratedFile> emit_builder(const Grammar& grammar, const GeneratedBanner& banner);

}  // namespace vireo::spirv
