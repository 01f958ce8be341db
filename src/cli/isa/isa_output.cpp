// SPDX-License-Identifier: Apache-2.0
//
// Writes to a file or to standard output; the header has the contract.
#include "cli/isa/isa_output.h"

namespace vireo::cli {

bool writes_to_standard_output(const ParsedOptions& options) { return options.value(OptionId::Output, "-") == "-"; }

IsaOutput::IsaOutput(const Invocation& invocation)
    : is_standard_(writes_to_standard_output(invocation.options)),
      file_(invocation.options.value(OptionId::Output)),
      standard_(invocation.streams.out) {}

int IsaOutput::finish(Diagnostics& diagnostics) {
  const int status = diagnostics.has_errors() ? exit_status::wrong_input : exit_status::fine;
  if (!is_standard_) {
    // A file that is not committed is not created.
    return status == exit_status::fine && !file_.commit(diagnostics) ? exit_status::no_file : status;
  }
  if (standard_.flush()) return status;
  diagnostics.error(rule::cannot_write, Location::none(),
                    "cannot write to standard output: " + describe_error(standard_.error()));
  return exit_status::no_file;
}

int write_output(const Invocation& invocation, std::string_view text, Diagnostics& diagnostics) {
  IsaOutput output(invocation);
  // With errors the file would be discarded.
  if (!diagnostics.has_errors() || writes_to_standard_output(invocation.options)) output.sink().write(text);
  return output.finish(diagnostics);
}

}  // namespace vireo::cli
