// SPDX-License-Identifier: Apache-2.0
//
// The solver: what a text says about derived fields and hidden bits, turned into bits.
//
// The one idea: a text that was read leaves a word of which some bits are known, and constraints: this condition held,
// that one did not, this expression has this value. The solver first concludes what is certain (a constraint with few
// open bits is tried out; an equation over many is solved as a linear system over bits, or bit by bit from below), then
// searches what is left, smallest first. Work is bounded by a budget of evaluations; running out only loses
// encodings, as each result is proved by whoever asked. docs/isa-assembler.md, "Solving".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "isa/solve/scopes.h"
#include "isa/solve/wiring.h"

namespace vireo::isa {

struct Constraint {
  enum class Kind : std::uint8_t {
    IsTrue,     ///< the expression is not 0
    IsFalse,    ///< the expression is 0
    Equals,     ///< the derived value has `value` in the bits of `mask`
    IsWithin,   ///< the derived value, in the bits of `mask`, lies between `value` and `limit`
    IsNonZero,  ///< the bits low … low + width - 1 are not all 0
    Implies,    ///< where the expression is not 0, those bits are `value`
  } kind = Kind::IsTrue;
  std::uint32_t scope = 0;
  std::uint32_t expression = nowhere;  ///< of the scope's plan; IsNonZero: none
  std::uint32_t low = 0;               ///< within the instruction
  std::uint32_t width = 0;
  BitWord value = 0;
  BitWord mask = 0;
  BitWord limit = 0;
  BitWord support[2] = {};  ///< what it depends on, of the lowest 128 bits; set by narrow()
};

class Solver {
 public:
  Solver(const DecodeTables& tables, const std::vector<OpenScope>& scopes);

  /// What is done for one text, at most.
  static constexpr std::uint32_t max_evaluations = 1u << 15;
  static constexpr std::uint32_t max_solutions = 64;

  /// Begins a new text.
  void renew() {
    evaluator_.set_budget(max_evaluations);
    evaluations_ = max_evaluations;
    solutions_ = max_solutions;
  }
  /// Ends the search from within `found`: one solution was enough.
  void stop() { solutions_ = 0; }
  [[nodiscard]] bool is_exhausted() const { return evaluations_ == 0 || solutions_ == 0 || evaluator_.budget() == 0; }
  Evaluator& evaluator() { return evaluator_; }

  /// Evaluations and steps in them that were spent on the text; at most 2 * max_evaluations.
  [[nodiscard]] std::uint32_t work() const { return 2 * max_evaluations - evaluations_ - evaluator_.budget(); }

  /// Whether a constraint already can be judged, and holds.
  enum class Verdict : std::uint8_t { Fails, Holds, Open };
  Verdict judge(const Constraint& constraint, const PartialWord& word);

  /// Takes up a constraint that is open: tries its open bits out, if they are few, together with the constraints before it
  /// that ask for no others. What all that fits agrees in becomes known. Fails: nothing fits. Holds: it need not be kept.
  Verdict narrow(Constraint& constraint, std::span<const Constraint> before, const PartialWord& word);

  /// Judges and narrows until nothing changes; what holds is taken from the list. False: a constraint fails.
  bool settle(std::vector<Constraint>& open, const PartialWord& word);

  /// Calls `found` with each completion of the word that fulfils the constraints, the plausible ones first: bits that no
  /// constraint decides stay unknown.
  void solve(const PartialWord& word, std::span<const Constraint> constraints,
             const std::function<void(const PartialWord&)>& found);

 private:
  static constexpr std::uint32_t max_narrowed_bits = 3;  // of a constraint that is taken up
  static constexpr std::uint32_t max_certain_bits = 6;   // a constraint of so many open bits is tried out at once
  static constexpr std::uint32_t max_searched_bits = 12;

  bool holds(const Constraint& constraint, const BitWord* words);
  void add_support(const Constraint& constraint, BitWord* mask);
  std::optional<Verdict> conclude_wired(const Constraint& constraint, const PartialWord& word);
  std::optional<Verdict> conclude_plainly(Constraint& constraint, const PartialWord& word);
  std::optional<Verdict> postpone(Constraint& constraint, const CompiledExpression& row, const PartialWord& word);
  bool conclude(std::size_t level);
  void search(std::size_t level);
  bool try_out(std::size_t level, std::size_t index, bool& changed);
  enum class Guess : std::uint8_t { None, Possible, Certain };
  enum class Accepts : std::uint8_t { Any, Certain };
  Guess guess_equation(std::size_t level, std::size_t index, Accepts accepts);
  [[nodiscard]] PartialWord at(std::size_t level);
  std::uint32_t open_bits(std::size_t level, std::size_t index);

  Evaluator evaluator_;
  Wirings wirings_;
  std::size_t size_;  // words of a mask
  std::uint32_t evaluations_ = 0;
  std::uint32_t solutions_ = 0;
  std::vector<Constraint> pending_;
  std::vector<BitWord> supports_;      // size_ words for each pending constraint
  std::vector<BitWord> levels_;        // value and known of each level of the search
  std::vector<std::uint8_t> is_done_;  // by level and constraint
  std::vector<BitWord> scratch_;       // a mask
  std::vector<std::uint32_t> bits_;    // open bits of the constraint at hand
  const std::function<void(const PartialWord&)>* found_ = nullptr;
};

}  // namespace vireo::isa
