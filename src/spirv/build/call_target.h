// SPDX-License-Identifier: Apache-2.0
//
// CallTarget: what a typed call needs of its owner, which is a builder or an edit.
//
// The one idea: a Draft checks operands and writes words; what an id is, and where the instruction goes, its target decides.
// So both owners have the same methods, the same checks and the same messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/instruction_calls.h"
#include "vireo/spirv/operand.h"

namespace vireo::spirv {

/// The facts about an id that a call may use.
struct IdFacts {
  IdKind kind = IdKind::Any;
  bool is_defined : 1 = false;        ///< an instruction gives it
  bool is_decorated : 1 = false;      ///< so an equal type or constant is another one
  bool is_spoilt : 1 = false;         ///< its instruction was left out, which was reported: uses of it are not at fault
  bool is_local : 1 = false;          ///< its instruction is in a function, or between functions
  bool has_unknown_kind : 1 = false;  ///< no instruction says what it is: any kind will do
  Word type = 0;                      ///< of a value; of an integer or float type and of a set: the owner's own

  [[nodiscard]] bool may_be(IdKind wanted) const { return kind == wanted || has_unknown_kind; }
};

struct CallTarget {
  CallTarget(const Grammar& the_grammar, std::string_view the_owner)
      : grammar(the_grammar), opcodes(grammar), owner(the_owner) {}
  CallTarget(const CallTarget&) = delete;
  CallTarget& operator=(const CallTarget&) = delete;
  virtual ~CallTarget() = default;

  virtual void report(std::string_view rule, std::string message) = 0;

  // --- ids ---
  [[nodiscard]] virtual bool is_known(Word id) const = 0;
  /// Facts about a known id.
  [[nodiscard]] virtual IdFacts facts_of(Word id) const = 0;
  /// The scalar type that an id denotes; class None when it is no integer or float type.
  [[nodiscard]] virtual ScalarType scalar_type(Word type) const = 0;
  /// The name under which a set was imported; nothing when the id is no import. Valid until the next import.
  [[nodiscard]] virtual std::optional<std::string_view> import_name(Word set) const = 0;
  /// The last import whose name begins like this; 0 when there is none.
  [[nodiscard]] virtual SetId find_import(std::string_view prefix) const = 0;
  /// The id of a value's type; 0 when the id is no value, or nothing gives it yet.
  [[nodiscard]] Word type_of(Word value) const {
    if (!is_known(value)) return 0;
    const IdFacts facts = facts_of(value);
    return facts.kind == IdKind::Value ? facts.type : 0;
  }
  /// Whether what is known of an id, if anything, is what is left of an instruction that was reported.
  [[nodiscard]] bool is_spoilt(Word id) const { return is_known(id) && facts_of(id).is_spoilt; }

  // --- the end of a draft ---
  /// Puts a whole instruction in its place. `row` is that of its opcode; its result id, if any, is at `result_at`, where
  /// the words have the id that was given. Returns the id of the result: that of an equal earlier instruction, where
  /// there is one that will do.
  virtual Word place(const InstructionRow& row, Words words, std::size_t result_at, IdKind kind, CallSite site) = 0;
  /// The same for an instruction that was reported and is left out. Its result, which no use of is reported again.
  virtual Word leave_out(const InstructionRow& row, bool has_result, IdKind kind, CallSite site) = 0;

  const Grammar& grammar;
  OpcodeTable opcodes;
  std::string_view owner;         // "builder", "module": whose the ids are
  WordBuffer draft;               // room for the instruction in the making
  std::vector<Word> draft_ids;    // its operands that are ids
  bool draft_uses_local = false;  // one of them is local
  bool has_uses_ahead = false;    // an id was used before its instruction came, in a place where order may matter
};

/// Types, constants and the instructions that a module declares once. A structure or array may be decorated, so an equal one
/// is another type unless `merge_aggregates`.
[[nodiscard]] bool is_declared_once(const InstructionRow& row, const Grammar& grammar, bool merge_aggregates);

/// The scalar type that OpTypeInt or OpTypeFloat declares; class None for any other instruction.
[[nodiscard]] ScalarType declared_scalar(InstructionView declaration);

/// The storage class of OpVariable or OpUntypedVariableKHR; nothing for any other instruction.
[[nodiscard]] std::optional<StorageClass> variable_storage(InstructionView declaration);

}  // namespace vireo::spirv
