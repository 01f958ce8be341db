// SPDX-License-Identifier: Apache-2.0
//
// The output of the `vireo isa` commands that produce one text.
//
// The one idea: -o names a file that is complete or absent; without it, or with "-", the text goes to standard output.
#pragma once

#include <string_view>

#include "cli/common/commands.h"
#include "support/io.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

bool writes_to_standard_output(const ParsedOptions& options);

/// The output of one invocation, written in chunks.
class IsaOutput {
 public:
  explicit IsaOutput(const Invocation& invocation);

  [[nodiscard]] TextSink& sink() { return is_standard_ ? static_cast<TextSink&>(standard_) : file_; }

  /// Ends the output and returns the exit status. If there are errors, no file is created; standard output already has
  /// the text so far. Failures are added to the diagnostics.
  int finish(Diagnostics& diagnostics);

 private:
  bool is_standard_;
  OutputFile file_;
  DescriptorSink standard_;
};

/// The same for a complete text.
int write_output(const Invocation& invocation, std::string_view text, Diagnostics& diagnostics);

}  // namespace vireo::cli
