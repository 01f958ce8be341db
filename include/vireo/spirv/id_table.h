// SPDX-License-Identifier: Apache-2.0
//
// IdTable: small numbers by id.
//
// The one idea: ids of honest modules are dense, so a vector answers; what a lying module puts far out stands in a hash
// table. Memory is four bytes for each id up to the highest one that the module's size explains, whatever the header
// says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// `Index` is an Id<…> of 32 bits: four bytes an entry, and none where nothing was set.
template <typename Index>
class IdTable {
 public:
  IdTable() = default;
  /// Room for the ids that a module defines; no more of them than it has words stand in the vector.
  explicit IdTable(const Module& module)
      : dense_(std::min<std::size_t>(module.defined_bound(), module.words().size())) {}

  [[nodiscard]] Index get(Word id) const {
    if (id < dense_.size()) [[likely]] { return dense_[id]; }
    if (far_.empty()) return Index::none();
    const auto found = far_.find(id);
    return found == far_.end() ? Index::none() : found->second;
  }
  void set(Word id, Index index) {
    if (id < dense_.size()) [[likely]] {
      dense_[id] = index;
    } else {
      far_[id] = index;
    }
  }

  /// Bytes that are held, the nodes of the hash table estimated.
  [[nodiscard]] std::size_t memory() const {
    return dense_.capacity() * sizeof(Index) + far_.size() * (sizeof(std::pair<Word, Index>) + 2 * sizeof(void*));
  }

 private:
  std::vector<Index> dense_;
  std::unordered_map<Word, Index> far_;
};

}  // namespace vireo::spirv
