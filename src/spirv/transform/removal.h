// SPDX-License-Identifier: Apache-2.0
//
// Removal: the instructions that a transform removes from a module.
//
// The one idea: a transform marks instructions. Removal keeps a marked instruction if a remaining one uses its result,
// and drops the names, decorations and interface entries of removed ids. One pass then copies the remaining words.
//
// Source: specification 2.3 (physical layout), 2.15 (debug information).
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/module.h"
#include "vireo/spirv/transform/report.h"
#include "vireo/spirv/word.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// Reads the words of a module that a transform can change. Errors: the header is invalid, or the module cannot be
/// divided into instructions.
Result<Module> read_for_transform(Words words, const Grammar& grammar, Diagnostics& diagnostics);

class Removal {
 public:
  /// The module is borrowed.
  explicit Removal(const Module& module) : module_(module), is_removed_(module.instruction_count()) {}

  void remove(InstructionIndex instruction) { is_removed_[instruction.raw] = true; }
  void keep(InstructionIndex instruction) { is_removed_[instruction.raw] = false; }
  [[nodiscard]] bool is_removed(InstructionIndex instruction) const { return is_removed_[instruction.raw]; }
  /// Whether the definition of an id is removed; false for an undefined id.
  [[nodiscard]] bool is_removed_id(Word id) const {
    const InstructionIndex definition = module_.definition(id);
    return !definition.is_none() && is_removed(definition);
  }

  /// Keeps each marked instruction whose result a remaining instruction uses, other than in names, decorations and
  /// interfaces. An instruction that cannot be decoded uses every id that is equal to one of its words.
  void keep_what_is_used(const Uses& uses);
  /// Removes the names and decorations of removed ids.
  void remove_annotations();

  /// Leaves a variable out of the interface of one entry point.
  void remove_from_interface(InstructionIndex entry_point, Word variable) {
    left_out_.emplace(entry_point.raw, variable);
  }

  /// Returns the remaining words. Removed ids are left out of groups and of the interfaces of entry points.
  [[nodiscard]] WordBuffer write() const;
  /// Describes the removed instructions.
  void describe(const WordBuffer& result, TransformReport& report) const;

 private:
  template <typename List>
  void append_with_list(InstructionIndex index, const List& list, WordBuffer& words) const;

  const Module& module_;
  std::vector<bool> is_removed_;                       // by instruction
  std::set<std::pair<std::uint32_t, Word>> left_out_;  // entry points and variables of their interfaces
};

}  // namespace vireo::spirv
