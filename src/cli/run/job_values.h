// SPDX-License-Identifier: Apache-2.0
//
// Bytes and numbers in jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"

namespace vireo::cli {

// Return false if the text has another character or an incomplete end.
bool decode_base64(std::string_view text, std::string& bytes);
bool decode_hex(std::string_view text, std::string& bytes);

/// The elements of an array; 0 for negative numbers and other values.
std::vector<std::int64_t> integers_of(JsonValue array);

}  // namespace vireo::cli
