// SPDX-License-Identifier: Apache-2.0
//
// Runs the checks in order. Implements the services of Subject: places, severities, generations.
#include "vireo/isa/check.h"

#include <algorithm>

#include "isa/check/subject.h"
#include "isa/model/coverage.h"

namespace vireo::isa {
namespace {

// If the loader reports one of these errors, the masks of the bitset may be wrong. Other errors, such as an unknown
// type, do not affect the masks.
constexpr std::string_view mask_faults[] = {rule::bad_pattern,       rule::bad_range,       rule::redefined_bits,
                                            rule::missing_attribute, rule::malformed_value, rule::limit_exceeded};

// Warnings never affect the masks, whatever their rule: a misspelt element has no bits.
bool breaks_masks(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::Error &&
         std::find(std::begin(mask_faults), std::end(mask_faults), diagnostic.rule) != std::end(mask_faults);
}

Location location_of(Place place) { return Location::in_text(place.begin, place.end); }

}  // namespace

// --- subject ------------------------------------------------------------------------------------------------------------

Subject::Subject(const LoadedModel& loaded, const CheckOptions& check_options, CheckReport& check_report)
    : model(loaded.model), options(check_options), report(check_report), files_(loaded.files) {
  // The report starts with the loader's diagnostics, so that each file has one sorted list.
  for (const SourceFile& file : files_) report.files.push_back(file.diagnostics);
  find_broken_bitsets();
  find_distinct_gens();
}

// Finds the bitset of each loader error from the place of the error. Declarations do not nest, so the error belongs to
// the last declaration that begins before it in the file, if that is a bitset.
void Subject::find_broken_bitsets() {
  is_broken_.resize(model.bitsets().size());
  for (std::size_t file = 0; file < files_.size(); ++file) {
    if (!files_[file].diagnostics.has_errors()) continue;
    std::vector<std::pair<std::uint32_t, BitsetId>> begins;
    for (const Bitset& b : model.bitsets()) {
      if (b.where.file.index() == file) begins.emplace_back(b.where.begin, model.id_of(b));
    }
    // An error in an enum affects no bitset, so the list contains the enums too.
    for (const Enum& e : model.enums()) {
      if (e.where.file.index() == file) begins.emplace_back(e.where.begin, BitsetId::none());
    }
    std::sort(begins.begin(), begins.end());
    for (const Diagnostic& diagnostic : files_[file].diagnostics.all()) {
      if (!breaks_masks(diagnostic)) continue;
      const auto after = std::upper_bound(
          begins.begin(), begins.end(), diagnostic.where.begin,
          [](std::uint64_t at, const std::pair<std::uint32_t, BitsetId>& entry) { return at < entry.first; });
      if (after == begins.begin() || std::prev(after)->second.is_none()) continue;
      is_broken_[std::prev(after)->second.index()] = true;
    }
  }
  // A leaf with uncovered bits may lack a pattern.
  for (const Bitset& b : model.bitsets()) {
    if (b.is_leaf && !model.chain(b).empty() && uncovered_bits(model, b).any())
      is_broken_[model.id_of(b).index()] = true;
  }
}

// A result for one generation of an interval is valid for the whole interval, so the checks try one generation of each.
// 0 is always included: it is the default if a caller names no generation.
void Subject::find_distinct_gens() {
  std::vector<std::uint32_t> gens{0};
  const auto add = [&](std::uint64_t gen) {
    if (gen <= GenRange{}.max) gens.push_back(static_cast<std::uint32_t>(gen));
  };
  for (const Bitset& b : model.bitsets()) {
    add(b.own_gens.min);
    add(std::uint64_t{b.own_gens.max} + 1);
  }
  for (const Expression& e : model.expressions()) {
    const std::span<const ExpressionStep> steps = model.steps(e);
    const bool reads_gen = std::any_of(steps.begin(), steps.end(),
                                       [](const ExpressionStep& s) { return s.operation == Operation::Generation; });
    if (!reads_gen) continue;
    // The result of any comparison changes only at the constant or at the next generation.
    for (const ExpressionStep& step : steps) {
      if (step.operation != Operation::Constant || step.constant < 0) continue;
      add(static_cast<std::uint64_t>(step.constant));
      add(static_cast<std::uint64_t>(step.constant) + 1);
    }
  }
  std::sort(gens.begin(), gens.end());
  gens.erase(std::unique(gens.begin(), gens.end()), gens.end());
  distinct_gens_ = std::move(gens);
}

GenRange Subject::gens_of(const Bitset& leaf) const {
  return options.gen ? intersect(leaf.gens, GenRange{*options.gen, *options.gen}) : leaf.gens;
}

bool Subject::is_checked(const Bitset& leaf) const { return is_trusted(leaf) && !gens_of(leaf).is_empty(); }

bool Subject::is_trusted(const Bitset& leaf) const {
  if (!leaf.is_leaf || leaf.gens.is_empty() || leaf.size == 0 || leaf.care.width() != leaf.size) return false;
  const std::span<const BitsetId> chain = model.chain(leaf);
  return !chain.empty() &&
         std::none_of(chain.begin(), chain.end(), [&](BitsetId id) { return is_broken_[id.index()]; });
}

// The severity comes from the row of the rule, so that `vireo explain` agrees with the report.
void Subject::emit(std::string_view rule, Place where, std::string message) {
  const RuleSeverity severity = find_rule(rule)->severity;
  const bool is_warning = severity == RuleSeverity::Warning || (severity == RuleSeverity::Fault && options.mesa_compat);
  if (is_warning) return warn(rule, where, std::move(message));
  last_file_ = where.file;
  report.files[where.file.index()].error(rule, location_of(where), std::move(message));
}

void Subject::warn(std::string_view rule, Place where, std::string message) {
  last_file_ = where.file;
  report.files[where.file.index()].warning(rule, location_of(where), std::move(message));
}

// A location belongs to the file of its diagnostic; a place in another file becomes part of the message.
void Subject::note(Place where, std::string message) {
  Location location = location_of(where);
  if (where.file != last_file_) {
    const SourceFile& file = files_[where.file.index()];
    const LineColumn at = LineIndex(file.text).locate(where.begin);
    message += ": " + file.name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
    location = Location::none();
  }
  report.files[last_file_.index()].note(location, std::move(message));
}

bool Subject::is_new(std::string_view rule, Place where) {
  return reported_.insert(std::string(rule) + ':' + std::to_string(where.file.raw) + ':' + std::to_string(where.begin))
      .second;
}

// The model keeps the place of an expression's text, but not of each name in it. A text search finds the name unless
// comments or entities are within the braces.
Place Subject::part_of(Place whole, std::string_view part) const {
  const std::string_view text = files_[whole.file.index()].text;
  const std::size_t at = text.substr(0, whole.end).find(part, whole.begin);
  if (at == std::string_view::npos) return whole;
  return {whole.file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + part.size())};
}

std::string Subject::name_of(const Bitset& b) const { return quoted_name(model.text(b.name)); }

std::string quoted_name(std::string_view name) { return '\'' + std::string(name) + '\''; }

std::string to_text(GenRange gens) {
  const std::string min = std::to_string(gens.min);
  if (gens.max == GenRange{}.max) return gens.min == 0 ? "all generations" : "generation " + min + " and later";
  if (gens.min == gens.max) return "generation " + min;
  return "generations " + min + " to " + std::to_string(gens.max);
}

// --- check --------------------------------------------------------------------------------------------------------------

std::size_t CheckReport::error_count() const {
  std::size_t count = 0;
  for (const Diagnostics& file : files) count += file.error_count();
  return count;
}

CheckReport check(const LoadedModel& loaded, const CheckOptions& options) {
  CheckReport report;
  Subject subject(loaded, options, report);
  check_overlaps(subject);
  check_declarations(subject);
  check_override_bits(subject);
  check_cases(subject);
  check_displays(subject);
  check_unread(subject);
  if (options.checks_round_trips) check_round_trips(subject);
  for (Diagnostics& file : report.files) file.sort_by_place();
  return report;
}

}  // namespace vireo::isa
