// SPDX-License-Identifier: Apache-2.0
//
// Messages that all commands share (command.h).
#include "cli/common/command.h"

#include "support/io.h"
#include "support/printable.h"

namespace vireo::cli {

// Two lines and no help page, which would scroll the problem off the screen.
int usage_problem(const Streams& streams, std::string_view problem, std::string_view advice) {
  std::string line = "vireo: ";
  append_printable(line, problem);  // an argument may contain escape sequences
  line.append("\ntry '").append(advice) += "'\n";
  DescriptorSink(streams.err).write(line);
  return exit_status::usage;
}

int usage_error(const Invocation& invocation, std::string_view problem) {
  const std::string name(invocation.command.name);
  return usage_problem(invocation.streams, name + ": " + std::string(problem), "vireo " + name + " --help");
}

int print(const Streams& streams, std::string_view text) {
  // A full disk or a closed pipe is detected by the flush and becomes the status of the command.
  DescriptorSink out(streams.out);
  out.write(text);
  return out.flush() ? exit_status::fine : exit_status::no_file;
}

}  // namespace vireo::cli
