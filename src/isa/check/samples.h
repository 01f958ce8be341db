// SPDX-License-Identifier: Apache-2.0
//
// Sample words: few words that show what a leaf can be.
//
// The one idea: every leaf has a plain word, its fixed bits and otherwise zeros; from it one thing is changed at a time. So
// samples grow with the sum of what there is to show, not with its product, and each differs from the plain word in
// something that can be named. *Few* of them find displays that look alike; *all* of them are the corners of every field,
// under every override, as a suite of regressions wants them. Both are bounded, and the same each time.
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
  static constexpr std::size_t max_few = 256;   ///< of a leaf
  static constexpr std::size_t max_all = 2048;  ///< likewise

  Samples(const Model& model, std::uint32_t gen, Corners corners = Corners::Few)
      : model_(model), gen_(gen), corners_(corners), reading_(model) {}

  using Consumer = std::function<void(const Bits&)>;

  /// A word that the leaf matches: asserts hold, nested bitsets have leaves, otherwise zeros.
  Bits plain(const Bitset& leaf);
  /// Hands out the words of a leaf, which may be one of a nested root. All of them differ, if they are all.
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
  std::unordered_map<std::uint32_t, Bits> first_;                // by root
  std::unordered_map<std::uint32_t, std::vector<Bits>> nested_;  // by root, all samples of its leaves
};

/// As few generations as have all leaves: first that with the most, then that with the most others. `candidates` are
/// looked at, in order (Subject::distinct_gens()).
std::vector<std::uint32_t> gens_with_all_leaves(const Model& model, const std::vector<std::uint32_t>& candidates);

}  // namespace vireo::isa
