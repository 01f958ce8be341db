// SPDX-License-Identifier: Apache-2.0
//
// Where the commands of `vireo isa` that make one text put it.
//
// The one idea: -o names a file that is complete or absent; without it, or with "-", the text goes to standard output.
#pragma once

#include <string_view>

#include "cli/common/commands.h"
#include "support/io.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

bool writes_to_standard_output(const ParsedOptions& options);

/// Where one invocation's text goes, piece by piece.
class IsaOutput {
 public:
  explicit IsaOutput(const Invocation& invocation);

  [[nodiscard]] TextSink& sink() { return is_standard_ ? static_cast<TextSink&>(standard_) : file_; }

  /// Ends it. With errors among the diagnostics a file is not made, while standard output has got what there is. Gives the
  /// exit status; what hinders it is added to the diagnostics.
  int finish(Diagnostics& diagnostics);

 private:
  bool is_standard_;
  OutputFile file_;
  DescriptorSink standard_;
};

/// The same for a text that is complete.
int write_output(const Invocation& invocation, std::string_view text, Diagnostics& diagnostics);

}  // namespace vireo::cli
