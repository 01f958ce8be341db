// SPDX-License-Identifier: Apache-2.0
//
// Messages and inputs of the compatibility commands (compatibility.h), as the reference programs have them.
#include "cli/common/compatibility.h"

#include <cerrno>

#include "vireo/support/source.h"

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

std::string_view first_operand(const Invocation& invocation) {
  return invocation.operands().empty() ? "-" : std::string_view(invocation.operands().front());
}

std::string_view print_first_error(const Streams& streams, std::string_view text, Diagnostics& diagnostics) {
  diagnostics.sort_by_place();
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::Error) continue;
    std::string line;
    if (diagnostic.where.kind == Location::Kind::Text) {
      const LineColumn at = LineIndex(text).locate(diagnostic.where.begin);
      line += std::to_string(at.line) + ": " + std::to_string(at.column) + ": ";
    } else if (diagnostic.where.kind == Location::Kind::Words && diagnostic.where.instruction != 0) {
      line += std::to_string(diagnostic.where.instruction) + ": ";
    }
    complain(streams, line + diagnostic.message);
    return diagnostic.rule;
  }
  return {};
}

int write_to(const Streams& streams, std::string_view path, std::string_view bytes) {
  if (path == "-") return print(streams, bytes) == exit_status::fine ? 0 : usage_status;
  OutputFile file(path);
  file.write(bytes);
  Diagnostics ignored;
  return file.commit(ignored) ? 0 : complain(streams, "could not open file '" + std::string(path) + '\'');
}

}  // namespace vireo::cli
