// SPDX-License-Identifier: Apache-2.0
//
// What names mean, as far as that is known before there is a word.
//
// The one idea: the generator walks an instruction as a decoder would, with bits that are not known. All the rest is: which
// leaf a scope is, which field opened it, where its bits lie in the instruction, and so which definitions a name may have.
// A StaticScope is one bitset instance of such a walk. What is left of a name is a list of candidates, each with the
// condition under which it counts; what is left of a generation is a range in which all comparisons come out alike.
//
// The rules are those of docs/isaspec.md, "What a name means". *Clean* is what can be evaluated in any order, any number of
// times: it reports no missing name and does not run in a circle. To look a name up, only the conditions of cases that
// define it are asked. Mesa's decoder asks those of all cases on the way; where that can be told from the outside, and
// its manner is wanted, a scope is *careful*: all are asked, in order, and nothing in it counts as clean.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "vireo/isa/model.h"

namespace vireo::isa::generate {

/// Scopes of one instruction. The interpreter gives up at as many: displays nested in displays multiply.
inline constexpr std::size_t max_scopes = std::size_t{1} << 16;

/// A case that counts in the generations at hand.
struct SeenCase {
  const Case* row = nullptr;
  const Bitset* owner = nullptr;
  ExpressionId condition;  ///< none: it always holds
};

struct StaticScope {
  const Bitset* leaf = nullptr;
  const StaticScope* parent = nullptr;  ///< owner of the field that opened it; null: the instruction
  const Field* opened_by = nullptr;
  std::uint32_t low = 0;  ///< of its bits, within the instruction
  std::vector<SeenCase> cases;
  bool is_careful = false;

  /// Where a name is defined: case by case, the last definition of each.
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint32_t, const Field*>>> defined;
  enum class State : std::uint8_t { Open, Clean, Unclean };
  // By expression, and by what is assumed (Scopes::key_of).
  mutable std::unordered_map<std::uint64_t, State> states;
  mutable std::unordered_map<std::uint64_t, std::string> texts;  ///< its value, as C
};

/// A definition that a name may have.
struct Candidate {
  ExpressionId condition;  ///< none: always
  const StaticScope* scope = nullptr;
  const Field* field = nullptr;  ///< null: the condition is asked, and no more
};

/// An expression with all that the generation decides put in and folded; a single constant is a constant.
using FoldedSteps = std::vector<ExpressionStep>;
FoldedSteps fold(std::span<const ExpressionStep> steps, GenRange gens);

/// The ranges of generations in which nothing changes: the same leaves exist, and every comparison of the generation with
/// a number gives the same. In ascending order; they cover all numbers.
std::vector<GenRange> generation_classes(const Model& model);

/// All scopes of one instruction, for one range of generations.
class Scopes {
 public:
  enum class Manner : std::uint8_t { Ours, Mesa };
  Scopes(const Model& model, GenRange gens, Manner manner) : model_(model), gens_(gens), manner_(manner) {}

  /// The reference stays valid until clear().
  const StaticScope& open(const Bitset& leaf, const StaticScope* parent, const Field* opened_by, std::uint32_t low);
  void clear() { scopes_.clear(); }
  [[nodiscard]] std::size_t count() const { return scopes_.size(); }

  /// The leaves of a root in these generations, in the order of matching.
  [[nodiscard]] std::vector<const Bitset*> leaves_of(const Bitset& root) const;

  /// What a name may be, in the order of asking. `innermost` is the expression that is being evaluated: a condition sees
  /// its own override as if it held. Ends with an unconditional candidate unless the name may be missing.
  [[nodiscard]] std::vector<Candidate> resolve(const StaticScope& scope, NameId name, ExpressionId innermost) const;

  /// Whether a condition is known to hold, or not to, where code is being made: it was asked on the way there. Only clean
  /// conditions can be assumed; what others give depends on when they are asked.
  void assume(const StaticScope& scope, ExpressionId condition, bool holds);
  [[nodiscard]] std::size_t assumptions() const { return assumed_.size(); }
  void drop_assumptions(std::size_t down_to) { assumed_.resize(down_to); }

  [[nodiscard]] bool is_clean(const StaticScope& scope, ExpressionId expression, int depth = 0) const;
  /// What is found out about an expression holds under the assumptions of the moment.
  [[nodiscard]] std::uint64_t key_of(ExpressionId expression) const {
    const std::uint64_t context = assumed_.empty() ? 0 : assumed_.back().context;
    return context << 32 | expression.raw;
  }
  [[nodiscard]] const FoldedSteps& folded(ExpressionId expression) const;
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] GenRange gens() const { return gens_; }
  [[nodiscard]] bool is_mesa() const { return manner_ == Manner::Mesa; }

 private:
  struct Assumption {
    const StaticScope* scope;
    ExpressionId condition;
    bool holds;
    std::uint32_t context;  // numbers this assumption together with those before it
  };
  [[nodiscard]] std::optional<bool> assumed(const StaticScope& scope, ExpressionId condition) const;
  [[nodiscard]] std::optional<std::int64_t> constant(ExpressionId expression) const;
  // What an expression needs of its scope, and how many cases are passed while its names are looked up.
  struct Uses {
    std::vector<std::uint32_t> needed;  // expressions
    std::uint32_t way = 0;
  };
  [[nodiscard]] Uses uses_of(const StaticScope& scope, std::uint32_t expression) const;
  [[nodiscard]] bool order_matters(const StaticScope& scope) const;
  [[nodiscard]] bool first_condition_settles_all(const StaticScope& scope) const;
  [[nodiscard]] bool is_clean_name(const StaticScope& scope, NameId name, ExpressionId innermost, int depth) const;
  [[nodiscard]] bool is_clean_param(const StaticScope& scope, const Param& param, int depth) const;
  [[nodiscard]] const Param* param_of(const StaticScope& scope, NameId inner) const;

  const Model& model_;
  GenRange gens_;
  Manner manner_;
  std::deque<StaticScope> scopes_;
  std::vector<Assumption> assumed_;
  std::uint32_t contexts_ = 0;
  mutable std::unordered_map<std::uint32_t, FoldedSteps> folded_;
};

}  // namespace vireo::isa::generate
