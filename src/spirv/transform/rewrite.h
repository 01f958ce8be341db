// SPDX-License-Identifier: Apache-2.0
//
// Rewrite: the changes that a transform makes to a module.
//
// A transform marks instructions as removed, replaces ids, inserts words, and orders blocks; one
// pass then copies the remaining words. The names, decorations and interface entries of removed ids go with them.
//
// Source: specification 2.3 (physical layout), 2.4 (logical layout), 2.15 (debug information).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "spirv/transform/operand_index.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/spirv/transform/report.h"
#include "vireo/spirv/word.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// Reads the words of a module that a transform can change. Errors: the header is invalid, or the module cannot be
/// divided into instructions.
Result<Module> read_for_transform(Words words, const Grammar& grammar, Diagnostics& diagnostics);

class Rewrite {
 public:
  /// The module is borrowed.
  explicit Rewrite(const Module& module);
  /// Discards all changes, but keeps the memory.
  void clear();

  // --- removing ---

  void remove(InstructionIndex instruction) {
    drop_replacement(instruction);
    set_state(instruction, removed);
  }
  void keep(InstructionIndex instruction) { states_[instruction.raw] = kept; }
  /// Whether an instruction is removed without a replacement.
  [[nodiscard]] bool is_removed(InstructionIndex instruction) const { return states_[instruction.raw] == removed; }
  /// Whether an instruction is neither removed nor replaced.
  [[nodiscard]] bool is_kept(InstructionIndex instruction) const { return states_[instruction.raw] == kept; }
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
    left_out_.emplace_back(entry_point.raw, variable);
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
  void insert_before(InstructionIndex place, Words instructions) { insert(place, instructions); }
  /// Replaces an instruction by one with the same result, if it has one. The last replacement applies.
  void replace(InstructionIndex place, Words instruction) {
    drop_replacement(place);
    set_state(place, first_replacement + insert(place, instruction));
  }
  /// Writes the blocks of a function in this order. `order` contains each block of the function once.
  void set_block_order(FunctionIndex function, std::span<const BlockIndex> order);

  // --- fresh ids ---

  /// Fresh ids are not below `bound`.
  void reserve_ids_below(Word bound) { bound_ = std::max(bound_, bound); }
  /// Whether `count` ids are left. (An id and the bound above it must fit in a word.)
  [[nodiscard]] bool has_fresh_ids(Word count) const { return bound_ < ~Word{0} - count; }
  /// Declares a constant or a type: inserts `instruction` with a fresh id as word `result`, and returns the id.
  /// Precondition: has_fresh_ids(1).
  Word declare_before(InstructionIndex place, Words instruction, std::size_t result);

  /// The instruction in place of a replaced one; empty for others.
  [[nodiscard]] Words replacement(InstructionIndex place) const {
    return states_[place.raw] < first_replacement ? Words()
                                                  : words_of(insertions_[states_[place.raw] - first_replacement]);
  }
  /// The declarations with fresh ids, in ascending order of their ids, which begin at first_fresh_id().
  [[nodiscard]] std::size_t fresh_count() const { return declared_.size(); }
  [[nodiscard]] Word first_fresh_id() const { return bound_ - static_cast<Word>(declared_.size()); }
  [[nodiscard]] Words declaration(std::size_t i) const { return words_of(insertions_[declared_[i]]); }
  void drop_declaration(std::size_t i) { insertions_[declared_[i]].is_dropped = true; }
  /// The id in place of the result of an instruction, which is not renamed itself; 0 if the result is not renamed. Valid
  /// after find_renamed_ids().
  [[nodiscard]] Word renamed_id(InstructionIndex definition) const {
    return renamed_.empty() ? 0 : new_ids_[definition.index()];
  }
  void find_renamed_ids();
  /// Discards replacements and other inserted instructions, except declarations, where `is_unneeded(place)` is true.
  template <typename IsUnneeded>
  void drop_insertions(const IsUnneeded& is_unneeded) {
    for (Insertion& each : insertions_) {
      if (!each.is_declaration && is_unneeded(InstructionIndex(each.place))) each.is_dropped = true;
    }
  }

  // --- the result ---

  [[nodiscard]] bool is_changed() const { return is_changed_; }
  /// Returns the remaining words. Removed ids are left out of groups and of the interfaces of entry points.
  [[nodiscard]] WordBuffer write();
  /// The same after rename(), for which the operands are needed.
  [[nodiscard]] WordBuffer write(const OperandIndex& operands);
  /// The same into a buffer, whose memory is reused.
  void write(const OperandIndex& operands, WordBuffer& result);

 private:
  friend class RewriteWriter;
  // States of instructions; a higher number is first_replacement plus the index of an insertion.
  static constexpr std::uint32_t kept = 0, removed = 1, first_replacement = 2;

  struct Insertion {
    std::uint32_t place = 0;           // the instruction after it
    std::uint32_t begin = 0, end = 0;  // in words_
    bool is_declaration = false, is_dropped = false;
  };
  struct Order {
    FunctionIndex function;
    std::uint32_t begin = 0, end = 0;  // in order_
  };

  void set_state(InstructionIndex i, std::uint32_t state) {
    states_[i.raw] = state;
    is_changed_ = true;
  }
  std::uint32_t insert(InstructionIndex place, Words instructions);
  void drop_replacement(InstructionIndex place) {
    if (states_[place.raw] >= first_replacement) insertions_[states_[place.raw] - first_replacement].is_dropped = true;
  }
  [[nodiscard]] Words words_of(const Insertion& row) const {
    return Words(words_).subspan(row.begin, row.end - row.begin);
  }
  void remove_repeated_declarations();
  void write_from(Words words, const std::vector<Word>* renamed, WordBuffer& result);

  const Module& module_;
  Word bound_;
  bool is_changed_ = false;
  std::vector<std::uint32_t> states_;                       // by instruction
  std::vector<std::pair<std::uint32_t, Word>> left_out_;    // entry points and variables of their interfaces
  std::vector<std::pair<InstructionIndex, Word>> renamed_;  // definitions, and the ids in their place
  std::vector<Insertion> insertions_;                       // in the order of the calls
  std::vector<std::uint32_t> declared_;                     // insertions with a fresh id
  WordBuffer words_;                                        // of the insertions
  std::vector<Order> orders_;
  std::vector<BlockIndex> order_;
  // Memory of write().
  std::vector<std::uint32_t> sorted_;  // insertions by place
  std::vector<Word> new_ids_;          // by definition; 0: not renamed
  WordBuffer renamed_words_;
};

}  // namespace vireo::spirv
