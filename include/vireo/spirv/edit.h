// SPDX-License-Identifier: Apache-2.0
//
// Edit: changes to the words of a module.
//
// The one idea: an edit is a list of changes to the borrowed words of a module. Nothing happens until apply() writes
// the new module in one pass and copies each run of unchanged words. All places refer to the original module, so a
// change does not move the places of other changes.
//
//   const Module module = Module::read(words);
//   Edit edit(module);
//   const TypeId u32 = edit.add().OpTypeInt(32, 0);             // the existing declaration, if the module has one
//   edit.replace(place).OpConstant(u32, 42);                    // keeps its result id
//   edit.before(terminator).OpStore(pointer, value);
//   edit.add().OpName(value, "answer");                         // after the other names
//   Result<WordBuffer> changed = edit.apply(diagnostics);
//
// Instructions may also be passed as words, and single words may be set.
//
// Source: specification 2.3 (physical layout), 2.4 (logical layout).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "vireo/spirv/instruction_calls.h"
#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

struct EditState;  // src/spirv/build/edit_state.h

/// Changes to one module.
class VIREO_API Edit {
 public:
  /// The module and its words are borrowed until the last call of apply().
  explicit Edit(const Module& module);
  explicit Edit(const Module&& temporary) = delete;
  ~Edit();
  Edit(Edit&&) noexcept;
  Edit& operator=(Edit&&) noexcept;

  // --- typed calls ---
  //
  // Each function below returns the methods of a builder (instruction_calls.h): `edit.before(place).OpStore(pointer,
  // value)`. Operands are ids of the module, of earlier calls, or fresh ones; a result is a fresh id. apply() reports
  // misuse.
  //
  // If an instruction belongs in another section, it goes there and not to the place. A type goes to the end of the
  // globals, a name to the end of the names. A local variable goes to the beginning of the function that contains the
  // place. If the module or an earlier call already has an equal capability, extension, import, type or constant, that
  // one is reused, as in a builder. Structures, arrays and decorated ids are never reused. If an instruction among the
  // globals needs a later declaration, the declaration moves before that instruction.

  /// Adds each instruction at the end of its section. A whole function is added by calls in the order of its
  /// instructions.
  [[nodiscard]] InstructionCalls add();
  [[nodiscard]] InstructionCalls before(InstructionIndex place);
  [[nodiscard]] InstructionCalls after(InstructionIndex place);
  /// The new instruction keeps the result id of the old one. If there are several calls for one place, the last one
  /// applies.
  [[nodiscard]] InstructionCalls replace(InstructionIndex place);
  /// Inserts into the first block of a function of the module, after its local variables.
  [[nodiscard]] InstructionCalls at_begin(const FunctionRow& function);
  /// An id for the instruction of a later call: `edit.before(place).giving(label).OpLabel()`.
  template <typename SomeId>
  [[nodiscard]] SomeId reserve() {
    return SomeId(fresh_id());
  }

  // --- words ---
  //
  // In all functions below, `instructions` are the words of one or more whole instructions; they are copied. A place is
  // an instruction of the module. insert_before() and move_before() also accept the index after the last instruction,
  // which is the end of the module. Nothing is checked before apply(). Several changes to one instruction apply in the
  // order of the calls. If an instruction is replaced or removed several times, only the last replacement or removal
  // applies. A word may be set in a replacement, but not in a removed instruction.

  void insert_before(InstructionIndex place, Words instructions);
  void insert_after(InstructionIndex place, Words instructions);
  /// Adds instructions at the end of the section to which the first of them belongs. If that section is empty, they
  /// go where it would be. Lines and unknown instructions belong to the instruction that follows them. If a section
  /// ends with a line, the instructions are thus inserted before that line, which applies to the next section. (A
  /// line applies until OpNoLine or another line.)
  void add(Words instructions);
  void replace(InstructionIndex place, Words instructions);
  void remove(InstructionIndex place);
  /// Removes a range of instructions, which must be within the module.
  void remove(InstructionRange range);
  /// Removes an instruction together with the names, decorations and execution modes of its result.
  void remove_with_annotations(InstructionIndex place);
  /// Moves a range of instructions, with the changes to them, to another place. The place must not be inside the
  /// range, and moved ranges must not overlap.
  void move_before(InstructionRange range, InstructionIndex place);
  /// Replaces one word of an instruction; its length is unchanged. `word` is 1 or more: the first word, 0, cannot be
  /// set.
  void set_word(InstructionIndex place, std::size_t word, Word value);

  /// Returns an id that the module does not define, counted up from the header's bound. If the bound is too low,
  /// counting starts above all defined ids. The bound of the new header is above this id. If no id is left, this
  /// returns 0, and apply() fails.
  [[nodiscard]] Word fresh_id();

  /// Makes apply() add the capabilities and extensions that the changed module needs and does not declare
  /// (requirements.h).
  void add_requirements();

  /// Returns the module with the changes. Changes at one place are in the order of the calls. The header is copied,
  /// with a higher bound if ids need it. Linear in the words.
  ///
  /// Interfaces of entry points are updated. If the changes make an entry point use a global variable, the variable is
  /// added to its OpEntryPoint. (Before SPIR-V 1.4, only inputs and outputs are added.) A removed variable is removed
  /// there too.
  ///
  /// Errors:
  ///
  /// - a module that is empty, shorter than its header, without the magic number, or truncated within an instruction:
  ///   the words that cannot be decoded would be lost;
  /// - a place that is InstructionIndex::none(), words that are not whole instructions, a range that ends before it
  ///   begins or exceeds the module, moved ranges that overlap, no fresh id left, misuse of typed calls;
  /// - a layout violation that the original module does not have: an id that is 0, is defined twice, or is not below
  ///   the new bound; an instruction outside its section or outside a block. Each one is reported once.
  [[nodiscard]] Result<WordBuffer> apply(Diagnostics& diagnostics) const;

 private:
  std::unique_ptr<EditState> state_;
};

/// Replaces the ids of a module. `renamed` returns the new id for an old one. It must not return 0, and must return a
/// different id for each old one. An id 0 is not changed. The header's bound becomes one more than the highest new id.
/// Errors: an instruction that cannot be decoded, since its ids are then unknown; the new id 0xFFFFFFFF, since a bound
/// above it does not fit in a word.
VIREO_API Result<WordBuffer> renumber_ids(Words words, const std::function<Word(Word)>& renamed,
                                          Diagnostics& diagnostics, const Grammar& grammar = builtin_grammar());

/// Renumbers the ids to 1, 2, 3, … in the order of their first appearance. Errors: as for renumber_ids().
VIREO_API Result<WordBuffer> compact_ids(Words words, Diagnostics& diagnostics,
                                         const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
