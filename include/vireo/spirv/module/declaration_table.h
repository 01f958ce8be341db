// SPDX-License-Identifier: Apache-2.0
//
// DeclarationTable: maps the ids of declarations (types, constants) to 32-bit indexes.
//
// Declarations are in the section of globals, and the module maps each id to the instruction that defines
// it. The table has an entry for each instruction of that section up to the last declaration, so its size does not
// depend on the number of ids. If an invalid module has declarations outside this section, a second table has an entry
// for each instruction of the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The table. `Index` is a 32-bit `Id<…>`, so an entry takes four bytes.
template <typename Index>
class DeclarationTable {
 public:
  /// The module is borrowed and must outlive the table.
  explicit DeclarationTable(const Module& module)
      : module_(&module),
        first_(module.section(Section::Globals).first),
        count_(module.section(Section::Globals).size()) {}

  /// The index that was set for an id; none() if there is none.
  [[nodiscard]] Index get(Word id) const {
    // An undefined id has the definition none(), which is beyond all sections, so it needs no branch of its own.
    const std::size_t place = std::size_t{module_->definition(id).raw} - first_;
    if (place < near_.size()) [[likely]] { return near_[place]; }
    if (elsewhere_.empty()) return Index::none();
    const InstructionIndex definition = module_->definition(id);
    return definition.is_none() ? Index::none() : elsewhere_[definition.index()];
  }
  /// Allocates the entries of all declarations up to the instruction `last` at once. Optional: set() also allocates.
  void extend_to(InstructionIndex last) {
    const std::size_t count = std::size_t{last.raw} + 1 - first_;
    if (count <= count_ && count > near_.size()) near_.resize(count);
  }
  /// Sets the index for an id. Ignores an undefined id.
  void set(Word id, Index index) {
    const InstructionIndex definition = module_->definition(id);
    const std::size_t place = std::size_t{definition.raw} - first_;
    if (place < near_.size()) [[likely]] {
      near_[place] = index;
    } else if (place < count_) {
      // Declarations are usually set in ascending order, so the table grows by half its size, up to the section's size.
      const std::size_t wanted = near_.size() + near_.size() / 2;
      const std::size_t count = wanted > place ? wanted : place + 1;
      near_.resize(count < count_ ? count : count_);
      near_[place] = index;
    } else if (!definition.is_none()) {
      elsewhere_.resize(module_->instruction_count());
      elsewhere_[definition.index()] = index;
    }
  }

  /// Removes all indexes, but keeps the memory.
  void clear() {
    near_.assign(near_.size(), Index::none());
    elsewhere_.assign(elsewhere_.size(), Index::none());
  }

  /// Allocated bytes.
  [[nodiscard]] std::size_t memory() const { return (near_.capacity() + elsewhere_.capacity()) * sizeof(Index); }

 private:
  const Module* module_;
  std::uint32_t first_, count_;   // first instruction and number of instructions of the section of globals
  std::vector<Index> near_;       // by instruction of the section of globals, from its first one
  std::vector<Index> elsewhere_;  // by instruction of the module; empty unless an id is declared outside the globals
};

}  // namespace vireo::spirv
