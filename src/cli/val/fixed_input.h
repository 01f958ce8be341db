// SPDX-License-Identifier: Apache-2.0
//
// 'vireo val --fix': the input with all certain fixes.
//
// The output has the form of the input. A text keeps its comments and layout; only the lines of the fixes
// change.
#pragma once

#include <string>
#include <string_view>

#include "cli/module/subject.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/source.h"
#include "vireo/support/text_writer.h"

namespace vireo::cli {

class FixedInput {
 public:
  /// Applies fixes to a subject that was read from `input`, until no finding has a fix; `subject` is then the fixed
  /// module. The input, the options and the subject must outlive this object.
  FixedInput(const SourceText& input, const spirv::ValidateOptions& options, Subject& subject);

  /// The input with the fixes; the input itself if it is a binary.
  [[nodiscard]] SourceText text() const;
  /// Writes the fixed module: as text if `as_text`, as a binary if `path` ends in ".spv", else in the form of the input.
  bool write(std::string_view path, bool as_text, TextSink& output) const;
  /// The changes in the format of diff; those of a binary as changes of its disassembly.
  [[nodiscard]] std::string diff(std::string_view path) const;

 private:
  bool apply_once();

  const SourceText input_;
  const spirv::ValidateOptions& options_;
  Subject& subject_;
  const spirv::ByteOrder order_;  // of a binary
  std::string fixed_text_;        // of a text, if it has a fix
  std::string before_;            // the disassembly of a binary that has a fix
  bool has_changed_ = false;
};

}  // namespace vireo::cli
