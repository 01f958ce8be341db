// SPDX-License-Identifier: Apache-2.0
//
// What the tests of packages share: commands, and which library they are about.
#pragma once

#include <string_view>

#include "command.h"

namespace vireo::packages {

/// Whether the library that is tested is the shared one.
inline constexpr bool is_shared = std::string_view(VIREO_LIBRARY).find(".so") != std::string_view::npos;

}  // namespace vireo::packages
