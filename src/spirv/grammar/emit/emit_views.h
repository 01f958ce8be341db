// SPDX-License-Identifier: Apache-2.0
//
// Generates the typed views of instructions (include/vireo/spirv/binary/view.h) from grammar rows; emit_tables.h describes the
// format of the files.
#pragma once

#include <vector>

#include "spirv/grammar/emit/emit_tables.h"

namespace vireo::spirv {

/// include/vireo/spirv/binary/views/*.h: a header for each class of instructions and for each extended set, one for
/// enumerants with parameters, and views/all.h, which includes them all.
std::vector<GeneratedFile> emit_views(const Grammar& grammar, const GeneratedBanner& banner);

/// include/vireo/spirv/grammar/enum_names.h: name_of() of every enumeration.
GeneratedFile emit_enum_names(const Grammar& grammar, const GeneratedBanner& banner);

}  // namespace vireo::spirv
