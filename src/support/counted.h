// SPDX-License-Identifier: Apache-2.0
//
// A number with what it counts, for messages: "1 byte", "2 bytes".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vireo {

/// `thing` is the word for one; more of it end with an s.
std::string counted(std::uint64_t count, std::string_view thing);

}  // namespace vireo
