// SPDX-License-Identifier: Apache-2.0
//
// Checks of the cases of leaves: each looks at one leaf after another through the same reading.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "isa/check/leaf_reading.h"
#include "isa/check/subject.h"

namespace vireo::isa {

/// Names that mean nothing for some word, and params that are not handed in. What means nothing for any word the loader
/// has reported.
class NameCheck {
 public:
  NameCheck(Subject& subject, LeafReading& reading)
      : subject_(subject), reading_(reading), model_(subject.model), outside_(subject.model.bitsets().size()) {}

  void look_at_leaf();
  void finish();

 private:
  // Where a leaf uses a name.
  // Small, and made anew for each leaf: uses are looked at and dropped, only what is missing is kept.
  struct Use {
    enum class Kind : std::uint8_t { Display, Expression } kind;
    std::uint32_t position;  // of its case
    NameId name;
    Place where;
    ExpressionId expression;  // of Expression: a condition, or a derived value
  };
  void look_at(const Use& use);
  // For the word that the reading has taken.
  bool is_missing(const Use& use);
  bool is_met(const Use& use);
  [[nodiscard]] Place place_of(const Use& use) const;
  void add_missing(const Use& use, const Bits& word);
  void report_missing();
  void report_outside();

  // A use that means nothing in some leaves, and a word that shows it in the first of them.
  struct Missing {
    NameId name;
    Place where;
    Place definition;
    Bits word;
    std::vector<BitsetId> leaves;
  };

  // A name that a leaf does not define itself: whoever has the leaf's root as a type hands it in.
  struct OutsideUse {
    BitsetId leaf;
    NameId name;
    Place where;
  };

  Subject& subject_;
  LeafReading& reading_;
  const Model& model_;
  std::vector<Missing> missing_;  // each place once
  std::unordered_map<std::uint64_t, std::size_t> missing_at_;
  std::vector<std::vector<OutsideUse>> outside_;     // by root; each name once
  std::unordered_set<std::uint64_t> outside_names_;  // root and name
};

/// Overrides that never say anything, or always; expressions that need themselves.
class OverrideCheck {
 public:
  OverrideCheck(Subject& subject, LeafReading& reading)
      : subject_(subject), reading_(reading), model_(subject.model), findings_(subject.model.rows().cases.size()) {}

  void look_at_leaf();
  void look_for_circles();
  void finish();

 private:
  // What is known of an override after the leaves looked at so far.
  struct Finding {
    bool is_met = false;
    bool holds = false;       // for some word
    bool fails = false;       // for some word
    bool says = false;        // something, for some word: nothing before it says the same
    bool is_unknown = false;  // not all words could be tried

    [[nodiscard]] bool is_settled() const { return is_unknown || (holds && fails && says); }
  };
  void try_words(std::uint32_t position, const Support& support, Finding& finding);
  bool says_something(std::uint32_t position);
  void report(const Bitset& b, const Case& row, const Finding& finding);

  Subject& subject_;
  LeafReading& reading_;
  const Model& model_;
  std::vector<Finding> findings_;  // by CaseId
};

/// Generations to try for a leaf: one, unless what is asked depends on it.
std::vector<std::uint32_t> gens_to_try(const Subject& subject, GenRange gens, const Support& support);

}  // namespace vireo::isa
