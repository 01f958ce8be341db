// SPDX-License-Identifier: Apache-2.0
//
// The traits of an opcode that the module reader needs: its section, and its part in a function.
//
// One small record for each opcode, computed from the grammar's row. So an opcode of a newer grammar gets
// its section from its printing class and its name, without a change in C++.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/grammar/opcode_families.h"
#include "spirv/grammar/opcode_rows.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// The role of an instruction in a function body (specification 2.2.5, 2.4).
enum class BodyPart : std::uint8_t {
  Ordinary,
  Function,
  Parameter,
  FunctionEnd,
  Label,
  Merge,
  Terminator,
  Aside,  ///< permitted outside of blocks: line information, extended instructions of debug information
};

/// How strictly an instruction is bound to its section.
enum class SectionPlace : std::uint8_t {
  Home,                 ///< only in its section
  GlobalsAndFunctions,  ///< among the globals and in functions: OpVariable, OpUndef
  Anywhere,             ///< line information and unknown opcodes
};

/// The part of the reader's state on which the next instruction depends: the section if no function is open, else one
/// of these values.
struct ReadingPlace {
  static constexpr std::uint8_t in_function = section_count;   ///< in the Functions section, between blocks
  static constexpr std::uint8_t in_block = section_count + 1;  ///< in the Functions section, in a block
  static constexpr std::uint8_t elsewhere = 31;                ///< in a function outside of the Functions section
};

struct OpcodeTraits {
  std::uint8_t result_word = 0;  ///< index of the result word; 0: the opcode has no result
  BodyPart part = BodyPart::Ordinary;
  SectionPlace place = SectionPlace::Home;
  Section home = Section::Functions;
  /// One bit for each place where the instruction is plain: it is permitted there, and begins or ends no section,
  /// function or block.
  std::uint32_t plain_places = 0;
};

/// An instruction that continues the operand list of the instruction before it (SPV_INTEL_long_composites).
struct Continuation {
  Op opcode, continues;
};
inline constexpr Continuation continuations[] = {
    {Op::OpTypeStructContinuedINTEL, Op::OpTypeStruct},
    {Op::OpConstantCompositeContinuedINTEL, Op::OpConstantComposite},
    {Op::OpSpecConstantCompositeContinuedINTEL, Op::OpSpecConstantComposite},
    {Op::OpCompositeConstructContinuedINTEL, Op::OpCompositeConstruct},
};
constexpr bool is_continuation(Op opcode) {
  for (const Continuation& each : continuations) {
    if (each.opcode == opcode) return true;
  }
  return false;
}
/// The instruction that continues an opcode; OpNop if none does.
constexpr Op continuation_of(Op opcode) {
  for (const Continuation& each : continuations) {
    if (each.continues == opcode) return each.opcode;
  }
  return Op::OpNop;
}

/// Computes the traits of an opcode; `row` is null for an opcode that the grammar does not have.
OpcodeTraits traits_of(const Grammar& grammar, const InstructionRow* row);

/// Traits by opcode.
class OpcodeTable {
 public:
  explicit OpcodeTable(const Grammar& grammar) : grammar_(grammar), traits_(grammar) { seen_.reserve(usual_opcodes); }

  /// Traits of the opcodes passed to of() so far; a default row without plain places for all others. Valid until of()
  /// is called.
  using Known = OpcodeRows<OpcodeTraits>::Known;
  [[nodiscard]] Known known() const { return traits_.known(); }
  /// Valid until the next call.
  const OpcodeTraits& of(Op opcode) {
    return traits_.of(opcode, [&] {
      const InstructionRow* row = grammar_.find_opcode(opcode);
      if (row != nullptr) seen_.push_back(opcode);
      return traits_of(grammar_, row);
    });
  }
  /// Moves out the opcodes passed to of() that the grammar has, in the order of the calls.
  [[nodiscard]] std::vector<Op> take_seen() { return std::exchange(seen_, {}); }

 private:
  const Grammar& grammar_;
  OpcodeRows<OpcodeTraits> traits_;
  std::vector<Op> seen_;
};

}  // namespace vireo::spirv
