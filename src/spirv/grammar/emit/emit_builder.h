// SPDX-License-Identifier: Apache-2.0
//
// Rows → the methods of the builder; see emit_tables.h for the format of the files.
//
// The one idea: a method's signature is an instruction's row: each operand's kind becomes the C++ type that accepts
// nothing else. A table contains the classes of ids that only operand names determine ("Merge Block").
#pragma once

#include <vector>

#include "spirv/grammar/emit/emit_tables.h"

namespace vireo::spirv {

/// include/vireo/spirv/{builder_ops.inc,enumerants_with.h,ext_insts.h}.
std::vector<GeneratedFile> emit_builder(const Grammar& grammar, const GeneratedBanner& banner);

}  // namespace vireo::spirv
