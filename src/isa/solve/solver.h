// SPDX-License-Identifier: Apache-2.0
//
// The solver finds bits that satisfy constraints on derived fields and on bits that no display shows.
//
// Parsing a text yields a partially known word and constraints: a condition holds, another does not, an
// expression has a given value. An unknown bit is called open. The solver first propagates constraints: if a constraint
// has few open bits, it enumerates their values. It solves an equation with many open bits as a linear system over
// bits, or bit by bit from the lowest. Then it searches the remaining constraints, those with the fewest open bits
// first. A budget of evaluations bounds the work. If it runs out, encodings may be missed, but none is wrong, because
// the caller verifies each result. docs/isa-assembler.md, "Solving".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "isa/solve/bit_routing.h"
#include "isa/solve/scopes.h"

namespace vireo::isa {

struct Constraint {
  enum class Kind : std::uint8_t {
    IsTrue,     ///< the expression is not 0
    IsFalse,    ///< the expression is 0
    Equals,     ///< the derived value has `value` in the bits of `mask`
    IsWithin,   ///< `value` <= derived value in the bits of `mask` <= `limit`
    IsNonZero,  ///< the bits low … low + width - 1 are not all 0
    Implies,    ///< if the expression is not 0, those bits are `value`
  } kind = Kind::IsTrue;
  std::uint32_t scope = 0;
  std::uint32_t expression = nowhere;  ///< index in the scope's plan; none for IsNonZero
  std::uint32_t low = 0;               ///< within the instruction
  std::uint32_t width = 0;
  BitWord value = 0;
  BitWord mask = 0;
  BitWord limit = 0;
  BitWord support[2] = {};  ///< its support within the lowest 128 bits; set by narrow()
};

class Solver {
 public:
  Solver(const DecodeTables& tables, const std::vector<OpenScope>& scopes);

  /// The work limits for one text.
  static constexpr std::uint32_t max_evaluations = 1u << 15;
  static constexpr std::uint32_t max_solutions = 64;

  /// Resets the budgets for a new text.
  void renew() {
    evaluator_.set_budget(max_evaluations);
    evaluations_ = max_evaluations;
    solutions_ = max_solutions;
  }
  /// Ends the search; called within `found` if one solution is enough.
  void stop() { solutions_ = 0; }
  [[nodiscard]] bool is_exhausted() const { return evaluations_ == 0 || solutions_ == 0 || evaluator_.budget() == 0; }
  Evaluator& evaluator() { return evaluator_; }

  /// Evaluations and nested steps spent on the text; at most 2 * max_evaluations.
  [[nodiscard]] std::uint32_t work() const { return 2 * max_evaluations - evaluations_ - evaluator_.budget(); }

  /// Evaluates a constraint if all bits of its support are known; otherwise the result is Open.
  enum class Verdict : std::uint8_t { Fails, Holds, Open };
  Verdict check(const Constraint& constraint, const PartialWord& word);

  /// Processes an open constraint. If it has few open bits, enumerates their values and also checks the constraints in
  /// `before` that depend on no other open bits. Bits that are equal in all satisfying values become known. Fails: no
  /// value satisfies the constraint. Holds: the constraint can be dropped.
  Verdict narrow(Constraint& constraint, std::span<const Constraint> before, const PartialWord& word);

  /// Applies check() and narrow() until nothing changes, and removes constraints that hold. Returns false if a
  /// constraint fails.
  bool settle(std::vector<Constraint>& open, const PartialWord& word);

  /// Calls `found` with each completion of the word that satisfies the constraints, in an order that prefers few ones.
  /// Bits that no constraint determines stay unknown.
  void solve(const PartialWord& word, std::span<const Constraint> constraints,
             const std::function<void(const PartialWord&)>& found);

 private:
  static constexpr std::uint32_t max_narrowed_bits = 3;  // open bits that narrow() enumerates
  static constexpr std::uint32_t max_certain_bits = 6;   // open bits that propagation enumerates
  static constexpr std::uint32_t max_searched_bits = 12;

  bool holds(const Constraint& constraint, const BitWord* words);
  void add_support(const Constraint& constraint, BitWord* mask);
  std::optional<Verdict> propagate_routed(const Constraint& constraint, const PartialWord& word);
  std::optional<Verdict> propagate_comparison(Constraint& constraint, const PartialWord& word);
  std::optional<Verdict> postpone(Constraint& constraint, const CompiledExpression& row, const PartialWord& word);
  bool propagate(std::size_t level);
  void search(std::size_t level);
  bool try_out(std::size_t level, std::size_t index, bool& changed);
  enum class Guess : std::uint8_t { None, Possible, Certain };
  enum class Accepts : std::uint8_t { Any, Certain };
  Guess guess_equation(std::size_t level, std::size_t index, Accepts accepts);
  [[nodiscard]] PartialWord at(std::size_t level);
  std::uint32_t open_bits(std::size_t level, std::size_t index);

  Evaluator evaluator_;
  BitRoutings routings_;
  std::size_t size_;  // words of a mask
  std::uint32_t evaluations_ = 0;
  std::uint32_t solutions_ = 0;
  std::vector<Constraint> pending_;
  std::vector<BitWord> supports_;      // size_ words for each pending constraint
  std::vector<BitWord> levels_;        // value and known of each level of the search
  std::vector<std::uint8_t> is_done_;  // by level and constraint
  std::vector<BitWord> scratch_;       // a mask
  std::vector<std::uint32_t> bits_;    // open bits of the current constraint
  const std::function<void(const PartialWord&)>* found_ = nullptr;
};

}  // namespace vireo::isa
