// SPDX-License-Identifier: Apache-2.0
//
// What the reference's names have in common: how they complain, and what they read.
#pragma once

#include <string>
#include <string_view>

#include "cli/common/commands.h"
#include "support/io.h"

namespace vireo::cli {

/// The status of what has no other: of usage, of files, of the validator.
inline constexpr int usage_status = 1;

/// "error: MESSAGE" on standard error; gives usage_status.
int complain(const Streams& streams, std::string_view message);

/// An input's bytes. A directory reads as empty, as the reference has it; "-" is standard input.
struct PersonalityInput {
  FileBytes bytes;
  std::string problem;  ///< not empty: it cannot be read
};
PersonalityInput read_input(const Streams& streams, std::string_view path);

}  // namespace vireo::cli
