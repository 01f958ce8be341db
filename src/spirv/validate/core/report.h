// SPDX-License-Identifier: Apache-2.0
//
// Report: collects the findings of checks.
//
// A check passes the rule, the place and the arguments of the rule's message to ModuleCheck::report (check.h). That
// formats the message; Report stores it and computes the location. Checks may report in any order; findings are sorted
// by place, and then by rule.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/validate/core/soundness.h"
#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// The severity of each rule, from the features that lift rules and from the user's choices.
class Severities {
 public:
  Severities(FeatureSet features, std::span<const RuleChoice> choices);

  /// The severity of a rule. Nothing if findings of the rule are dropped.
  [[nodiscard]] std::optional<Severity> of(Rule rule) const;
  /// The user's last choice for exactly this name, such as a VUID; nullptr if there is none.
  [[nodiscard]] const RuleChoice* choice_for(std::string_view name) const;
  /// The severity of a finding of the decoder, whose rules (src/spirv/rules.def) are not in the table.
  [[nodiscard]] std::optional<Severity> of(const Diagnostic& diagnostic) const;

 private:
  void choose(const ValidationRule& row, std::optional<Severity> severity);

  FeatureSet features_;
  std::span<const RuleChoice> choices_;
  std::vector<std::pair<Rule, std::optional<Severity>>> chosen_;  // by rule, each once
};

class Report {
 public:
  /// All arguments must outlive the report. At most `limit` errors and `limit` other findings are kept in full; the
  /// rest are only counted.
  /// `is_vulkan`: findings have VUIDs. `keeps_fixes`: findings have fixes.
  Report(const Module& module, const Severities& severities, Soundness& soundness, bool is_vulkan, bool keeps_fixes,
         std::span<const AllowedRule> allowed = {}, std::size_t limit = Diagnostics::default_limit)
      : module_(module),
        severities_(severities),
        soundness_(soundness),
        is_vulkan_(is_vulkan),
        keeps_fixes_(keeps_fixes),
        allowed_(allowed),
        is_used_(allowed.size()),
        limit_(limit) {}

  /// Reports a violation of a rule. Drops the finding if the rule is lifted or off, or if it concerns the type of a word
  /// that is already unsound. Marks the ids and words that the finding makes unsound. Returns whether the finding is
  /// kept; then message() gives it its text.
  bool add(Rule rule, Place place);
  /// Reports a rule that many instructions violate for one cause, such as a missing declaration. Only the first finding
  /// of each cause is kept; `cause` identifies it.
  bool add_once(Rule rule, Place place, std::string_view cause);
  /// The message of the finding that has just been added.
  void message(std::string text) { findings_[last_].diagnostic.message = std::move(text); }
  // One fault may break several rules. The following functions make the others notes of its finding. `consequence` is
  // the rule that is otherwise reported. A finding whose severity the user has lowered must not hide errors, so it has
  // no errors as notes.

  /// Records a cause as a consequence of an earlier one. If add_once() has kept a finding of the earlier cause, makes it
  /// the last finding, so that a note can name the consequence, and returns true. Then add_once() reports nothing for
  /// this cause. Only a few consequences of a finding are noted, each once.
  bool join(Rule rule, std::string_view cause, std::string_view earlier, Rule consequence);
  /// Like join(), for the only consequence of a cause: returns true once.
  bool take(Rule rule, std::string_view cause, Rule consequence);
  /// The opposite: turns the earlier finding of a cause into a note of the last finding, which names the cause itself.
  void absorb(Rule rule, std::string_view cause);
  /// Records the cause of the last finding for join(), as add_once() does.
  void name_cause(Rule rule, std::string_view cause);
  /// A decoration of a target or of its member, which is wrong there or missing.
  struct DecorationFault {
    enum Kind : std::uint8_t { Wrong, Missing };
    Kind kind;
    Decoration decoration;
    Word target;
    Word member = no_member;
  };
  /// A wrong decoration and a missing one are one fault if a single wrong operand explains both: the decoration, the
  /// target or the member. Call await_counterpart() after a finding about one of them. If there is an earlier finding
  /// about the other without a counterpart, join_counterpart() makes it the last finding, so that a note can name the
  /// consequence, and returns true.
  void await_counterpart(const DecorationFault& fault);
  bool join_counterpart(const DecorationFault& fault, Rule consequence);
  /// Whether a further finding of the rule would be kept. If it would only be counted, an expensive check may stop.
  [[nodiscard]] bool has_room_for(Rule rule) const;
  /// Adds a finding with its message: of the decoder, or about an unused allow comment.
  void add(Diagnostic diagnostic);
  /// Whether notes and hints have a finding that they belong to.
  [[nodiscard]] bool keeps_last() const { return last_was_kept_; }
  /// Adds a note to the last finding.
  void note(Place place, std::string message);
  void hint(std::string text);
  /// Adds a change to the fix of the last finding. verify_fixes.h keeps only fixes without side effects.
  void fix(Change change);
  /// Chooses the VUID of the last finding, if the row of its rule has several: the one that ends with this number. 0
  /// means that the finding violates no VUID.
  void vuid(std::uint16_t number);
  /// The same for a rule whose VUIDs are in another table (built_in_rows.h).
  void vuid(std::string text);

  /// Reports the allowed rules that suppressed no finding so far, and those that do not exist.
  void add_unused_allowed();

  /// Moves all findings to `diagnostics`, in word order; the report is empty afterwards.
  void deliver(Diagnostics& diagnostics);

  [[nodiscard]] bool has_errors() const { return errors_ != 0; }

 private:
  struct Finding {
    std::uint64_t order;  // the word's offset
    Rule rule;
    Diagnostic diagnostic;
    bool is_dropped = false;  // it is a note of another finding, or the user has switched its VUID off
  };
  [[nodiscard]] Location location_of(Place place) const;
  bool has_room_for(Severity severity);
  /// The severity of a rule, or of its VUID if it has only one.
  [[nodiscard]] std::optional<Severity> severity_of(Rule rule) const;
  /// Whether a finding of the rule may become a note of the finding with this index.
  [[nodiscard]] bool may_hold(std::size_t finding, Rule consequence) const;
  /// Makes an earlier finding the last one.
  void return_to(std::size_t finding);
  /// Applies the user's choice for the VUID of the last finding.
  void apply_vuid_choice();
  /// Marks what the last finding makes unsound, if its severity depended on its VUID.
  void mark_last();
  /// Whether the user allowed the finding. Records that the allowance is used.
  bool is_allowed(std::string_view rule, std::uint64_t instruction);
  bool is_allowed(Rule rule, Place place);

  const Module& module_;
  const Severities& severities_;
  Soundness& soundness_;
  bool is_vulkan_, keeps_fixes_;
  std::span<const AllowedRule> allowed_;
  std::vector<bool> is_used_;  // by index in allowed_
  std::size_t limit_;
  std::size_t errors_ = 0, others_ = 0;
  bool last_was_kept_ = false;
  bool is_joined_ = false;  // the last finding is an earlier one, and notes are its consequences
  std::vector<Finding> findings_;
  std::size_t last_ = 0;          // index of the last finding, to which notes, hints and fixes belong
  std::optional<Place> to_mark_;  // of the last finding, until its VUID is chosen
  /// The findings of add_once(), by rule and cause.
  struct Once {
    std::size_t finding = none;  // index; none: not kept
    int joined = 0;              // consequences
    static constexpr std::size_t none = ~std::size_t{0};
  };
  std::map<std::pair<Rule, std::string>, Once> reported_once_;
  /// Whether the index is that of a finding that deliver() returns.
  [[nodiscard]] bool is_kept(std::size_t finding) const {
    return finding != Once::none && !findings_[finding].is_dropped;
  }
  /// Findings about decorations without a counterpart.
  struct Awaiting {
    DecorationFault fault;
    std::size_t finding;
  };
  std::vector<Awaiting> awaiting_;
};

}  // namespace vireo::spirv
