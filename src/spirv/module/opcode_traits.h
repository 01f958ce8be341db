// SPDX-License-Identifier: Apache-2.0
//
// What the module room has to know of an opcode: its section, and its part in a function.
//
// The one idea: one small record an opcode, worked out from the grammar's row. So an opcode that a newer grammar brings
// finds its place by its printing class and its name, and no C++ has to be edited.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/grammar/opcode_rows.h"
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

/// Where the reader is, as far as it matters to the next instruction: in a section, when no function is open; else one
/// of these.
struct ReadingPlace {
  static constexpr std::uint8_t in_function = section_count;   ///< of the section for functions, between blocks
  static constexpr std::uint8_t in_block = section_count + 1;  ///< of such a function
  static constexpr std::uint8_t elsewhere = 31;                ///< in a function that is out of its section
};

struct OpcodeTraits {
  std::uint8_t result_word = 0;  ///< of the instruction; 0: the opcode has no result
  BodyPart part = BodyPart::Ordinary;
  SectionPlace place = SectionPlace::Home;
  Section home = Section::Functions;
  /// A bit for each place where the instruction is plain: it fits there, and neither begins nor ends anything.
  std::uint32_t plain_places = 0;
};

/// Works out the traits of one opcode; `row` is null for an opcode that the grammar does not know.
OpcodeTraits traits_of(const Grammar& grammar, const InstructionRow* row);

/// Traits by opcode.
class OpcodeTable {
 public:
  explicit OpcodeTable(const Grammar& grammar) : grammar_(grammar), traits_(grammar) { met_.reserve(usual_opcodes); }

  /// Traits of the opcodes that were met; a default row, of no plain places, for all others. Good until of() is called.
  using Known = OpcodeRows<OpcodeTraits>::Known;
  [[nodiscard]] Known known() const { return traits_.known(); }
  /// Good until the next call.
  const OpcodeTraits& of(Op opcode) {
    return traits_.of(opcode, [&] {
      const InstructionRow* row = grammar_.find_opcode(opcode);
      if (row != nullptr) met_.push_back(opcode);
      return traits_of(grammar_, row);
    });
  }
  /// Those opcodes that were asked for and that the grammar knows, in the order of the questions; no longer kept here.
  [[nodiscard]] std::vector<Op> take_met() { return std::exchange(met_, {}); }

 private:
  const Grammar& grammar_;
  OpcodeRows<OpcodeTraits> traits_;
  std::vector<Op> met_;
};

}  // namespace vireo::spirv
