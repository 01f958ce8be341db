// SPDX-License-Identifier: Apache-2.0
//
// Scopes of a word with unknown bits, and the evaluation of expressions in them.
//
// All scopes of an instruction are slices of one word, and a second word is the mask of known bits. The
// support of an expression is the mask of the bits on which it depends. If all bits of the support are known, the
// expression has a value. Names resolve as in the decoder's walk (isa/decode/walk.h), from the same tables.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/decode/tables.h"

namespace vireo::isa {

/// One bitset instance of an instruction that is being encoded.
struct OpenScope {
  const Plan* plan = nullptr;
  std::uint32_t parent = nowhere;            ///< index of the scope around it
  const std::uint32_t* arguments = nullptr;  ///< resolvers of the parent's plan
  std::uint32_t low = 0;                     ///< lowest bit of the scope, within the instruction
  std::uint32_t tag = 0;                     ///< free for use by the code that opens the scope
};

/// A word with known and unknown bits. Both arrays have one word more than the instruction needs, because a slice may
/// read past its end. Unknown bits are 0.
struct PartialWord {
  BitWord* value = nullptr;
  BitWord* known = nullptr;

  /// Sets `width` bits (1 to 64) to known values. Returns false if one of them is already known with another value.
  bool put(std::uint32_t low, std::uint32_t width, BitWord bits) const {
    const std::uint32_t shift = low % bits_per_word;
    if (!put_in(low / bits_per_word, low_mask(width) << shift, (bits & low_mask(width)) << shift)) return false;
    if (shift + width <= bits_per_word) return true;
    const std::uint32_t rest = shift + width - bits_per_word;
    return put_in(low / bits_per_word + 1, low_mask(rest), (bits & low_mask(width)) >> (bits_per_word - shift));
  }
  /// Sets the bits of `mask` in one word.
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

/// Evaluates expressions of open scopes on words. A budget bounds the work; once it is spent, nested expressions have
/// the value 0. This cannot yield a wrong encoding, because the assembler verifies each result.
class Evaluator {
 public:
  Evaluator(const DecodeTables& tables, const std::vector<OpenScope>& scopes);

  /// Sets the budget, in steps of nested evaluation.
  void set_budget(std::uint32_t budget) { budget_ = budget; }
  [[nodiscard]] std::uint32_t budget() const { return budget_; }

  std::int64_t evaluate(std::uint32_t scope, std::uint32_t local, const BitWord* words);
  /// The value of a derived definition.
  std::int64_t derived_value(std::uint32_t scope, std::uint32_t local, const BitWord* words) {
    const std::int64_t value = evaluate(scope, local, words);
    return tables_.cuts_derived ? static_cast<std::int64_t>(static_cast<std::uint32_t>(value)) : value;
  }
  /// Whether all bits of the expression's support are known.
  bool is_known(std::uint32_t scope, std::uint32_t local, const BitWord* known);
  /// Adds the support of the expression to a mask of as many words as a PartialWord has.
  void add_support(std::uint32_t scope, std::uint32_t local, BitWord* mask);

  [[nodiscard]] const CompiledExpression& row(std::uint32_t scope, std::uint32_t local) const {
    return tables_.expressions[scopes_[scope].plan->expressions.first + local];
  }
  [[nodiscard]] std::uint32_t low_of(std::uint32_t scope) const { return scopes_[scope].low; }

  /// Adds the support of all conditions that select the text of a scope.
  void add_control(std::uint32_t scope, BitWord* mask);

 private:
  static constexpr std::size_t max_depth = 64;
  struct Busy {
    std::uint32_t scope;
    std::uint32_t local;
  };
  bool enter(std::uint32_t scope, std::uint32_t local);
  std::int64_t value_of_name(std::uint32_t scope, std::uint32_t resolver, const BitWord* words);
  /// Calls `visit(low, width)` for all bits of the expression's support, until `visit` returns false. Returns false in
  /// that case.
  template <typename Visitor>
  bool visit_support(std::uint32_t scope, std::uint32_t local, const Visitor& visit);
  template <typename Visitor>
  bool visit_support_of_name(std::uint32_t scope, std::uint32_t resolver, const Visitor& visit);

  const DecodeTables& tables_;
  const std::vector<OpenScope>& scopes_;
  std::uint32_t budget_ = 0;
  std::vector<Busy> busy_;
};

/// Calls `visit(choice, scope)` for the definitions that a name may have, in the decoder's order, from inner to outer
/// scopes, until it returns true. Returns false if it never does. The loop is bounded by the nesting depth of the
/// description.
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
