// SPDX-License-Identifier: Apache-2.0
//
// The state of a builder: the words of each section, the facts about each id, and the open function and block.
//
// A section is a buffer of words that only grows. A function has three of them (head, local variables,
// body), so that variables can be added late. Words are not moved before build() joins the buffers.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/build/call_target.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/module/word_interner.h"
#include "vireo/spirv/build/builder.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// Lines of the open function. Local variables move to its start together with their lines.
struct LocalLines {
  WordBuffer of_body;           ///< OpLine in effect at the start of the body; empty: none
  WordBuffer of_variables;      ///< … after the last local variable
  WordBuffer current;           ///< … at the next instruction
  std::size_t begin = 0;        ///< start of the body's last OpLine or OpNoLine
  std::size_t end = 0;          ///< its end; 0: there is none
  bool is_of_variable = false;  ///< it was copied for a local variable
};

/// Lines in effect around a sequence of functions; empty: none. Functions are reordered with globals, and definitions
/// with declarations; each keeps the line that was in effect where it was added.
struct OuterLines {
  WordBuffer begin;  ///< before the first function
  WordBuffer end;    ///< after the last function
};

struct BuilderState final : CallTarget {
  BuilderState(Diagnostics& the_diagnostics, const BuilderOptions& the_options);

  // --- interface for typed calls (call_target.h) ---
  void report(std::string_view rule, std::string message) override;
  [[nodiscard]] bool is_known(Word id) const override { return id != 0 && id < ids.size(); }
  [[nodiscard]] IdFacts facts_of(Word id) const override { return ids[id]; }
  [[nodiscard]] ScalarType scalar_type(Word type) const override;
  [[nodiscard]] std::optional<std::string_view> import_name(Word set) const override;
  [[nodiscard]] SetId find_import(std::string_view prefix) const override;
  Word place(const InstructionRow& row, Words words, std::size_t result_at, IdKind kind, CallSite site) override;
  Word leave_out(const InstructionRow& row, bool has_result, IdKind kind, CallSite site) override;

  [[nodiscard]] Word allocate(IdKind kind);
  /// Updates the state as if an instruction that was left out were present, so that later ones are not reported.
  void skip(const InstructionRow& row);
  /// Checks that a block is open for the instructions of a construct. If there is none, reports that and assumes one
  /// until release_block(), which takes the return value.
  struct Assumed {
    bool is_block = false, is_function = false;
  };
  [[nodiscard]] Assumed assume_block(std::string_view construct);
  void release_block(Assumed assumed);

  /// Reports ids that are used before their definition where that is not permitted (forward.cpp).
  void report_forward_uses();

  /// The words of the module so far, in layout order; an open function stays open.
  [[nodiscard]] WordBuffer joined() const;

  Diagnostics& diagnostics;
  BuilderOptions options;
  std::optional<Reported> reported;  // the last fault, if any

  std::vector<IdFacts> ids;  // by id; [0] is unused
  std::vector<ScalarType> scalars;

  std::array<WordBuffer, section_count> sections;  // Functions holds only definitions
  WordBuffer alias_declarations;                   // precede the annotations
  WordBuffer declarations;
  WordBuffer head, variables, body;  // of the open function
  WordBuffer line;                   // OpLine to be written before the next global or function
  WordBuffer line_outside;           // OpLine in effect outside of functions, in call order; empty: none
  WordBuffer line_of_globals;        // … after the last global
  OuterLines lines_of_declarations, lines_of_definitions;
  LocalLines lines;
  // Result ids of types, constants, imports, … by their words with 0 as the result id.
  std::unordered_map<WordBuffer, Word, WordsHash> unique;
  std::vector<std::pair<std::string, SetId>> imports;

  bool function_is_open = false;
  bool block_is_open = false;
  bool has_block = false;   // the open function has a block, so it is a definition
  bool has_merge = false;   // the open block has a merge instruction; its terminator must be next
  bool is_assumed = false;  // the open block has no label, which was reported; it needs no terminator
  bool graph_is_open = false;
  bool has_model = false;

 private:
  [[nodiscard]] bool take_part(const InstructionRow& row, const OpcodeTraits& traits);
  void reject(const InstructionRow& row, BodyPart part, std::string_view rule, std::string_view why);
  void advance(BodyPart part);
  [[nodiscard]] bool begins_with_line(const WordBuffer& words) const;
  void place_line_of_variable();
  void record_line(Words words, std::size_t begin);
  [[nodiscard]] WordBuffer* destination(const InstructionRow& row, const OpcodeTraits& traits, Words words);
  void close_function();
  void record(const InstructionRow& row, Words words, Word result);
};

}  // namespace vireo::spirv
