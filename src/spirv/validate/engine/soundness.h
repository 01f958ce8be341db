// SPDX-License-Identifier: Apache-2.0
//
// Soundness: what findings have shown to be wrong, so that no other finding follows from it.
//
// The one idea: each rule says in its row what a finding makes unsound (`Unsound`, rules.h). Report marks it here; the
// engine asks before it runs a check that relies on it. So a check assumes that what it reads is sound, and a fault is
// reported once, where it is, and not again at each use.
//
// Source: none; the specification does not say how faults are reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>

#include "spirv/validate/analysis/fragments.h"
#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/facts/types.h"
#include "vireo/spirv/module.h"
#include "vireo/spirv/operand.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// Where something is wrong: an instruction, and a word of it. Word 0 means the whole instruction; without an instruction
/// the module's header is meant, word by word.
struct Place {
  InstructionIndex instruction;
  std::uint16_t word = 0;

  static constexpr Place header(std::uint16_t word) { return {InstructionIndex::none(), word}; }
};

class Soundness {
 public:
  /// All are borrowed. Memory: an entry for each unsound id and word.
  Soundness(const Module& module, const Types& types, const Fragments& fragments)
      : module_(module), types_(types), fragments_(fragments) {}

  // --- marking ---

  /// Marks what a finding of a rule at this place makes unsound.
  void mark(Unsound what, Place place);
  /// Marks the result of an instruction, if it has one.
  void mark_result(InstructionIndex instruction);
  /// Marks a type where one of its parts is unsound or no type. A pointer does not contain what it points to.
  void mark_by_parts(const TypeRow& type);

  // --- asking ---

  /// Whether nothing was marked yet; then all else is sound, but for missing types.
  [[nodiscard]] bool is_all_sound() const { return ids_.empty(); }
  /// Whether a type is declared, and sound.
  [[nodiscard]] bool is_sound_type(Word type) const { return types_.find(type) != nullptr && !ids_.contains(type); }
  /// Whether neither an id nor its type, if it has one, is unsound.
  [[nodiscard]] bool is_sound(Word id) const;
  /// The same, and whether the type that a pointer points to is sound: for checks of what a variable holds.
  [[nodiscard]] bool holds_sound(Word id) const;
  /// Whether the instruction has a sound result type, and takes only sound ids. `type` is 0 where there is none.
  [[nodiscard]] bool takes_sound(InstructionView view, Word type, std::span<const Operand> operands) const;

  /// Whether a finding has been made of the type of this word.
  [[nodiscard]] bool is_sound_word(Place place) const { return !words_.contains(key_of(place)); }
  /// Whether every block of the function has its label and its end.
  [[nodiscard]] bool has_sound_blocks(FunctionIndex function) const { return !fragments_.has_torn_blocks(function); }
  /// Whether the capability is declared in vain: the environment does not allow it.
  [[nodiscard]] bool is_sound_capability(Capability capability) const {
    return !capabilities_.contains(static_cast<Word>(capability));
  }

 private:
  static std::uint64_t key_of(Place place) { return std::uint64_t{place.instruction.raw} << 16 | place.word; }

  const Module& module_;
  const Types& types_;
  const Fragments& fragments_;
  IdHashSet ids_;
  IdHashSet capabilities_;
  std::unordered_set<std::uint64_t, NumberHash> words_;
};

}  // namespace vireo::spirv
