// SPDX-License-Identifier: Apache-2.0
//
// Ids that are used above their instruction (state.h). Specification 2.4, its last list: forward references.
//
// The one idea: calls come in any order, so only the finished module says what stands above what. It is walked once, and
// only if an id was used before its instruction came, where that may matter (Draft::note_use_ahead), or if an instruction
// moved up in front of the function that one of its ids comes from.
#include <fmt/format.h>

#include "spirv/build/state.h"
#include "spirv/grammar/load/special_sets.h"
#include "spirv/rules.h"
#include "vireo/spirv/instruction.h"
#include "vireo/spirv/operand.h"
#include "vireo/spirv/views/extension.h"
#include "vireo/spirv/views/operand_names.h"
#include "vireo/spirv/views/type_declaration.h"

namespace vireo::spirv {
namespace {

/// Where an id is used.
struct ForwardUse {
  Op opcode;
  Section section;
  std::uint16_t word;
  IdKind kind;  ///< of the id
};

// Pointers that were announced are not asked here.
bool may_look_ahead(const ForwardUse& use) {
  if (use.kind == IdKind::Label) return true;
  // Who calls it may, who describes it may not.
  if (use.kind == IdKind::Function) return use.opcode != Op::OpExtInst;
  if (use.kind == IdKind::String || use.kind == IdKind::Set) return false;
  switch (use.opcode) {
    case Op::OpPhi:
    case Op::OpTypeForwardPointer:
    case Op::OpGraphEntryPointARM: return true;
    case Op::OpExtInstWithForwardRefsKHR: return use.word >= word_of(use.opcode, OperandName::operands);
    // The group stands above, what it decorates below.
    case Op::OpGroupDecorate:
    case Op::OpGroupMemberDecorate: return use.word >= word_of(use.opcode, OperandName::targets);
    // What stands above the globals is about what follows.
    default: return use.section <= Section::Annotations;
  }
}

}  // namespace

void BuilderState::report_uses_ahead() {
  if (!has_uses_ahead) return;
  const WordBuffer words = joined();
  OperandDecoder decoder(grammar, static_cast<Word>(ids.size()), words.size());
  // By id: its instruction was passed, or nothing is to be said of it (any more).
  std::vector<bool> is_settled(ids.size());
  for (std::size_t id = 0; id < ids.size(); ++id) is_settled[id] = !ids[id].is_defined || ids[id].is_spoilt;

  for (const InstructionView view : Instructions(words)) {
    (void)decoder.decode(view);  // what was left out may have left a hole; operands before it are there
    const auto opcode = view.opcode;
    if (const auto pointer = as<Op::OpTypeForwardPointer>(view)) is_settled[pointer->pointer_type()] = true;
    // Older debug information describes members before they stand there.
    const auto extended = as<Op::OpExtInst>(view);
    const auto set = extended ? import_name(extended->set()) : std::nullopt;
    const bool is_description = set && is_older_debug_information(*set);
    Word result = 0;
    for (const Operand& operand : decoder.operands()) {
      if (operand.shape > OperandShape::IdMemorySemantics) continue;
      const Word id = view.word(operand.word);
      if (operand.shape == OperandShape::IdResult) result = id;
      else if (is_known(id) && !is_settled[id]) {
        const ForwardUse use{opcode, opcodes.of(view.opcode).home, static_cast<std::uint16_t>(operand.word),
                             ids[id].kind};
        if (may_look_ahead(use) || (is_description && operand.word >= extended->operands().word())) continue;
        is_settled[id] = true;
        report(rule::forward_reference, fmt::format("{}: id {} is used above its instruction",
                                                    grammar.text(grammar.find_opcode(view.opcode)->name), id));
      }
    }
    if (result != 0) is_settled[result] = true;
  }
}

}  // namespace vireo::spirv
