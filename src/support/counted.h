// SPDX-License-Identifier: Apache-2.0
//
// A number and its noun, for messages: "1 byte", "2 bytes".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vireo {

/// `noun` is the singular. The plural must end in "s".
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace vireo
