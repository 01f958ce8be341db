// SPDX-License-Identifier: Apache-2.0
//
// The rule and the message of a layout violation, for functions that change modules (specification 2.3, 2.4).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

inline constexpr std::size_t layout_violation_kinds =
    static_cast<std::size_t>(LayoutViolation::Kind::OutsideOfBlocks) + 1;

std::string_view rule_of(const LayoutViolation& violation);
/// `module` is the module with the violation. The message does not contain a place.
std::string message_of(const LayoutViolation& violation, const Module& module);

}  // namespace vireo::spirv
