// SPDX-License-Identifier: Apache-2.0
//
// What is checked, and where the checks report.
//
// The one idea: a check is a function of a Subject. It reads the model, asks which bitsets can be trusted, and reports
// with a rule and a place; severity, file and order are the Subject's business.
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
  /// The report begins with what the loader found.
  Subject(const LoadedModel& loaded, const CheckOptions& options, CheckReport& report);

  const Model& model;
  const CheckOptions& options;
  CheckReport& report;

  /// Whether a leaf exists in some generation and its masks are what its author wrote.
  [[nodiscard]] bool is_trusted(const Bitset& leaf) const;
  /// Whether it is one of those that are looked at, too: it exists in the generation asked for.
  [[nodiscard]] bool is_checked(const Bitset& leaf) const;
  /// The generations of a leaf that are looked at.
  [[nodiscard]] GenRange gens_of(const Bitset& leaf) const;
  /// One generation of each run that the description does not tell apart, in order: where a range begins or ends, or an
  /// expression compares with the generation.
  [[nodiscard]] const std::vector<std::uint32_t>& distinct_gens() const { return distinct_gens_; }

  /// Reports with the severity of the rule's row.
  void say(std::string_view rule, Place where, std::string message);
  /// A warning whatever the row says.
  void warn(std::string_view rule, Place where, std::string message);
  /// Adds the other place to what was said last.
  void note(Place where, std::string message);

  /// Whether nothing was said yet of this place under this key: shared rows are met once for each leaf.
  bool is_new(std::string_view rule, Place where);

  /// The part of a text element, such as `{NAME}` in an expression; the whole place when it is not found literally.
  [[nodiscard]] Place part_of(Place whole, std::string_view part) const;
  /// The name of a bitset, quoted.
  [[nodiscard]] std::string name_of(const Bitset& b) const;

 private:
  void find_broken_bitsets();
  void find_distinct_gens();

  const std::deque<SourceFile>& files_;
  std::vector<bool> is_broken_;  // by bitset: its patterns could not be read
  std::vector<std::uint32_t> distinct_gens_;
  std::unordered_set<std::string> said_;
  FileId last_file_;
};

std::string quoted_name(std::string_view name);
/// "all generations", "generation 5", "generations 300 to 599", "generation 600 and later".
std::string to_text(GenRange gens);

// The checks, in their order.
void check_overlaps(Subject& subject);      // overlaps.cpp
void check_declarations(Subject& subject);  // declarations.cpp
void check_override_bits(Subject& subject);
void check_cases(Subject& subject);      // cases.cpp
void check_displays(Subject& subject);   // displays.cpp
void survey_assembly(Subject& subject);  // assembly.cpp

}  // namespace vireo::isa
