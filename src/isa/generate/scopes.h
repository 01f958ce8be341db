// SPDX-License-Identifier: Apache-2.0
//
// The static meaning of names: what is known of them before there is a word.
//
// The one idea: the generator walks an instruction as a decoder would, with unknown bits. Everything else is known: the
// leaf of each scope, the field that opened it, the position of its bits in the instruction, and so the possible
// definitions of each name. A StaticScope is one bitset instance of this walk. A name reduces to a list of candidates,
// each with the condition under which it applies. A generation reduces to a range in which all comparisons have the
// same result.
//
// The rules are those of docs/isaspec.md, "What a name means". An expression is *clean* if it can be evaluated in any
// order, any number of times: it reports no missing name and has no cycle. Looking up a name evaluates only the
// conditions of cases that define it. Mesa's decoder evaluates the conditions of all cases on the way. If this is
// observable, and the compatibility mode is on, a scope is *careful*: all conditions are evaluated, in order, and
// nothing in it counts as clean.
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

/// The maximum number of scopes of one instruction, as in the interpreter, because nested displays multiply.
inline constexpr std::size_t max_scopes = std::size_t{1} << 16;

/// A case that applies in the current generations.
struct SeenCase {
  const Case* row = nullptr;
  const Bitset* owner = nullptr;
  ExpressionId condition;  ///< none: it always holds
};

struct StaticScope {
  const Bitset* leaf = nullptr;
  const StaticScope* parent = nullptr;  ///< owner of the field that opened it; null: the instruction
  const Field* opened_by = nullptr;
  std::uint32_t low = 0;  ///< lowest bit, within the instruction
  std::vector<SeenCase> cases;
  bool is_careful = false;

  /// The definitions of each name: by case, the last one of each case.
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint32_t, const Field*>>> defined;
  enum class State : std::uint8_t { Open, Clean, Unclean };
  // Keyed by expression and assumptions (Scopes::key_of).
  mutable std::unordered_map<std::uint64_t, State> states;
  mutable std::unordered_map<std::uint64_t, std::string> texts;  ///< its value as C code
};

/// A definition that a name may have.
struct Candidate {
  ExpressionId condition;  ///< none: always
  const StaticScope* scope = nullptr;
  const Field* field = nullptr;  ///< null: the condition is only evaluated
};

/// Folds an expression: everything that the generation decides becomes a constant.
using FoldedSteps = std::vector<ExpressionStep>;
FoldedSteps fold(std::span<const ExpressionStep> steps, GenRange gens);

/// The ranges of generations in which nothing changes: the same leaves exist, and every comparison of the generation
/// with a number has the same result. In ascending order; they cover all numbers.
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

  /// The candidates of a name, in evaluation order. `innermost` is the expression that is being evaluated: a condition
  /// sees its own override as if it held. The last candidate is unconditional unless the name may be missing.
  [[nodiscard]] std::vector<Candidate> resolve(const StaticScope& scope, NameId name, ExpressionId innermost) const;

  /// Assumes the result of a condition for the code that follows, after code that evaluated it. Only clean conditions
  /// can be assumed: the value of others depends on when they are evaluated.
  void assume(const StaticScope& scope, ExpressionId condition, bool holds);
  [[nodiscard]] std::size_t assumptions() const { return assumed_.size(); }
  void drop_assumptions(std::size_t down_to) { assumed_.resize(down_to); }

  [[nodiscard]] bool is_clean(const StaticScope& scope, ExpressionId expression, int depth = 0) const;
  /// Results for an expression are valid under the current assumptions only.
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
  // The expressions that an expression depends on, and how many cases are passed while its names are looked up.
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
