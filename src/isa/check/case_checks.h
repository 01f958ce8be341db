// SPDX-License-Identifier: Apache-2.0
//
// Checks of the cases of a leaf. The caller opens one leaf after another in a LeafReading that all checks share.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "isa/check/leaf_reading.h"
#include "isa/check/subject.h"

namespace vireo::isa {

/// Reports names that have no definition for some words, and params that a field does not pass. The loader reports
/// names that have no definition for any word.
class NameCheck {
 public:
  NameCheck(Subject& subject, LeafReading& reading)
      : subject_(subject), reading_(reading), model_(subject.model), outside_(subject.model.bitsets().size()) {}

  void check_leaf();
  void finish();

 private:
  // One use of a name in a leaf. Uses are checked one by one and not stored.
  struct Use {
    enum class Kind : std::uint8_t { Display, Expression } kind;
    std::uint32_t position;  // index of its case in LeafReading::cases()
    NameId name;
    Place where;
    ExpressionId expression;  // for Kind::Expression: a condition or a derived value
  };
  void check_use(const Use& use);
  // These two functions use the current word of the reading.
  bool is_missing(const Use& use);
  bool is_used(const Use& use);
  [[nodiscard]] Place place_of(const Use& use) const;
  void add_missing(const Use& use, const Bits& word);
  void report_missing();
  void report_outside();

  // A use of a name that is undefined in some leaves. `word` is a counterexample for the first of these leaves.
  struct Missing {
    NameId name;
    Place where;
    Place definition;
    Bits word;
    std::vector<BitsetId> leaves;
  };

  // A name that a leaf uses but does not define. Each field whose type is the leaf's root must pass it as a param.
  struct OutsideUse {
    BitsetId leaf;
    NameId name;
    Place where;
  };

  Subject& subject_;
  LeafReading& reading_;
  const Model& model_;
  std::vector<Missing> missing_;  // one entry for each place
  std::unordered_map<std::uint64_t, std::size_t> missing_at_;
  std::vector<std::vector<OutsideUse>> outside_;     // for each root; one entry for each name
  std::unordered_set<std::uint64_t> outside_names_;  // pairs of root and name
};

/// Reports overrides without effect, overrides that always hold, and expressions that depend on themselves.
class OverrideCheck {
 public:
  OverrideCheck(Subject& subject, LeafReading& reading)
      : subject_(subject), reading_(reading), model_(subject.model), findings_(subject.model.rows().cases.size()) {}

  void check_leaf();
  void find_cycles();
  void finish();

 private:
  // The results of the leaves checked so far for one override.
  struct Finding {
    bool is_seen = false;
    bool holds = false;       // its condition is true for some word
    bool fails = false;       // its condition is false for some word
    bool has_effect = false;  // for some word, it defines a name or display that no earlier case defines
    bool is_unknown = false;  // not all words were tried

    [[nodiscard]] bool is_decided() const { return is_unknown || (holds && fails && has_effect); }
  };
  void try_words(std::uint32_t position, const Support& support, Finding& finding);
  bool defines_something(std::uint32_t position);
  void report(const Bitset& b, const Case& row, const Finding& finding);

  Subject& subject_;
  LeafReading& reading_;
  const Model& model_;
  std::vector<Finding> findings_;  // indexed by CaseId
};

/// Returns the generations to try for a leaf: only its first one, unless the support depends on the generation.
std::vector<std::uint32_t> gens_to_try(const Subject& subject, GenRange gens, const Support& support);

}  // namespace vireo::isa
