// SPDX-License-Identifier: Apache-2.0
//
// Propagates unsoundness from findings to ids and types.
#include "spirv/validate/core/soundness.h"

#include <algorithm>

namespace vireo::spirv {
void Soundness::mark(Unsound what, Place place) {
  switch (what) {
    case Unsound::Nothing: return;
    case Unsound::Operand: {
      words_.insert(place.key());
      if (place.instruction.is_none()) return;
      // A result type, if an instruction has one, is its first operand (specification 2.3).
      const bool is_result_type = place.word == 1 && module_.type_of(module_.instruction(place.instruction)) != 0;
      if (is_result_type) mark_result(place.instruction);
      return;
    }
    case Unsound::Instruction: words_.insert(Place{place.instruction}.key()); return;
    case Unsound::Type: mark_result(place.instruction); return;
    case Unsound::Capability: capabilities_.insert(module_.instruction(place.instruction).word(place.word)); return;
  }
}

void Soundness::mark_result(InstructionIndex instruction) {
  const Word result = module_.result_of(module_.instruction(instruction));
  // Only the first definition of an id is marked.
  if (result != 0 && module_.definition(result) == instruction) ids_.insert(result);
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

bool Soundness::has_sound_pointee(Word id) const {
  const TypeRow& type = types_.of(module_.type_of(id));
  return !type.is(TypeKind::Pointer) || !ids_.contains(type.element);
}

bool Soundness::are_sound(InstructionView view, Word type, std::span<const Operand> operands) const {
  if (type != 0 && !is_sound_type(type)) return false;
  return std::ranges::all_of(operands, [&](const Operand& operand) {
    if (!operand.uses_id()) return true;
    const Word id = view.word(operand.word);
    // A member of a structure may be declared later. If it is a value of that structure, both are unsound only for this
    // reason, so the structure is checked.
    if (view.opcode == Op::OpTypeStruct && module_.find(id).offset > view.offset) return !ids_.contains(id);
    return is_sound(id) && has_sound_pointee(id);
  });
}

}  // namespace vireo::spirv
