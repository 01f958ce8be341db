// SPDX-License-Identifier: Apache-2.0
//
// Finds the command that the first arguments name, and parses the others by its options.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cli/common/command.h"

namespace vireo::cli {

/// Parses the arguments after the command. `problem` is empty on success, else one sentence for the user. Accepts
/// `--flag value`, `--flag=value`, `-o FILE`, `-oFILE`; `--` ends options; `-` is an operand; the last value counts.
struct ParseOutcome {
  ParsedOptions options;
  std::string problem;
  std::string complaint = {};  ///< of wants_usage: a line for standard error, in addition to the page
  bool wants_usage = false;    ///< compatibility commands only: an unknown flag prints the help page and fails
};
ParseOutcome parse_options(const Command& command, std::span<const std::string_view> arguments);

/// The same for compatibility commands, with the reference's flag syntax and messages.
ParseOutcome parse_compatibility(const Command& command, std::span<const std::string_view> arguments);

/// The command at the start of the arguments, and the number of words of its name. If there is none, `command` is null
/// and `problem` gives the reason and the nearest name.
struct FoundCommand {
  const Command* command = nullptr;
  std::size_t words = 0;
  std::string problem = {};
  bool is_family = false;  ///< the first word begins two-word commands: "grammar"
};
FoundCommand find_command(std::span<const std::string_view> arguments);

}  // namespace vireo::cli
