// SPDX-License-Identifier: Apache-2.0
//
// Remark: the text of one annotation while it is being built, and the functions that build it.
//
// The text has a maximum length, and every step of building it adds text. So this length bounds the work
// for one instruction, however deep types or paths are nested. A longer text ends in `...`.
//
// An annotation that only repeats its line is dropped, so each part records whether it adds information (`has_news`).
// If friendly names are on, the line shows the names of ids: `OpLoad %float %x` needs no "x" beside it, but `OpLoad %6
// %31` does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "spirv/text/annotate/annotate_facts.h"
#include "spirv/text/friendly_names.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

class Remark {
 public:
  static constexpr std::size_t max_bytes = 120;
  static constexpr std::size_t max_name_bytes = 40;  ///< of one name within an annotation

  Remark(std::string& text, const ModuleFacts& module_facts, const Grammar& module_grammar, const IdNames& names)
      : facts(module_facts), grammar(module_grammar), text_(text), names_(names) {
    text_.clear();
  }

  /// Adds text that does not come from the module.
  Remark& add(std::string_view words);
  Remark& add(std::uint64_t number);
  /// Adds text from the module, with control bytes escaped; cut after `max_name_bytes`.
  Remark& add_input(std::string_view words);
  /// Adds an id: its name, or its text in the disassembly.
  Remark& add_id(Word id);
  /// The text of add_id().
  [[nodiscard]] std::string id_text(Word id) const;
  /// Ends the annotation: drops it if it adds no information, and shortens it if it is too long.
  void finish();
  void drop() { text_.clear(); }

  /// Whether the text has reached its maximum length.
  [[nodiscard]] bool is_full() const { return text_.size() > max_bytes; }
  [[nodiscard]] bool is_empty() const { return text_.empty(); }
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  [[nodiscard]] std::string_view last(std::size_t from) const { return std::string_view(text_).substr(from); }
  void cut_back(std::size_t size) { text_.resize(size); }

  /// Whether an instruction that mentions the id shows a name for it.
  [[nodiscard]] bool line_shows(Word id) const { return names_.find(id).length != 0; }
  /// The name of an id in the module: that of OpName, or that of the built-in that decorates the id.
  [[nodiscard]] std::string_view name_of(Word id) const;

  const ModuleFacts& facts;
  const Grammar& grammar;
  // Flags, not counters: a caller whose text adds no information saves the flag and restores it.
  bool has_news = false;     ///< some part is not on the line
  bool has_meaning = false;  ///< some part has a name

 private:
  std::string& text_;
  const IdNames& names_;
};

// ---- Types (annotate_types.cpp) -------------------------------------------------------------------------------------

/// Adds the short text of a type: `vec4`, `array<f32, 5>`, `S*`, `void (vec4, i32)`.
void add_type(Remark& remark, Word type);
/// Adds the text of a type. It adds information unless the line shows the type's name.
void add_type_as_news(Remark& remark, Word type);
/// `function-local`, `uniform`, ...
std::string_view storage_class_words(StorageClass storage_class);
/// Annotates OpType... instructions; false if the opcode has no annotation.
bool remark_on_type(Remark& remark, InstructionView instruction);

// ---- Constants (annotate_constants.cpp) -----------------------------------------------------------------------------

/// Adds the value of a constant; false if the definition is not a constant.
bool add_constant(Remark& remark, InstructionView definition);
/// Adds a literal of a type: shortest decimal, floats with a decimal point.
void add_literal(Remark& remark, Words words, ScalarType type);
bool remark_on_constant(Remark& remark, InstructionView instruction);

// ---- Access paths (annotate_access.cpp) -----------------------------------------------------------------------------

/// Adds the object that a pointer points to, as a path: `s.v[2]`.
void add_place(Remark& remark, Word pointer);
/// Adds a value: its name, the constant, or the location that it was loaded from; else its id.
void add_value(Remark& remark, Word value);
bool remark_on_access(Remark& remark, InstructionView instruction);

// ---- Expressions (annotate_values.cpp) ------------------------------------------------------------------------------

/// Adds an instruction as an expression of its operands: `i < 4`. False if its opcode has no expression.
bool add_expression(Remark& remark, InstructionView instruction);
/// Adds a condition: as an expression if an operator computes it, else as a value.
void add_condition(Remark& remark, Word value);
/// Annotates OpExtInst: its name if the line shows a number; for debug information, the name of the described object.
bool remark_on_extended(Remark& remark, InstructionView instruction, const OperandDecoder& decoder);

// ---- Declarations (annotate_declarations.cpp) -----------------------------------------------------------------------

/// Annotates variables, functions and calls, entry points, decorations and line information.
bool remark_on_declaration(Remark& remark, InstructionView instruction);
/// Adds the last part of the file path that an OpString contains.
void add_file_name(Remark& remark, InstructionView string);

// ---- Control flow (annotate_control_flow.cpp) -----------------------------------------------------------------------

/// `merge` is the merge instruction before this branch; a view with no words if there is none.
bool remark_on_control_flow(Remark& remark, InstructionView instruction, InstructionView merge);

}  // namespace vireo::spirv
