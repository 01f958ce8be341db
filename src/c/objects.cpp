// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: diagnostics, texts and the version.
//
// A list of diagnostics outlives the calls that filled it, so it owns its rows; returned texts are views
// into those rows.
#include <limits>

#include "c/handles.h"
#include "vireo/support/source.h"

namespace vireo::c {
namespace {

// The values of these constants must equal those of the C++ enumerators.
static_assert(VIREO_NOTE == static_cast<int>(Severity::Note) && VIREO_WARNING == static_cast<int>(Severity::Warning) &&
              VIREO_ERROR == static_cast<int>(Severity::Error));
static_assert(VIREO_PLACE_NONE == static_cast<int>(Location::Kind::None) &&
              VIREO_PLACE_TEXT == static_cast<int>(Location::Kind::Text) &&
              VIREO_PLACE_WORDS == static_cast<int>(Location::Kind::Words));

/// Converts a location. `kind` is not an enum, because the size of an enum in C depends on the compiler.
vireo_place place_of(const Location& where) {
  return {.kind = static_cast<std::uint32_t>(where.kind),
          .instruction = static_cast<std::uint32_t>(where.instruction),
          .begin = where.begin,
          .end = where.end};
}

}  // namespace

// Diagnostics beyond the limit are counted but not kept. If memory runs out, the rows added so far remain. If `source`
// is empty, the row contains the path of the diagnostic.
void add(vireo_diagnostics* list, const Diagnostics& found, std::string_view source) {
  if (list == nullptr) return;
  list->errors += found.error_count();
  list->warnings += found.warning_count();
  for (const Diagnostic& diagnostic : found.all()) {
    // Errors have a limit of their own, so warnings never displace the cause of a failure.
    const bool is_error = diagnostic.severity == Severity::Error;
    if ((is_error ? list->kept_errors : list->rows.size() - list->kept_errors) >= max_kept) continue;
    list->rows.push_back({diagnostic, std::string(source.empty() ? diagnostic.path : source)});
    list->kept_errors += is_error ? 1 : 0;
  }
}

}  // namespace vireo::c

using namespace vireo::c;

// Returns the version of the library. The macros in a caller's program have the version of its header.
std::uint32_t vireo_version(void) { return VIREO_VERSION_MAJOR << 16 | VIREO_VERSION_MINOR << 8 | VIREO_VERSION_PATCH; }

// --- diagnostics --------------------------------------------------------------------------------------------------------

// NULL is treated as an empty list, so a caller need not check whether the creation succeeded.
vireo_diagnostics* vireo_diagnostics_create(void) { return make_handle<vireo_diagnostics>(); }
void vireo_diagnostics_destroy(vireo_diagnostics* diagnostics) { delete diagnostics; }
void vireo_diagnostics_clear(vireo_diagnostics* diagnostics) {
  if (diagnostics == nullptr) return;
  diagnostics->rows.clear();
  diagnostics->kept_errors = diagnostics->errors = diagnostics->warnings = 0;
}

std::size_t vireo_diagnostics_count(const vireo_diagnostics* diagnostics) {
  return diagnostics == nullptr ? 0 : diagnostics->rows.size();
}
std::size_t vireo_diagnostics_error_count(const vireo_diagnostics* diagnostics) {
  return diagnostics == nullptr ? 0 : diagnostics->errors;
}
std::size_t vireo_diagnostics_warning_count(const vireo_diagnostics* diagnostics) {
  return diagnostics == nullptr ? 0 : diagnostics->warnings;
}

// Texts are views into the row. The vector moves its rows when it grows, so appending invalidates the views, as vireo.h
// states.
vireo_status vireo_diagnostics_get(const vireo_diagnostics* diagnostics, std::size_t index, vireo_diagnostic* out) {
  if (out == nullptr || index >= vireo_diagnostics_count(diagnostics)) return VIREO_BAD_ARGUMENT;
  const auto& [diagnostic, source] = diagnostics->rows[index];
  *out = {.severity = static_cast<std::uint32_t>(diagnostic.severity),
          .note_count = static_cast<std::uint32_t>(diagnostic.notes.size()),
          .rule = to_c(diagnostic.rule),
          .message = to_c(diagnostic.message),
          .hint = to_c(diagnostic.hint),
          .requirement = to_c(diagnostic.requirement),
          .source = to_c(source),
          .where = place_of(diagnostic.where)};
  return VIREO_OK;
}

vireo_status vireo_diagnostics_note(const vireo_diagnostics* diagnostics, std::size_t index, std::size_t note,
                                    vireo_note* out) {
  if (out == nullptr || index >= vireo_diagnostics_count(diagnostics)) return VIREO_BAD_ARGUMENT;
  const auto& notes = diagnostics->rows[index].diagnostic.notes;
  if (note >= notes.size()) return VIREO_BAD_ARGUMENT;
  *out = {.message = to_c(notes[note].message), .where = place_of(notes[note].where)};
  return VIREO_OK;
}

// Each call builds an index of all lines, in time and memory linear in the text.
vireo_status vireo_locate(const char* text, std::size_t size, std::uint64_t offset, std::uint64_t* line,
                          std::uint64_t* column) {
  if (!is_span(text, size) || line == nullptr || column == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const vireo::LineColumn at = vireo::LineIndex(from_c({text, size})).locate(offset);
    *line = at.line;
    *column = at.column;
    return VIREO_OK;
  });
}

// --- texts --------------------------------------------------------------------------------------------------------------

vireo_text* vireo_text_create(void) { return make_handle<vireo_text>(); }
void vireo_text_destroy(vireo_text* text) { delete text; }
void vireo_text_clear(vireo_text* text) {
  if (text != nullptr) text->text.clear();
}
const char* vireo_text_data(const vireo_text* text) { return text == nullptr ? "" : text->text.c_str(); }
std::size_t vireo_text_size(const vireo_text* text) { return text == nullptr ? 0 : text->text.size(); }

// Has the signature of vireo_write, so it can be passed as a callback. If memory runs out, it returns 0, which stops
// the writer.
int vireo_text_write(void* text, const char* chunk, std::size_t size) {
  if (text == nullptr || !is_span(chunk, size)) return 0;
  const vireo_status status = guarded([&] {
    static_cast<vireo_text*>(text)->text.append(from_c({chunk, size}));
    return VIREO_OK;
  });
  return status == VIREO_OK ? 1 : 0;
}
