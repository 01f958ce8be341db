// SPDX-License-Identifier: Apache-2.0
//
// What the module room has to know of an opcode: its section, and its part in a function.
//
// The one idea: one small record an opcode, worked out from the grammar's row when the opcode is first met and kept. So
// an opcode that a newer grammar brings finds its place by its printing class and its name, and no C++ has to be
// edited; a module of fifty different opcodes pays for fifty, not for nine hundred.
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/module.h"

namespace vireo::spirv {

/// What an instruction is in the body of a function (specification 2.2.5, 2.4).
enum class BodyPart : std::uint8_t {
  Ordinary,
  Function,
  Parameter,
  FunctionEnd,
  Label,
  Merge,
  Terminator,
  Aside,  ///< may stand where no block is: line information, extended instructions of debug information
};

/// How strictly an instruction belongs into its section.
enum class SectionPlace : std::uint8_t {
  Home,                 ///< there and nowhere else
  GlobalsAndFunctions,  ///< among the globals, and in functions: OpVariable, OpUndef
  Anywhere,             ///< line information; what is unknown
};

struct OpcodeTraits {
  bool is_known = false;  ///< these traits were worked out
  bool has_result = false;
  bool has_type = false;
  BodyPart part = BodyPart::Ordinary;
  SectionPlace place = SectionPlace::Home;
  Section home = Section::Functions;
};

/// Works out the traits of one opcode; `row` is null for an opcode that the grammar does not know.
OpcodeTraits traits_of(const Grammar& grammar, const InstructionRow* row);

/// Traits by opcode, worked out once each.
class OpcodeTable {
 public:
  explicit OpcodeTable(const Grammar& grammar) : grammar_(grammar), traits_(grammar.instructions.size() + 1) {}

  const OpcodeTraits& of(std::uint16_t opcode) {
    // By row and not by opcode: opcodes are spread over ten times as many numbers, all of which would have to be cleared.
    // All opcodes that the grammar lacks share the first entry: that of an unknown instruction.
    OpcodeTraits& entry = traits_[opcode < grammar_.opcode_index.size() ? grammar_.opcode_index[opcode] : 0];
    if (!entry.is_known) [[unlikely]] { entry = traits_of(grammar_, grammar_.find_opcode(opcode)); }
    return entry;
  }

 private:
  const Grammar& grammar_;
  std::vector<OpcodeTraits> traits_;
};

}  // namespace vireo::spirv
