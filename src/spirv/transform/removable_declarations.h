// SPDX-License-Identifier: Apache-2.0
//
// The declarations that trim removes.
#pragma once

#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/transform/trim.h"

namespace vireo::spirv {

/// The OpCapability and OpExtension instructions that nothing in the module needs, ascending. `options.interfaces` has
/// no effect. Validates the module as trim() does.
std::vector<InstructionIndex> removable_declarations(const Module& module, const TrimOptions& options);

}  // namespace vireo::spirv
