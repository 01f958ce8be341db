// SPDX-License-Identifier: Apache-2.0
//
// Rewrite: the changes that a transform makes to a module.
//
// The one idea: a transform marks instructions as removed, replaces ids, inserts words, and orders blocks; one
// pass then copies the remaining words. The names, decorations and interface entries of removed ids go with them.
//
// Source: specification 2.3 (physical layout), 2.4 (logical layout), 2.15 (debug information).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "spirv/transform/operand_index.h"
#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/module.h"
#include "vireo/spirv/transform/report.h"
#include "vireo/spirv/word.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// Reads the words of a module that a transform can change. Errors: the header is invalid, or the module cannot be
/// divided into instructions.
Result<Module> read_for_transform(Words words, const Grammar& grammar, Diagnostics& diagnostics);

/// The first word of an instruction with this number of words.
constexpr Word first_word(std::size_t count, Op opcode) {
  return static_cast<Word>(count) << 16 | static_cast<Word>(opcode);
}

class Rewrite {
 public:
  /// The module is borrowed.
  explicit Rewrite(const Module& module)
      : module_(module),
        bound_(std::max(module.header().bound, module.defined_bound())),
        is_removed_(module.instruction_count()) {}

  // --- removing ---

  void remove(InstructionIndex instruction) {
    is_removed_[instruction.raw] = true;
    is_changed_ = true;
  }
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
  /// Removes the names and decorations of removed ids, and the groups without targets.
  void remove_annotations();
  /// Leaves a variable out of the interface of one entry point.
  void remove_from_interface(InstructionIndex entry_point, Word variable) {
    left_out_.emplace(entry_point.raw, variable);
    is_changed_ = true;
  }

  // --- changing ---

  /// All remaining uses of the result of an instruction become uses of another id. Renamings can form chains, but no
  /// cycle. Of inserted instructions, only OpPhi has renamed operands.
  void rename(InstructionIndex definition, Word id) {
    renamed_.emplace_back(definition, id);
    is_changed_ = true;
  }
  /// Inserts instructions before another one, also before one that is removed.
  void insert_before(InstructionIndex place, Words instructions) {
    WordBuffer& words = inserted_[place.raw];
    words.insert(words.end(), instructions.begin(), instructions.end());
    is_changed_ = true;
  }
  /// Removes an instruction and inserts others in its place.
  void replace(InstructionIndex place, Words instructions) {
    remove(place);
    insert_before(place, instructions);
  }
  /// Writes the blocks of a function in this order. `order` contains each block of the function once.
  void set_block_order(FunctionIndex function, std::vector<BlockIndex> order) {
    orders_[function.raw] = std::move(order);
    is_changed_ = true;
  }
  /// Whether `count` ids are left. (An id and the bound above it must fit in a word.)
  [[nodiscard]] bool has_fresh_ids(Word count) const { return bound_ < ~Word{0} - count; }
  /// An id that the module does not define.
  [[nodiscard]] Word fresh_id() {
    has_fresh_ = true;
    return bound_++;
  }

  // --- the result ---

  [[nodiscard]] bool is_changed() const { return is_changed_; }
  /// Returns the remaining words. Removed ids are left out of groups and of the interfaces of entry points.
  [[nodiscard]] WordBuffer write() const;
  /// The same after rename(), for which the operands are needed.
  [[nodiscard]] WordBuffer write(const OperandIndex& operands) const;

 private:
  friend class RewriteWriter;
  [[nodiscard]] std::vector<Word> renamed_ids() const;

  const Module& module_;
  Word bound_;
  bool is_changed_ = false, has_fresh_ = false;
  std::vector<bool> is_removed_;                             // by instruction
  std::set<std::pair<std::uint32_t, Word>> left_out_;        // entry points and variables of their interfaces
  std::vector<std::pair<InstructionIndex, Word>> renamed_;   // definitions, and the ids in their place
  std::map<std::uint32_t, WordBuffer> inserted_;             // by the instruction after them
  std::map<std::uint32_t, std::vector<BlockIndex>> orders_;  // by function
};

}  // namespace vireo::spirv
