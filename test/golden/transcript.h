// SPDX-License-Identifier: Apache-2.0
//
// Runs the commands of a case in a small shell, in process.
//
// No process is started, so thousands of cases take seconds. A command line is one program or several in
// a pipe. The programs are vireo under all its names, and three small ones that show the files that it wrote.
#pragma once

#include <string>

#include "golden/case_file.h"

namespace vireo::golden {

/// The outputs of a case's commands. With more than one command each output follows its `$ command` line.
struct Transcript {
  std::string out;
  std::string err;
  std::string fault;  ///< if not empty: an invalid command, or an exit status that differs from the expected one
};

/// Runs a case in the working directory, which the case can fill with files.
Transcript run_case(const CaseFile& golden_case);

}  // namespace vireo::golden
