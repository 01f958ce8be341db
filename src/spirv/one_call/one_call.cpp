// SPDX-License-Identifier: Apache-2.0
//
// Common tasks as single function calls (one_call.h).
#include "vireo/spirv/one_call/one_call.h"

#include <utility>

#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/text/listing.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

Result<WordBuffer> assemble(std::string_view text, Diagnostics& diagnostics) {
  return assemble(SourceText("", text), {}, diagnostics);
}

Result<std::string> disassemble(std::string_view bytes, Diagnostics& diagnostics, const DisassembleOptions& options) {
  const Result<ModuleWords> words = read_module_words(bytes, diagnostics);
  if (!words) return words.failure();
  StringSink text;
  Diagnostics found;
  disassemble(words->words(), options, text, found);
  Result<std::string> result = std::move(text).text();
  for (const Diagnostic& diagnostic : found.all()) {
    const Reported reported = diagnostics.report(diagnostic);
    if (diagnostic.severity == Severity::Error) result = reported;
  }
  return result;
}

bool validate(std::string_view bytes, const ValidateOptions& options, Diagnostics& diagnostics) {
  const Result<ModuleWords> words = read_module_words(bytes, diagnostics);
  return words && validate(words->words(), options, diagnostics);
}

Verdict validate_and_render(const SourceText& module, const ValidateOptions& options, const RenderOptions& rendering) {
  Diagnostics diagnostics;
  const Result<ModuleWords> words = read_module_words(module.text, diagnostics);
  if (!words) return {false, render({module.name, {}}, diagnostics, rendering)};
  Listing listing(words->words(), options.grammar);
  ValidateOptions with_names = options;
  if (!options.name_of_id) with_names.name_of_id = [&](Word id) { return listing.name_of(id); };
  const bool is_valid = validate(words->words(), with_names, diagnostics);
  const Diagnostics in_text = listing.point_into_text(diagnostics);
  return {is_valid, render({module.name, listing.text()}, in_text, rendering)};
}

}  // namespace vireo::spirv
