// SPDX-License-Identifier: Apache-2.0
//
// Reads modules (subject.h).
#include "cli/module/subject.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/common/inputs.h"
#include "support/ascii.h"
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

namespace {

// Whether a name such as %0, %00 or %0x0 is in the text. No module has an id 0. A name in a comment counts as well, which
// only makes the ids of the module new.
bool may_name_id_zero(std::string_view text) {
  for (std::size_t at = 0; (at = text.find("%0", at)) != std::string_view::npos;) {
    at += 2;
    if (at < text.size() && (text[at] == 'x' || text[at] == 'X')) ++at;
    at = std::min(text.find_first_not_of('0', at), text.size());
    const bool is_longer = at < text.size() && (is_letter(text[at]) || is_digit(text[at]) || text[at] == '_');
    if (!is_longer) return true;
  }
  return false;
}

// Assembles a text, so that %12 in a message and in the module is %12 of the text. If not all numbers of the text can be
// ids, the ids are new, as those of 'vireo as'. Messages use names, so renumbering is harmless.
Result<spirv::WordBuffer> assemble_text(const SourceText& input, const spirv::ValidateOptions& validation,
                                        spirv::AssembleOptions& assembly, Diagnostics& diagnostics) {
  assembly.preserve_numeric_ids = !may_name_id_zero(input.text);
  if (assembly.preserve_numeric_ids) {
    Diagnostics ignored;  // faults of the text are reported by the second assembly too
    Result<spirv::WordBuffer> words = spirv::assemble(input, assembly, ignored);
    if (words && (*words)[3] <= validation.limits.id_bound) {
      for (const Diagnostic& each : ignored.all()) diagnostics.report(each);
      return words;
    }
    assembly.preserve_numeric_ids = false;
  }
  return spirv::assemble(input, assembly, diagnostics);
}

}  // namespace

std::optional<Subject> read_subject(const SourceText& input, const spirv::ValidateOptions& validation,
                                    Diagnostics& diagnostics) {
  if (!looks_like_assembly(input.text)) {
    Result<spirv::ModuleWords> words = spirv::read_module_words(input.text, diagnostics);
    if (!words) return std::nullopt;
    return Subject{.assembled = {}, .read = std::move(*words)};
  }
  spirv::AssembleOptions assembly{.grammar = validation.grammar};
  Result<spirv::WordBuffer> words = assemble_text(input, validation, assembly, diagnostics);
  if (!words) return std::nullopt;
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
