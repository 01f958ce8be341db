// SPDX-License-Identifier: Apache-2.0
//
// Static name resolution: finds the possible definitions of each name without a word.
//
// The generator walks an instruction as a decoder would, with unknown bits. The leaf of each scope, the
// field that opened it and the position of its bits are known. So the possible definitions of each name are known too.
// A StaticScope is one bitset instance of this walk. A name reduces to a list of candidates, each with the condition
// under which it applies. Generations are grouped into ranges in which every comparison has the same result.
//
// The rules are those of docs/isaspec.md, "What a name means". An expression is *clean* if it reports no missing name
// and has no cycle. It can be evaluated at any time and any number of times. Looking up a name evaluates only the
// conditions of cases that define it. Mesa's decoder also evaluates the conditions of all cases that precede the
// definition. If this difference is observable in compatibility mode, the scope is *careful*. Then all conditions are
// evaluated in order, and no expression that reads a field counts as clean.
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

/// The maximum number of scopes of one instruction, as in the interpreter. Nested displays multiply the scopes.
inline constexpr std::size_t max_scopes = std::size_t{1} << 16;

/// A case that applies in the current generations.
struct SeenCase {
  const Case* row = nullptr;
  const Bitset* owner = nullptr;
  ExpressionId condition;  ///< none: it always holds
};

struct StaticScope {
  const Bitset* leaf = nullptr;
  const StaticScope* parent = nullptr;  ///< scope of `opened_by`; null: the instruction
  const Field* opened_by = nullptr;
  std::uint32_t low = 0;  ///< lowest bit, within the instruction
  std::vector<SeenCase> cases;
  bool is_careful = false;

  /// For each name, the definitions in lookup order: the index of the case, and the last field of this name in it.
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint32_t, const Field*>>> defined;
  enum class State : std::uint8_t { Open, Clean, Unclean };
  // Keyed by expression and assumptions (Scopes::key_of).
  mutable std::unordered_map<std::uint64_t, State> states;
  mutable std::unordered_map<std::uint64_t, std::string> texts;  ///< C code, by the same key
};

/// A definition that a name may have.
struct Candidate {
  ExpressionId condition;  ///< none: always
  const StaticScope* scope = nullptr;
  const Field* field = nullptr;  ///< null: only the condition is evaluated, for its faults
};

/// Folds constants, and comparisons of the generation with constants.
using FoldedSteps = std::vector<ExpressionStep>;
FoldedSteps fold(std::span<const ExpressionStep> steps, GenRange gens);

/// The ranges of generations in which the same leaves exist and every comparison of the generation with a number has
/// the same result. The ranges are in ascending order and cover all numbers.
std::vector<GenRange> generation_classes(const Model& model);

/// All scopes of one instruction, for one range of generations.
class Scopes {
 public:
  enum class Mode : std::uint8_t { Standard, Mesa };
  Scopes(const Model& model, GenRange gens, Mode mode) : model_(model), gens_(gens), mode_(mode) {}

  /// The reference stays valid until clear().
  const StaticScope& open(const Bitset& leaf, const StaticScope* parent, const Field* opened_by, std::uint32_t low);
  void clear() { scopes_.clear(); }
  [[nodiscard]] std::size_t count() const { return scopes_.size(); }

  /// The leaves of a root in these generations, in the order of matching.
  [[nodiscard]] std::vector<const Bitset*> leaves_of(const Bitset& root) const;

  /// The candidates of a name, in evaluation order. `innermost` is the expression that is being evaluated. If it is the
  /// condition of an override, fields of this override count as defined. The last candidate is unconditional unless the
  /// name may be missing.
  [[nodiscard]] std::vector<Candidate> resolve(const StaticScope& scope, NameId name, ExpressionId innermost) const;

  /// Records the result of a condition that the generated code has already evaluated. Ignores unclean conditions,
  /// because their value depends on when they are evaluated.
  void assume(const StaticScope& scope, ExpressionId condition, bool holds);
  [[nodiscard]] std::size_t assumptions() const { return assumed_.size(); }
  void drop_assumptions(std::size_t down_to) { assumed_.resize(down_to); }

  [[nodiscard]] bool is_clean(const StaticScope& scope, ExpressionId expression, int depth = 0) const;
  /// The cache key of an expression under the current assumptions.
  [[nodiscard]] std::uint64_t key_of(ExpressionId expression) const {
    const std::uint64_t context = assumed_.empty() ? 0 : assumed_.back().context;
    return context << 32 | expression.raw;
  }
  [[nodiscard]] const FoldedSteps& folded(ExpressionId expression) const;
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] GenRange gens() const { return gens_; }
  [[nodiscard]] bool is_mesa() const { return mode_ == Mode::Mesa; }

 private:
  struct Assumption {
    const StaticScope* scope;
    ExpressionId condition;
    bool holds;
    std::uint32_t context;  // identifies this assumption and all before it
  };
  [[nodiscard]] std::optional<bool> assumed(const StaticScope& scope, ExpressionId condition) const;
  [[nodiscard]] std::optional<std::int64_t> constant(ExpressionId expression) const;
  // The expressions that an expression depends on, and the number of cases that Mesa's decoder visits to look up its
  // names.
  struct Uses {
    std::vector<std::uint32_t> needed;  // expressions
    std::uint32_t passed = 0;
  };
  [[nodiscard]] Uses uses_of(const StaticScope& scope, std::uint32_t expression) const;
  [[nodiscard]] bool order_matters(const StaticScope& scope) const;
  [[nodiscard]] bool first_condition_evaluates_all(const StaticScope& scope) const;
  [[nodiscard]] bool is_clean_name(const StaticScope& scope, NameId name, ExpressionId innermost, int depth) const;
  [[nodiscard]] bool is_clean_param(const StaticScope& scope, const Param& param, int depth) const;
  [[nodiscard]] const Param* param_of(const StaticScope& scope, NameId inner) const;

  const Model& model_;
  GenRange gens_;
  Mode mode_;
  std::deque<StaticScope> scopes_;
  std::vector<Assumption> assumed_;
  std::uint32_t contexts_ = 0;
  mutable std::unordered_map<std::uint32_t, FoldedSteps> folded_;
};

}  // namespace vireo::isa::generate
