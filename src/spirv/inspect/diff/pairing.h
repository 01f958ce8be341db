// SPDX-License-Identifier: Apache-2.0
//
// Pairing: the ids and instructions of two modules that correspond to each other.
//
// Keys of instructions are hashes in which each id counts as its token. Two ids that are paired get the
// same token. So everything that is found later is compared under the pairs that are known already.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/inspect/diff/diff_side.h"
#include "support/key_hash.h"

namespace vireo::spirv {

/// Tokens of ids whose definition does not count in a hash. Each leaves room for a small number.
namespace id_token {
inline constexpr std::uint64_t local = 1ull << 33, label = 2ull << 33, result = 3ull << 33, undefined = 4ull << 33,
                               of_other_function = 5ull << 33, own_local = 6ull << 33;
}

inline constexpr std::uint32_t no_partner = ~std::uint32_t{0};

/// The pairs of one side.
struct SidePairs {
  std::vector<Word> ids;                    ///< by id: its partner; 0: none
  std::vector<std::uint32_t> instructions;  ///< by instruction: its partner, or no_partner
  std::vector<std::uint64_t> tokens;        ///< by id

  explicit SidePairs(const DiffSide& side)
      : ids(side.id_count() + std::size_t{1}),
        instructions(side.module().instruction_count(), no_partner),
        tokens(side.id_count() + std::size_t{1}) {}
};

struct Pairing {
  SidePairs before, after;
  std::vector<bool> is_moved;  ///< by instruction of the first side: its partner is at another place

  Pairing(const DiffSide& side_before, const DiffSide& side_after)
      : before(side_before), after(side_after), is_moved(side_before.module().instruction_count()) {}

  [[nodiscard]] bool are_unpaired(Word x, Word y) const { return before.ids[x] == 0 && after.ids[y] == 0; }
  void pair_ids(Word x, Word y) {
    before.ids[x] = y;
    after.ids[y] = x;
    before.tokens[x] = after.tokens[y] = key_hash(std::uint64_t{1} << 32 | x);
  }
  void pair_instructions(std::uint32_t i, std::uint32_t j) {
    before.instructions[i] = j;
    after.instructions[j] = i;
  }
};

}  // namespace vireo::spirv
