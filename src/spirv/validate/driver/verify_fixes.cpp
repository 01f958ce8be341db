// SPDX-License-Identifier: Apache-2.0
//
// Finds a set of fixes without side effects: all fixes together, else each half of them (largest_subset.h).
#include "spirv/validate/driver/verify_fixes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "spirv/module/word_changes.h"
#include "support/largest_subset.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t most_attempts = 64;
// With more findings than this, no fix is verified.
constexpr std::size_t most_findings = 100'000;

// A finding apart from its place, which changes with the words before it.
std::string identity_of(const Diagnostic& finding) {
  std::string text(finding.rule);
  return text.append(1, '\0').append(finding.message).append(1, '\0').append(finding.requirement);
}

// Equal for equal fixes only.
std::vector<std::uint64_t> key_of(const std::vector<Change>& fix) {
  std::vector<std::uint64_t> key;
  for (const Change& change : fix) {
    key.insert(key.end(), {change.where.begin, change.where.end, change.is_in_instruction, change.words.size()});
    key.insert(key.end(), change.words.begin(), change.words.end());
  }
  return key;
}

using Identities = std::multiset<std::string>;

class FixVerifier {
 public:
  FixVerifier(Words words, const ValidateOptions& options, FindFaults find_faults, std::vector<Diagnostic>& findings)
      : words_(words),
        options_(options),
        grammar_(options.grammar != nullptr ? *options.grammar : builtin_grammar()),
        find_faults_(find_faults),
        findings_(findings) {
    for (const Diagnostic& finding : findings_) before_.insert(identity_of(finding));
  }

  void run() {
    // Findings with equal changes are one group: one change removes all of them.
    std::map<std::vector<std::uint64_t>, std::size_t> group_of;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (findings_[i].fix.empty()) continue;
      const auto [found, is_new] = group_of.emplace(key_of(findings_[i].fix), groups_.size());
      if (is_new) groups_.push_back({i});
      else groups_[found->second].push_back(i);
    }
    const std::vector<std::size_t> kept =
        largest_subset(groups_.size(), most_attempts,
                       [&](const std::vector<std::size_t>& groups) { return has_no_side_effect(findings_of(groups)); });
    drop_all_but(findings_of(kept));
  }

 private:
  using Group = std::vector<std::size_t>;  // indexes of findings

  // The indexes of the findings in some groups, ascending.
  [[nodiscard]] std::vector<std::size_t> findings_of(const std::vector<std::size_t>& groups) const {
    std::vector<std::size_t> findings;
    for (const std::size_t group : groups)
      findings.insert(findings.end(), groups_[group].begin(), groups_[group].end());
    std::ranges::sort(findings);
    return findings;
  }

  // Whether the fixes of these findings remove them and cause no other finding. If so, records the findings that
  // disappear with them.
  bool has_no_side_effect(const std::vector<std::size_t>& fixed) {
    Identities expected = before_;
    std::vector<Diagnostic> applied;
    for (const std::size_t i : fixed) {
      expected.erase(expected.find(identity_of(findings_[i])));
      applied.push_back(findings_[i]);
    }
    const std::vector<Change> changes = ordered_changes(applied, grammar_);
    const WordBuffer changed = apply_changes(words_, changes);
    Diagnostics found(most_findings);
    ValidateOptions options = options_;
    options.fixes = false;
    options.max_findings = most_findings;
    std::vector<AllowedRule> allowed;
    for (AllowedRule each : options_.allowed) {
      each.instruction = ordinal_after(each.instruction, changes);
      if (each.instruction != 0) allowed.push_back(each);
    }
    options.allowed = allowed;
    find_faults_(changed, options, found);
    if (found.error_count() + found.warning_count() != found.all().size()) return false;  // some were not kept
    for (const Diagnostic& finding : found.all()) {
      const auto same = expected.find(identity_of(finding));
      if (same == expected.end()) return false;
      expected.erase(same);
    }
    consequences_ = std::move(expected);
    return true;
  }

  void drop_all_but(const std::vector<std::size_t>& kept) {
    std::vector<Diagnostic> fixed;
    fixed.reserve(kept.size());
    for (const std::size_t i : kept) fixed.push_back(findings_[i]);
    const std::vector<Change> changes = ordered_changes(fixed, grammar_);
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (std::ranges::binary_search(kept, i)) continue;
      findings_[i].fix.clear();
      // A consequence of the fixed faults disappears with them.
      const auto same = consequences_.find(identity_of(findings_[i]));
      if (same == consequences_.end()) continue;
      consequences_.erase(same);
      findings_[i].fix = changes;
    }
  }

  const Words words_;
  const ValidateOptions& options_;
  const Grammar& grammar_;
  const FindFaults find_faults_;
  std::vector<Diagnostic>& findings_;
  Identities before_, consequences_;
  std::vector<Group> groups_;
};

}  // namespace

bool validate_with_fixes(Words words, const ValidateOptions& options, FindFaults find_faults,
                         Diagnostics& diagnostics) {
  ValidateOptions all = options;
  all.max_findings = most_findings;
  Diagnostics found(most_findings);
  const bool is_valid = find_faults(words, all, found);
  std::vector<Diagnostic> findings = found.all();
  if (findings.size() == found.error_count() + found.warning_count()) {
    FixVerifier(words, options, find_faults, findings).run();
  } else {
    for (Diagnostic& finding : findings) finding.fix.clear();
  }
  std::size_t errors = 0, warnings = 0;
  for (Diagnostic& finding : findings) {
    std::size_t& count = finding.severity == Severity::Error ? errors : warnings;
    if (count++ < options.max_findings) diagnostics.report(std::move(finding));
    else diagnostics.count(finding.severity, 1);
  }
  diagnostics.count(Severity::Error, found.error_count() - errors);
  diagnostics.count(Severity::Warning, found.warning_count() - warnings);
  return is_valid;
}

}  // namespace vireo::spirv
