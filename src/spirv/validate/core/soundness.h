// SPDX-License-Identifier: Apache-2.0
//
// Soundness: records the ids and types that findings made unsound, so that each fault is reported once.
//
// The stanza of each rule states what a finding of the rule makes unsound (`Unsound`, rules.h), and Report
// marks it here. A check runs only if the ids that it reads are sound. So a check may assume sound input, and an error
// is reported at its source, not at each use.
//
// Source: none; the specification does not define error reporting.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>

#include "spirv/validate/core/fragments.h"
#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// The place of a finding: an instruction and a word of it. Word 0 means the whole instruction. Without an instruction,
/// the word is one of the module's header.
struct Place {
  InstructionIndex instruction;
  std::uint16_t word = 0;

  static constexpr Place header(std::uint16_t word) { return {InstructionIndex::none(), word}; }
  [[nodiscard]] constexpr std::uint64_t key() const { return std::uint64_t{instruction.raw} << 16 | word; }
};

class Soundness {
 public:
  /// Borrows all arguments. Memory: one entry for each unsound id and word.
  Soundness(const Module& module, const Types& types, const Fragments& fragments)
      : module_(module), types_(types), fragments_(fragments) {}

  // --- marking ---

  /// Marks the id, type or word that a finding at this place makes unsound.
  void mark(Unsound what, Place place);
  /// Marks the result of an instruction, if it has one.
  void mark_result(InstructionIndex instruction);
  /// Marks a type if one of its parts is unsound or not a type. A pointer does not contain its pointee.
  void mark_by_parts(const TypeRow& type);

  // --- queries ---

  /// Whether a type is declared and sound.
  [[nodiscard]] bool is_sound_type(Word type) const { return types_.find(type) != nullptr && !ids_.contains(type); }
  /// Whether an id is sound and its type, if it has one, is sound.
  [[nodiscard]] bool is_sound(Word id) const;
  /// Whether the result type and all id operands of an instruction are sound, including the types that pointers point
  /// to, because the instruction may access their memory. `type` is 0 if the instruction has no result type.
  [[nodiscard]] bool takes_sound(InstructionView view, Word type, std::span<const Operand> operands) const {
    return ids_.empty() || are_sound(view, type, operands);
  }

  /// Whether no finding concerns the type of this word.
  [[nodiscard]] bool is_sound_word(Place place) const { return !words_.contains(place.key()); }
  /// Whether every block of the function has its label and its terminator.
  [[nodiscard]] bool has_sound_blocks(FunctionIndex function) const {
    return !fragments_.has_incomplete_blocks(function);
  }
  /// Whether the environment allows the declared capability.
  [[nodiscard]] bool is_sound_capability(Capability capability) const {
    return !capabilities_.contains(static_cast<Word>(capability));
  }

 private:
  [[nodiscard]] bool are_sound(InstructionView view, Word type, std::span<const Operand> operands) const;
  [[nodiscard]] bool has_sound_pointee(Word id) const;

  const Module& module_;
  const Types& types_;
  const Fragments& fragments_;
  IdHashSet ids_;
  IdHashSet capabilities_;
  std::unordered_set<std::uint64_t, NumberHash> words_;
};

}  // namespace vireo::spirv
