// SPDX-License-Identifier: Apache-2.0
//
// Runs a program without a shell and measures its time and memory.
#pragma once

#include <string>
#include <vector>

namespace vireo::bench {

/// A command line; the first word is the path of the program.
using Command = std::vector<std::string>;

struct ProcessCost {
  double processor_seconds = 0;  ///< user and system
  double wall_seconds = 0;
  double peak_bytes = 0;  ///< largest resident set; never less than that of the parent process
  bool ok = false;        ///< exit status 0
};

/// Runs a command to its end; its output goes to /dev/null.
ProcessCost run_process(const Command& command);

/// Converts the path of a script of the form `exec PROGRAM ARGUMENTS… "$@"` to that command, so that the shell's time
/// is not counted. Any other path is returned unchanged.
Command without_wrapper(const std::string& path);

}  // namespace vireo::bench
