// SPDX-License-Identifier: Apache-2.0
//
// Propagates unsoundness from findings to ids and types.
#include "spirv/validate/engine/soundness.h"

#include <algorithm>

namespace vireo::spirv {
namespace {

// The word offset of the result id; 0 if the instruction has none.
std::size_t result_word(const InstructionRow& row) {
  if ((row.flags & HasResult) == 0) return 0;
  return (row.flags & HasResultType) != 0 ? 2 : 1;
}

bool uses_id(const Operand& operand) {
  // Id shapes precede all others in the enumeration.
  return operand.shape <= OperandShape::IdMemorySemantics && operand.shape != OperandShape::IdResult;
}

}  // namespace

void Soundness::mark(Unsound what, Place place) {
  switch (what) {
    case Unsound::Nothing: return;
    case Unsound::Operand: {
      words_.insert(key_of(place));
      if (place.instruction.is_none()) return;
      const InstructionRow* row = module_.grammar().find_opcode(module_.instruction(place.instruction).opcode);
      const bool is_result_type = row != nullptr && (row->flags & HasResultType) != 0 && place.word == 1;
      if (is_result_type) mark_result(place.instruction);
      return;
    }
    case Unsound::Type: mark_result(place.instruction); return;
    case Unsound::Capability: capabilities_.insert(module_.instruction(place.instruction).word(place.word)); return;
  }
}

void Soundness::mark_result(InstructionIndex instruction) {
  const InstructionView view = module_.instruction(instruction);
  const InstructionRow* row = module_.grammar().find_opcode(view.opcode);
  const std::size_t word = row == nullptr ? 0 : result_word(*row);
  // The first definition of an id counts.
  if (word != 0 && module_.definition(view.word(word)) == instruction) ids_.insert(view.word(word));
}

void Soundness::mark_by_parts(const TypeRow& type) {
  if (type.is_pointer()) return;
  const auto is_unsound = [&](Word part) { return part != 0 && !is_sound_type(part); };
  if (is_unsound(type.element) || std::ranges::any_of(types_.members(type), is_unsound)) ids_.insert(type.id);
}

bool Soundness::is_sound(Word id) const {
  if (ids_.empty()) return true;
  if (ids_.contains(id)) return false;
  const Word type = module_.type_of(id);
  return type == 0 || is_sound_type(type);
}

bool Soundness::holds_sound(Word id) const {
  if (!is_sound(id)) return false;
  const TypeRow* type = types_.find(module_.type_of(id));
  return type == nullptr || !type->is(TypeKind::Pointer) || is_sound_type(type->element);
}

bool Soundness::takes_sound(InstructionView view, Word type, std::span<const Operand> operands) const {
  if (ids_.empty()) return true;
  if (type != 0 && !is_sound_type(type)) return false;
  return std::ranges::all_of(
      operands, [&](const Operand& operand) { return !uses_id(operand) || is_sound(view.word(operand.word)); });
}

}  // namespace vireo::spirv
