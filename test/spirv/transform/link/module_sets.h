// SPDX-License-Identifier: Apache-2.0
//
// Random sets of modules that import functions and variables from each other, for tests of link().
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::spirv::test {

/// Valid modules in the environment spv1.2. The first one has the entry points. Each declares the types in another
/// order, and has constants, structures and definitions with LinkOnceODR that others have as well.
std::vector<WordBuffer> module_set(std::uint32_t seed, std::size_t count);

}  // namespace vireo::spirv::test
