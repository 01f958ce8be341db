// SPDX-License-Identifier: Apache-2.0
//
// CallTarget: the interface that a typed call needs from its owner, a builder or an edit.
//
// PendingInstruction checks operands and writes words. The target defines the ids and decides where the
// instruction goes. So a builder and an edit have the same methods, the same checks and the same messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/build/instruction_calls.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// The facts about an id that a call may use.
struct IdFacts {
  IdKind kind = IdKind::Any;
  bool is_defined : 1 = false;        ///< an instruction defines it
  bool is_decorated : 1 = false;      ///< an equal type or constant must not share this id
  bool is_invalid : 1 = false;        ///< its instruction was reported and left out; uses are not reported again
  bool is_local : 1 = false;          ///< its instruction is in a function, or between functions
  bool has_unknown_kind : 1 = false;  ///< no instruction defines it yet, so any kind is accepted
  Word type = 0;                      ///< value: the id of its type; scalar type or set: internal to the owner

  [[nodiscard]] bool may_be(IdKind wanted) const { return kind == wanted || has_unknown_kind; }
};

struct CallTarget {
  CallTarget(const Grammar& the_grammar, std::string_view the_owner)
      : grammar(the_grammar), opcodes(grammar), owner(the_owner) {}
  CallTarget(const CallTarget&) = delete;
  CallTarget& operator=(const CallTarget&) = delete;
  virtual ~CallTarget() = default;

  virtual void report(std::string_view rule, std::string message) = 0;
  /// An error with a note that has the number of the call, if a call made it.
  [[nodiscard]] Diagnostic fault(std::string_view rule, std::string message) const;

  // --- ids ---
  [[nodiscard]] virtual bool is_known(Word id) const = 0;
  /// Facts about a known id.
  [[nodiscard]] virtual IdFacts facts_of(Word id) const = 0;
  /// The scalar type that an id denotes; class None if it is not an integer or float type.
  [[nodiscard]] virtual ScalarType scalar_type(Word type) const = 0;
  /// The name under which a set was imported; nothing if the id is not an import. Valid until the next import.
  [[nodiscard]] virtual std::optional<std::string_view> import_name(Word set) const = 0;
  /// The last import whose name begins with `prefix`; 0 if there is none.
  [[nodiscard]] virtual SetId find_import(std::string_view prefix) const = 0;
  /// The id of a value's type; 0 if the id is not a value or not defined yet.
  [[nodiscard]] Word type_of(Word value) const {
    if (!is_known(value)) return 0;
    const IdFacts facts = facts_of(value);
    return facts.kind == IdKind::Value ? facts.type : 0;
  }
  /// Whether the instruction that defines the id was reported and left out.
  [[nodiscard]] bool is_invalid(Word id) const { return is_known(id) && facts_of(id).is_invalid; }

  // --- completed instructions ---
  /// Inserts a complete instruction. `row` is the row of its opcode. `result_at` is the index of its result word, which
  /// holds the id that the caller reserved, or 0. Returns the id of the result. That is the id of an equal earlier
  /// instruction if the two can be shared.
  virtual Word place(const InstructionRow& row, Words words, std::size_t result_at, IdKind kind, CallSite site) = 0;
  /// Handles an instruction that was reported and is left out. Returns its result id, whose uses are not reported.
  virtual Word leave_out(const InstructionRow& row, bool has_result, IdKind kind, CallSite site) = 0;

  const Grammar& grammar;
  OpcodeTable opcodes;
  std::string_view owner;         // the owner of the ids, for messages: "builder" or "module"
  std::size_t calls = 0;          // InstructionCalls::call_count()
  WordBuffer draft;               // the words of the pending instruction
  std::vector<Word> draft_ids;    // its id operands
  bool draft_uses_local = false;  // one of its id operands is local
  bool has_forward_uses = false;  // an id was used before its definition where the order may matter
};

/// Whether a module has only one copy of such an instruction: types, constants, capabilities, extensions and imports.
/// Structures and arrays may differ in their decorations, so equal ones are distinct unless `merge_aggregates`.
[[nodiscard]] bool is_declared_once(const InstructionRow& row, const Grammar& grammar, bool merge_aggregates);

/// The storage class of OpVariable or OpUntypedVariableKHR; nothing for any other instruction.
[[nodiscard]] std::optional<StorageClass> variable_storage(InstructionView declaration);

}  // namespace vireo::spirv
