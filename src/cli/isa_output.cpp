// SPDX-License-Identifier: Apache-2.0
//
// One text, to a file or to standard output.
#include "cli/isa_output.h"

#include "support/io.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

bool writes_to_standard_output(const ParsedOptions& options) { return options.value(OptionId::Output, "-") == "-"; }

int write_output(const Invocation& invocation, std::string_view text, Diagnostics& diagnostics) {
  const int status = diagnostics.has_errors() ? exit_status::wrong_input : exit_status::fine;
  if (!writes_to_standard_output(invocation.options)) {
    if (status != exit_status::fine) return status;
    OutputFile file(invocation.options.value(OptionId::Output));
    file.write(text);
    return file.commit(diagnostics) ? status : exit_status::no_file;
  }
  DescriptorSink standard(invocation.streams.out);
  standard.write(text);
  if (standard.flush()) return status;
  diagnostics.error(rule::cannot_write, Location::none(),
                    "cannot write to standard output: " + describe_error(standard.error()));
  return exit_status::no_file;
}

}  // namespace vireo::cli
