// SPDX-License-Identifier: Apache-2.0
//
// Applies the fixes of findings to a module or to its assembly text.
//
//   Diagnostics findings;
//   validate(words, {.fixes = true}, findings);
//   const WordBuffer fixed = apply_fixes(words, findings.all());
//
// A fix is a list of changes of words (Diagnostic::fix), and the same changes are applied to the words, to
// the text that was assembled, or by an editor.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/text/source_map.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// Returns a copy of the module with the fixes of all findings. The findings must be those of this module, with
/// locations in words. `grammar` is that of the validation; nullptr: the built-in one.
VIREO_API WordBuffer apply_fixes(Words words, std::span<const Diagnostic> findings, const Grammar* grammar = nullptr);

/// Returns the diagnostics with their locations in words converted to locations in the text of `map`, like the function
/// in listing.h. Fixes become changes of this text; a fix that the text cannot express is dropped.
/// `grammar` is that of the validation; nullptr: the built-in one.
VIREO_API Diagnostics point_into_text(const Diagnostics& diagnostics, Words words, const SourceMap& map,
                                      std::string_view text, const Grammar* grammar = nullptr);

/// Returns the text with the fixes of all findings that it can express. The findings are those of validate(), with
/// locations in words; `words` and `map` are the result of assembling the text. Comments and layout are kept.
VIREO_API std::string apply_fixes(std::string_view text, const SourceMap& map, Words words,
                                  std::span<const Diagnostic> findings, const Grammar* grammar = nullptr);

}  // namespace vireo::spirv
