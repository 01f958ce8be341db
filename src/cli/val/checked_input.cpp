// SPDX-License-Identifier: Apache-2.0
//
// Places the findings of an input (checked_input.h).
#include "cli/val/checked_input.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "cli/val/locate.h"
#include "support/render/render_machine.h"
#include "vireo/spirv/one_call/fixes.h"

namespace vireo::cli {
namespace {

// Counts the findings that were not kept, for the summary.
void count_rest(const Diagnostics& found, Diagnostics& to) {
  const auto kept = [&](Severity severity) {
    return static_cast<std::size_t>(std::ranges::count(found.all(), severity, &Diagnostic::severity));
  };
  to.count(Severity::Error, found.error_count() - kept(Severity::Error));
  to.count(Severity::Warning, found.warning_count() - kept(Severity::Warning));
}

void add_context(JsonWriter& json, const FindingContext& context, const Location& where) {
  if (const spirv::Word id = context.id_of(where); id != 0) json.key("id").number(id);
  if (const std::string function = context.function_of(where); !function.empty()) {
    json.key("function").string(function);
  }
  const std::optional<spirv::SourceLine> source = context.source_of(where);
  if (!source) return;
  json.key("source").begin_object();
  json.key("file").string(source->name).key("line").number(source->line).key("column").number(source->column);
  json.end_object();
}

}  // namespace

Function<std::string(spirv::Word)> CheckedInput::id_names(const spirv::Grammar* grammar) {
  if (const AssembledText* const text = subject->text.get()) {
    return [text](spirv::Word id) { return text->name_of(id); };
  }
  listing.emplace(subject->words(), grammar);
  return [this](spirv::Word id) { return listing->name_of(id); };
}

std::vector<spirv::AllowedRule> CheckedInput::allowed_rules() const {
  return subject->is_text() ? subject->text->allowed_rules() : std::vector<spirv::AllowedRule>();
}

void CheckedInput::sort_by_text() {
  const std::vector<Diagnostic>& all = found.all();
  const Diagnostics in_text = spirv::point_into_text(found, subject->words(), subject->text->map());
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return in_text.all()[i].where.begin; });
  Diagnostics sorted(std::numeric_limits<std::size_t>::max());
  for (const std::size_t i : order) sorted.report(all[i]);
  count_rest(found, sorted);
  found = std::move(sorted);
}

PlacedFindings place_findings(CheckedInput& input, const ParsedOptions& options, std::string_view format,
                              const spirv::Grammar* grammar) {
  const Places places = places_of(options, format, input.subject->is_text());
  if (places.source_first) locate_in_sources(input.found, *input.context, format);
  else if (format != "json") add_source_notes(input.found, *input.context);
  // An input whose ids were never named has no listing yet.
  if (!input.subject->is_text() && !input.listing) input.listing.emplace(input.subject->words(), grammar);
  PlacedFindings placed{input.source};
  if (!places.only_words) {
    placed.in_text = input.listing ? input.listing->point_into_text(input.found)
                                   : spirv::point_into_text(input.found, input.subject->words(),
                                                            input.subject->text->map(), input.source.text, grammar);
  }
  if (placed.in_text) count_rest(input.found, *placed.in_text);
  if (input.listing) placed.text.text = input.listing->text();
  return placed;
}

void take_all(const Diagnostics& from, Diagnostics& to) {
  for (const Diagnostic& diagnostic : from.all()) to.report(diagnostic);
  count_rest(from, to);
}

void write_records(JsonWriter& json, const SourceText& source, const Diagnostics& found, const Diagnostics* in_text,
                   const FindingContext* context) {
  RecordWriter records(json, source);
  for (std::size_t i = 0; i < found.all().size(); ++i) {
    const Diagnostic& diagnostic = found.all()[i];
    // A warning about a comment has only a location in the text.
    const bool is_in_words = diagnostic.where.kind == Location::Kind::Words;
    records.begin(diagnostic, in_text != nullptr && is_in_words ? &in_text->all()[i] : nullptr);
    if (!diagnostic.requirement.empty()) json.key("vuid").string(diagnostic.requirement);
    if (context != nullptr) add_context(json, *context, diagnostic.where);
    records.end();
  }
}

}  // namespace vireo::cli
