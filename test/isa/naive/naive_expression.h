// SPDX-License-Identifier: Apache-2.0
//
// The value of an expression, computed straight from its text each time it is asked for.
//
// The one idea: recursive descent over the C grammar, one function per precedence, values instead of a tree. No token
// list, no tree, no cache: what the product's compiler of expressions must agree with.
//
// Test code. Nobody ships it: it recurses on its input and trusts it to be well formed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vireo::isa::naive {

/// The names in braces, each once, in the order they first appear.
[[nodiscard]] std::vector<std::string> names_in_expression(std::string_view text);

/// Everything is 64-bit two's complement and compares as signed. `value_of` is asked for each `{NAME}`.
[[nodiscard]] std::int64_t evaluate_expression(std::string_view text, std::uint32_t gen,
                                               const std::function<std::int64_t(const std::string&)>& value_of);

}  // namespace vireo::isa::naive
