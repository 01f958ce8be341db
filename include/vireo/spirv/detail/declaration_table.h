// SPDX-License-Identifier: Apache-2.0
//
// DeclarationTable: small numbers by the id of a declaration (a type, a constant).
//
// The one idea: what is declared stands among the globals, and the module knows where each id is defined. So the place
// there is the index, and the table ends with the last declaration, however many ids there are. What a broken module
// declares elsewhere is in a second table, by its place in the whole module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"

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
    if (elsewhere_.empty()) return Index::none();
    const InstructionIndex definition = module_->definition(id);
    return definition.is_none() ? Index::none() : elsewhere_[definition.index()];
  }
  /// Makes room at once for all declarations up to an instruction (the last one, where it is known).
  void extend_to(InstructionIndex last) {
    const std::size_t count = std::size_t{last.raw} + 1 - first_;
    if (count <= count_ && count > near_.size()) near_.resize(count);
  }
  /// An id that nothing defines is ignored.
  void set(Word id, Index index) {
    const InstructionIndex definition = module_->definition(id);
    const std::size_t place = std::size_t{definition.raw} - first_;
    if (place < near_.size()) [[likely]] {
      near_[place] = index;
    } else if (place < count_) {
      // In steps, as declarations come one after the other; not beyond the section.
      const std::size_t wanted = near_.size() + near_.size() / 2;
      const std::size_t count = wanted > place ? wanted : place + 1;
      near_.resize(count < count_ ? count : count_);
      near_[place] = index;
    } else if (!definition.is_none()) {
      elsewhere_.resize(module_->instruction_count());
      elsewhere_[definition.index()] = index;
    }
  }

  /// Bytes that are held.
  [[nodiscard]] std::size_t memory() const { return (near_.capacity() + elsewhere_.capacity()) * sizeof(Index); }

 private:
  const Module* module_;
  std::uint32_t first_, count_;   // of the globals
  std::vector<Index> near_;       // by place among the globals
  std::vector<Index> elsewhere_;  // by place in the module; empty unless an id is declared outside of the globals
};

}  // namespace vireo::spirv
