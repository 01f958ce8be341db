// SPDX-License-Identifier: Apache-2.0
//
// Messages and inputs of the compatibility commands (compatibility.h), as the reference programs have them.
#include "cli/common/compatibility.h"

#include <cerrno>

namespace vireo::cli {

// The line begins with `error: `, without a program or file name, because scripts parse it.
int complain(const Streams& streams, std::string_view message) {
  DescriptorSink err(streams.err);
  std::string line = "error: ";
  err.write(line.append(message) += '\n');
  return usage_status;
}

CompatibilityInput read_input(const Streams& streams, std::string_view path) {
  Diagnostics diagnostics;
  Result<FileBytes> bytes =
      path == "-" ? read_descriptor(streams.in, "<stdin>", diagnostics) : read_file(path, diagnostics);
  if (bytes) return {std::move(bytes).value(), {}};
  const bool is_directory = diagnostics.all().front().message.ends_with(describe_error(EISDIR));
  if (is_directory) return {};
  return {{}, "file does not exist '" + std::string(path) + '\''};
}

}  // namespace vireo::cli
