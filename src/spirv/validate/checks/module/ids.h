// SPDX-License-Identifier: Apache-2.0
//
// IdCheck: each id is defined before it is used, and is of the class that the operand requires: a type, a value, or
// anything.
//
// The one idea: a missing definition is one error, however often the id is used. It is reported at the first use;
// instructions that use the id are not checked any further.
//
// Source: specification 2.2.1 (ids), 2.4 (forward references), 2.16.1 (definitions and uses).
#pragma once

#include <vector>

#include "spirv/grammar/opcode_rows.h"
#include "spirv/validate/engine/context.h"
#include "spirv/validate/engine/definition_state.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

class IdCheck {
 public:
  /// `visited` belongs to the same walk. Both are borrowed.
  IdCheck(const Context& context, const DefinitionState& visited);

  /// Whether an id operand is defined in time and of the required class. Reports it if not.
  bool check(const Visit& visit, const Operand& operand, Report& report);

  /// Whether an id has no definition, or only a later one. Reports the first such use of each id.
  bool report_undefined(Word id, InstructionView user, Place place, Report& report);
  /// Records an id without definition; returns true the first time.
  bool note_undefined(Word id) { return undefined_.insert(id).second; }

 private:
  /// A range of words of an instruction, both ends included; initially empty.
  struct WordRun {
    std::uint16_t first = 0xFFFF;
    std::uint16_t last = 0;
    [[nodiscard]] bool contains(std::uint16_t word) const { return word >= first && word <= last; }
  };
  struct Exceptions {
    WordRun ahead;                  // may refer to later definitions
    WordRun open;                   // need not be values
    bool takes_parameters = false;  // parameters of its enumerants are checked like other operands
  };

  /// The exceptions of the instruction that takes an operand, and the operand's word in it. For OpSpecConstantOp that
  /// is the inner operation. Valid until the next lookup.
  struct ExceptionLookup {
    const Exceptions& exceptions;
    std::uint16_t word;
  };

  ExceptionLookup look_up_exceptions(const Visit& visit, const Operand& operand);
  [[nodiscard]] Exceptions find_exceptions(const InstructionRow& row) const;
  void report_undefined_operand(const Visit& visit, const Operand& operand, Report& report);
  /// Whether the defined id is of the class that the operand requires: a type, a value, or anything.
  bool is_right_class(const Visit& visit, const Operand& operand, const ExceptionLookup& lookup,
                      InstructionIndex definition, Report& report);

  const Context& context_;
  const DefinitionState& visited_;
  OpcodeRows<Exceptions> exceptions_;
  IdHashSet too_early_;             // ids that were reported as used before their definition
  IdHashSet undefined_;             // ids that were reported as undefined
  std::size_t missing_begins_;      // functions and blocks without OpFunction or OpLabel whose ids were not used yet
  std::size_t missing_parameters_;  // likewise missing OpFunctionParameter
};

}  // namespace vireo::spirv
