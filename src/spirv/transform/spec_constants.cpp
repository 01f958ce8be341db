// SPDX-License-Identifier: Apache-2.0
//
// Freezes specialization constants, and finds their SpecIds.
//
// An OpSpecConstant… has the operands of the OpConstant… without Spec, so only its opcode changes.
//
// Source: specification 2.9 (specialization), 3.42.7 (constant-creation instructions).
#include "vireo/spirv/transform/spec_constants.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "spirv/binary/decode_all.h"
#include "spirv/module/section_walk.h"
#include "spirv/transform/rewrite.h"
#include "spirv/transform/spec_constants.h"
#include "vireo/spirv/binary/views/annotation.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr std::pair<Op, Op> frozen_opcodes[] = {
    {OpSpecConstantTrue, OpConstantTrue},
    {OpSpecConstantFalse, OpConstantFalse},
    {OpSpecConstant, OpConstant},
    {OpSpecConstantComposite, OpConstantComposite},
    {OpSpecConstantCompositeReplicateEXT, OpConstantCompositeReplicateEXT},
    {OpSpecConstantStringAMDX, OpConstantStringAMDX},
    {OpSpecConstantDataKHR, OpConstantDataKHR},
    {OpSpecConstantCompositeContinuedINTEL, OpConstantCompositeContinuedINTEL},
};

// Specialization constants that stay, because no default value can replace them.
constexpr bool is_without_default(Op opcode) {
  return opcode == OpSpecConstantOp || opcode == OpSpecConstantTargetINTEL ||
         opcode == OpSpecConstantArchitectureINTEL || opcode == OpSpecConstantCapabilitiesINTEL;
}

// The decoration of an OpDecorate, if it is SpecId.
std::optional<Located<Word>> spec_id_in(InstructionView view) {
  const auto decorate = as<OpDecorate>(view);
  return decorate ? decorate->decoration().SpecId() : std::nullopt;
}

}  // namespace

Result<Module> read_decodable(Words words, const Grammar& grammar, Diagnostics& diagnostics, Word* id_bound) {
  Result<Module> module = read_for_transform(words, grammar, diagnostics);
  if (!module) return module;
  Word highest = module->header().bound == 0 ? 0 : module->header().bound - 1;
  const auto reported =
      decode_all(words, grammar, diagnostics, [&](std::uint32_t, InstructionView view, const OperandDecoder& decoder) {
        for (const Operand& operand : decoder.operands()) {
          if (operand.is_id()) highest = std::max(highest, view.word(operand.word));
        }
      });
  if (reported) return *reported;
  if (id_bound != nullptr) *id_bound = highest == ~Word{0} ? highest : highest + 1;
  return module;
}

Op frozen_opcode(Op opcode) {
  const auto row = std::ranges::find(frozen_opcodes, opcode, &std::pair<Op, Op>::first);
  return row == std::end(frozen_opcodes) ? opcode : row->second;
}

std::uint32_t end_of_composite(const Module& module, InstructionIndex index) {
  std::uint32_t end = index.raw + 1;
  if (module.instruction(index).opcode != OpSpecConstantComposite) return end;
  while (end < module.instruction_count() &&
         module.instruction(InstructionIndex(end)).opcode == OpSpecConstantCompositeContinuedINTEL) {
    ++end;
  }
  return end;
}

// Two passes: a group may be used before the decoration of the group. A group within a group is not followed, because
// the specification forbids it.
IdMap<Word> spec_ids_of(const Module& module) {
  IdMap<Word> spec_ids;
  walk_section(module, Section::Annotations, [&](InstructionIndex, InstructionView view) {
    const auto spec_id = spec_id_in(view);
    if (spec_id) spec_ids.try_emplace(AnnotationOperands(view).target(), *spec_id);
  });
  if (spec_ids.empty()) return spec_ids;
  walk_section(module, Section::Annotations, [&](InstructionIndex, InstructionView view) {
    const auto group = as<OpGroupDecorate>(view);
    if (!group || module.find(group->decoration_group()).opcode != OpDecorationGroup) return;
    const auto found = spec_ids.find(group->decoration_group());
    if (found == spec_ids.end()) return;
    const Word spec_id = found->second;  // insertions invalidate the iterator
    for (const Word target : group->targets()) spec_ids.try_emplace(target, spec_id);
  });
  return spec_ids;
}

// OpConstantComposite cannot have specialization constants as constituents. So a composite stays if a constituent stays.
Result<WordBuffer> freeze_spec_constants(Words words, Diagnostics& diagnostics, const Grammar& grammar) {
  const Result<Module> module = read_decodable(words, grammar, diagnostics);
  if (!module) return module.failure();
  WordBuffer result(words.begin(), words.begin() + header_word_count);
  result.reserve(words.size());
  IdHashSet kept;  // specialization constants of the result
  std::uint32_t composite_end = 0;
  bool is_kept = false;  // whether the last instruction stays as it is, with the instructions that continue it
  for (const auto [index, view] : module->instructions()) {
    if (spec_id_in(view)) continue;
    if (index.raw >= composite_end) {
      composite_end = end_of_composite(*module, index);
      is_kept = is_without_default(view.opcode);
      if (is_spec_composite(view.opcode)) {
        for (const InstructionView part : module->views({index.raw, composite_end})) {
          for (const Word id : part.operands()) is_kept |= kept.contains(id);
        }
      }
      if (is_kept) kept.insert(module->result_of(view));
    }
    const std::size_t first = result.size();
    result.insert(result.end(), view.words().begin(), view.words().end());
    if (!is_kept) result[first] = first_word(view.word_count, frozen_opcode(view.opcode));
  }
  return result;
}

}  // namespace vireo::spirv
