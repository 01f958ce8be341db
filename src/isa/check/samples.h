// SPDX-License-Identifier: Apache-2.0
//
// Sample words: a few words that show the variants of a leaf.
//
// Each leaf has a plain word, with its fixed bits and zeros elsewhere. Each sample differs from the plain
// word in one field or case. So the number of samples grows with the sum of the variants and not with their product.
// *Few* samples find ambiguous displays. *All* samples have the corner values of every field, under every override, for
// regression tests. Both are bounded, and the same in each run.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "isa/check/leaf_reading.h"
#include "vireo/isa/model.h"

namespace vireo::isa {

/// Words of one generation.
class Samples {
 public:
  enum class Corners : std::uint8_t { Few, All };
  static constexpr std::size_t max_few = 256;   ///< per leaf
  static constexpr std::size_t max_all = 2048;  ///< also per leaf

  Samples(const Model& model, std::uint32_t gen, Corners corners = Corners::Few)
      : model_(model), gen_(gen), corners_(corners), reading_(model) {}

  using Consumer = std::function<void(const Bits&)>;

  /// Returns a word that matches the leaf: asserts hold, nested fields contain leaves, other bits are 0.
  Bits plain(const Bitset& leaf);
  /// Calls `consume` with the samples of a leaf, which may belong to a nested root. With Corners::All, the samples are
  /// distinct.
  void each(const Bitset& leaf, const Consumer& consume);

 private:
  const Bits& first_of(BitsetId root);
  const std::vector<Bits>& nested(BitsetId root);
  enum class Wanted : std::uint8_t { Holds, Fails };
  void offer_case(const Case& row, Wanted wanted, const Bits& word, const Consumer& offer);
  void offer_values(const Bitset& leaf, const Field& field, const Bits& word, const Consumer& offer);

  const Model& model_;
  std::uint32_t gen_;
  Corners corners_;
  LeafReading reading_;
  std::unordered_map<std::uint32_t, Bits> first_;                // indexed by root
  std::unordered_map<std::uint32_t, std::vector<Bits>> nested_;  // indexed by root: all samples of its leaves
};

/// Returns a small set of generations that together have all leaves. It starts with the generation that has the most
/// leaves, then adds the one with the most remaining leaves, and so on. Tries `candidates` in order
/// (Subject::distinct_gens()).
std::vector<std::uint32_t> gens_with_all_leaves(const Model& model, const std::vector<std::uint32_t>& candidates);

}  // namespace vireo::isa
