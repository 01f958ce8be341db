// SPDX-License-Identifier: Apache-2.0
//
// The C interface to texts with findings (vireo/vireo_render.h).
#include <limits>

#include "c/handles.h"
#include "vireo/spirv/one_call/allow_comments.h"
#include "vireo/spirv/one_call/fixes.h"
#include "vireo/spirv/one_call/one_call.h"
#include "vireo/spirv/text/listing.h"
#include "vireo/support/render.h"
#include "vireo/vireo_render.h"

using namespace vireo;
using namespace vireo::c;

namespace {

static_assert(static_cast<std::uint32_t>(DiagnosticFormat::Github) == VIREO_FORMAT_GITHUB);

bool is_format(std::uint32_t format) { return format <= VIREO_FORMAT_GITHUB; }

RuleText describe(std::string_view rule) {
  const spirv::ValidationRule* row = spirv::find_validation_rule(rule);
  return row == nullptr ? RuleText{} : RuleText{row->requirement, row->vuids};
}

RenderOptions rendering(std::uint32_t format) {
  return {.format = static_cast<DiagnosticFormat>(format), .describe = describe};
}

// The list already has the limits of Diagnostics.
Diagnostics diagnostics_of(const vireo_diagnostics& list) {
  Diagnostics found(std::numeric_limits<std::size_t>::max());
  for (const vireo_diagnostics::Row& row : list.rows) found.report(row.diagnostic);
  return found;
}

// Writes a document to the caller's callback.
vireo_status write_document(vireo_write write, void* user, std::string_view document) {
  CallbackSink sink(write, user);
  return sink.write(document) ? VIREO_OK : VIREO_STOPPED;
}

}  // namespace

vireo_status vireo_render(vireo_string name, vireo_string text, const vireo_diagnostics* diagnostics,
                          std::uint32_t format, vireo_write write, void* user) {
  if (!is_span(name.data, name.size) || !is_span(text.data, text.size)) return VIREO_BAD_ARGUMENT;
  if (diagnostics == nullptr || !is_format(format) || write == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    return write_document(write, user,
                          render({from_c(name), from_c(text)}, diagnostics_of(*diagnostics), rendering(format)));
  });
}

vireo_status vireo_render_words(vireo_string name, const std::uint32_t* words, std::size_t count,
                                const vireo_grammar* grammar, const vireo_diagnostics* diagnostics,
                                std::uint32_t format, vireo_write write, void* user) {
  if (!is_span(name.data, name.size) || !is_span(words, count)) return VIREO_BAD_ARGUMENT;
  if (diagnostics == nullptr || !is_format(format) || write == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    spirv::Listing listing(spirv::Words(words, count), &grammar_of(grammar));
    const Diagnostics in_text = listing.point_into_text(diagnostics_of(*diagnostics));
    return write_document(write, user, render({from_c(name), listing.text()}, in_text, rendering(format)));
  });
}

vireo_status vireo_validate_and_render(vireo_string name, const void* bytes, std::size_t size,
                                       const vireo_profile* profile, std::uint32_t format, vireo_write write,
                                       void* user) {
  if (!is_span(name.data, name.size) || !is_span(bytes, size)) return VIREO_BAD_ARGUMENT;
  if (!is_format(format) || write == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const std::string_view module = from_c({static_cast<const char*>(bytes), size});
    const spirv::Verdict verdict =
        spirv::validate_and_render({from_c(name), module}, options_of(profile), rendering(format));
    const vireo_status written = write_document(write, user, verdict.text);
    return written != VIREO_OK || verdict.is_valid ? written : VIREO_REPORTED;
  });
}

vireo_status vireo_validate_text(const char* text, std::size_t size, const vireo_profile* profile,
                                 vireo_diagnostics* diagnostics) {
  if (!is_span(text, size)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const std::string_view source = from_c({text, size});
    spirv::ValidateOptions options = options_of(profile);
    Diagnostics found;
    spirv::SourceMap map;
    const Result<spirv::WordBuffer> words =
        spirv::assemble(SourceText("", source), {.grammar = options.grammar}, found, &map);
    if (words) {
      const std::vector<spirv::AllowedRule> allowed = spirv::read_allow_comments(source, map);
      options.allowed = allowed;
      Diagnostics in_words;
      spirv::validate(*words, options, in_words);
      add(diagnostics, spirv::point_into_text(in_words, *words, map, source, options.grammar));
      return status_of(in_words);
    }
    add(diagnostics, found);
    return VIREO_REPORTED;
  });
}
