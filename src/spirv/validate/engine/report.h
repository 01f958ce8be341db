// SPDX-License-Identifier: Apache-2.0
//
// Report: where checks put what they find.
//
// The one idea: a check says which rule is broken, where, and what fills the gaps of the rule's sentence; all the rest is
// settled here. Findings may be made in any order; what users see is sorted by place, then by rule.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/validate/engine/soundness.h"
#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/module.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// What becomes of findings: which features lift rules, and what the caller chose.
class Severities {
 public:
  Severities(FeatureSet features, std::span<const RuleChoice> choices);

  /// Nothing: findings of the rule are dropped.
  [[nodiscard]] std::optional<Severity> of(Rule rule) const;
  /// The same of a rule that is no row: what the reader of modules reports.
  [[nodiscard]] std::optional<Severity> of(const Diagnostic& diagnostic) const;

 private:
  FeatureSet features_;
  std::span<const RuleChoice> choices_;
  std::vector<std::pair<Rule, std::optional<Severity>>> chosen_;  // by rule, each once
};

class Report {
 public:
  /// What it is given must outlive the report. At most `limit` errors are kept in full, and as many warnings; the rest is
  /// counted.
  Report(const Module& module, const Severities& severities, Soundness& soundness,
         std::size_t limit = Diagnostics::default_limit)
      : module_(module), severities_(severities), soundness_(soundness), limit_(limit) {}

  /// A rule is broken. The texts fill the gaps of its sentence; nothing is kept when the rule is lifted, or off, or about
  /// the type of a word whose type is known to be unsound. What the finding makes unsound is marked.
  void add(Rule rule, Place place, std::initializer_list<std::string_view> texts = {});
  /// The same for a rule that many instructions break for one cause, such as a declaration that is missing. Only the
  /// first finding of a cause is kept; `cause` tells it from other causes for breaking this rule.
  void add_once(Rule rule, Place place, std::string_view cause, std::initializer_list<std::string_view> texts);
  /// Whether a finding of the rule would still be kept. Where it would only be counted, an expensive check may stop.
  [[nodiscard]] bool has_room_for(Rule rule) const;
  /// What the reader of modules found.
  void add(Diagnostic diagnostic);
  /// Adds a note to what was added last.
  void note(Place place, std::string message);
  void hint(std::string text);

  /// Gives all findings to `diagnostics`, in the order of the words; the report is empty afterwards.
  void deliver(Diagnostics& diagnostics);

  [[nodiscard]] bool has_errors() const { return errors_ != 0; }

 private:
  struct Finding {
    std::uint64_t order;  // the word's offset
    Rule rule;
    Diagnostic diagnostic;
  };
  [[nodiscard]] Location location_of(Place place) const;
  bool has_room_for(Severity severity);

  const Module& module_;
  const Severities& severities_;
  Soundness& soundness_;
  std::size_t limit_;
  std::size_t errors_ = 0, others_ = 0;
  bool last_was_kept_ = false;
  std::vector<Finding> findings_;
  std::set<std::pair<Rule, std::string>> told_once_;  // rules and causes of add_once()
};

}  // namespace vireo::spirv
