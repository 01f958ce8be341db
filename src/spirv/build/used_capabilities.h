// SPDX-License-Identifier: Apache-2.0
//
// The capabilities that a module uses in a way that the grammar does not state.
#pragma once

#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// The capabilities that the types, decorations and instructions of a module use: for the dimensions and formats of
/// images, for 8-bit and 16-bit scalars in memory, for arrays of resources with an index that is not a constant, for
/// operations of subgroups and on atomic counters, for the built-in PointSize. The list contains capabilities whose use
/// is in doubt, and omits those that the grammar requires. Ascending, without duplicates. Near-linear in the words.
std::vector<Capability> used_capabilities(const Module& module);

}  // namespace vireo::spirv
