// SPDX-License-Identifier: Apache-2.0
//
// Running the commands of a case: a small shell, in process.
//
// The one idea: no process is started, so thousands of cases take seconds. A command line is one program or several in
// a pipe; the programs are vireo under all its names, and three small ones to look at what it left behind.
#pragma once

#include <string>

#include "golden/case_file.h"

namespace vireo::golden {

/// What the commands of a case wrote. With more than one command each output has its `$ command` line above it.
struct Transcript {
  std::string out;
  std::string err;
  std::string fault;  ///< not empty: a command had another exit status than the case says, or is none
};

/// Runs a case in the working directory, which the case may fill with files.
Transcript run_case(const CaseFile& golden_case);

}  // namespace vireo::golden
