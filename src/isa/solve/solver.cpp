// SPDX-License-Identifier: Apache-2.0
//
// Propagation, guessing and search (solver.h). The search handles only the constraints that propagation leaves open.
#include "isa/solve/solver.h"

#include <algorithm>
#include <bit>
#include <bitset>

namespace vireo::isa {
namespace {

// The maximum depth of the search. Each level handles one constraint that propagation left open.
constexpr std::size_t max_levels = 32;
constexpr std::uint32_t min_guessed_bits = 4;  // of an equation; fewer bits are enumerated instead
constexpr std::size_t linearity_trials = 3;
constexpr std::uint32_t max_related = 16;  // constraints that are checked together

void set_bit(BitWord* words, std::uint32_t bit, bool value) {
  const BitWord mask = BitWord{1} << bit % bits_per_word;
  if (value) words[bit / bits_per_word] |= mask;
  else words[bit / bits_per_word] &= ~mask;
}

/// The result of enumerating open bits.
struct Agreed {
  std::uint32_t fitting = 0;  ///< the number of values that fit
  std::uint32_t bits = 0;     ///< the number of bits that are equal in all of them
};

// Tries all values of a few open bits. Bits that are equal in all fitting values become known. The other bits are reset
// to 0, as a PartialWord requires of unknown bits.
template <typename Fits>
Agreed try_values(const PartialWord& word, std::span<const std::uint32_t> bits, const Fits& fits) {
  Agreed agreed;
  std::uint32_t ones = ~0u;
  std::uint32_t zeros = ~0u;
  for (std::uint32_t x = 0; x < 1u << bits.size(); ++x) {
    for (std::size_t k = 0; k < bits.size(); ++k) set_bit(word.value, bits[k], (x >> k & 1) != 0);
    if (!fits()) continue;
    ++agreed.fitting;
    ones &= x;
    zeros &= ~x;
  }
  if (agreed.fitting == 0) ones = zeros = 0;
  for (std::size_t k = 0; k < bits.size(); ++k) {
    set_bit(word.value, bits[k], (ones >> k & 1) != 0);
    if (((ones | zeros) >> k & 1) == 0) continue;
    set_bit(word.known, bits[k], true);
    ++agreed.bits;
  }
  return agreed;
}

// Returns the successor of `x` among the numbers of `width` bits, ordered by population count, then by value; 2^width
// after the last. The canonical encoding prefers few ones.
std::uint32_t next_by_ones(std::uint32_t x, std::uint32_t width) {
  // Visits the numbers with k ones in ascending order, then the smallest number with k + 1 ones. The width is at most
  // max_searched_bits.
  const std::uint32_t limit = 1u << width;
  if (x == 0) return width == 0 ? limit : 1;
  // The next larger number with the same population count.
  const std::uint32_t lowest = x & (0 - x);
  const std::uint32_t ripple = x + lowest;
  const std::uint32_t next = (((ripple ^ x) >> 2) / lowest) | ripple;
  if (next < limit) return next;
  const int ones = std::popcount(x) + 1;
  return ones > static_cast<int>(width) ? limit : (1u << ones) - 1;
}

}  // namespace

Solver::Solver(const DecodeTables& tables, const std::vector<OpenScope>& scopes)
    : evaluator_(tables, scopes), routings_(tables, scopes), size_(words_for(tables.max_bits) + 1) {}

// The levels are consecutive in one array, each with its value and its mask.
PartialWord Solver::at(std::size_t level) {
  BitWord* words = levels_.data() + level * 2 * size_;
  return {words, words + size_};
}

// Once the budget is spent, no constraint holds, so words may be missed, but no wrong word is found.
bool Solver::holds(const Constraint& constraint, const BitWord* words) {
  if (evaluations_ == 0) return false;
  --evaluations_;
  const std::uint32_t scope = constraint.scope;
  switch (constraint.kind) {
    case Constraint::Kind::IsTrue: return evaluator_.evaluate(scope, constraint.expression, words) != 0;
    case Constraint::Kind::IsFalse: return evaluator_.evaluate(scope, constraint.expression, words) == 0;
    case Constraint::Kind::Equals: {
      const auto value = static_cast<BitWord>(evaluator_.derived_value(scope, constraint.expression, words));
      return ((value ^ constraint.value) & constraint.mask) == 0;
    }
    case Constraint::Kind::IsWithin: {
      const auto value = static_cast<BitWord>(evaluator_.derived_value(scope, constraint.expression, words));
      return (value & constraint.mask) >= constraint.value && (value & constraint.mask) <= constraint.limit;
    }
    case Constraint::Kind::IsNonZero: return slice_of(words, constraint.low, constraint.width) != 0;
    case Constraint::Kind::Implies:
      return slice_of(words, constraint.low, constraint.width) == constraint.value ||
             evaluator_.evaluate(scope, constraint.expression, words) == 0;
  }
  return false;
}

void Solver::add_support(const Constraint& constraint, BitWord* mask) {
  if (constraint.expression != nowhere) evaluator_.add_support(constraint.scope, constraint.expression, mask);
  if (constraint.width != 0) add_range(mask, constraint.low, constraint.width);
}

// Does not change the word.
Solver::Verdict Solver::check(const Constraint& constraint, const PartialWord& word) {
  if (constraint.width != 0 && !word.knows(constraint.low, constraint.width)) return Verdict::Open;
  if (constraint.expression != nowhere && !evaluator_.is_known(constraint.scope, constraint.expression, word.known)) {
    return Verdict::Open;
  }
  return holds(constraint, word.value) ? Verdict::Holds : Verdict::Fails;
}

// An inequality excludes only one value of a field, so a wide field is not enumerated while all its bits are open.
std::optional<Solver::Verdict> Solver::postpone(Constraint& constraint, const CompiledExpression& row,
                                                const PartialWord& word) {
  const std::uint32_t low = evaluator_.low_of(constraint.scope) + row.low;
  if (row.width <= max_narrowed_bits || low + row.width > 2 * bits_per_word) return std::nullopt;
  if (slice_of(word.known, low, row.width) != 0) return std::nullopt;
  // The support is recorded as in narrow(), because narrow() reads it for related constraints.
  BitWord support[3] = {};
  add_range(support, low, row.width);
  constraint.support[0] = support[0];
  constraint.support[1] = support[1];
  return Verdict::Open;
}

// The routing determines each bit of the value. Only the bits of the mask are compared.
std::optional<Solver::Verdict> Solver::propagate_routed(const Constraint& constraint, const PartialWord& word) {
  const BitRouting* routing = routings_.find(constraint.scope, constraint.expression);
  if (routing == nullptr) return std::nullopt;
  if (((constraint.value ^ routing->ones) & constraint.mask & ~routing->routed) != 0) return Verdict::Fails;
  // Bits of the value outside of all runs are constants, and were compared above.
  for (const RoutedBits& run : routing->runs) {
    const BitWord mask = constraint.mask >> run.value_low & low_mask(run.width);
    if (mask == 0) continue;
    if ((mask & (mask + 1)) != 0) return std::nullopt;  // only masks without holes are handled here
    const auto width = static_cast<std::uint32_t>(std::popcount(mask));
    if (!word.put(evaluator_.low_of(constraint.scope) + run.low, width, constraint.value >> run.value_low))
      return Verdict::Fails;
  }
  return Verdict::Holds;
}

// The most common conditions compare one field with a number, which determines all bits of the field.
std::optional<Solver::Verdict> Solver::propagate_comparison(Constraint& constraint, const PartialWord& word) {
  using Form = CompiledExpression::Form;
  if (constraint.kind == Constraint::Kind::Equals) return propagate_routed(constraint, word);
  const bool is_true = constraint.kind == Constraint::Kind::IsTrue;
  if (!is_true && constraint.kind != Constraint::Kind::IsFalse) return std::nullopt;
  const CompiledExpression& row = evaluator_.row(constraint.scope, constraint.expression);
  std::int64_t value = 0;
  switch (row.form) {
    case Form::FieldIsEqual:
      if (!is_true) return postpone(constraint, row, word);
      value = row.constant;
      break;
    case Form::FieldIsNotEqual:
      if (is_true) return std::nullopt;
      value = row.constant;
      break;
    case Form::Field:
      if (is_true && row.width != 1) return std::nullopt;
      value = is_true ? 1 : 0;
      break;
    default: return std::nullopt;
  }
  const auto bits = static_cast<BitWord>(value);
  // A number that does not fit into the field is never equal to it.
  if ((bits & ~low_mask(row.width)) != 0) return Verdict::Fails;
  return word.put(evaluator_.low_of(constraint.scope) + row.low, row.width, bits) ? Verdict::Holds : Verdict::Fails;
}

// Makes at most eight trials, each of which also checks the constraints on the same bits. This is cheap enough for
// every condition of a line, and detects a wrong choice early.
Solver::Verdict Solver::narrow(Constraint& constraint, std::span<const Constraint> before, const PartialWord& word) {
  if (const std::optional<Verdict> plain = propagate_comparison(constraint, word)) return *plain;
  BitWord few[3] = {};  // most instructions have no more
  BitWord* support = few;
  if (size_ > std::size(few)) {
    scratch_.assign(size_, 0);
    support = scratch_.data();
  }
  add_support(constraint, support);
  for (std::size_t i = 0; i < std::min<std::size_t>(size_, 2); ++i) constraint.support[i] = support[i];
  // The open bits, if there are few and all are among the lowest 128.
  std::uint32_t bits[max_narrowed_bits];
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    for (BitWord open = support[i] & ~word.known[i]; open != 0; open &= open - 1) {
      if (count == max_narrowed_bits || i >= 2) return Verdict::Open;
      bits[count++] =
          static_cast<std::uint32_t>(i * bits_per_word) + static_cast<std::uint32_t>(std::countr_zero(open));
    }
  }
  // Constraints on the same bits are checked together, because two open constraints often determine their bits
  // together. Only constraints without further open bits can be evaluated in each trial.
  const Constraint* related[max_related];
  std::uint32_t related_count = 0;
  for (const Constraint& other : before) {
    if (&other == &constraint) continue;
    BitWord shared = 0;
    BitWord foreign = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(size_, 2); ++i) {
      shared |= other.support[i] & support[i] & ~word.known[i];
      foreign |= other.support[i] & ~support[i] & ~word.known[i];
    }
    if (shared != 0 && foreign == 0 && related_count != max_related) related[related_count++] = &other;
  }
  std::uint32_t fulfilling = 0;  // values that the constraint alone allows
  const Agreed agreed = try_values(word, {bits, count}, [&] {
    if (!holds(constraint, word.value)) return false;
    ++fulfilling;
    return std::all_of(related, related + related_count,
                       [&](const Constraint* other) { return holds(*other, word.value); });
  });
  if (agreed.fitting == 0) return Verdict::Fails;
  return agreed.bits == count || fulfilling == 1u << count ? Verdict::Holds : Verdict::Open;
}

// Each round except the last removes a constraint, so the loop ends.
bool Solver::settle(std::vector<Constraint>& open, const PartialWord& word) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < open.size();) {
      Verdict verdict = check(open[i], word);
      if (verdict == Verdict::Open) verdict = narrow(open[i], open, word);
      if (verdict == Verdict::Fails) return false;
      if (verdict == Verdict::Open) {
        ++i;
        continue;
      }
      open[i] = open.back();
      open.pop_back();
      changed = true;
    }
  }
  return true;
}

void Solver::solve(const PartialWord& word, std::span<const Constraint> constraints,
                   const std::function<void(const PartialWord&)>& found) {
  // Stored for the duration of the call, so that the search need not pass it as an argument.
  found_ = &found;
  pending_.clear();
  for (const Constraint& constraint : constraints) {
    switch (check(constraint, word)) {
      case Verdict::Fails: return;
      case Verdict::Holds: break;
      case Verdict::Open: pending_.push_back(constraint); break;
    }
  }
  if (pending_.empty()) {
    if (solutions_ == 0) return;
    --solutions_;
    found(word);
    return;
  }
  // Allocates the memory of all search levels. Backtracking returns to the memory of the previous level.
  supports_.assign(pending_.size() * size_, 0);
  for (std::size_t i = 0; i < pending_.size(); ++i) add_support(pending_[i], supports_.data() + i * size_);
  levels_.resize((max_levels + 1) * 2 * size_);
  std::copy_n(word.value, size_, at(0).value);
  std::copy_n(word.known, size_, at(0).known);
  is_done_.assign((max_levels + 1) * pending_.size(), 0);
  search(0);
}

// Lists the open bits of a constraint in bits_, lowest first.
std::uint32_t Solver::open_bits(std::size_t level, std::size_t index) {
  const BitWord* support = supports_.data() + index * size_;
  const PartialWord word = at(level);
  bits_.clear();
  for (std::size_t i = 0; i < size_; ++i) {
    for (BitWord open = support[i] & ~word.known[i]; open != 0; open &= open - 1) {
      bits_.push_back(static_cast<std::uint32_t>(i * bits_per_word) +
                      static_cast<std::uint32_t>(std::countr_zero(open)));
    }
  }
  return static_cast<std::uint32_t>(bits_.size());
}

// Propagates until nothing changes. Returns false if there is no solution at this level.
bool Solver::propagate(std::size_t level) {
  std::uint8_t* done = is_done_.data() + level * pending_.size();
  // A bit that one constraint determines may determine the value of another. Each round except the last determines a
  // bit, so the loop ends.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (done[i] != 0) continue;
      if (evaluations_ == 0) return false;
      const std::uint32_t open = open_bits(level, i);
      if (open == 0) {
        if (!holds(pending_[i], at(level).value)) return false;
        done[i] = 1;
        continue;
      }
      const bool is_equation = pending_[i].kind == Constraint::Kind::Equals && open >= min_guessed_bits;
      if (is_equation && guess_equation(level, i, Accepts::Certain) == Guess::Certain) changed = true;
      else if (open <= max_certain_bits && !try_out(level, i, changed)) return false;
    }
  }
  return true;
}

// Enumerates the values of a constraint's open bits. Bits that are equal in all fitting values become known.
bool Solver::try_out(std::size_t level, std::size_t index, bool& changed) {
  const PartialWord word = at(level);
  const Agreed agreed = try_values(word, bits_, [&] { return holds(pending_[index], word.value); });
  if (agreed.fitting == 1u << bits_.size())
    is_done_[level * pending_.size() + index] = 1;  // holds for all values of the bits
  changed |= agreed.bits != 0;
  return agreed.fitting != 0;
}

// --- equations ----------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t max_columns = 256;
using ColumnSet = std::bitset<max_columns>;

// An open bit of an equation, and its effect on the value.
struct Column {
  BitWord change;   // the XOR of the values with and without the bit
  BitWord reduced;  // after elimination by the preceding columns
  ColumnSet used;   // the columns combined in `reduced`, itself included
  std::uint32_t bit;
};

constexpr BitWord lowest_one(BitWord x) { return x & (0 - x); }

// Gaussian elimination over bits: brings the columns into echelon form. The lowest one of each column occurs in no
// later column.
void reduce(std::vector<Column>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i].used.set(i);
    for (std::size_t k = 0; k < i; ++k) {
      if ((columns[i].reduced & lowest_one(columns[k].reduced)) == 0) continue;
      columns[i].reduced ^= columns[k].reduced;
      columns[i].used ^= columns[k].used;
    }
  }
}

// Finds columns whose changes combine to `difference` by XOR; returns nothing if there are none.
std::optional<ColumnSet> columns_of(const std::vector<Column>& columns, BitWord difference) {
  ColumnSet chosen;
  for (const Column& column : columns) {
    if ((difference & lowest_one(column.reduced)) == 0) continue;
    difference ^= column.reduced;
    chosen ^= column.used;
  }
  return difference == 0 ? std::optional(chosen) : std::nullopt;
}

// Whether the value of a few bit patterns is `zero` XOR the changes of their set bits.
template <typename Set, typename Value>
bool seems_linear(const std::vector<Column>& columns, BitWord zero, Set&& set, Value&& value) {
  for (std::size_t trial = 1; trial <= linearity_trials; ++trial) {
    BitWord expected = zero;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_set = (i * 7 + trial * (i + 3)) % 3 != 0;  // an arbitrary mixed pattern
      set(columns[i], is_set);
      if (is_set) expected ^= columns[i].change;
    }
    if (value() != expected) return false;
  }
  return true;
}

// Starts with all open bits 0. From the lowest bit of the difference up, sets an open bit whose lowest change is at
// this position.
template <typename Set, typename Value, typename MayGoOn>
bool solve_from_below(const std::vector<Column>& columns, BitWord wanted, Set&& set, Value&& value,
                      MayGoOn&& may_go_on) {
  ColumnSet chosen;
  BitWord difference = value() ^ wanted;
  while (difference != 0 && may_go_on()) {
    const BitWord lowest = lowest_one(difference);
    std::size_t i = 0;
    while (i < columns.size() && (lowest_one(columns[i].change) != lowest || chosen.test(i))) ++i;
    if (i == columns.size()) return false;
    chosen.set(i);
    set(columns[i], true);
    difference = value() ^ wanted;
    if ((difference & (lowest | (lowest - 1))) != 0) return false;  // solved lower bits must not change
  }
  return difference == 0;
}

}  // namespace

// Guesses the open bits of an equation in two ways, and verifies each guess. The first assumes that the expression is
// linear over bits (fields combined by shifts and ORs). The second assumes that no bit of the value depends on higher
// bits (sums, differences and products with constants).
//
// Certain: the expression is linear in some trials, and the solution is then unique. A caller that accepts only certain
// guesses gets only these.
Solver::Guess Solver::guess_equation(std::size_t level, std::size_t index, Accepts accepts) {
  if (bits_.size() > max_columns) return Guess::None;
  const Constraint& constraint = pending_[index];
  const PartialWord word = at(level);
  const auto set = [&](const Column& column, bool is_set) { set_bit(word.value, column.bit, is_set); };
  // Evaluations dominate the cost: one for each open bit, and some trials.
  const auto value = [&] {
    if (evaluations_ != 0) --evaluations_;
    return static_cast<BitWord>(evaluator_.derived_value(constraint.scope, constraint.expression, word.value)) &
           constraint.mask;
  };
  const BitWord wanted = constraint.value & constraint.mask;
  const BitWord zero = value();
  std::vector<Column> columns;  // bits without an effect have no column and stay open
  for (const std::uint32_t bit : bits_) {
    set_bit(word.value, bit, true);
    const BitWord change = value() ^ zero;
    set_bit(word.value, bit, false);
    if (change != 0) columns.push_back({change, change, {}, bit});
  }
  // If the expression is linear, the value is `zero` XOR the changes of all set bits. So changes are chosen whose XOR
  // is the difference.
  reduce(columns);
  const std::optional<ColumnSet> chosen = columns_of(columns, zero ^ wanted);
  // If a column is a combination of others, there are several solutions.
  const bool is_unique = std::all_of(columns.begin(), columns.end(), [](const Column& c) { return c.reduced != 0; });
  const bool is_linear = is_unique && seems_linear(columns, zero, set, value);
  bool is_solved = false;
  // One evaluation verifies the bits, even if the expression is not linear.
  if (chosen) {
    for (std::size_t i = 0; i < columns.size(); ++i) set(columns[i], chosen->test(i));
    is_solved = value() == wanted;
  }
  const bool is_certain = is_linear && is_solved && !columns.empty();
  if (!is_solved && accepts == Accepts::Any) {
    for (const Column& column : columns) set(column, false);
    is_solved = solve_from_below(columns, wanted, set, value, [&] { return evaluations_ != 0; });
  }
  const bool is_taken = is_certain || (is_solved && accepts == Accepts::Any);
  for (const Column& column : columns) {
    if (is_taken) set_bit(word.known, column.bit, true);
    else set(column, false);
  }
  return !is_taken ? Guess::None : is_certain ? Guess::Certain : Guess::Possible;
}

// --- searching ----------------------------------------------------------------------------------------------------------

// Propagates, then enumerates the open bits of the constraint with the fewest of them.
void Solver::search(std::size_t level) {
  if (!propagate(level)) return;
  const std::size_t count = pending_.size();
  std::size_t best = count;
  std::uint32_t fewest = ~0u;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_done_[level * count + i] != 0) continue;
    // Conditions precede equations with the same number of open bits, because they select the definitions that the
    // equation reads.
    const std::uint32_t open = open_bits(level, i) * 2 + (pending_[i].kind == Constraint::Kind::Equals ? 1 : 0);
    if (open < fewest) {
      fewest = open;
      best = i;
    }
  }
  // All constraints hold, whatever the values of the remaining open bits.
  if (best == count) {
    if (solutions_ == 0) return;
    --solutions_;
    (*found_)(at(level));
    return;
  }
  // max_levels bounds the recursion.
  if (level == max_levels) return;
  fewest = open_bits(level, best);
  // Constraints that are done at this level are done at the next. The word of the next level is already written.
  const auto descend = [&] {
    std::copy_n(is_done_.begin() + static_cast<std::ptrdiff_t>(level * count), count,
                is_done_.begin() + static_cast<std::ptrdiff_t>((level + 1) * count));
    is_done_[(level + 1) * count + best] = 1;
    search(level + 1);
  };
  if (pending_[best].kind == Constraint::Kind::Equals && fewest > max_certain_bits) {
    std::copy_n(at(level).value, 2 * size_, at(level + 1).value);
    const std::uint32_t before = solutions_;
    if (guess_equation(level + 1, best, Accepts::Any) != Guess::None) descend();
    if (solutions_ != before) return;  // one solution is enough; there may be thousands
    open_bits(level, best);
  }
  // A copy, because every level overwrites bits_.
  const std::vector<std::uint32_t> bits(bits_.begin(), bits_.begin() + std::min(fewest, max_searched_bits));
  const auto width = static_cast<std::uint32_t>(bits.size());
  // Further bits are too many to enumerate, so they are set to 0.
  const std::vector<std::uint32_t> others(bits_.begin() + width, bits_.end());
  for (std::uint32_t x = 0; x < 1u << width && !is_exhausted(); x = next_by_ones(x, width)) {
    const PartialWord from = at(level);
    const PartialWord to = at(level + 1);
    std::copy_n(from.value, 2 * size_, to.value);
    for (std::uint32_t k = 0; k < width; ++k) {
      set_bit(to.value, bits[k], (x >> k & 1) != 0);
      set_bit(to.known, bits[k], true);
    }
    for (const std::uint32_t bit : others) set_bit(to.known, bit, true);
    if (holds(pending_[best], to.value)) descend();
  }
}

}  // namespace vireo::isa
