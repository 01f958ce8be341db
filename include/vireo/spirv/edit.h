// SPDX-License-Identifier: Apache-2.0
//
// Editing: a module's words with changes.
//
// The one idea: an edit is a list of changes over the borrowed words of a module; nothing happens until apply() writes
// the new module in one pass, in which what no change touches is copied as it is, run by run. All places are those of the
// module as it was read, so changes do not move each other.
//
//   const Module module = Module::read(words);
//   Edit edit(module);
//   const TypeId u32 = edit.add().OpTypeInt(32, 0);             // the module's own, if it has one
//   edit.replace(place).OpConstant(u32, 42);                    // keeps its result id
//   edit.before(terminator).OpStore(pointer, value);
//   edit.add().OpName(value, "answer");                         // after the other names
//   Result<WordBuffer> changed = edit.apply(diagnostics);
//
// Instructions may also be given as words, and single words be set.
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
  // Each of these gives the methods of a builder (instruction_calls.h): `edit.before(place).OpStore(pointer, value)`.
  // Operands are ids of the module, of earlier calls, or fresh ones; a result is a fresh id. Misuse is reported by apply().
  //
  // An instruction of another section than the place goes to its own: a type is put at the end of the globals, a name at the
  // end of the names, a local variable at the begin of the function that the place is in. Capabilities, extensions, imports,
  // types and constants are searched for first, by their words: one that the module has, or an earlier call has made, is
  // not made again (structures, arrays and what is decorated excepted, as in a builder). A declaration that an instruction
  // among the globals needs, and that comes later, moves before that instruction.

  /// At the end of the section of each instruction. Whole functions are added by calls in their order.
  [[nodiscard]] InstructionCalls add();
  [[nodiscard]] InstructionCalls before(InstructionIndex place);
  [[nodiscard]] InstructionCalls after(InstructionIndex place);
  /// The new instruction keeps the result id of the old one. Of several calls the last counts.
  [[nodiscard]] InstructionCalls replace(InstructionIndex place);
  /// In the first block of a function of the module, after its local variables.
  [[nodiscard]] InstructionCalls at_begin(const FunctionRow& function);
  /// An id for an instruction that a later call makes: `edit.before(place).giving(label).OpLabel()`.
  template <typename SomeId>
  [[nodiscard]] SomeId reserve() {
    return SomeId(fresh_id());
  }

  // --- words ---
  //
  // Everywhere, `instructions` are the words of whole instructions, one or more; they are copied. A place is an
  // instruction of the module; to insert or move before, one past the last instruction is the module's end. Nothing is
  // checked before apply(). Of several changes to one instruction each applies to what those before it have made: of
  // replacements and removals the last counts, and a word may be set in a replacement, but not where nothing is left.

  void insert_before(InstructionIndex place, Words instructions);
  void insert_after(InstructionIndex place, Words instructions);
  /// Adds instructions at the end of the section to which the first of them belongs, or where that section would be if
  /// it is empty. Lines and unknown instructions belong to the instruction that follows them, so what is added comes in
  /// front of a line at the end of a section, which is about what comes next. (A line holds until OpNoLine or another.)
  void add(Words instructions);
  void replace(InstructionIndex place, Words instructions);
  void remove(InstructionIndex place);
  /// Removes a run of instructions, which must lie within the module.
  void remove(InstructionRange range);
  /// Removes an instruction, and the names, decorations and execution modes of its result.
  void remove_with_annotations(InstructionIndex place);
  /// Moves a run of instructions, with the changes to them, to another place. The place must not be inside the run, and
  /// runs that are moved must not overlap.
  void move_before(InstructionRange range, InstructionIndex place);
  /// Replaces a word of an instruction, whose length stays. `word` is 1 or more: the first word, 0, cannot be set.
  void set_word(InstructionIndex place, std::size_t word, Word value);

  /// An id that the module does not define: from the header's bound on or, where the bound is too low, above all
  /// defined ids. The new header's bound counts it. When no id is left, this is 0, and apply() fails.
  [[nodiscard]] Word fresh_id();

  /// Has apply() add the capabilities and extensions that the changed module needs and lacks (requirements.h).
  void add_requirements();

  /// The module with the changes; those of one place come in the order of the calls. The header is copied, with a
  /// higher bound where ids ask for it. Linear in the words.
  ///
  /// Interfaces of entry points follow: a global variable that functions of an entry point use because of these changes is
  /// added to its OpEntryPoint (before SPIR-V 1.4 only inputs and outputs), and one that is removed is taken out.
  ///
  /// Errors:
  ///
  /// - a module that is empty, shorter than its header, without the magic number, or that breaks off within an
  ///   instruction, as what cannot be read would be lost;
  /// - a place that is none, words that are no whole instructions, a run that ends before it begins or goes beyond the
  ///   module, moved runs that overlap, a fresh id beyond the last; misuse of typed calls;
  /// - a result that is laid out worse than the module was: an id that is defined twice or is no fresh one, an
  ///   instruction out of its section or out of a block. Each fault is reported once.
  [[nodiscard]] Result<WordBuffer> apply(Diagnostics& diagnostics) const;

 private:
  std::unique_ptr<EditState> state_;
};

/// A module with other ids: `renamed` gives the new id of each, and must not give 0, or one id for two. An id 0 stays.
/// The header's bound becomes as high as the new ids ask for.
/// Errors: an instruction that cannot be decoded, as its ids cannot be found; an id that leaves no bound above it.
VIREO_API Result<WordBuffer> renumber_ids(Words words, const std::function<Word(Word)>& renamed,
                                          Diagnostics& diagnostics, const Grammar& grammar = builtin_grammar());

/// The ids 1, 2, 3, … in the order of their first mention. Errors as above.
VIREO_API Result<WordBuffer> compact_ids(Words words, Diagnostics& diagnostics,
                                         const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
