// SPDX-License-Identifier: Apache-2.0
//
// The program's version, set by the build.
#pragma once

#include <string_view>

namespace vireo::cli {

inline constexpr std::string_view program_version = VIREO_VERSION;

}  // namespace vireo::cli
