// SPDX-License-Identifier: Apache-2.0
//
// Scopes whose bits are only partly known, and what expressions mean in them.
//
// The one idea: all scopes of an instruction are slices of one word, so "what is known" is a mask beside the word, and
// what an expression depends on is a mask, too: its support. An expression whose support is known has a value; another
// one is a question to the solver. The rules of names are those of the decoder's walk (isa/decode/walk.h), whose tables
// are read here.
#pragma once

#include <cstdint>
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
  void set_budget(std::uint32_t budget) { budget_ = budget; }
  [[nodiscard]] std::uint32_t budget() const { return budget_; }

  std::int64_t evaluate(std::uint32_t scope, std::uint32_t local, const BitWord* words);
  /// The value of a derived definition.
  std::int64_t derived_value(std::uint32_t scope, std::uint32_t local, const BitWord* words) {
    const std::int64_t value = evaluate(scope, local, words);
    return tables_.cuts_derived ? static_cast<std::int64_t>(static_cast<std::uint32_t>(value)) : value;
  }
  /// Whether all bits that the expression depends on are known.
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
  /// Calls `visit(low, width)` for all bits that the expression depends on, until it answers false; then this is false, too.
  template <typename Visitor>
  bool visit_support(std::uint32_t scope, std::uint32_t local, const Visitor& visit);
  template <typename Visitor>
  bool visit_support_of_name(std::uint32_t scope, std::uint32_t resolver, const Visitor& visit);

  const DecodeTables& tables_;
  const std::vector<OpenScope>& scopes_;
  std::uint32_t budget_ = 0;
  std::vector<Busy> busy_;
};

/// Goes through the definitions that a name may have, outwards through params as the decoder looks for them, until
/// `visit(choice, scope)` answers true. False: it never did. Scopes are nested as deep as the description has them.
template <typename Visitor>
bool find_choice(const DecodeTables& tables, const std::vector<OpenScope>& scopes, std::uint32_t scope,
                 std::uint32_t resolver, const Visitor& visit) {
  while (true) {
    const NameResolver& names = tables.resolvers[resolver];
    for (std::uint32_t i = 0; i < names.choices.count; ++i) {
      const Choice& choice = tables.choices[names.choices.first + i];
      if (choice.definition != nowhere && visit(choice, scope)) return true;
    }
    if (names.argument == nowhere || scopes[scope].parent == nowhere) return false;
    resolver = scopes[scope].arguments[names.argument];
    scope = scopes[scope].parent;
  }
}

/// Sets `width` bits of a mask from `low` on.
inline void add_range(BitWord* mask, std::uint32_t low, std::uint32_t width) {
  const std::uint32_t shift = low % bits_per_word;
  mask[low / bits_per_word] |= low_mask(width) << shift;
  if (shift + width > bits_per_word) mask[low / bits_per_word + 1] |= low_mask(shift + width - bits_per_word);
}

}  // namespace vireo::isa
