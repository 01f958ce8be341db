// SPDX-License-Identifier: Apache-2.0
//
// TypeMatching: whether two types match part by part.
//
// The one idea: to match is to be of one class, and the class of a type follows from those of its parts, which are
// declared before it. So one pass in the order of declaration gives each type its class, and two types are compared by
// comparing two numbers, however large they are and however often somebody asks. Nothing is read before that.
//
// The level Decorated is no such sameness: the first type may have more decorations than the second. Types of one class
// match at this level, too; of others the pairs of parts are looked at, each pair once.
//
// Source: specification 3.42.12 (OpCopyLogical); what options take in stores and calls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "spirv/validate/engine/context.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// What of a type two types need to agree in.
enum class MatchLevel : std::uint8_t {
  Logical,     ///< the same scalars in the same places (OpCopyLogical)
  Decorated,   ///< and what decorates the second's parts decorates the first's
  SameLayout,  ///< and offsets and strides are equal
};
inline constexpr std::size_t match_levels_count = 3;

class TypeMatching {
 public:
  /// Reads nothing yet.
  explicit TypeMatching(const Context& context);

  bool match(Word first, Word second, MatchLevel level);

 private:
  using Rows = std::vector<const DecorationRow*>;
  struct Range {
    std::uint32_t first = 0, count = 0;
  };
  /// A pair of types of which some pairs of parts have been looked at.
  struct Pair {
    Word given, wanted;
    std::size_t next;  ///< part
  };
  enum class Answer : std::uint8_t { No, Yes, Open };

  Word class_of(Word type, MatchLevel level);
  void read(MatchLevel level);
  void add_length(std::vector<Word>& words, Word length) const;
  void sort(std::size_t type, MatchLevel level, Rows& rows) const;
  [[nodiscard]] bool comes_before(const DecorationRow* a, const DecorationRow* b) const;

  bool is_decorated(Word given, Word wanted);
  Answer begin(Word given, Word wanted);
  [[nodiscard]] std::span<const DecorationRow* const> decorations_of(TypeIndex type) const;

  const Context& context_;
  std::array<std::vector<Word>, match_levels_count> classes_;  // by type: the id of the first one that matches

  // Of the level Decorated.
  std::vector<bool> is_bare_;                                    // by type: nothing decorates it or a part of it
  std::vector<Range> ranges_;                                    // by type, in rows_
  Rows rows_;                                                    // of aggregates; those of each sorted, and none twice
  std::unordered_map<std::uint64_t, bool, NumberHash> answers_;  // by pair
  std::vector<Pair> open_;            // the pair that was asked for, and within it one of parts, and so on
  std::size_t work_ = 0, most_work_;  // parts and decorations of pairs
};

}  // namespace vireo::spirv
