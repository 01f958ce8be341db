// SPDX-License-Identifier: Apache-2.0
//
// Report: where checks put what they find.
//
// The one idea: a check says which rule is broken, where, and what fills the gaps of the rule's sentence; all the rest is
// settled here. Findings may be made in any order and by several threads (each with a Report of its own); what users see
// is sorted by place, then by rule.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/validate/rules.h"
#include "vireo/spirv/module.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// Where something is wrong: an instruction, and a word of it. Word 0 means the whole instruction; without an instruction
/// the module's header is meant, word by word.
struct Place {
  InstructionIndex instruction;
  std::uint16_t word = 0;

  static constexpr Place header(std::uint16_t word) { return {InstructionIndex::none(), word}; }
};

class Report {
 public:
  /// The module must outlive the report. At most `limit` findings are kept in full; the rest is counted.
  Report(const Module& module, FeatureSet features, std::size_t limit = Diagnostics::default_limit)
      : module_(module), features_(features), limit_(limit) {}

  /// A rule is broken. The texts fill the gaps of its sentence; nothing is kept when a feature lifts the rule.
  void add(Rule rule, Place place, std::initializer_list<std::string_view> texts = {});
  /// Adds a note to what was added last.
  void note(Place place, std::string message);
  void hint(std::string text);

  /// Takes over what another report of the same module found.
  void take(Report&& other);

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

  const Module& module_;
  FeatureSet features_;
  std::size_t limit_;
  std::size_t errors_ = 0;
  bool last_was_kept_ = false;
  std::vector<Finding> findings_;
};

}  // namespace vireo::spirv
