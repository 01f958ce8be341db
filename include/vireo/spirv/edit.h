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
//   edit.set_word(constant, 3, 42);  // OpConstant: type, result, value
//   WordBuffer name;
//   InstructionWriter writer(name);  // writer.h
//   writer.begin(static_cast<std::uint16_t>(Op::OpName));
//   writer.word(id);
//   writer.string("answer");
//   if (writer.end()) edit.add(name);  // behind the other names
//   Result<WordBuffer> changed = edit.apply(diagnostics);
//
// Source: specification 2.3 (physical layout), 2.4 (logical layout).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// Changes to one module.
class VIREO_API Edit {
 public:
  /// The module and its words are borrowed until the last call of apply().
  explicit Edit(const Module& module);

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
  /// Moves a run of instructions, with the changes to them, to another place. The place must not be inside the run, and
  /// runs that are moved must not overlap.
  void move_before(InstructionRange range, InstructionIndex place);
  /// Replaces a word of an instruction, whose length stays. `word` is 1 or more: the first word, 0, cannot be set.
  void set_word(InstructionIndex place, std::size_t word, Word value);

  /// An id that the module does not define: from the header's bound on or, where the bound is too low, above all
  /// defined ids. The new header's bound counts it. When no id is left, this is 0, and apply() fails.
  [[nodiscard]] Word fresh_id() {
    if (next_id_ != last_bound) return next_id_++;
    has_run_out_ = true;
    return 0;
  }

  /// The module with the changes; those of one place come in the order of the calls. The header is copied, with a
  /// higher bound where ids ask for it. Linear in the words. Errors:
  ///
  /// - a module that is empty, shorter than its header, without the magic number, or that breaks off within an
  ///   instruction, as what cannot be read would be lost;
  /// - a place that is none, words that are no whole instructions, a run that ends before it begins or goes beyond the
  ///   module, moved runs that overlap, a fresh id beyond the last;
  /// - a result that is laid out worse than the module was: an id that is defined twice or is no fresh one, an
  ///   instruction out of its section or out of a block. Each fault is reported once.
  [[nodiscard]] Result<WordBuffer> apply(Diagnostics& diagnostics) const;

 private:
  friend class EditWriter;

  // Where in the gap in front of `place` a change writes; Here: it changes the instruction at `place` itself.
  enum class Phase : std::uint8_t { After, Added, Before, Here };
  enum class Kind : std::uint8_t { Insert, Replace, Remove, RemoveRun, SetWord, Move, TakeAway };
  struct Change {
    std::uint32_t place = 0;  // the instruction, or the one behind the gap
    Phase phase = Phase::Here;
    std::uint8_t section = 0;  // of Added: those of an earlier section come first
    Kind kind = Kind::Insert;
    // Insert, Replace: words of payload_; Move, TakeAway, RemoveRun: instructions; SetWord: word, value.
    std::uint32_t first = 0;
    std::uint32_t end = 0;
  };
  static constexpr Word last_bound = 0xFFFF'FFFF;

  void put(Change change, Words payload);

  const Module& module_;
  Word next_id_;  // the bound so far
  bool has_run_out_ = false;
  WordBuffer payload_;
  std::vector<Change> changes_;
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
