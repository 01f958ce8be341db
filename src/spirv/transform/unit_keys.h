// SPDX-License-Identifier: Apache-2.0
//
// UnitKeys: hashes of the units that have no rank yet, and the order of those that nothing refers to.
//
// The key of a unit is computed from its words, in which ids are replaced by the keys of their units. Units
// with equal keys can still have different users. So each round adds the keys of the users and computes all keys again,
// until a round separates no more units.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/transform/unit_graph.h"

namespace vireo::spirv {

inline constexpr std::uint32_t unranked = ~std::uint32_t{0};

class UnitKeys {
 public:
  /// All arguments are borrowed. `ranks` has `unranked` for the units that get a key.
  UnitKeys(const UnitGraph& graph, const std::vector<std::uint32_t>& components,
           const std::vector<std::uint32_t>& ranks);

  /// The units without a rank that no other such unit refers to, unless both are in a cycle. All units without a rank
  /// can be reached from these. The order depends on keys only, except for equal keys.
  [[nodiscard]] std::vector<UnitIndex> roots() const;

 private:
  [[nodiscard]] bool is_unranked(UnitIndex u) const { return ranks_[u] == unranked; }
  void read_contents();
  void read_attributes();
  [[nodiscard]] std::uint64_t key_from_references(UnitIndex u) const;
  void compute_keys();
  void add_users();
  [[nodiscard]] std::size_t count_classes() const;

  const UnitGraph& graph_;
  const std::vector<std::uint32_t>& components_;
  const std::vector<std::uint32_t>& ranks_;
  std::vector<UnitIndex> units_;         // without a rank, by component
  std::vector<std::uint64_t> contents_;  // by unit: hash of words, names, decorations; later also of users
  std::vector<std::uint64_t> keys_;      // by unit
};

}  // namespace vireo::spirv
