// SPDX-License-Identifier: Apache-2.0
//
// The program's version, as the build states it.
#pragma once

#include <string_view>

namespace vireo::cli {

inline constexpr std::string_view program_version = VIREO_VERSION;

}  // namespace vireo::cli
