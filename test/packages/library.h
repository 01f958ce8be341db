// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of packages: commands, and the library that they test.
#pragma once

#include <string_view>

#include "command.h"

namespace vireo::packages {

/// Whether the tested library is the shared one.
inline constexpr bool is_shared = std::string_view(VIREO_LIBRARY).find(".so") != std::string_view::npos;

}  // namespace vireo::packages
