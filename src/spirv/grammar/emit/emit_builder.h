// SPDX-License-Identifier: Apache-2.0
//
// Generates the methods of the builder from grammar rows; emit_tables.h describes the format of the files.
//
// A method's signature follows from an instruction's row: each operand has a C++ type that accepts only
// operands of its kind. If only an operand's name ("Merge Block") determines the class of its id, the class is in a
// table (id_types.h).
#pragma once

#include <vector>

#include "spirv/grammar/emit/emit_tables.h"

namespace vireo::spirv {

/// include/vireo/spirv/{builder_ops.inc,enumerants_with.h,ext_insts.h}.
std::vector<GeneratedFile> emit_builder(const Grammar& grammar, const GeneratedBanner& banner);

}  // namespace vireo::spirv
