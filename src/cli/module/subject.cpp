// SPDX-License-Identifier: Apache-2.0
//
// Reads modules (subject.h).
#include "cli/module/subject.h"

#include <string_view>
#include <utility>

#include "cli/common/inputs.h"
#include "vireo/spirv/one_call/allow_comments.h"
#include "vireo/spirv/text/listing.h"

namespace vireo::cli {

AssembledText::AssembledText(const SourceText& text, const spirv::AssembleOptions& options, spirv::Words words)
    : text_(text), options_(options), words_(words) {}

const spirv::SourceMap& AssembledText::map() const {
  std::call_once(is_mapped_, [this] {
    Diagnostics repeated;  // reported by the first assembly already
    static_cast<void>(spirv::assemble(text_, options_, repeated, &map_));
  });
  return map_;
}

std::string AssembledText::name_of(spirv::Word id) const {
  std::call_once(is_named_,
                 [this] { names_ = spirv::TextNames(text_.text, map(), words_, spirv::instruction_offsets(words_)); });
  return std::string(names_.of(id));
}

std::vector<spirv::AllowedRule> AssembledText::allowed_rules() const {
  if (!spirv::may_have_allow_comments(text_.text)) return {};  // most texts need no map
  return spirv::read_allow_comments(text_.text, map());
}

std::optional<Subject> read_subject(const SourceText& input, const spirv::ValidateOptions& validation,
                                    Diagnostics& diagnostics) {
  if (!looks_like_assembly(input.text)) {
    Result<spirv::ModuleWords> words = spirv::read_module_words(input.text, diagnostics);
    if (!words) return std::nullopt;
    return Subject{.assembled = {}, .read = std::move(*words)};
  }
  // Preserved: %12 in a message is %12 of the text.
  spirv::AssembleOptions assembly{.grammar = validation.grammar, .preserve_numeric_ids = true};
  Result<spirv::WordBuffer> words = spirv::assemble(input, assembly, diagnostics);
  if (!words) return std::nullopt;
  // Preserved ids may raise the module's id bound above `limits.id_bound`; the text is then assembled with new ids.
  // Messages use names, so renumbering is harmless.
  if ((*words)[3] > validation.limits.id_bound) {
    assembly.preserve_numeric_ids = false;
    words = spirv::assemble(input, assembly, diagnostics);
    if (!words) return std::nullopt;
  }
  Subject subject{.assembled = std::move(*words)};
  // If the text has no version comment, the module gets the newest SPIR-V version that the target environment accepts.
  const bool states_version = input.text.find("; Version:") != std::string_view::npos;
  if (!states_version) subject.assembled[1] = validation.environment.version.to_word();
  subject.text = std::make_unique<AssembledText>(input, assembly, subject.words());
  return subject;
}

Diagnostics located_in_input(const Diagnostics& in_words, const Subject& subject) {
  if (!subject.is_text() || in_words.all().empty()) return in_words;
  return spirv::point_into_text(in_words, subject.words(), subject.text->map());
}

void report_in_input(const Diagnostics& in_words, const Subject& subject, Diagnostics& diagnostics) {
  const Diagnostics located = located_in_input(in_words, subject);
  for (const Diagnostic& each : located.all()) diagnostics.report(each);
}

}  // namespace vireo::cli
