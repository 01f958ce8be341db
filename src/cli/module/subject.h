// SPDX-License-Identifier: Apache-2.0
//
// A module that a command reads: the words of a binary, or of an assembled text.
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

/// Reads or assembles an input, for the grammar, environment and limits of a validation. Returns none if the input has
/// faults that prevent it, which are reported. The input must outlive the subject.
std::optional<Subject> read_subject(const SourceText& input, const spirv::ValidateOptions& validation,
                                    Diagnostics& diagnostics);

/// Diagnostics about the words of an input. Those of a text get locations in it.
Diagnostics located_in_input(const Diagnostics& in_words, const SourceText& input, const Subject& subject);
/// The same, added to the diagnostics of the input.
void report_in_input(const Diagnostics& in_words, const SourceText& input, const Subject& subject,
                     Diagnostics& diagnostics);

}  // namespace vireo::cli
