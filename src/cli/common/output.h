// SPDX-License-Identifier: Apache-2.0
//
// The output of commands that produce one text or module.
//
// -o names a file that is complete or absent; without it, or with "-", the output goes to standard output.
#pragma once

#include <string_view>

#include "cli/common/command.h"
#include "support/io.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

/// Whether -o is absent or "-".
bool writes_to_standard_output(const ParsedOptions& options);

/// Writes what a sink for standard output holds back. Reports an error and returns false if that fails.
bool flush_standard_output(DescriptorSink& out, Diagnostics& diagnostics);

/// The output of one invocation, written in chunks.
class CommandOutput {
 public:
  /// The file of -o, or standard output.
  explicit CommandOutput(const Invocation& invocation);
  /// A file, or standard output for "-".
  CommandOutput(const Streams& streams, std::string_view path);

  [[nodiscard]] TextSink& sink() { return is_standard_ ? static_cast<TextSink&>(standard_) : file_; }

  /// Writes what is held back, if this is standard output.
  void flush() {
    if (is_standard_) standard_.flush();
  }
  /// Completes the output. Reports an error and returns false if it cannot be written.
  bool commit(Diagnostics& diagnostics);
  /// Ends the output and returns the exit status. If there are errors, no file is created; standard output already has
  /// the text so far.
  int finish(Diagnostics& diagnostics);

 private:
  bool is_standard_;
  OutputFile file_;
  DescriptorSink standard_;
};

/// The same for a complete text.
int write_output(const Invocation& invocation, std::string_view text, Diagnostics& diagnostics);

}  // namespace vireo::cli
