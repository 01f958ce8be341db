// SPDX-License-Identifier: Apache-2.0
//
// Forward references: ids that are used before their definition (state.h). Specification 2.4, last list.
//
// Instructions can be added in any order, so only the finished module shows which instruction precedes
// which. It is walked once, and only if a forward reference is possible. There are two such cases. An id was used
// before its definition where the order may matter (PendingInstruction::note_forward_use). Or an instruction moved
// before the function that defines one of its ids.
#include <fmt/format.h>

#include "spirv/build/state.h"
#include "spirv/grammar/special_sets.h"
#include "spirv/module/declaration_order.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/spirv/grammar/operand_names.h"

namespace vireo::spirv {
namespace {

/// A use of an id before its definition.
struct ForwardUse {
  Op opcode;
  Section section;
  std::uint16_t word;
  IdKind kind;  ///< of the id
};

// Does not include forward pointers; the caller handles them.
bool may_be_forward(const ForwardUse& use) {
  if (use.kind == IdKind::Label) return true;
  // All instructions except extended ones (debug information) may refer to a later function.
  if (use.kind == IdKind::Function) return use.opcode != Op::OpExtInst;
  if (use.kind == IdKind::String || use.kind == IdKind::Set) return false;
  switch (use.opcode) {
    case Op::OpPhi:
    case Op::OpTypeForwardPointer:
    case Op::OpGraphEntryPointARM: return true;
    case Op::OpExtInstWithForwardRefsKHR: return use.word >= word_of(use.opcode, OperandName::operands);
    // The definition of the group must precede this instruction; those of its targets may follow.
    case Op::OpGroupDecorate:
    case Op::OpGroupMemberDecorate: return use.word >= word_of(use.opcode, OperandName::targets);
    // Instructions before the globals may refer to later ones.
    default: return use.section <= Section::Annotations && !is_alias_declaration(use.opcode);
  }
}

}  // namespace

void BuilderState::report_forward_uses() {
  if (!has_forward_uses) return;
  const WordBuffer words = joined();
  OperandDecoder decoder(grammar, static_cast<Word>(ids.size()), words.size());
  // By id: defined earlier in this walk, or excluded from reports.
  std::vector<bool> is_resolved(ids.size());
  for (std::size_t id = 0; id < ids.size(); ++id) is_resolved[id] = !ids[id].is_defined || ids[id].is_invalid;

  for (const InstructionView view : Instructions(words)) {
    (void)decoder.decode(view);  // instructions that were left out may cause faults; operands before a fault are valid
    const auto opcode = view.opcode;
    if (const auto pointer = as<Op::OpTypeForwardPointer>(view)) is_resolved[pointer->pointer_type()] = true;
    // The older debug information sets may refer to members before their definition.
    const auto extended = as<Op::OpExtInst>(view);
    const auto set = extended ? import_name(extended->set()) : std::nullopt;
    const bool is_description = set && is_older_debug_information(*set);
    Word result = 0;
    for (const Operand& operand : decoder.operands()) {
      if (!operand.is_id()) continue;
      const Word id = view.word(operand.word);
      if (operand.shape == OperandShape::IdResult) result = id;
      else if (is_known(id) && !is_resolved[id]) {
        const ForwardUse use{opcode, opcodes.of(view.opcode).home, static_cast<std::uint16_t>(operand.word),
                             ids[id].kind};
        if (may_be_forward(use) || (is_description && operand.word >= extended->operands().word())) continue;
        is_resolved[id] = true;
        report(rule::forward_reference, fmt::format("{}: id {} is used before its definition",
                                                    grammar.text(grammar.find_opcode(view.opcode)->name), id));
      }
    }
    if (result != 0) is_resolved[result] = true;
  }
}

}  // namespace vireo::spirv
