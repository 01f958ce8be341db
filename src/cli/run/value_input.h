// SPDX-License-Identifier: Apache-2.0
//
// Values that users write: the contents of buffers, and expectations.
//
//   {"n": 3, "data": [1, 2]}    JSON by the layout of the block; [3, 1, 2] in its order
//   zeros:BYTES                 fill:VALUE:COUNT   series:FROM:STEP:COUNT   random:COUNT
//   @FILE                       JSON if the name ends in .json, else the bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/value_layout.h"
#include "support/json.h"

namespace vireo::cli {

/// The bytes of a value, and which of them it states. The others are 0.
struct InputValue {
  std::vector<std::byte> bytes;
  std::vector<bool> is_given;  ///< by byte, for the first byte of each scalar
};

struct ValueLimits {
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  std::uint64_t seed = 1;  ///< of random values
};

/// Why a text is not JSON.
std::string text_of(const JsonFault& fault);

/// Reads a number, a string with a number, nan, inf or -inf; of integers also a Boolean. Returns an empty text, or the
/// problem.
std::string read_scalar_value(JsonValue json, const ScalarType& type, std::uint64_t& bits);

/// Reads a value from JSON. Returns an empty text, or the problem. Members that are missing are not given.
std::string read_value(JsonValue json, const ValueLayout& layout, const ValueLimits& limits, InputValue& value);

/// A value as written on a command line.
struct ValueText {
  std::string problem = {};
  bool is_file_problem = false;  ///< the problem is a file that cannot be read
};
ValueText read_value_text(std::string_view text, const ValueLayout& layout, const ValueLimits& limits,
                          InputValue& value);

/// The first difference of a buffer from the bytes that a value gives: "NAME.data[3] is 4; expected 5". Empty if there is none.
/// Floats may differ by `tolerance`; NaN equals NaN.
std::string difference(std::string_view name, const ValueLayout& layout, std::span<const std::byte> bytes,
                       const InputValue& expected, double tolerance);

}  // namespace vireo::cli
