// SPDX-License-Identifier: Apache-2.0
//
// The recorded state of an edit (edit.h): changes by place, and the results of typed calls.
//
// The words of all changes are in one buffer, so a change is a few numbers. Typed calls use the same
// PendingInstruction class as those of a builder (call_target.h); here they become changes.
//
// A place is a gap: the gap before an instruction, or at the module's end. The content of a gap has a fixed order
// (Phase). First are local variables, and declarations that later instructions need (Hoisted). Insertions after the
// preceding instruction follow (After), then instructions that add() appends to sections (Added), then insertions
// before the next instruction (Before). Changes of that next instruction are last (Here).
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "spirv/build/call_target.h"
#include "spirv/module/word_interner.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// The header's bound is above all ids and must fit in a word (2.3).
inline constexpr const char* no_bound_left = "id 4294967295 is used, so there is no bound above all ids";

struct EditState final : CallTarget {
  explicit EditState(const Module& the_module);

  /// The position of a change in the gap before `place`; Here: it changes the instruction at `place` itself.
  enum class Phase : std::uint8_t { Hoisted, After, Added, Before, Here };
  enum class Kind : std::uint8_t { Insert, Replace, Remove, RemoveRun, SetWord, Move, TakeAway };
  struct Change {
    std::uint32_t place = 0;  ///< the instruction, or the one after the gap
    Phase phase = Phase::Here;
    std::uint8_t section =
        0;  ///< Added: the order of sections, ascending; Hoisted: 1 for globals added by calls, else 0
    Kind kind = Kind::Insert;
    // Insert, Replace: words of the payload; Move, TakeAway, RemoveRun: instructions; SetWord: word, value.
    std::uint32_t first = 0;
    std::uint32_t end = 0;
  };
  static constexpr Word last_bound = 0xFFFF'FFFF;

  void put(Change change, Words words);
  /// The gap at the end of a section, as an Insert without words.
  [[nodiscard]] Change at_end_of(Section section, Op opcode) const;
  [[nodiscard]] Word fresh_id();

  // --- interface for typed calls (call_target.h) ---
  void report(std::string_view rule, std::string message) override;
  [[nodiscard]] bool is_known(Word id) const override;
  [[nodiscard]] IdFacts facts_of(Word id) const override;
  [[nodiscard]] ScalarType scalar_type(Word type) const override;
  [[nodiscard]] std::optional<std::string_view> import_name(Word set) const override;
  [[nodiscard]] SetId find_import(std::string_view prefix) const override;
  Word place(const InstructionRow& row, Words words, std::size_t result_at, IdKind kind, CallSite site) override;
  Word leave_out(const InstructionRow& row, bool has_result, IdKind kind, CallSite site) override;

  const Module& module;
  const Word first_fresh;
  Word next_id;  // the bound so far
  bool has_run_out = false;
  WordBuffer payload;
  std::vector<Change> changes;
  Diagnostics faults;  // of typed calls; apply() reports them
  IdHashSet dropped;   // ids whose names and decorations are removed
  bool wants_requirements = false;

 private:
  /// A global that a call has added at the end of its section. It stays there unless an earlier instruction uses it.
  struct AddedGlobal {
    std::uint32_t change = 0;
    std::uint32_t first_id = 0, id_count = 0;  // its operands, in added_ids_
  };
  static constexpr std::uint32_t left_out = ~std::uint32_t{0};

  [[nodiscard]] InstructionView definition(Word id) const;
  [[nodiscard]] Change destination(const OpcodeTraits& traits, Words words, CallSite site) const;
  [[nodiscard]] bool is_changed(std::uint32_t place) const { return place < changed_.size() && changed_[place]; }
  [[nodiscard]] bool is_decorated(Word id);
  /// A declaration that calls may reuse instead of adding an equal one.
  struct Declaration {
    Word result = 0;          // 0: capabilities and extensions have none
    std::uint32_t place = 0;  // its instruction; InstructionIndex::none() for one that a call has added
  };
  [[nodiscard]] bool is_usable(const Declaration& declaration);
  void index_declarations();
  void hoist(std::span<const Word> ids, std::uint32_t gap, std::uint32_t user);

  IdMap<std::uint32_t> made_;  // by id that a call defines: its instruction's offset in the payload, or left_out
  std::vector<Word> imports_;  // ids of imports that calls have added
  std::vector<bool> changed_;  // by instruction: removed, replaced, or with a changed word
  // Capabilities, extensions, imports, types and constants, by their words with 0 as the result id.
  std::unordered_map<WordBuffer, Declaration, WordsHash> declarations_;
  bool has_indexed_declarations_ = false;
  std::optional<Decorations> decorations_;  // of the module
  IdHashSet decorated_;                     // ids that calls decorate
  IdMap<AddedGlobal> added_;
  std::vector<Word> added_ids_;
  IdMap<std::uint32_t> moved_;  // hoisted globals of the module, by instruction: index of their Move in `changes`
};

/// Edit::apply() without add_requirements() (edit_writer.cpp).
Result<WordBuffer> write_edited(const EditState& edit, Diagnostics& diagnostics);

}  // namespace vireo::spirv
