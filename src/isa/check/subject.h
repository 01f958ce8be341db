// SPDX-License-Identifier: Apache-2.0
//
// The input of the checks, and the report they write to.
//
// A check is a function of a Subject. It reads the model, skips broken bitsets (is_trusted()), and
// reports a rule and a place; the Subject adds the severity, the file and the order.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "isa/model/rules.h"
#include "vireo/isa/check.h"

namespace vireo::isa {

class Subject {
 public:
  /// Copies the loader's diagnostics to the report.
  Subject(const LoadedModel& loaded, const CheckOptions& options, CheckReport& report);

  const Model& model;
  const CheckOptions& options;
  CheckReport& report;

  /// Returns whether a leaf exists in some generation and the loader read its patterns without error.
  [[nodiscard]] bool is_trusted(const Bitset& leaf) const;
  /// Returns whether a leaf is trusted and exists in the requested generation.
  [[nodiscard]] bool is_checked(const Bitset& leaf) const;
  /// The generations of a leaf to be checked.
  [[nodiscard]] GenRange gens_of(const Bitset& leaf) const;
  /// The generations to try, in order: one from each interval in which the description is the same. Intervals begin
  /// where a generation range begins or after it ends, and around constants in expressions that read the generation.
  [[nodiscard]] const std::vector<std::uint32_t>& distinct_gens() const { return distinct_gens_; }

  /// Reports a finding with the severity in the rule's row.
  void emit(std::string_view rule, Place where, std::string message);
  /// Reports a finding as a warning, whatever severity the rule's row has.
  void warn(std::string_view rule, Place where, std::string message);
  /// Adds a note to the last finding.
  void note(Place where, std::string message);

  /// Returns whether this is the first call with this rule and place. Leaves share rows, so a check may reach a place
  /// repeatedly.
  bool is_new(std::string_view rule, Place where);

  /// Returns the place of `part`, such as `{NAME}` in an expression, within `whole`; if the file does not contain
  /// `part` there, returns `whole`.
  [[nodiscard]] Place part_of(Place whole, std::string_view part) const;
  /// Returns the name of a bitset in quotes.
  [[nodiscard]] std::string name_of(const Bitset& b) const;

 private:
  void find_broken_bitsets();
  void find_distinct_gens();

  const std::deque<SourceFile>& files_;
  std::vector<bool> is_broken_;  // for each bitset: whether its patterns could not be read
  std::vector<std::uint32_t> distinct_gens_;
  std::unordered_set<std::string> reported_;
  FileId last_file_;
};

std::string quoted_name(std::string_view name);
/// "all generations", "generation 5", "generations 300 to 599", "generation 600 and later".
std::string to_text(GenRange gens);

// The checks, in the order in which they run.
void check_overlaps(Subject& subject);      // overlaps.cpp
void check_declarations(Subject& subject);  // declarations.cpp
void check_override_bits(Subject& subject);
void check_cases(Subject& subject);        // cases.cpp
void check_displays(Subject& subject);     // displays.cpp
void check_unread(Subject& subject);       // unread.cpp
void check_round_trips(Subject& subject);  // assembly.cpp

}  // namespace vireo::isa
