// SPDX-License-Identifier: Apache-2.0
//
// Findings: filled sentences, places as words of the module, one order for all.
#include "spirv/validate/report.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vireo::spirv {
namespace {

// The rule's sentence with its gaps filled. A gap without a text stays as it is: a test looks for those.
std::string fill(std::string_view sentence, std::initializer_list<std::string_view> texts) {
  std::string filled;
  for (const std::string_view text : texts) {
    const std::size_t gap = sentence.find("{}");
    if (gap == std::string_view::npos) break;
    filled.append(sentence.substr(0, gap)).append(text);
    sentence.remove_prefix(gap + 2);
  }
  return filled.append(sentence);
}

}  // namespace

Location Report::location_of(Place place) const {
  if (place.instruction.is_none()) return Location::in_words(place.word, place.word + std::uint64_t{1}, 0);
  const InstructionView view = module_.instruction(place.instruction);
  const std::uint64_t ordinal = place.instruction.raw + std::uint64_t{1};
  if (place.word == 0 || place.word >= view.word_count) {
    return Location::in_words(view.offset, view.offset + std::uint64_t{view.word_count}, ordinal);
  }
  const std::uint64_t word = view.offset + std::uint64_t{place.word};
  return Location::in_words(word, word + 1, ordinal);
}

void Report::add(Rule rule, Place place, std::initializer_list<std::string_view> texts) {
  const ValidationRule& row = row_of(rule);
  last_was_kept_ = false;
  if (row.lifted_by && features_.has(*row.lifted_by)) return;
  if (row.severity == Severity::Error) ++errors_;
  // Broken modules can have a fault a word; memory is bounded all the same. What was found first is what is kept: checks
  // run through the words from front to back.
  if (findings_.size() >= limit_) return;
  last_was_kept_ = true;
  Diagnostic diagnostic{row.name, row.severity, location_of(place), fill(message_of(rule), texts), {}, {}, {}};
  findings_.push_back({diagnostic.where.begin, rule, std::move(diagnostic)});
}

void Report::note(Place place, std::string message) {
  if (last_was_kept_) findings_.back().diagnostic.notes.push_back({location_of(place), std::move(message)});
}

void Report::hint(std::string text) {
  if (last_was_kept_) findings_.back().diagnostic.hint = std::move(text);
}

void Report::take(Report&& other) {
  errors_ += other.errors_;
  std::move(other.findings_.begin(), other.findings_.end(), std::back_inserter(findings_));
  other.findings_.clear();
  last_was_kept_ = false;
}

void Report::deliver(Diagnostics& diagnostics) {
  std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.order, a.rule) < std::pair(b.order, b.rule);
  });
  for (Finding& finding : findings_) diagnostics.report(std::move(finding.diagnostic));
  findings_.clear();
}

}  // namespace vireo::spirv
