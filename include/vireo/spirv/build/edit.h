// SPDX-License-Identifier: Apache-2.0
//
// Edit: changes to the words of a module.
//
// An edit is a list of changes to a module, whose words it borrows. apply() writes the changed module in
// one pass and copies each range of unchanged words. All instruction indexes refer to the original module, so a change
// does not affect the indexes of other changes.
//
//   const Module module = Module::read(words);
//   Edit edit(module);
//   const TypeId u32 = edit.add().OpTypeInt(32, 0);             // the existing declaration, if the module has one
//   edit.replace(place).OpConstant(u32, 42);                    // keeps its result id
//   edit.before(terminator).OpStore(pointer, value);
//   edit.add().OpName(value, "answer");                         // after the other names
//   Result<WordBuffer> changed = edit.apply(diagnostics);
//
// Instructions can also be passed as words, and single words can be set.
//
// Source: specification 2.3 (physical layout), 2.4 (logical layout).
#pragma once

#include <cstddef>
#include <cstdint>

#include "vireo/spirv/build/instruction_calls.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"
#include "vireo/support/owned.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

struct EditState;  // src/spirv/build/edit_state.h

/// Changes to one module. A place (parameter `place`) is the index of an instruction of that module. Not thread-safe.
class VIREO_API Edit {
 public:
  /// The module and its words are borrowed and must outlive the edit.
  explicit Edit(const Module& module);
  explicit Edit(const Module&& temporary) = delete;
  ~Edit();
  Edit(Edit&&) noexcept;
  Edit& operator=(Edit&&) noexcept;

  // --- typed calls ---
  //
  // Each function below returns an object with a method for each instruction (instruction_calls.h):
  // `edit.before(place).OpStore(pointer, value)`. Operands are ids of the module, results of earlier calls, or reserved
  // ids. A result is a fresh id. apply() reports invalid calls. At most one argument may itself be a call that adds an
  // instruction: otherwise the order depends on the compiler (builder.h).
  //
  // An instruction that belongs in another section is added at the end of that section, not at the place: a type at the
  // end of the globals, for example. A local variable goes to the beginning of the function that contains the place. If
  // the module or an earlier call has an equal capability, extension, import, type or constant, the call returns its id
  // and adds nothing. Structures, arrays, specialization constants and decorated ids are never reused. If an
  // instruction among the globals uses a later declaration, the declaration moves before that instruction.

  /// Adds each instruction at the end of its section. To add a whole function, call the methods in the order of its
  /// instructions.
  [[nodiscard]] InstructionCalls add();
  [[nodiscard]] InstructionCalls before(InstructionIndex place);
  [[nodiscard]] InstructionCalls after(InstructionIndex place);
  /// Replaces an instruction. The new instruction keeps the result id of the old one. If there are several calls for
  /// one place, the last one applies.
  [[nodiscard]] InstructionCalls replace(InstructionIndex place);
  /// Inserts into the first block of a function, after its local variables. `function` is a row of the module, not a
  /// declaration.
  [[nodiscard]] InstructionCalls at_begin(const FunctionRow& function);
  /// Returns a fresh id for the instruction of a later call: `edit.before(place).giving(label).OpLabel()`.
  template <typename SomeId>
  [[nodiscard]] SomeId reserve() {
    return SomeId(fresh_id());
  }

  // --- words ---
  //
  // In all functions below, `instructions` are the words of one or more whole instructions in host byte order. They are
  // copied. insert_before() and move_before() also accept the index after the last instruction, which is the end of the
  // module. apply() checks the arguments. Several changes to one instruction apply in the order of the calls. If an
  // instruction is replaced or removed several times, only the last replacement or removal applies. set_word() after
  // replace() changes the replacement; set_word() after remove() is an error.

  void insert_before(InstructionIndex place, Words instructions);
  void insert_after(InstructionIndex place, Words instructions);
  /// Adds instructions at the end of the section of the first one; OpLine, OpNoLine and unknown opcodes at the start
  /// are ignored for this choice. If that section is empty, the instructions go to its position in the logical layout.
  /// If the section ends with OpLine, they go before it, because that OpLine applies to the next section.
  void add(Words instructions);
  /// Replaces an instruction. Empty words remove it.
  void replace(InstructionIndex place, Words instructions);
  void remove(InstructionIndex place);
  /// Removes a range of instructions, which must be within the module.
  void remove(InstructionRange range);
  /// Removes an instruction together with the names, decorations and execution modes of its result.
  void remove_with_annotations(InstructionIndex place);
  /// Moves a range of instructions before another instruction. Changes to the moved instructions still apply. The place
  /// must not be inside a moved range, and moved ranges must not overlap.
  void move_before(InstructionRange range, InstructionIndex place);
  /// Replaces one word of an instruction. `word` is an index within the instruction, at least 1: the first word cannot
  /// be set.
  void set_word(InstructionIndex place, std::size_t word, Word value);

  /// Returns an id that the module does not define. Fresh ids count up from the header's bound or, if that is too low,
  /// from the highest defined id plus 1. The bound of the new header is above all of them. If no id is left, returns 0,
  /// and apply() fails.
  [[nodiscard]] Word fresh_id();

  /// Makes apply() add the capabilities and extensions that the changed module needs but does not declare
  /// (requirements.h).
  void add_requirements();

  /// Returns the words of the changed module in host byte order. The edit is unchanged and can be applied again. The
  /// header is copied, with a higher bound if the ids need it. Linear in the words.
  ///
  /// Insertions between the same two instructions are in this order: those after the first one, those of add(), those
  /// before the second one. Within each of these groups they are in the order of the calls.
  ///
  /// Interfaces of entry points are updated. If the changes make an entry point use a global variable, the variable is
  /// added to its OpEntryPoint. (Before SPIR-V 1.4, only Input and Output variables are added.) A removed variable is
  /// removed from the interfaces.
  ///
  /// Errors:
  ///
  /// - The module is empty, shorter than its header, or without the magic number.
  /// - The module ends within an instruction. (The words after the last whole instruction would be lost.)
  /// - A place is none() or beyond the module. A range exceeds the module or ends before it begins.
  /// - Moved ranges overlap, or a range is moved into a moved range.
  /// - Inserted words are not whole instructions, an instruction became too long, or no fresh id is left.
  /// - A typed call had invalid operands.
  /// - The changed module has a layout violation that the original module does not have: an id that is 0, is defined
  ///   twice, or is not below the new bound; an instruction outside its section or outside a block.
  [[nodiscard]] Result<WordBuffer> apply(Diagnostics& diagnostics) const;

 private:
  Owned<EditState> state_;
};

/// Replaces the ids of a module in host byte order. `renamed` is called for each occurrence of an id except 0 and
/// returns the new id. It must always return the same one for one id, different ones for different ids, and never 0.
/// The header's bound becomes one more than the highest new id. Errors: an instruction cannot be decoded, so its ids
/// are unknown; a new id is 0xFFFFFFFF, so the bound would not fit in a word.
VIREO_API Result<WordBuffer> renumber_ids(Words words, const Function<Word(Word)>& renamed, Diagnostics& diagnostics,
                                          const Grammar& grammar = builtin_grammar());

/// Renumbers the ids to 1, 2, 3, … in the order of their first occurrence. Errors: as for renumber_ids().
VIREO_API Result<WordBuffer> compact_ids(Words words, Diagnostics& diagnostics,
                                         const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
