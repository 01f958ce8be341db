// SPDX-License-Identifier: Apache-2.0
//
// Concluding, guessing and searching, in this order (solver.h). What one constraint says by itself comes first, then what
// follows from several, and only what is left is searched.
#include "isa/solve/solver.h"

#include <algorithm>
#include <bit>
#include <bitset>

namespace vireo::isa {
namespace {

// Each level of the search settles one constraint that all conclusions left open.
constexpr std::size_t max_levels = 32;
constexpr std::uint32_t min_guessed_bits = 4;  // of an equation; fewer are sooner tried out
constexpr std::size_t linearity_trials = 3;
constexpr std::uint32_t max_related = 16;  // constraints that are tried out together

void set_bit(BitWord* words, std::uint32_t bit, bool value) {
  const BitWord mask = BitWord{1} << bit % bits_per_word;
  if (value) words[bit / bits_per_word] |= mask;
  else words[bit / bits_per_word] &= ~mask;
}

/// What was learnt by trying out open bits.
struct Agreed {
  std::uint32_t fitting = 0;  ///< how many values fit
  std::uint32_t bits = 0;     ///< how many of the bits are the same in all of those
};

// Tries all values of a few open bits. What all that fit agree in becomes known; the other bits are 0 again, as bits that
// are not known have to be.
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

// Numbers of `width` bits in the order of how many ones they have, then of size: the next one after `x`; 2^width ends.
// Few ones first is what the canonical rule asks for.
std::uint32_t next_by_ones(std::uint32_t x, std::uint32_t width) {
  // Steps through k ones out of `width`, then to the smallest number with k + 1. The width is at most
  // max_searched_bits.
  const std::uint32_t limit = 1u << width;
  if (x == 0) return width == 0 ? limit : 1;
  // The next larger number with as many ones.
  const std::uint32_t lowest = x & (0 - x);
  const std::uint32_t ripple = x + lowest;
  const std::uint32_t next = (((ripple ^ x) >> 2) / lowest) | ripple;
  if (next < limit) return next;
  const int ones = std::popcount(x) + 1;
  return ones > static_cast<int>(width) ? limit : (1u << ones) - 1;
}

}  // namespace

Solver::Solver(const DecodeTables& tables, const std::vector<OpenScope>& scopes)
    : evaluator_(tables, scopes), wirings_(tables, scopes), size_(words_for(tables.max_bits) + 1) {}

// Memory of all levels lies side by side, value and mask of each.
PartialWord Solver::at(std::size_t level) {
  BitWord* words = levels_.data() + level * 2 * size_;
  return {words, words + size_};
}

// Without a budget nothing holds: words are lost by that, but none is wrong.
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

// Looks at bits that are known, and changes none.
Solver::Verdict Solver::judge(const Constraint& constraint, const PartialWord& word) {
  if (constraint.width != 0 && !word.knows(constraint.low, constraint.width)) return Verdict::Open;
  if (constraint.expression != nowhere && !evaluator_.is_known(constraint.scope, constraint.expression, word.known)) {
    return Verdict::Open;
  }
  return holds(constraint, word.value) ? Verdict::Holds : Verdict::Fails;
}

// That a wide field is not a number says little: it is not tried out while nearly all of its bits are open.
std::optional<Solver::Verdict> Solver::postpone(Constraint& constraint, const CompiledExpression& row,
                                                const PartialWord& word) {
  const std::uint32_t low = evaluator_.low_of(constraint.scope) + row.low;
  if (row.width <= max_narrowed_bits || low + row.width > 2 * bits_per_word) return std::nullopt;
  if (slice_of(word.known, low, row.width) != 0) return std::nullopt;
  // Noted all the same, as narrow() would have: constraints that come later ask this one what it depends on.
  BitWord support[3] = {};
  add_range(support, low, row.width);
  constraint.support[0] = support[0];
  constraint.support[1] = support[1];
  return Verdict::Open;
}

// What a wired value says of each bit is all that there is to say. It is true of the bits of the mask, and no others.
std::optional<Solver::Verdict> Solver::conclude_wired(const Constraint& constraint, const PartialWord& word) {
  const Wiring* wiring = wirings_.find(constraint.scope, constraint.expression);
  if (wiring == nullptr) return std::nullopt;
  if (((constraint.value ^ wiring->ones) & constraint.mask & ~wiring->wired) != 0) return Verdict::Fails;
  // Bits of the value that no wire leads to are constant, and right, as was just seen.
  for (const Wire& wire : wiring->wires) {
    const BitWord mask = constraint.mask >> wire.value_low & low_mask(wire.width);
    if (mask == 0) continue;
    if ((mask & (mask + 1)) != 0) return std::nullopt;  // masks have no holes
    const auto width = static_cast<std::uint32_t>(std::popcount(mask));
    if (!word.put(evaluator_.low_of(constraint.scope) + wire.low, width, constraint.value >> wire.value_low))
      return Verdict::Fails;
  }
  return Verdict::Holds;
}

// The commonest conditions compare one field with a number, which says all its bits.
std::optional<Solver::Verdict> Solver::conclude_plainly(Constraint& constraint, const PartialWord& word) {
  using Form = CompiledExpression::Form;
  if (constraint.kind == Constraint::Kind::Equals) return conclude_wired(constraint, word);
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
  // A number that the field is too small for: never equal.
  if ((bits & ~low_mask(row.width)) != 0) return Verdict::Fails;
  return word.put(evaluator_.low_of(constraint.scope) + row.low, row.width, bits) ? Verdict::Holds : Verdict::Fails;
}

// At most eight trials, each of which also asks the constraints on the same bits. That is cheap enough for every demand
// of a line, and ends a wrong path here instead of at the end of the line.
Solver::Verdict Solver::narrow(Constraint& constraint, std::span<const Constraint> before, const PartialWord& word) {
  if (const std::optional<Verdict> plain = conclude_plainly(constraint, word)) return *plain;
  BitWord few[3] = {};  // most instructions have no more
  BitWord* support = few;
  if (size_ > std::size(few)) {
    scratch_.assign(size_, 0);
    support = scratch_.data();
  }
  add_support(constraint, support);
  for (std::size_t i = 0; i < std::min<std::size_t>(size_, 2); ++i) constraint.support[i] = support[i];
  // The open bits, when they are few enough to try out and among the lowest 128.
  std::uint32_t bits[max_narrowed_bits];
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    for (BitWord open = support[i] & ~word.known[i]; open != 0; open &= open - 1) {
      if (count == max_narrowed_bits || i >= 2) return Verdict::Open;
      bits[count++] =
          static_cast<std::uint32_t>(i * bits_per_word) + static_cast<std::uint32_t>(std::countr_zero(open));
    }
  }
  // What others say of the same bits is tried along: two conditions that are open each by itself often settle each
  // other. Only those that look at no further bits have an answer for each trial.
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

// Each round but the last takes a constraint from the list, so there are no more rounds than constraints.
bool Solver::settle(std::vector<Constraint>& open, const PartialWord& word) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < open.size();) {
      Verdict verdict = judge(open[i], word);
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
  // Kept for as long as the call lasts, so that the search need not hand it down.
  found_ = &found;
  pending_.clear();
  for (const Constraint& constraint : constraints) {
    switch (judge(constraint, word)) {
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
  // All memory of the search is here, one level after the other: to go back is to look at the level before.
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

// Concludes until nothing changes. False: there is no solution here.
bool Solver::conclude(std::size_t level) {
  std::uint8_t* done = is_done_.data() + level * pending_.size();
  // Bits that one constraint gives may close another. Each round but the last closes one or makes bits known, so this
  // ends.
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

// Tries all values of the open bits; what all values that fit agree in is certain.
bool Solver::try_out(std::size_t level, std::size_t index, bool& changed) {
  const PartialWord word = at(level);
  const Agreed agreed = try_values(word, bits_, [&] { return holds(pending_[index], word.value); });
  if (agreed.fitting == 1u << bits_.size()) is_done_[level * pending_.size() + index] = 1;  // whatever the bits are
  changed |= agreed.bits != 0;
  return agreed.fitting != 0;
}

// --- equations ----------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t max_columns = 256;
using ColumnSet = std::bitset<max_columns>;

// An open bit of an equation, and what it does to the value.
struct Column {
  BitWord change;   // of the value, when the bit is set
  BitWord reduced;  // by the columns before
  ColumnSet used;   // the columns it was reduced with, itself included
  std::uint32_t bit;
};

constexpr BitWord lowest_one(BitWord x) { return x & (0 - x); }

// Gauss, over bits: brings the columns into echelon form, each with a lowest one that none behind it has.
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

// The columns whose changes come to a difference; nothing when none do.
std::optional<ColumnSet> columns_of(const std::vector<Column>& columns, BitWord difference) {
  ColumnSet chosen;
  for (const Column& column : columns) {
    if ((difference & lowest_one(column.reduced)) == 0) continue;
    difference ^= column.reduced;
    chosen ^= column.used;
  }
  return difference == 0 ? std::optional(chosen) : std::nullopt;
}

// Whether a few mixed patterns of bits change the value as the sum of their columns would.
template <typename Set, typename Value>
bool seems_linear(const std::vector<Column>& columns, BitWord zero, Set&& set, Value&& value) {
  for (std::size_t trial = 1; trial <= linearity_trials; ++trial) {
    BitWord expected = zero;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_set = (i * 7 + trial * (i + 3)) % 3 != 0;  // any mixed pattern will do
      set(columns[i], is_set);
      if (is_set) expected ^= columns[i].change;
    }
    if (value() != expected) return false;
  }
  return true;
}

// Takes each difference away by a bit whose lowest effect it is, from the lowest up; all bits are 0 to begin with.
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
    if ((difference & (lowest | (lowest - 1))) != 0) return false;  // what was settled has to stay so
  }
  return difference == 0;
}

}  // namespace

// Guesses the bits of an equation with many open ones. Two guesses, both checked: the expression is linear over bits
// (fields put together by shifts and ors), or each of its bits depends on no higher ones (sums, differences and products
// with constants). Certain: it is linear, as far as some trials tell, and no other bits would do; only then the bits
// become known without being asked for.
Solver::Guess Solver::guess_equation(std::size_t level, std::size_t index, Accepts accepts) {
  if (bits_.size() > max_columns) return Guess::None;
  const Constraint& constraint = pending_[index];
  const PartialWord word = at(level);
  const auto set = [&](const Column& column, bool is_set) { set_bit(word.value, column.bit, is_set); };
  // Evaluating is what costs: once for each open bit, and some trials.
  const auto value = [&] {
    if (evaluations_ != 0) --evaluations_;
    return static_cast<BitWord>(evaluator_.derived_value(constraint.scope, constraint.expression, word.value)) &
           constraint.mask;
  };
  const BitWord wanted = constraint.value & constraint.mask;
  const BitWord zero = value();
  std::vector<Column> columns;  // bits without an effect have none, and stay open
  for (const std::uint32_t bit : bits_) {
    set_bit(word.value, bit, true);
    const BitWord change = value() ^ zero;
    set_bit(word.value, bit, false);
    if (change != 0) columns.push_back({change, change, {}, bit});
  }
  // If it is linear, the value is `zero` with the changes of all set bits in it; so these have to come to the
  // difference.
  reduce(columns);
  const std::optional<ColumnSet> chosen = columns_of(columns, zero ^ wanted);
  // A column that others come to would leave a choice.
  const bool is_unique = std::all_of(columns.begin(), columns.end(), [](const Column& c) { return c.reduced != 0; });
  const bool is_linear = is_unique && seems_linear(columns, zero, set, value);
  bool is_solved = false;
  // That it is linear is a guess so far. One evaluation says whether the bits are right, linear or not.
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

// Searches from what is concluded: the constraint with the fewest open bits is tried out, value by value.
void Solver::search(std::size_t level) {
  if (!conclude(level)) return;
  const std::size_t count = pending_.size();
  std::size_t best = count;
  std::uint32_t fewest = ~0u;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_done_[level * count + i] != 0) continue;
    // Conditions go before equations: they say what an equation is about.
    const std::uint32_t open = open_bits(level, i) * 2 + (pending_[i].kind == Constraint::Kind::Equals ? 1 : 0);
    if (open < fewest) {
      fewest = open;
      best = i;
    }
  }
  // Every constraint is done with: what is still open nobody cares about.
  if (best == count) {
    if (solutions_ == 0) return;
    --solutions_;
    (*found_)(at(level));
    return;
  }
  // Recursion is bounded by the levels, not by what the text says.
  if (level == max_levels) return;
  fewest = open_bits(level, best);
  // What is done with here stays so further in; the word was written by who descends.
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
    if (solutions_ != before) return;  // one is enough where there may be thousands
    open_bits(level, best);
  }
  // A copy: bits_ is written anew at every level.
  const std::vector<std::uint32_t> bits(bits_.begin(), bits_.begin() + std::min(fewest, max_searched_bits));
  const auto width = static_cast<std::uint32_t>(bits.size());
  // Bits beyond those searched are taken to be 0: there are too many to try.
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
