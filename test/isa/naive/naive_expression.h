// SPDX-License-Identifier: Apache-2.0
//
// The value of an expression, evaluated from its text each time.
//
// Recursive descent over the C grammar, one function for each precedence, which returns values. There is
// no token list, no tree and no cache. The library's expression compiler must agree with it.
//
// Test code, not part of the library: it recurses on its input and assumes that it is well formed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vireo::isa::naive {

/// The names in braces, each once, in the order of their first occurrence.
[[nodiscard]] std::vector<std::string> names_in_expression(std::string_view text);

/// All values are 64-bit two's complement and compare as signed. Calls `value_of` for each `{NAME}`.
[[nodiscard]] std::int64_t evaluate_expression(std::string_view text, std::uint32_t gen,
                                               const std::function<std::int64_t(const std::string&)>& value_of);

}  // namespace vireo::isa::naive
