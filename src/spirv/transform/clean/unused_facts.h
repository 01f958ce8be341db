// SPDX-License-Identifier: Apache-2.0
//
// UnusedFacts: what remove_unused() must know about each instruction before it decides.
//
// All facts are arrays by instruction, read once in the order of the words.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/module/sorted_rows.h"
#include "spirv/transform/clean/passes.h"
#include "spirv/transform/clean/unused_role.h"
#include "vireo/spirv/binary/instruction.h"

namespace vireo::spirv {

class UnusedFacts {
 public:
  explicit UnusedFacts(const PassInput& input);

  /// The role of an instruction. Debug information, and every non-semantic instruction outside of functions, has the
  /// role Extended; all other extended instructions have another role.
  [[nodiscard]] UnusedRole role(InstructionIndex i) const { return roles_[i.index()]; }
  [[nodiscard]] FunctionIndex function_of(InstructionIndex i) const { return function_of_[i.index()]; }
  [[nodiscard]] BlockIndex block_of(InstructionIndex i) const { return block_of_[i.index()]; }
  /// The variable that a pointer points into, if it derives from the variable only through access chains and copies.
  [[nodiscard]] InstructionIndex base(InstructionIndex pointer) const { return base_[pointer.index()]; }
  /// The operand that a pointer is made from; 0 for other instructions.
  static std::uint16_t base_word(InstructionView view);
  /// The variable to which an instruction stores, if nothing outside of the module reads it. None if there is none, or
  /// if the store is volatile.
  [[nodiscard]] InstructionIndex stored_variable(InstructionIndex index, InstructionView view) const;
  [[nodiscard]] bool has_volatile_access(InstructionView view) const;
  /// Whether the API or another stage can see a variable.
  [[nodiscard]] bool is_seen_outside(InstructionView variable) const;

  using Pair = std::pair<InstructionIndex, InstructionIndex>;
  /// Stores to a variable: pairs of the variable and the instruction, by variable.
  [[nodiscard]] std::span<const Pair> writers_of(InstructionIndex variable) const {
    return rows_with<Pair>(writers_, variable, &Pair::first);
  }
  /// Annotations whose further operands are needed with their target (OpDecorateId and the like): pairs of the target
  /// and the annotation.
  [[nodiscard]] std::span<const Pair> requirements_of(InstructionIndex i) const {
    return rows_with<Pair>(requirements_, i, &Pair::first);
  }
  /// Exports, constants with a SpecId and others that are always needed.
  [[nodiscard]] std::span<const InstructionIndex> visible() const { return visible_; }
  /// The instructions with the role Extended.
  [[nodiscard]] std::span<const InstructionIndex> debug_information() const { return debug_information_; }
  /// The name of the extended instruction set of an OpExtInst; empty if it is not imported.
  [[nodiscard]] std::string_view set_of(InstructionView view) const;
  /// The first DebugInfoNone of the set of an instruction, if it comes before that instruction.
  [[nodiscard]] InstructionIndex nothing_described(InstructionIndex before) const;
  /// Decorations that name a counter buffer, without needing it.
  [[nodiscard]] std::span<const InstructionIndex> counters() const { return counters_; }

 private:
  void read_roles();
  void refine_extended(InstructionIndex index, InstructionView view);
  [[nodiscard]] bool is_group(InstructionIndex i) const;
  [[nodiscard]] bool is_pointer(InstructionIndex value) const;
  void read_annotations();
  void read_pointers();
  [[nodiscard]] bool is_internal(InstructionIndex variable) const;
  void show(InstructionIndex i) {
    is_visible_[i.index()] = true;
    visible_.push_back(i);
  }

  const Module& module_;
  const OperandIndex& operands_;
  const CleanOptions& options_;
  std::unordered_map<Word, std::string_view> sets_;     // imports by id
  std::unordered_map<Word, InstructionIndex> nothing_;  // by set: its first DebugInfoNone
  std::vector<UnusedRole> roles_;                       // by instruction, as all of the following
  std::vector<FunctionIndex> function_of_;
  std::vector<BlockIndex> block_of_;
  std::vector<InstructionIndex> base_;
  std::vector<bool> is_visible_;
  std::vector<bool> is_shared_;  // variables that others access: linked ones, and those with aliases
  std::vector<InstructionIndex> visible_, debug_information_, counters_;
  std::vector<Pair> requirements_, writers_;  // sorted
  bool has_volatile_ = false;                 // a decoration Volatile
  bool has_shared_workgroup_ = false;
};

}  // namespace vireo::spirv
