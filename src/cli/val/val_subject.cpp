// SPDX-License-Identifier: Apache-2.0
//
// Reads the module to validate.
#include "cli/val/val_subject.h"

#include <string_view>
#include <utility>

#include "cli/common/inputs.h"

namespace vireo::cli {

bool read_subject(const SourceText& input, const spirv::ValidateOptions& validation, Diagnostics& diagnostics,
                  Subject& subject) {
  if (looks_like_assembly(input.text)) {
    subject.is_text = true;
    spirv::AssembleOptions& assembly = subject.assembly;
    assembly.grammar = validation.grammar;
    assembly.preserve_numeric_ids = true;  // %12 in a message is %12 of the text
    Result<spirv::WordBuffer> words = spirv::assemble(input, assembly, diagnostics);
    if (!words) return false;
    // Preserved ids may raise the module's id bound above `limits.id_bound`; the text is then assembled with new ids.
    // Messages use names, so renumbering is harmless.
    if ((*words)[3] > validation.limits.id_bound) {
      assembly.preserve_numeric_ids = false;
      words = spirv::assemble(input, assembly, diagnostics);
      if (!words) return false;
    }
    subject.assembled = std::move(*words);
    // If the text has no version comment, the module gets the newest SPIR-V version that the target environment
    // accepts.
    const bool states_version = input.text.find("; Version:") != std::string_view::npos;
    if (!states_version) subject.assembled[1] = validation.environment.version.to_word();
    return true;
  }
  Result<spirv::ModuleWords> words = spirv::read_module_words(input.text, diagnostics);
  if (words) subject.read.emplace(std::move(*words));
  return words.ok();
}

}  // namespace vireo::cli
