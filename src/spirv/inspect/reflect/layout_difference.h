// SPDX-License-Identifier: Apache-2.0
//
// Finds the first member in which two blocks of different modules differ.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "vireo/spirv/inspect/reflection.h"

namespace vireo::spirv {

/// "member 'tint' is at offset 16 and 32"; empty if no difference is found. Compares the offsets and strides of members
/// that both blocks have, with their parts: those with one name, or without a name in the same position. Types are not
/// compared, nor lengths of arrays. Bounded time.
[[nodiscard]] std::string layout_difference(std::span<const Reflection* const> modules, std::uint32_t module_a, Word a,
                                            std::uint32_t module_b, Word b);

}  // namespace vireo::spirv
