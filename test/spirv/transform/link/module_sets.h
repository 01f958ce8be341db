// SPDX-License-Identifier: Apache-2.0
//
// Random sets of modules that import functions and variables from each other, for tests of link().
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::spirv::test {

/// Valid modules of version 1.2 or 1.6. The first one has the entry point. Each declares the types in another order, has
/// a variable of its own, and has constants, structures and definitions with LinkOnceODR that others have as well.
std::vector<WordBuffer> module_set(std::uint32_t seed, std::size_t count);

}  // namespace vireo::spirv::test
