// SPDX-License-Identifier: Apache-2.0
//
// DeclarationTable: small numbers by the id of a declaration (a type, a constant).
//
// The one idea: what is declared stands among the globals, and the module knows where each id is defined. So the place
// there is the index, and the table ends with the last declaration, however many ids there are. What a broken module
// declares elsewhere stands in a hash table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// `Index` is an `Id<…>` of 32 bits, so an entry is four bytes. get() gives none() where nothing was set.
template <typename Index>
class DeclarationTable {
 public:
  /// The module is borrowed.
  explicit DeclarationTable(const Module& module)
      : module_(&module),
        first_(module.section(Section::Globals).first),
        count_(module.section(Section::Globals).size()) {}

  [[nodiscard]] Index get(Word id) const {
    // Ids without a definition have none() as their place, which is beyond all sections, so they need no branch.
    const std::size_t place = std::size_t{module_->definition(id).raw} - first_;
    if (place < near_.size()) [[likely]] { return near_[place]; }
    if (far_.empty()) return Index::none();
    const auto found = far_.find(id);
    return found == far_.end() ? Index::none() : found->second;
  }
  /// Makes room at once for all declarations up to an instruction (the last one, where it is known).
  void extend_to(InstructionIndex last) {
    const std::size_t count = std::size_t{last.raw} + 1 - first_;
    if (count <= count_ && count > near_.size()) near_.resize(count);
  }
  void set(Word id, Index index) {
    const std::size_t place = std::size_t{module_->definition(id).raw} - first_;
    if (place < near_.size()) [[likely]] {
      near_[place] = index;
    } else if (place < count_) {
      // In steps, as declarations come one after the other; not beyond the section.
      near_.resize(std::min<std::size_t>(count_, std::max(place + 1, near_.size() + near_.size() / 2)));
      near_[place] = index;
    } else {
      far_[id] = index;
    }
  }

  /// Bytes that are held, the nodes of the hash table estimated.
  [[nodiscard]] std::size_t memory() const {
    return near_.capacity() * sizeof(Index) + far_.size() * (sizeof(std::pair<Word, Index>) + 2 * sizeof(void*));
  }

 private:
  const Module* module_;
  std::uint32_t first_, count_;  // of the globals
  std::vector<Index> near_;      // by place among the globals
  IdMap<Index> far_;
};

}  // namespace vireo::spirv
