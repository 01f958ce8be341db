// SPDX-License-Identifier: Apache-2.0
//
// The module that 'vireo val' validates: the words of a binary, or of an assembled text.
#pragma once

#include <optional>

#include "vireo/spirv/assemble.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/validate.h"

namespace vireo::cli {

/// The words and, for text, the options they were assembled with.
struct Subject {
  spirv::WordBuffer assembled;  ///< of a text, or of a module with fixes
  std::optional<spirv::ModuleWords> read;
  spirv::AssembleOptions assembly;
  bool is_text = false;

  [[nodiscard]] spirv::Words words() const { return read ? read->words() : spirv::Words(assembled); }
};

/// Reads or assembles an input, for the grammar, environment and limits of a validation. Returns false if the input has
/// faults that prevent it, which are reported. The input must outlive the subject.
bool read_subject(const SourceText& input, const spirv::ValidateOptions& validation, Diagnostics& diagnostics,
                  Subject& subject);

}  // namespace vireo::cli
