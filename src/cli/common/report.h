// SPDX-License-Identifier: Apache-2.0
//
// Reporter: writes diagnostics to standard error, in the format and colour that the options select.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/common/command.h"
#include "support/io.h"
#include "vireo/support/render.h"

namespace vireo::cli {

/// Whether output to a descriptor is coloured. --color and --no-color decide; else NO_COLOR and CLICOLOR_FORCE; else
/// whether it is a terminal.
bool wants_color(const ParsedOptions& options, int descriptor);

/// One per invocation. The destructor ends the document of a format that has an end (sarif).
class Reporter {
 public:
  explicit Reporter(const Invocation& invocation);
  ~Reporter();
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  void add(const SourceText& source, const Diagnostics& diagnostics);

  /// Prints a line with the numbers of errors, warnings and files, if there is a finding and people read the format.
  void summarize();

  /// The number of diagnostics that an input may keep (--max-errors).
  [[nodiscard]] std::size_t limit() const { return limit_; }

 private:
  DescriptorSink sink_;
  Owned<Renderer> renderer_;
  std::size_t limit_;
  bool is_for_people_;
  std::size_t errors_ = 0, warnings_ = 0, sources_ = 0;  // reported so far
  std::string last_source_;                              // its name
  std::size_t hidden_ = 0;                               // of the errors and warnings, those beyond the limit
};

}  // namespace vireo::cli
