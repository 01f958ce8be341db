// SPDX-License-Identifier: Apache-2.0
//
// Reads modules (subject.h).
#include "cli/module/subject.h"

#include <string_view>
#include <utility>

#include "cli/common/inputs.h"
#include "cli/module/assembled_text.h"
#include "vireo/spirv/listing.h"

namespace vireo::cli {

std::optional<Subject> read_subject(const SourceText& input, const spirv::ValidateOptions& validation,
                                    Diagnostics& diagnostics) {
  Subject subject;
  if (!looks_like_assembly(input.text)) {
    Result<spirv::ModuleWords> words = spirv::read_module_words(input.text, diagnostics);
    if (!words) return std::nullopt;
    subject.read.emplace(std::move(*words));
    return subject;
  }
  subject.is_text = true;
  spirv::AssembleOptions& assembly = subject.assembly;
  assembly.grammar = validation.grammar;
  assembly.preserve_numeric_ids = true;  // %12 in a message is %12 of the text
  Result<spirv::WordBuffer> words = spirv::assemble(input, assembly, diagnostics);
  if (!words) return std::nullopt;
  // Preserved ids may raise the module's id bound above `limits.id_bound`; the text is then assembled with new ids.
  // Messages use names, so renumbering is harmless.
  if ((*words)[3] > validation.limits.id_bound) {
    assembly.preserve_numeric_ids = false;
    words = spirv::assemble(input, assembly, diagnostics);
    if (!words) return std::nullopt;
  }
  subject.assembled = std::move(*words);
  // If the text has no version comment, the module gets the newest SPIR-V version that the target environment accepts.
  const bool states_version = input.text.find("; Version:") != std::string_view::npos;
  if (!states_version) subject.assembled[1] = validation.environment.version.to_word();
  return subject;
}

Diagnostics located_in_input(const Diagnostics& in_words, const SourceText& input, const Subject& subject) {
  if (!subject.is_text || in_words.all().empty()) return in_words;
  const AssembledText text(input, subject.assembly, subject.words());
  return spirv::point_into_text(in_words, subject.words(), text.map());
}

void report_in_input(const Diagnostics& in_words, const SourceText& input, const Subject& subject,
                     Diagnostics& diagnostics) {
  const Diagnostics located = located_in_input(in_words, input, subject);
  for (const Diagnostic& each : located.all()) diagnostics.report(each);
}

}  // namespace vireo::cli
