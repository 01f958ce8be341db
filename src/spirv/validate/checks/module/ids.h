// SPDX-License-Identifier: Apache-2.0
//
// IdCheck: each id is defined, before it is used, and is what the operand asks for: a type, a value, or anything.
//
// The one idea: a missing definition is one fault, however often the id is used. It is told where the id is first used;
// from then on the id is poisoned, and an instruction that uses it is not judged by the checks of types.
//
// Source: specification 2.2.1 (ids), 2.4 (forward references), 2.16.1 (definitions and uses).
#pragma once

#include <vector>

#include "spirv/grammar/opcode_rows.h"
#include "spirv/validate/engine/context.h"
#include "spirv/validate/engine/visited_ids.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

class IdCheck {
 public:
  /// `visited` is that of the same walk.
  IdCheck(const Context& context, const VisitedIds& visited);

  /// Whether an operand that is an id is sound, so that checks may look at what it stands for.
  bool check(const Visit& visit, const Operand& operand, Report& report);

  /// Whether an id is defined nowhere, or only further down. Reports it when it is found for the first time.
  bool tell_missing(Word id, InstructionView user, Place place, Report& report);
  /// Notes that an id is defined nowhere; true the first time.
  bool note_undefined(Word id) { return undefined_.insert(id).second; }

 private:
  /// A run of words of an instruction, `first` to `last`; none of them at the start.
  struct WordRun {
    std::uint16_t first = 0xFFFF;
    std::uint16_t last = 0;
    [[nodiscard]] bool contains(std::uint16_t word) const { return word >= first && word <= last; }
  };
  struct Exceptions {
    WordRun ahead;                  // may refer to what stands further down
    WordRun open;                   // need not be values
    bool takes_parameters = false;  // parameters of its enumerants are operands like any other
  };

  /// What is excepted at the instruction that takes an operand, and the operand's word there. An operand of
  /// OpSpecConstantOp is taken by the operation in it. Good until the next question.
  struct Asked {
    const Exceptions& exceptions;
    std::uint16_t word;
  };

  Asked asked_of(const Visit& visit, const Operand& operand);
  [[nodiscard]] Exceptions find_exceptions(const InstructionRow& row) const;
  void tell_undefined(const Visit& visit, const Operand& operand, Report& report);
  /// Whether an id that is defined there is what the operand asks for: a type, a value, or anything.
  bool suits(const Visit& visit, const Operand& operand, const Asked& asked, InstructionIndex definition,
             Report& report);

  const Context& context_;
  const VisitedIds& visited_;
  OpcodeRows<Exceptions> exceptions_;
  IdHashSet too_early_;             // ids that were reported as used too early
  IdHashSet undefined_;             // ids that were reported as undefined
  std::size_t missing_begins_;      // functions and blocks without their begin whose ids were not met yet
  std::size_t missing_parameters_;  // the same of parameters
};

}  // namespace vireo::spirv
