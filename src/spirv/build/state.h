// SPDX-License-Identifier: Apache-2.0
//
// What a builder knows while it builds: the words of each section, what each id is, what is open.
//
// The one idea: a section is a buffer of words that only grows; a function is three of them (head, local variables,
// body), so that variables may come late. Nothing that was written is moved before build() puts all of it together.
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
#include "vireo/spirv/builder.h"
#include "vireo/spirv/module.h"

namespace vireo::spirv {

/// Lines of the function that is open: local variables move to its front, and each takes its line along.
struct LocalLines {
  WordBuffer of_body;           ///< OpLine that holds where the body begins; empty: none
  WordBuffer of_variables;      ///< … behind the last local variable
  WordBuffer current;           ///< … where the next instruction goes
  std::size_t begin = 0;        ///< of the last OpLine or OpNoLine of the body
  std::size_t end = 0;          ///< of the same; 0: there is none
  bool is_of_variable = false;  ///< it went along with a variable
};

/// Lines around functions that were laid out one behind the other; empty: none. Functions change places with globals,
/// and definitions with declarations, and each keeps the line that held where it was made.
struct OuterLines {
  WordBuffer begin;  ///< where the first one begins
  WordBuffer end;    ///< behind the last one
};

struct BuilderState final : CallTarget {
  BuilderState(Diagnostics& the_diagnostics, const BuilderOptions& the_options);

  // --- what typed calls ask for (call_target.h) ---
  void report(std::string_view rule, std::string message) override;
  [[nodiscard]] bool is_known(Word id) const override { return id != 0 && id < ids.size(); }
  [[nodiscard]] IdFacts facts_of(Word id) const override { return ids[id]; }
  [[nodiscard]] ScalarType scalar_type(Word type) const override;
  [[nodiscard]] std::optional<std::string_view> import_name(Word set) const override;
  [[nodiscard]] SetId find_import(std::string_view prefix) const override;
  Word place(const InstructionRow& row, Words words, std::size_t result_at, IdKind kind, CallSite site) override;
  Word leave_out(const InstructionRow& row, bool has_result, IdKind kind, CallSite site) override;

  [[nodiscard]] Word allocate(IdKind kind);
  /// What is open, as if an instruction stood there that was left out: so what follows is not at fault as well.
  void step_over(const InstructionRow& row);
  /// Whether the instructions of a construct have a block to stand in. Where they have not, that is reported, and one is
  /// assumed until release_block(), which takes what this gave.
  struct Assumed {
    bool is_block = false, is_function = false;
  };
  [[nodiscard]] Assumed assume_block(std::string_view construct);
  void release_block(Assumed assumed);

  /// Reports ids that are used above their instruction where only what stands there may be (forward.cpp).
  void report_uses_ahead();

  /// The module, laid out; what is open is left as it is.
  [[nodiscard]] WordBuffer joined() const;

  Diagnostics& diagnostics;
  BuilderOptions options;
  std::optional<Reported> reported;  // something was

  std::vector<IdFacts> ids;  // by id; [0] is none
  std::vector<ScalarType> scalars;

  std::array<WordBuffer, section_count> sections;  // that of the functions holds the definitions
  WordBuffer declarations;
  WordBuffer head, variables, body;  // of the function that is open
  WordBuffer line;                   // OpLine that waits for the next global or function
  WordBuffer line_outside;           // OpLine that holds outside of functions, as calls go; empty: none
  WordBuffer line_of_globals;        // … behind the last global
  OuterLines lines_of_declarations, lines_of_definitions;
  LocalLines lines;
  // Result ids of types, constants, imports, … by their words with 0 as the result id.
  std::unordered_map<WordBuffer, Word, WordsHash> unique;
  std::vector<std::pair<std::string, SetId>> imports;

  bool function_is_open = false;
  bool block_is_open = false;
  bool has_block = false;   // the function is a definition
  bool has_merge = false;   // of the open block; the terminator comes next
  bool is_assumed = false;  // nobody began the open block, which was reported, and nobody has to end it
  bool graph_is_open = false;
  bool has_model = false;

 private:
  [[nodiscard]] bool take_part(const InstructionRow& row, const OpcodeTraits& traits);
  void refuse(const InstructionRow& row, BodyPart part, std::string_view rule, std::string_view why);
  void pass(BodyPart part);
  [[nodiscard]] bool begins_with_line(const WordBuffer& words) const;
  void place_line_of_variable();
  void learn_line(Words words, std::size_t begin);
  [[nodiscard]] WordBuffer* destination(const InstructionRow& row, const OpcodeTraits& traits, Words words);
  void close_function();
  void learn(const InstructionRow& row, Words words, Word result);
};

}  // namespace vireo::spirv
