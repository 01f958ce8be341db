// SPDX-License-Identifier: Apache-2.0
//
// The input of the checks, and the report they write to.
//
// The one idea: a check is a function of a Subject. It reads the model, skips broken bitsets (is_trusted()), and
// reports a rule and a place; the Subject chooses severity, file and order.
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

  /// Whether a leaf exists in some generation and its patterns were read without error.
  [[nodiscard]] bool is_trusted(const Bitset& leaf) const;
  /// Whether a leaf is trusted and exists in the requested generation.
  [[nodiscard]] bool is_checked(const Bitset& leaf) const;
  /// The generations of a leaf to be checked.
  [[nodiscard]] GenRange gens_of(const Bitset& leaf) const;
  /// One generation of each run that the description treats alike, in order. Runs begin where a range begins, after a
  /// range ends, and around constants in expressions that read the generation.
  [[nodiscard]] const std::vector<std::uint32_t>& distinct_gens() const { return distinct_gens_; }

  /// Reports with the severity in the rule's row.
  void emit(std::string_view rule, Place where, std::string message);
  /// Reports a warning, whatever the rule's row says.
  void warn(std::string_view rule, Place where, std::string message);
  /// Adds a note to the last report.
  void note(Place where, std::string message);

  /// Whether this is the first call with this rule and place. Leaves share rows, so a check may reach a place
  /// repeatedly.
  bool is_new(std::string_view rule, Place where);

  /// The place of `part`, such as `{NAME}` in an expression, within a text; the whole place if the file has no such
  /// text.
  [[nodiscard]] Place part_of(Place whole, std::string_view part) const;
  /// The name of a bitset, quoted.
  [[nodiscard]] std::string name_of(const Bitset& b) const;

 private:
  void find_broken_bitsets();
  void find_distinct_gens();

  const std::deque<SourceFile>& files_;
  std::vector<bool> is_broken_;  // by bitset: whether its patterns could not be read
  std::vector<std::uint32_t> distinct_gens_;
  std::unordered_set<std::string> reported_;
  FileId last_file_;
};

std::string quoted_name(std::string_view name);
/// "all generations", "generation 5", "generations 300 to 599", "generation 600 and later".
std::string to_text(GenRange gens);

// The checks, in their order.
void check_overlaps(Subject& subject);      // overlaps.cpp
void check_declarations(Subject& subject);  // declarations.cpp
void check_override_bits(Subject& subject);
void check_cases(Subject& subject);        // cases.cpp
void check_displays(Subject& subject);     // displays.cpp
void check_round_trips(Subject& subject);  // assembly.cpp

}  // namespace vireo::isa
