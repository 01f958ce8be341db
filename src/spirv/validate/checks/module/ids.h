// SPDX-License-Identifier: Apache-2.0
//
// IdCheck: each id is defined before its use and is of the class that the operand requires: a type, a value, or any id.
//
// A missing definition is one error, however often the id is used. The check reports it at the first use.
// Instructions that use the id are not checked any further.
//
// Source: specification 2.2.1 (ids), 2.4 (forward references), 2.16.1 (definitions and uses).
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "spirv/grammar/opcode_rows.h"
#include "spirv/validate/checks/module/definition_state.h"
#include "spirv/validate/core/check.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

class IdCheck {
 public:
  /// `visited` is the state of the same walk. Borrows both arguments.
  IdCheck(const ModuleCheck& c, const DefinitionState& visited);

  /// Whether an id operand is defined before its use and is of the required class. Reports a violation.
  bool check(const InstructionCheck& c, const Operand& operand) {
    const Word id = c.view.first[operand.word];
    // Most ids are defined types as the result type, and defined values as any other operand.
    const bool is_usual = operand.shape == OperandShape::IdResultType ? visited_.is_type(id) : visited_.is_value(id);
    return is_usual || check_unusual(c, operand);
  }

  /// Whether an id is undefined or defined only later. Reports the first such use of each id.
  bool report_undefined(Word id, Place place);
  /// Records an undefined id. Returns true the first time.
  bool note_undefined(Word id) { return undefined_.insert(id).second; }

 private:
  /// A range of words of an instruction, both ends included. Initially empty.
  struct WordRun {
    std::uint16_t first = 0xFFFF;
    std::uint16_t last = 0;
    [[nodiscard]] bool contains(std::uint16_t word) const { return word >= first && word <= last; }
  };
  struct Exceptions {
    WordRun ahead;                  // operands that may be forward references
    WordRun open;                   // operands that need not be values
    bool takes_parameters = false;  // parameters of enumerants are checked like other operands
  };

  /// The exceptions for an operand's instruction, and the operand's word offset in it. For OpSpecConstantOp, that
  /// instruction is the inner operation. Valid until the next lookup.
  struct ExceptionLookup {
    const Exceptions& exceptions;
    std::uint16_t word;
  };

  bool check_unusual(const InstructionCheck& c, const Operand& operand);
  ExceptionLookup look_up_exceptions(const DecodedInstruction& inst, const Operand& operand);
  [[nodiscard]] Exceptions find_exceptions(const InstructionRow& row) const;
  void suggest_name(Word id);
  void report_undefined_operand(const InstructionCheck& c, const Operand& operand);
  /// Whether a defined id is of the class that the operand requires: a type, a value, or any id.
  bool is_right_class(const InstructionCheck& c, const Operand& operand, const ExceptionLookup& lookup,
                      InstructionIndex definition);

  const ModuleCheck& c_;
  const DefinitionState& visited_;
  OpcodeRows<Exceptions> exceptions_;
  IdHashSet too_early_;          // ids that were reported as used before their definition
  IdHashSet undefined_;          // ids that were reported as undefined
  std::size_t suggestions_ = 0;  // findings for which suggest_name() has searched
  // The second definitions of ids that have not explained an undefined id yet: their number in each function, and
  // outside functions (none).
  std::map<FunctionIndex, std::size_t> duplicates_;
  std::size_t missing_begins_;      // missing OpFunction and OpLabel whose ids have not been used yet
  std::size_t missing_parameters_;  // likewise missing OpFunctionParameter
};

}  // namespace vireo::spirv
