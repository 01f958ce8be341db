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

/// The only operand, or "-".
std::string_view first_operand(const Invocation& invocation);

/// Prints the first error in the reference's format, `error: LINE: COLUMN: text` or `error: INSTRUCTION: text`, and
/// returns its rule. `text` is the input that locations refer to.
std::string_view print_first_error(const Streams& streams, std::string_view text, Diagnostics& diagnostics);

/// Writes an output to a file, or to standard output for "-". Returns the exit status.
int write_to(const Streams& streams, std::string_view path, std::string_view bytes);

}  // namespace vireo::cli
