// SPDX-License-Identifier: Apache-2.0
//
// Remark: the text of one annotation while it is being made, and the words it is made of.
//
// The one idea: a remark has a length that it cannot pass, and every step of making one adds to it. So the work for an
// instruction is bounded by that length, however types nest or paths lead on; what is too long ends in `...`.
//
// Parts know whether they are news: a remark that would only repeat what its line shows is not made. The line shows an
// id's name when friendly names are on, so `OpLoad %float %x` needs no "x" beside it, and `OpLoad %6 %31` does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "spirv/text/annotate/annotate_facts.h"
#include "spirv/text/disassemble/friendly_names.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/operand.h"

namespace vireo::spirv {

class Remark {
 public:
  static constexpr std::size_t max_bytes = 120;
  static constexpr std::size_t max_name_bytes = 40;  ///< of one name within a remark

  Remark(std::string& text, const ModuleFacts& module_facts, const Grammar& module_grammar, const IdNames& names)
      : facts(module_facts), grammar(module_grammar), text_(text), names_(names) {
    text_.clear();
  }

  /// Adds our own words.
  Remark& add(std::string_view words);
  Remark& add(std::uint64_t number);
  /// Adds words of the module, with everything that is no plain text escaped; cut after `max_name_bytes`.
  Remark& add_input(std::string_view words);
  /// Adds an id: its name, or the text that stands for it in the disassembly.
  Remark& add_id(Word id);
  /// The text of add_id().
  [[nodiscard]] std::string id_text(Word id) const;
  /// Ends the remark: drops it when nothing in it is news, shortens it when it is too long.
  void finish();
  void drop() { text_.clear(); }

  /// Whether nothing more can be added.
  [[nodiscard]] bool is_full() const { return text_.size() > max_bytes; }
  [[nodiscard]] bool is_empty() const { return text_.empty(); }
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  [[nodiscard]] std::string_view last(std::size_t from) const { return std::string_view(text_).substr(from); }
  void cut_back(std::size_t size) { text_.resize(size); }

  /// Whether an instruction that mentions the id shows a name for it.
  [[nodiscard]] bool line_shows(Word id) const { return names_.find(id).length != 0; }
  /// The name of an id in the module's own words: OpName's, or that of the built-in it stands for.
  [[nodiscard]] std::string_view name_of(Word id) const;

  const ModuleFacts& facts;
  const Grammar& grammar;
  // Flags and not counters: callers that add what is no news of its own save the flag and put it back.
  bool has_news = false;     ///< something in it is not on the line
  bool has_meaning = false;  ///< something in it has a name

 private:
  std::string& text_;
  const IdNames& names_;
};

// ---- Types (annotate_types.cpp) -------------------------------------------------------------------------------------

/// Adds the short text of a type: `vec4`, `array<f32, 5>`, `S*`, `void (vec4, i32)`.
void add_type(Remark& remark, Word type);
/// Adds the text of a type and counts it as news unless the line shows the type's name.
void add_type_as_news(Remark& remark, Word type);
/// `function-local`, `uniform`, ...
std::string_view storage_class_words(StorageClass storage_class);
/// Remarks on OpType... instructions; false when there is nothing to say of the opcode.
bool remark_on_type(Remark& remark, InstructionView instruction);

// ---- Constants (annotate_constants.cpp) -----------------------------------------------------------------------------

/// Adds the value of a constant; false when the definition is no constant.
bool add_constant(Remark& remark, InstructionView definition);
/// Adds a literal of a type as people write it: shortest decimal, floats with a point.
void add_literal(Remark& remark, Words words, ScalarType type);
bool remark_on_constant(Remark& remark, InstructionView instruction);

// ---- Access paths (annotate_access.cpp) -----------------------------------------------------------------------------

/// Adds what a pointer points to, as a path: `s.v[2]`.
void add_place(Remark& remark, Word pointer);
/// Adds a value: its name, the constant, the place it was loaded from; else its id.
void add_value(Remark& remark, Word value);
bool remark_on_access(Remark& remark, InstructionView instruction);

// ---- Expressions (annotate_values.cpp) ------------------------------------------------------------------------------

/// Adds an instruction that computes something as an expression of its operands: `i < 4`. False when it is none.
bool add_expression(Remark& remark, InstructionView instruction);
/// Adds a condition: as an expression where it is computed by one, else as a value.
void add_condition(Remark& remark, Word value);
/// Remarks on OpExtInst: the name where the line shows a number, debug information by the name it is about.
bool remark_on_extended(Remark& remark, InstructionView instruction, const OperandDecoder& decoder);

// ---- Declarations (annotate_declarations.cpp) -----------------------------------------------------------------------

/// Remarks on variables, functions and calls, entry points, decorations and line information.
bool remark_on_declaration(Remark& remark, InstructionView instruction);
/// Adds the last part of a path of the file system, which an OpString holds.
void add_file_name(Remark& remark, InstructionView string);

// ---- Control flow (annotate_control_flow.cpp) -----------------------------------------------------------------------

/// `merge` is the merge instruction before this branch, of no words when there is none.
bool remark_on_control_flow(Remark& remark, InstructionView instruction, InstructionView merge);

}  // namespace vireo::spirv
