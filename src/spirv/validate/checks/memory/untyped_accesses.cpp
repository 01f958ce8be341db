// SPDX-License-Identifier: Apache-2.0
//
// The alignment of accesses through untyped pointers (SPV_KHR_untyped_pointers).
//
// An untyped pointer does not state what it points to, so an access may read any type at any offset. The scalars of the
// type need their own alignment in all layouts, and the API aligns the start of a buffer to more than that. So a constant
// offset shows a wrong alignment.
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <algorithm>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/layouts/memory_offset.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The type that an instruction reads or writes through its pointer; 0 if it does neither.
Word accessed_type(const ModuleCheck& c, InstructionView view) {
  if (view.opcode == OpLoad) return c.type_id_of(c.module.result_of(view));
  if (const auto store = as<OpStore>(view)) return c.type_id_of(store->object());
  if (word_of(view.opcode, OperandName::semantics) == 0 && word_of(view.opcode, OperandName::equal) == 0) return 0;
  // An atomic instruction: the value that it stores has the type; OpAtomicLoad has a result alone.
  const std::uint16_t value = word_of(view.opcode, OperandName::value);
  return c.type_id_of(value != 0 ? view.word(value) : c.module.result_of(view));
}

}  // namespace

void check_untyped_accesses(const ModuleCheck& c) {
  if (!c.is_vulkan() || !c.has(Capability::UntypedPointersKHR)) return;
  const TypeLayouts layouts(c.facts, LayoutKind::Exact);
  for (const FunctionRow& function : c.module.functions()) {
    for (const auto& [i, view] : c.module.instructions(function.all)) {
      const std::uint16_t word = word_of(view.opcode, OperandName::pointer);
      if (word == 0) continue;
      const AnyOperand pointer{view.word(word), word};
      const TypeRow& pointer_type = c.type_of(pointer);
      if (!pointer_type.is(TypeKind::UntypedPointer) || !has_explicit_layout(c, pointer_type.storage)) continue;
      const TypeRow& type = c.types.of(accessed_type(c, view));
      const Word bytes = type.component().width / 8;
      if (bytes < 2 || !c.soundness.is_sound(pointer)) continue;
      const auto offset = memory_offset(c, layouts, pointer);
      if (!offset || offset->bytes % bytes == 0 || !is_variable(c.op_of(offset->root))) continue;
      c.report(Rule::UntypedAlignment, {i, word}, {view.opcode, type, offset->bytes, offset->root, bytes});
      note_target(c, offset->root);
    }
  }
}

}  // namespace vireo::spirv
