// SPDX-License-Identifier: Apache-2.0
//
// Reporter: diagnostics to standard error, in the form and colour that the user asked for.
#pragma once

#include <memory>
#include <string_view>

#include "cli/common/commands.h"
#include "support/io.h"
#include "vireo/support/render.h"

namespace vireo::cli {

/// Whether what goes to a descriptor is coloured: --color and --no-color, else NO_COLOR, CLICOLOR_FORCE, else whether it
/// is a terminal.
bool wants_color(const ParsedOptions& options, int descriptor);

/// One for each invocation. The document of a format that has an end (sarif) is ended by the destructor.
class Reporter {
 public:
  explicit Reporter(const Invocation& invocation);
  ~Reporter();
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  void add(const SourceText& source, const Diagnostics& diagnostics);

  /// How many diagnostics an input may keep (--max-errors).
  [[nodiscard]] std::size_t limit() const { return limit_; }

 private:
  DescriptorSink sink_;
  Owned<Renderer> renderer_;
  std::size_t limit_;
};

}  // namespace vireo::cli
