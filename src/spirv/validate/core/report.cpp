// SPDX-License-Identifier: Apache-2.0
//
// Findings: conversion of places to locations, and ordering.
#include "spirv/validate/core/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>

#include "spirv/validate/core/message.h"
#include "vireo/spirv/validate/profile.h"

namespace vireo::spirv {
namespace {

bool has_smaller_rule(const std::pair<Rule, std::optional<Severity>>& chosen, Rule rule) { return chosen.first < rule; }

}  // namespace

Severities::Severities(FeatureSet features, std::span<const RuleChoice> choices)
    : features_(features), choices_(choices) {
  for (const RuleChoice& choice : choices) {
    // If the choice names a rule of the decoder, which is not in this table, of(Diagnostic) finds it by name.
    if (const ValidationRule* row = find_validation_rule(choice.rule)) choose(*row, choice.severity);
    for (const RenamedRule& renamed : renamed_rules()) {
      if (renamed.old_name == choice.rule) choose(*find_validation_rule(renamed.name), choice.severity);
    }
    for (const GroupedRule& grouped : grouped_rules()) {
      if (grouped.group == choice.rule) choose(*find_validation_rule(grouped.name), choice.severity);
    }
  }
}

// The last choice for a rule applies, because command-line options follow the profile that they override.
void Severities::choose(const ValidationRule& row, std::optional<Severity> severity) {
  const auto rule = static_cast<Rule>(&row - validation_rules().data());
  const auto at = std::lower_bound(chosen_.begin(), chosen_.end(), rule, has_smaller_rule);
  if (at != chosen_.end() && at->first == rule) {
    at->second = severity;
  } else {
    chosen_.insert(at, {rule, severity});
  }
}

std::optional<Severity> Severities::of(Rule rule) const {
  const ValidationRule& row = row_of(rule);
  // If a feature lifts the rule, the choice of severity has no effect.
  if (row.lifted_by && features_.has(*row.lifted_by)) return std::nullopt;
  const std::optional<Severity> usual = row.is_off ? std::nullopt : std::optional(row.severity);
  if (chosen_.empty()) return usual;
  const auto at = std::lower_bound(chosen_.begin(), chosen_.end(), rule, has_smaller_rule);
  return at != chosen_.end() && at->first == rule ? at->second : usual;
}

const RuleChoice* Severities::choice_for(std::string_view name) const {
  if (choices_.empty() || name.empty()) return nullptr;
  const auto chosen =
      std::find_if(choices_.rbegin(), choices_.rend(), [&](const RuleChoice& choice) { return choice.rule == name; });
  return chosen == choices_.rend() ? nullptr : &*chosen;
}

std::optional<Severity> Severities::of(const Diagnostic& diagnostic) const {
  const RuleChoice* chosen = choice_for(diagnostic.rule);
  return chosen == nullptr ? diagnostic.severity : chosen->severity;
}

Location Report::location_of(Place place) const {
  // The words of the header belong to no instruction.
  if (place.instruction.is_none()) return Location::in_words(place.word, place.word + std::uint64_t{1}, 0);
  return module_.location_of(place.instruction, place.word);
}

// A malformed module may have one finding for each word, so the number of findings is limited. The first findings are
// kept, because checks run in word order. Errors and other findings have separate limits, so warnings do not displace
// errors.
bool Report::has_room_for(Severity severity) {
  std::size_t& count = severity == Severity::Error ? errors_ : others_;
  last_was_kept_ = count++ < limit_;
  return last_was_kept_;
}

bool Report::has_room_for(Rule rule) const {
  const std::optional<Severity> severity = severities_.of(rule);
  return severity && (*severity == Severity::Error ? errors_ : others_) < limit_;
}

bool Report::is_allowed(std::string_view rule, std::uint64_t instruction) {
  const auto begin = std::ranges::lower_bound(allowed_, instruction, {}, &AllowedRule::instruction);
  bool is_any = false;
  for (auto row = begin; row != allowed_.end() && row->instruction == instruction; ++row) {
    if (!is_named(rule, row->rule)) continue;
    // Marks repeated rows as well: one comment must not make an equal one look unused.
    is_used_[static_cast<std::size_t>(row - allowed_.begin())] = is_any = true;
  }
  return is_any;
}

// The words of the header belong to no instruction, so their findings cannot be allowed.
bool Report::is_allowed(Rule rule, Place place) {
  if (allowed_.empty() || place.instruction.is_none()) return false;
  return is_allowed(row_of(rule).name, std::uint64_t{place.instruction.raw} + 1);
}

namespace {

// The message for the VUID in an allow comment; empty for other names. A comment suppresses all findings of a rule: a
// rule may choose the VUID of a finding only after the comments have been read.
std::string problem_of_allowed_vuid(std::string_view name) {
  if (!name.starts_with("VUID-")) return {};
  std::string rules;
  for (const VuidRow& row : validation_vuids()) {
    if (row.vuid == name) rules.append(rules.empty() ? "" : " or ").append(row.rule->name);
  }
  return rules.empty() ? std::string() : fmt::format("allow comments take rules; expected {} for {}", rules, name);
}

}  // namespace

void Report::add_unused_allowed() {
  for (std::size_t i = 0; i < allowed_.size(); ++i) {
    if (is_used_[i]) continue;
    const AllowedRule& row = allowed_[i];
    const ValidationRule* rule = find_validation_rule(row.rule);
    if (rule != nullptr && is_of_pipelines(*rule)) continue;  // only a comparison of stages can use it
    std::string message = row.rule.empty() ? "the allow comment names no rule" : unknown_rule(row.rule);
    if (message.empty()) message = problem_of_allowed_vuid(row.rule);
    if (message.empty())
      message =
          filled(stanza_of(Rule::UnusedAllow).message.text, [&](std::string_view) { return std::string(row.rule); });
    Location where = row.where;
    if (where.kind == Location::Kind::None && row.instruction != 0 && row.instruction <= module_.instruction_count()) {
      where = module_.location_of(InstructionIndex(static_cast<std::size_t>(row.instruction - 1)));
    }
    add({row_of(Rule::UnusedAllow).name, row_of(Rule::UnusedAllow).severity, where, std::move(message), {}, {}, {}});
  }
}

bool Report::add_once(Rule rule, Place place, std::string_view cause) {
  last_was_kept_ = false;
  // An allowed finding is dropped before the others of its cause are counted, so the next one is reported.
  if (is_allowed(rule, place)) return false;
  const auto [once, is_first] = reported_once_.try_emplace({rule, std::string(cause)});
  if (is_first) {
    if (add(rule, place)) once->second.finding = last_;
  } else if (severities_.of(rule) == Severity::Error) {
    soundness_.mark(stanza_of(rule).unsound, place);
  }
  return last_was_kept_;
}

bool Report::may_hold(std::size_t finding, Rule consequence) const {
  if (!is_kept(finding)) return false;
  return findings_[finding].diagnostic.severity == Severity::Error || severity_of(consequence) != Severity::Error;
}

void Report::return_to(std::size_t finding) {
  last_ = finding;
  last_was_kept_ = is_joined_ = true;
}

bool Report::join(Rule rule, std::string_view cause, std::string_view earlier, Rule consequence) {
  constexpr int most_notes = 8;
  const auto first = reported_once_.find({rule, std::string(earlier)});
  if (first == reported_once_.end() || !may_hold(first->second.finding, consequence)) return false;
  const bool is_new = reported_once_.try_emplace({rule, std::string(cause)}).second;
  return_to(first->second.finding);
  last_was_kept_ = is_new && ++first->second.joined <= most_notes;
  return true;
}

bool Report::take(Rule rule, std::string_view cause, Rule consequence) {
  const auto once = reported_once_.find({rule, std::string(cause)});
  if (once == reported_once_.end() || !may_hold(once->second.finding, consequence)) return false;
  return_to(std::exchange(once->second.finding, Once::none));
  return true;
}

void Report::absorb(Rule rule, std::string_view cause) {
  const auto once = reported_once_.find({rule, std::string(cause)});
  if (!last_was_kept_ || once == reported_once_.end() || !is_kept(once->second.finding)) return;
  const std::size_t earlier = once->second.finding;
  Finding& absorbed = findings_[earlier];
  const Severity severity = absorbed.diagnostic.severity;
  if (earlier == last_ || (severity == Severity::Error && findings_[last_].diagnostic.severity != severity)) return;
  once->second.finding = Once::none;
  absorbed.is_dropped = true;
  --(severity == Severity::Error ? errors_ : others_);
  findings_[last_].diagnostic.notes.push_back(
      {.where = absorbed.diagnostic.where, .message = absorbed.diagnostic.message, .is_consequence = true});
}

void Report::name_cause(Rule rule, std::string_view cause) {
  if (last_was_kept_) reported_once_[{rule, std::string(cause)}].finding = last_;
}

void Report::await_counterpart(const DecorationFault& fault) {
  // The list is searched for each such finding, so only a few of them wait.
  constexpr std::size_t most = 64;
  if (last_was_kept_ && awaiting_.size() < most) awaiting_.push_back({fault, last_});
}

bool Report::join_counterpart(const DecorationFault& fault, Rule consequence) {
  const auto found = std::ranges::find_if(awaiting_, [&](const Awaiting& each) {
    const DecorationFault& other = each.fault;
    const int differences = (other.decoration != fault.decoration ? 1 : 0) + (other.target != fault.target ? 1 : 0) +
                            (other.member != fault.member ? 1 : 0);
    return other.kind != fault.kind && differences == 1 && may_hold(each.finding, consequence);
  });
  if (found == awaiting_.end()) return false;
  return_to(found->finding);
  // A finding may wait with several decorations, but it has one counterpart.
  std::erase_if(awaiting_, [&](const Awaiting& each) { return each.finding == last_; });
  return true;
}

std::optional<Severity> Report::severity_of(Rule rule) const {
  const std::optional<Severity> severity = severities_.of(rule);
  // If the row has several VUIDs, the check chooses one, and apply_vuid_choice() the severity.
  const RuleChoice* choice = is_vulkan_ ? severities_.choice_for(row_of(rule).vuids) : nullptr;
  return severity && choice != nullptr ? choice->severity : severity;
}

bool Report::add(Rule rule, Place place) {
  last_was_kept_ = is_joined_ = false;
  to_mark_.reset();
  if (is_allowed(rule, place)) return false;
  const ValidationRule& row = row_of(rule);
  const std::optional<Severity> severity = severity_of(rule);
  const Unsound unsound = stanza_of(rule).unsound;
  if (!severity || (unsound == Unsound::Operand && !soundness_.is_sound_word(place))) return false;
  // Only an error suppresses other findings. If the user lowers the severity of a rule, its findings must not hide the
  // errors of other rules.
  const bool has_several_vuids = row.vuids.find(' ') != std::string_view::npos;
  const bool is_kept = has_room_for(*severity);
  if (*severity == Severity::Error) {
    if (is_vulkan_ && has_several_vuids && is_kept) to_mark_ = place;  // the VUID determines the severity
    else soundness_.mark(unsound, place);
  }
  if (!is_kept) return false;
  Diagnostic diagnostic{row.name, *severity, location_of(place), {}, {}, {}, {}};
  if (is_vulkan_ && !has_several_vuids) diagnostic.requirement = row.vuids;
  last_ = findings_.size();
  findings_.push_back({diagnostic.where.begin, rule, std::move(diagnostic)});
  return true;
}

void Report::apply_vuid_choice() {
  Diagnostic& last = findings_[last_].diagnostic;
  const RuleChoice* choice = severities_.choice_for(last.requirement);
  if (choice == nullptr) return mark_last();
  const auto count_of = [&](Severity severity) -> std::size_t& {
    return severity == Severity::Error ? errors_ : others_;
  };
  --count_of(last.severity);
  if (choice->severity) {
    last.severity = *choice->severity;
    ++count_of(last.severity);
    mark_last();
  } else {
    findings_[last_].is_dropped = true;  // not erased: causes refer to findings by index
    last_was_kept_ = false;              // its notes are dropped, too
  }
}

void Report::mark_last() {
  const std::optional<Place> place = std::exchange(to_mark_, std::nullopt);
  const Finding& last = findings_[last_];
  if (place && last.diagnostic.severity == Severity::Error) { soundness_.mark(stanza_of(last.rule).unsound, *place); }
}

void Report::add(Diagnostic diagnostic) {
  const std::optional<Severity> severity = severities_.of(diagnostic);
  last_was_kept_ = is_joined_ = false;
  if (!allowed_.empty() && is_allowed(diagnostic.rule, diagnostic.where.instruction)) return;
  if (!severity || !has_room_for(*severity)) return;
  diagnostic.severity = *severity;
  // Rule{} sorts first, so decoding errors precede the findings of checks at the same place.
  last_ = findings_.size();
  findings_.push_back({diagnostic.where.begin, Rule{}, std::move(diagnostic)});
}

void Report::note(Place place, std::string message) {
  if (!last_was_kept_) return;
  findings_[last_].diagnostic.notes.push_back(
      {.where = location_of(place), .message = std::move(message), .is_consequence = is_joined_});
}

void Report::hint(std::string text) {
  if (last_was_kept_) findings_[last_].diagnostic.hint = std::move(text);
}

void Report::fix(Change change) {
  if (keeps_fixes_ && last_was_kept_) findings_[last_].diagnostic.fix.push_back(std::move(change));
}

void Report::vuid(std::uint16_t number) {
  if (!last_was_kept_ || !is_vulkan_) return;
  std::string& chosen = findings_[last_].diagnostic.requirement;
  chosen.clear();
  const std::string suffix = fmt::format("-{:05}", number);
  std::string_view rest = row_of(findings_[last_].rule).vuids;
  while (!rest.empty()) {
    const std::string_view each = rest.substr(0, rest.find(' '));
    if (each.ends_with(suffix)) chosen = each;
    rest.remove_prefix(std::min(rest.size(), each.size() + 1));
  }
  assert(number == 0 || !chosen.empty());  // the row lists each VUID that a check chooses
  apply_vuid_choice();
}

void Report::vuid(std::string text) {
  if (!last_was_kept_ || !is_vulkan_) return;
  findings_[last_].diagnostic.requirement = std::move(text);
  apply_vuid_choice();
}

void Report::deliver(Diagnostics& diagnostics) {
  std::erase_if(findings_, [](const Finding& finding) { return finding.is_dropped; });
  // Sorts by place, and then by rule. Findings that are equal in both keep the order in which they were reported. The
  // sort key has the rule in its lowest sixteen bits.
  std::ranges::stable_sort(findings_, {},
                           [](const Finding& f) { return f.order << 16 | static_cast<std::uint16_t>(f.rule); });
  std::size_t kept_errors = 0;
  for (Finding& finding : findings_) {
    kept_errors += finding.diagnostic.severity == Severity::Error ? 1 : 0;
    diagnostics.report(std::move(finding.diagnostic));
  }
  const std::size_t kept_others = findings_.size() - kept_errors;
  // Findings beyond the limit are only counted. The count of warnings also includes findings of lower severity.
  diagnostics.count(Severity::Error, errors_ - kept_errors);
  diagnostics.count(Severity::Warning, others_ - kept_others);
  findings_.clear();
}

}  // namespace vireo::spirv
