// SPDX-License-Identifier: Apache-2.0
//
// Finds the first member in which two blocks of different modules differ.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "spirv/inspect/reflect/type_matcher.h"

namespace vireo::spirv {

/// "member 'tint' is at offset 16 and 32"; empty if no difference is found. The members are compared as by TypeMatcher,
/// in the order of declaration, with their parts. Bounded time.
[[nodiscard]] std::string layout_difference(std::span<const Reflection* const> modules, TypeMatcher& matcher,
                                            std::uint32_t module_a, Word a, std::uint32_t module_b, Word b);

}  // namespace vireo::spirv
