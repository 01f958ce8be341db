// SPDX-License-Identifier: Apache-2.0
//
// Shared code of the compatibility commands: error messages and reading of inputs.
#pragma once

#include <string>
#include <string_view>

#include "cli/common/command.h"
#include "support/io.h"

namespace vireo::cli {

/// The exit status of usage errors, file errors and invalid modules.
inline constexpr int usage_status = 1;

/// Prints "error: MESSAGE" to standard error; returns usage_status.
int complain(const Streams& streams, std::string_view message);

/// The bytes of an input. A directory reads as empty, as in the reference; "-" is standard input.
struct CompatibilityInput {
  FileBytes bytes;
  std::string problem;  ///< if not empty, the input cannot be read
};
CompatibilityInput read_input(const Streams& streams, std::string_view path);

}  // namespace vireo::cli
