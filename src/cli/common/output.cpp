// SPDX-License-Identifier: Apache-2.0
//
// Writes to a file or to standard output; the header has the contract.
#include "cli/common/output.h"

#include "cli/common/shared_options.h"

namespace vireo::cli {

bool writes_to_standard_output(const ParsedOptions& options) { return options.value(output_option, "-") == "-"; }

bool flush_standard_output(DescriptorSink& out, Diagnostics& diagnostics) {
  if (out.flush()) return true;
  diagnostics.error(rule::cannot_write, Location::none(),
                    "cannot write to standard output: " + describe_error(out.error()));
  return false;
}

CommandOutput::CommandOutput(const Streams& streams, std::string_view path)
    : is_standard_(path == "-"), file_(path), standard_(streams.out) {}

CommandOutput::CommandOutput(const Invocation& invocation)
    : CommandOutput(invocation.streams, invocation.options.value(output_option, "-")) {}

bool CommandOutput::commit(Diagnostics& diagnostics) {
  return is_standard_ ? flush_standard_output(standard_, diagnostics) : file_.commit(diagnostics);
}

int CommandOutput::finish(Diagnostics& diagnostics) {
  const bool has_errors = diagnostics.has_errors();
  // A file that is not committed is not created.
  if ((is_standard_ || !has_errors) && !commit(diagnostics)) return exit_status::no_file;
  return has_errors ? exit_status::wrong_input : exit_status::fine;
}

int write_output(const Invocation& invocation, std::string_view text, Diagnostics& diagnostics) {
  CommandOutput output(invocation);
  // With errors the file would be discarded.
  if (!diagnostics.has_errors() || writes_to_standard_output(invocation.options)) output.sink().write(text);
  return output.finish(diagnostics);
}

}  // namespace vireo::cli
