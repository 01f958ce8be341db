// SPDX-License-Identifier: Apache-2.0
//
// Reads one leaf for one word at a time: which cases hold, and which definition each name refers to.
//
// This class implements the name lookup of docs/isaspec.md ("What a name means") on the model alone. So
// checks can evaluate conditions for arbitrary words. The values of params are not available here. So a value that
// depends on a param *may be unknown*, and a check must not conclude anything from it. One object reads all leaves, one
// after another.
//
//   LeafReading reading(model);
//   reading.open(leaf);
//   const Support& support = reading.support(condition);   // bits that it can depend on
//   reading.take(word, gen);
//   std::optional<std::int64_t> value = reading.value(condition);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "vireo/isa/model.h"

namespace vireo::isa {

/// The inputs on which the value of an expression depends.
struct Support {
  Bits bits;                    ///< bits of the leaf
  bool reads_gen = false;       ///< the generation
  bool may_be_unknown = false;  ///< params, or an expression with a syntax error
  bool may_cycle = false;       ///< its evaluation may reach itself or another cycle

  void add(const Support& other);
};

class LeafReading {
 public:
  explicit LeafReading(const Model& model);

  struct SeenCase {
    const Case* row;
    const Bitset* owner;
  };
  struct Definition {
    std::uint32_t position;  ///< index of its case in cases()
    const Field* field;
  };

  /// Starts reading another leaf. A field may extend beyond the leaf's size; its value is unknown.
  void open(const Bitset& leaf);
  [[nodiscard]] const Bitset& leaf() const { return *leaf_; }

  /// All cases in search order: those of the leaf, of its parent, …
  [[nodiscard]] std::span<const SeenCase> cases() const { return cases_; }
  /// The definitions of a name in search order. If a case defines a name twice, the last one counts.
  [[nodiscard]] std::span<const Definition> definitions(NameId name) const;
  /// Returns whether some field whose type is the leaf's root passes a param of this name.
  [[nodiscard]] bool may_be_passed(NameId name) const;

  [[nodiscard]] const Support& support(ExpressionId id) { return support_of(id, 0); }
  /// Adds the support of a case's condition. The default case has none.
  void add_support(const Case& row, Support& to) {
    if (!row.is_default()) to.add(support(row.condition));
  }

  /// Sets the word, which must have the leaf's size. Discards the values computed for the previous word.
  void take(const Bits& word, std::uint32_t gen);
  /// Returns none if the value is unknown.
  [[nodiscard]] std::optional<std::int64_t> value(ExpressionId id) { return value_of(id, 0); }
  /// Returns whether a case holds or fails, as for a display. If its condition is unknown, both functions return false.
  [[nodiscard]] bool holds(const Case& row) { return row.is_default() || value(row.condition).value_or(0) != 0; }
  [[nodiscard]] bool fails(const Case& row) { return !row.is_default() && value(row.condition).value_or(1) == 0; }
  /// Evaluates the expressions that printing the word evaluates: conditions up to the first display that applies, and
  /// the names in that display. Does not evaluate the displays of nested bitsets.
  void evaluate_display();
  /// Returns whether an expression was evaluated since take().
  [[nodiscard]] bool was_evaluated(ExpressionId id) const { return known_[id.index()].word_epoch == word_epoch_; }
  /// The expressions of the first cycle found since take(); empty if there is none.
  [[nodiscard]] std::span<const ExpressionId> cycle() const { return cycle_; }

  /// All leaves share one budget of steps: each evaluated expression costs one, and callers charge their own work.
  /// Callers stop when it is exhausted, so a description of any size is checked in bounded time.
  void spend(std::size_t steps) { work_ += steps; }
  [[nodiscard]] bool is_exhausted() const { return work_ > max_work; }

 private:
  static constexpr int max_depth = 64;  // limit on expressions that depend on expressions; deeper values are unknown
  static constexpr std::size_t max_work = std::size_t{1} << 23;

  struct Name {
    std::uint32_t epoch = 0;
    Run definitions;
  };
  // Two epochs: the support of an expression is valid for a leaf, its value for a word.
  struct Known {
    std::uint32_t leaf_epoch = 0;
    std::uint32_t support = 0;  // index in supports_
    bool is_visiting = false;
    std::uint32_t word_epoch = 0;
    bool is_busy = false;
    std::optional<std::int64_t> value;
  };

  static std::uint64_t key_of(BitsetId root, NameId name) { return std::uint64_t{root.raw} << 32 | name.raw; }
  const Support& support_of(ExpressionId id, int depth);
  void add_name(Support& to, NameId name, ExpressionId innermost, int depth);
  std::optional<std::int64_t> value_of(ExpressionId id, int depth);
  std::optional<std::int64_t> value_of(NameId name, ExpressionId innermost, int depth);

  const Model& model_;
  std::unordered_set<std::uint64_t> passed_;  // pairs of root and name, see key_of()
  const Bitset* leaf_ = nullptr;
  std::vector<SeenCase> cases_;
  std::vector<Definition> definitions_;
  std::vector<Name> names_;   // indexed by NameId
  std::vector<Known> known_;  // indexed by ExpressionId
  std::vector<Support> supports_;
  Support unknown_;
  const Bits* word_ = nullptr;
  std::int64_t gen_ = 0;
  std::uint32_t leaf_epoch_ = 0;
  std::uint32_t word_epoch_ = 0;
  std::size_t work_ = 0;
  std::vector<ExpressionId> active_;  // under evaluation, outermost first
  std::vector<ExpressionId> cycle_;
};

/// Calls `try_word` with words of a leaf until it returns true. If `support` has at most 12 bits that the leaf does not
/// fix (`care`), the words are all combinations of these bits, with zeros elsewhere. Otherwise they are a sample of
/// 4096 words. Returns true if all combinations were tried and `try_word` never returned true.
template <typename TryWord>
bool none_of_words(const Bits& care, const Bits& match, const Bits& support, TryWord try_word) {
  constexpr std::uint32_t max_bits = 12;
  std::vector<std::uint32_t> bits;
  const Bits open = support & ~care;
  for (std::uint32_t bit = open.lowest(); bit < open.width(); ++bit) {
    if (open.test(bit)) bits.push_back(bit);
  }
  // Nearly all conditions read two or three fields, which have at most 4096 combinations. If there are more bits, the
  // words are a sample, the same in each run. A sample cannot prove that there is no such word, so the function then
  // returns false.
  const bool is_complete = bits.size() <= max_bits;
  const std::uint64_t count = std::uint64_t{1} << (is_complete ? bits.size() : max_bits);
  Bits word = match;
  std::uint64_t random = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t rest = i;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      if (!is_complete && k % bits_per_word == 0 && i > 0) {  // the first word is all zeros
        // Multiplying by the golden ratio carries low bits into high ones; the shift moves them back. This is cheap and
        // varies all bits.
        random = (random ^ (i + k)) * 0x9E3779B97F4A7C15u;
        rest = random ^ random >> 29;
      }
      BitWord& target = word.data()[bits[k] / bits_per_word];
      const BitWord mask = BitWord{1} << bits[k] % bits_per_word;
      target = (rest & 1) != 0 ? target | mask : target & ~mask;
      rest >>= 1;
    }
    if (try_word(word)) return false;
  }
  return is_complete;
}

}  // namespace vireo::isa
