// SPDX-License-Identifier: Apache-2.0
//
// A leaf read for one word at a time: which cases hold, which name means what.
//
// The one idea: docs/isaspec.md says in a few sentences what a name means; here they stand as code, over the model and
// nothing else, so that the checks can try conditions on words that no program has. What depends on params is *open*: its
// value is unknown here, and whoever asks must not conclude anything. One object serves all leaves, one after another.
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

/// What the value of an expression depends on.
struct Support {
  Bits bits;               ///< of the leaf
  bool asks_gen = false;   ///< the generation as well
  bool is_open = false;    ///< params, or a text with a fault: the value may be unknown
  bool may_cycle = false;  ///< evaluating it may come back to it, or to one that it needs

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
    std::uint32_t position;  ///< of its case in cases()
    const Field* field;
  };

  /// Reads another leaf. Its ranges may lie beyond its size; such fields are open.
  void open(const Bitset& leaf);
  [[nodiscard]] const Bitset& leaf() const { return *leaf_; }

  /// All cases in the order of the search: the leaf's, its parent's, …
  [[nodiscard]] std::span<const SeenCase> cases() const { return cases_; }
  /// What a name may mean, in that order; of one case the last.
  [[nodiscard]] std::span<const Definition> definitions(NameId name) const;
  /// Whether some field of this type hands in a value under the name.
  [[nodiscard]] bool may_be_passed(NameId name) const;

  [[nodiscard]] const Support& support(ExpressionId id) { return support_of(id, 0); }
  /// The same of a case: nothing for the default.
  void add_support(const Case& row, Support& to) {
    if (!row.is_default()) to.add(support(row.condition));
  }

  /// Takes a word, of the leaf's size, and forgets what was computed for the last.
  void take(const Bits& word, std::uint32_t gen);
  /// None: unknown.
  [[nodiscard]] std::optional<std::int64_t> value(ExpressionId id) { return value_of(id, 0); }
  /// Whether a case holds, as for a display; unknown counts as neither.
  [[nodiscard]] bool holds(const Case& row) { return row.is_default() || value(row.condition).value_or(0) != 0; }
  [[nodiscard]] bool fails(const Case& row) { return !row.is_default() && value(row.condition).value_or(1) == 0; }
  /// Evaluates what printing the word asks for: conditions up to the display, and the names in it. What nested bitsets ask
  /// for is left out.
  void show();
  /// Whether an expression was evaluated since take().
  [[nodiscard]] bool was_asked(ExpressionId id) const { return known_[id.index()].word_epoch == word_epoch_; }
  /// The expressions through which one came back to itself since take(); empty: none did.
  [[nodiscard]] std::span<const ExpressionId> circle() const { return circle_; }

  /// All leaves share one budget of steps: an expression evaluated is one, and callers add their own. When it is used up,
  /// they stop asking: a description of any size is checked in bounded time.
  void spend(std::size_t steps) { work_ += steps; }
  [[nodiscard]] bool is_exhausted() const { return work_ > max_work; }

 private:
  static constexpr int max_depth = 64;  // of expressions that need expressions; beyond, values are unknown
  static constexpr std::size_t max_work = std::size_t{1} << 23;

  struct Name {
    std::uint32_t epoch = 0;
    Run definitions;
  };
  // Two stamps: what an expression depends on holds for a leaf, its value for a word.
  struct Known {
    std::uint32_t leaf_epoch = 0;
    std::uint32_t support = 0;  // index of supports_
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
  std::unordered_set<std::uint64_t> passed_;  // roots and names, as key_of() has them
  const Bitset* leaf_ = nullptr;
  std::vector<SeenCase> cases_;
  std::vector<Definition> definitions_;
  std::vector<Name> names_;   // by NameId
  std::vector<Known> known_;  // by ExpressionId
  std::vector<Support> supports_;
  Support nothing_;
  const Bits* word_ = nullptr;
  std::int64_t gen_ = 0;
  std::uint32_t leaf_epoch_ = 0;
  std::uint32_t word_epoch_ = 0;
  std::size_t work_ = 0;
  std::vector<ExpressionId> open_;  // being evaluated, outermost first
  std::vector<ExpressionId> circle_;
};

/// Calls `try_word` with words of a leaf until it gives true: all combinations of the bits that `support` names and the
/// leaf does not fix, the others 0; of too many bits, some. True: all were tried and none did.
template <typename TryWord>
bool none_of_words(const Bits& care, const Bits& match, const Bits& support, TryWord try_word) {
  constexpr std::uint32_t max_bits = 12;
  std::vector<std::uint32_t> bits;
  const Bits open = support & ~care;
  for (std::uint32_t bit = open.lowest(); bit < open.width(); ++bit) {
    if (open.test(bit)) bits.push_back(bit);
  }
  // 4096 words: all of them where a condition reads two or three fields, which is nearly always; else a sample that is
  // the same in each run. A sample can acquit, and does not accuse: whoever asks for all of them gets `false`.
  const bool is_complete = bits.size() <= max_bits;
  const std::uint64_t count = std::uint64_t{1} << (is_complete ? bits.size() : max_bits);
  Bits word = match;
  std::uint64_t random = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t rest = i;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      if (!is_complete && k % bits_per_word == 0 && i > 0) {  // the first word has zeros throughout
        // A multiplier of golden ratio mixes low bits into high ones, the shift brings them back: cheap, and good
        // enough to vary all bits.
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
