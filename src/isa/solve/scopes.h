// SPDX-License-Identifier: Apache-2.0
//
// Scopes whose bits are only partly known, and what expressions mean in them.
//
// The one idea: all scopes of an instruction are slices of one word, so "what is known" is a mask beside the word, and
// what an expression depends on is a mask, too: its support. An expression whose support is known has a value; another
// one is a question to the solver. The rules of names are those of the decoder's walk (isa/decode/walk.h), whose tables
// are read here. A support depends on where a scope lies and on the scopes around it, not on the line, so it is found once.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isa/decode/tables.h"

namespace vireo::isa {

/// One bitset instance of an instruction that is being put together.
struct OpenScope {
  const Plan* plan = nullptr;
  std::uint32_t parent = nowhere;            ///< index of the scope around it
  const std::uint32_t* arguments = nullptr;  ///< resolvers of the parent's plan
  std::uint32_t low = 0;                     ///< of its bits, within the instruction
  std::uint32_t tag = 0;                     ///< whatever its opener wants to know of it
};

/// A word of which some bits are known. Both arrays have one word more than the instruction needs, so that a slice may
/// look beyond; bits that are not known are 0.
struct PartialWord {
  BitWord* value = nullptr;
  BitWord* known = nullptr;

  /// Learns `width` bits (1 to 64); false when one is known to be different.
  bool put(std::uint32_t low, std::uint32_t width, BitWord bits) const {
    const std::uint32_t shift = low % bits_per_word;
    if (!put_in(low / bits_per_word, low_mask(width) << shift, (bits & low_mask(width)) << shift)) return false;
    if (shift + width <= bits_per_word) return true;
    const std::uint32_t rest = shift + width - bits_per_word;
    return put_in(low / bits_per_word + 1, low_mask(rest), (bits & low_mask(width)) >> (bits_per_word - shift));
  }
  /// The bits of `mask` in one word.
  bool put_in(std::size_t word, BitWord mask, BitWord bits) const {
    if (((value[word] ^ bits) & mask & known[word]) != 0) return false;
    value[word] |= bits & mask;
    known[word] |= mask;
    return true;
  }
  [[nodiscard]] bool knows(std::uint32_t low, std::uint32_t width) const {
    return slice_of(known, low, width) == low_mask(width);
  }
};

/// Evaluates expressions of open scopes on whole words. What it may spend is bounded: beyond, everything is 0, which
/// can only make the assembler refuse, as it proves each of its results.
class Evaluator {
 public:
  Evaluator(const DecodeTables& tables, const std::vector<OpenScope>& scopes);

  /// Steps of nested evaluation that may be spent until the next call.
  void set_budget(std::uint32_t budget) {
    budget_ = budget;
    if (sites_.size() > most_sites) forget();
  }
  [[nodiscard]] std::uint32_t budget() const { return budget_; }

  std::int64_t evaluate(std::uint32_t scope, std::uint32_t local, const BitWord* words);
  /// The value of a derived definition.
  std::int64_t derived_value(std::uint32_t scope, std::uint32_t local, const BitWord* words) {
    const std::int64_t value = evaluate(scope, local, words);
    return tables_.cuts_derived ? static_cast<std::int64_t>(static_cast<std::uint32_t>(value)) : value;
  }
  /// Whether all bits that the expression depends on are known. False may also mean that it was not worth finding out.
  bool is_known(std::uint32_t scope, std::uint32_t local, const BitWord* known);
  /// Adds the bits that the expression depends on, to a mask of as many words as a PartialWord has.
  void add_support(std::uint32_t scope, std::uint32_t local, BitWord* mask);

  [[nodiscard]] const CompiledExpression& row(std::uint32_t scope, std::uint32_t local) const {
    return tables_.expressions[scopes_[scope].plan->expressions.first + local];
  }
  [[nodiscard]] std::uint32_t low_of(std::uint32_t scope) const { return scopes_[scope].low; }

  /// The conditions of all cases that a scope asks: whatever steers its text.
  void add_control(std::uint32_t scope, BitWord* mask);

 private:
  static constexpr std::size_t max_depth = 64;
  struct Busy {
    std::uint32_t scope;
    std::uint32_t local;
  };
  bool enter(std::uint32_t scope, std::uint32_t local);
  std::int64_t value_of_name(std::uint32_t scope, std::uint32_t resolver, const BitWord* words);
  void find_support(std::uint32_t scope, std::uint32_t local, BitWord* mask);
  void find_support_of_name(std::uint32_t scope, std::uint32_t resolver, BitWord* mask);
  void find_control(std::uint32_t scope, BitWord* mask);

  // What a scope's supports depend on: a site. Lines open the same few hundred again and again.
  struct Site {
    const Plan* plan = nullptr;
    const std::uint32_t* arguments = nullptr;
    std::uint32_t parent = nowhere;  // a site
    std::uint32_t low = 0;
    bool operator==(const Site&) const = default;
  };
  struct SiteHash {
    std::size_t operator()(const Site& site) const;
  };
  // A support that was found, and what it cost: who finds it again pays the same, so that a line near the bounds ends the same
  // way whatever came before it.
  struct Found {
    std::size_t mask = 0;  // of masks_
    std::uint32_t cost = 0;
    bool is_known = false;
  };
  static constexpr std::size_t most_sites = 1u << 14;
  void forget();
  std::uint32_t site_of(std::uint32_t scope);
  const BitWord* support_of(std::uint32_t scope, std::uint32_t local);

  const DecodeTables& tables_;
  const std::vector<OpenScope>& scopes_;
  std::size_t size_;  // words of a mask
  std::uint32_t budget_ = 0;
  std::vector<Busy> busy_;
  std::vector<BitWord> scratch_;
  struct Seen {
    Site site;
    std::uint32_t index = nowhere;
  };
  std::vector<Seen> seen_;                                   // which site each scope was when it was last asked for
  std::unordered_map<Site, std::uint32_t, SiteHash> sites_;  // → its first row of found_
  std::vector<Found> found_;  // of each site its expressions, and last what steers its text
  std::vector<BitWord> masks_;
};

/// Sets `width` bits of a mask from `low` on.
inline void add_range(BitWord* mask, std::uint32_t low, std::uint32_t width) {
  const std::uint32_t shift = low % bits_per_word;
  mask[low / bits_per_word] |= low_mask(width) << shift;
  if (shift + width > bits_per_word) mask[low / bits_per_word + 1] |= low_mask(shift + width - bits_per_word);
}

}  // namespace vireo::isa
