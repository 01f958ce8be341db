// SPDX-License-Identifier: Apache-2.0
//
// One run of a program: its time and its memory, without a shell in between.
#pragma once

#include <string>
#include <vector>

namespace vireo::bench {

/// A command line; the first word is the path of the program.
using Command = std::vector<std::string>;

struct ProcessCost {
  double processor_seconds = 0;  ///< user and system
  double wall_seconds = 0;
  double peak_bytes = 0;  ///< largest resident set; never less than that of the process that started it
  bool ok = false;        ///< exit status 0
};

/// Runs a command to its end; its output streams go nowhere.
ProcessCost run_process(const Command& command);

/// A script of the form `exec PROGRAM ARGUMENTS… "$@"` as the command it stands for, so that the shell's time is not
/// counted; any other file as itself.
Command without_wrapper(const std::string& path);

}  // namespace vireo::bench
