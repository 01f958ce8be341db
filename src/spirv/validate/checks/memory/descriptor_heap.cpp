// SPDX-License-Identifier: Apache-2.0
//
// Descriptor heaps: descriptors in memory, and the layout of that memory.
//
// A heap is an untyped variable. The offsets and strides of the descriptors in a structure or array are
// decorations whose operands are ids of constants. The checks cover these constants and the heap that each descriptor
// is loaded from.
//
// Source: SPV_EXT_descriptor_heap; Vulkan, the VUIDs of this extension.
#include <fmt/format.h>

#include <string>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Whether a heap may contain a type. OpTypeSampledImage is excluded: its image and its sampler are in two heaps.
bool is_descriptor(const TypeRow& type) {
  switch (type.kind) {
    case TypeKind::Image:
    case TypeKind::Sampler:
    case TypeKind::Buffer:
    case TypeKind::Tensor:
    case TypeKind::AccelerationStructure: return true;
    default: return false;
  }
}

// Whether a type is or contains a descriptor: an opaque type.
bool holds_descriptors(const TypeRow& type) { return type.contains.has_any(TypeTrait::Opaque); }

// --- decorations -----------------------------------------------------------------------------------------------------

// Checks the constant operand of a decoration. It may be a specialization constant, because descriptor sizes differ
// between devices.
void check_operand(const ModuleCheck& c, InstructionIndex decorate, Decoration decoration, AnyOperand number) {
  const TypeRow& type = c.type_of(number);
  const bool is_fine = type.is_int(32) && c.is_constant(number);
  if (is_fine || c.module.definition(number).is_none()) return;
  if (c.is_invalid_type(c.type_id_of(number)) || !c.soundness.is_sound(number)) return;
  const std::string found =
      type.is_int(32) ? "the result of " + op_text(c, c.op_of(number)) : "a value of type " + type_name(c, type.id);
  c.report(Rule::LayoutIdOperand, {decorate, number.word}, {number, decoration, found});
  c.note({c.module.definition(number), 0}, "{id} defined here", {number});
}

// Strides apply to arrays and offsets to members, so OpDecorateId takes strides and OpMemberDecorateIdEXT takes
// offsets.
void check_heap_decoration(const ModuleCheck& c, const View<OpDecorateId>& decorate, InstructionIndex index) {
  const auto at = [&](AnyOperand operand) { return Place{index, operand.word}; };
  const AnyOperand target = decorate.target();
  if (c.module.definition(target).is_none()) return;
  if (decorate.decoration() == Decoration::OffsetIdEXT) {
    c.report(Rule::OffsetIdTarget, at(target), {target});
    c.hint("use OpMemberDecorateIdEXT with the member's number");
    return;
  }
  const auto stride = decorate.decoration().ArrayStrideIdEXT();
  if (!stride) return;
  const TypeRow& type = c.types.of(target);
  if (c.soundness.is_sound(target) && (!type.is_array() || !holds_descriptors(type))) {
    c.report(Rule::StrideIdTarget, at(target), {target});
    c.note({c.module.definition(target), 0}, "{id} declared here", {target});
  }
  check_operand(c, index, decorate.decoration(), *stride);
  if (c.constants.as_u64(*stride) == 0u) {
    c.report(Rule::StrideIdZero, at(*stride), {*stride});
    c.note({c.module.definition(*stride), 0}, "{id} declared here", {*stride});
  }
}

void check_member_decorate_id(const ModuleCheck& c, const View<OpMemberDecorateIdEXT>& decorate,
                              InstructionIndex index) {
  const auto at = [&](AnyOperand operand) { return Place{index, operand.word}; };
  const TypeRow& type = c.types.of(decorate.structure_type());
  if (!type.is(TypeKind::Struct)) return;  // the decoration checks report it
  const auto offset = decorate.decoration().OffsetIdEXT();
  if (!offset) {
    c.report(Rule::MemberDecorationId, Place{index, decorate.decoration().word()}, {decorate.decoration().value()});
    if (decorate.decoration() == Decoration::ArrayStrideIdEXT) {
      c.hint("ArrayStrideIdEXT decorates an array type; use OpDecorateId");
    }
    return;
  }
  if (c.soundness.is_sound_type(type.id) && !holds_descriptors(type)) {
    c.report(Rule::OffsetIdTarget, at(decorate.structure_type()),
             {fmt::format("{}, which contains no descriptor", member_text(c, type.id, decorate.member()))});
    c.note({type.declaration, 0}, "structure declared here");
  }
  check_operand(c, index, decorate.decoration(), *offset);
  // The decoration precedes both the constant and the structure. The constant must precede the structure, whose layout
  // depends on it.
  const InstructionIndex defined = c.module.definition(*offset);
  if (!defined.is_none() && defined > type.declaration) {
    c.report(Rule::OffsetIdOrder, at(*offset), {*offset, type.id});
    c.note({type.declaration, 0}, "structure declared here");
    c.note({defined, 0}, "offset defined here");
  }
}

// --- heaps -----------------------------------------------------------------------------------------------------------

// decoration_checks.cpp reports a heap built-in of a member.
void check_heap(const InstructionCheck& c) {
  if (!c.is_vulkan()) return;
  const DecorationRow* row = c.decorations.find(c.result, Decoration::BuiltIn);
  const TypeRow& pointer = c.types.of(c.type);
  if (row == nullptr || !pointer.is_pointer() || pointer.storage == StorageClass::UniformConstant) return;
  const auto built_in = static_cast<BuiltIn>(c.decorations.operand_or(*row, 0));
  if (!is_heap(built_in)) return;
  c.report(Rule::HeapStorage, target_place(*row), {c.result, built_in, pointer.storage});
  c.vuid(built_in == BuiltIn::SamplerHeapEXT ? 11239 : 11241);
  c.note(c.at(), "{id} declared here", {c.result});
}

// Whether a variable is decorated with this heap built-in.
bool is_of_heap(const ModuleCheck& c, Word variable, BuiltIn heap) {
  const DecorationRow* row = c.decorations.find(variable, Decoration::BuiltIn);
  return row != nullptr && static_cast<BuiltIn>(c.decorations.operand_or(*row, 0)) == heap;
}

// A descriptor must be loaded from the heap of its kind, or from a variable with a set and a binding.
void check_heap_load(const InstructionCheck& c) {
  if (!c.is_vulkan() || !c.has(Capability::DescriptorHeapEXT)) return;
  const auto load = c.as<OpLoad>();
  const TypeRow &type = c.types.of(c.type), &pointer = c.type_of(load.pointer());
  if (!pointer.is(TypeKind::UntypedPointer)) return;
  const bool is_sampler = type.is(TypeKind::Sampler);
  if (!is_sampler && !type.is(TypeKind::Image) && !type.is(TypeKind::AccelerationStructure)) return;
  const Word origin = origin_of(c, load.pointer());
  // If the pointer comes from a parameter, its variable is unknown.
  if (!is_variable(c.op_of(origin)) || !c.soundness.is_sound(origin)) return;
  if (is_of_heap(c, origin, is_sampler ? BuiltIn::SamplerHeapEXT : BuiltIn::ResourceHeapEXT)) return;
  // In a module with heaps, variables with a set and a binding are also valid.
  if (c.decorations.has(origin, Decoration::DescriptorSet) && c.decorations.has(origin, Decoration::Binding)) {
    return;
  }
  c.report(Rule::DescriptorLoad, c.at(load.pointer()),
           {type.id, origin, is_sampler ? "SamplerHeapEXT" : "ResourceHeapEXT"});
  c.vuid(is_sampler ? 11336 : type.is(TypeKind::Image) ? 11337 : 11339);
  note_pointer(c, origin);
}

// --- buffers ---------------------------------------------------------------------------------------------------------

bool is_buffer_storage(StorageClass storage) {
  return storage == StorageClass::Uniform || storage == StorageClass::StorageBuffer;
}

void check_buffer_type(const InstructionCheck& c) {
  const auto storage = c.as<OpTypeBufferEXT>().storage_class();
  if (is_buffer_storage(storage)) return;
  c.report(Rule::BufferPointerStorage, c.at(storage), {"OpTypeBufferEXT", storage.value});
}

void check_buffer_pointer(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (!type.is_pointer()) {
    c.wrong_result("a pointer");
    return;
  }
  if (!is_buffer_storage(type.storage)) {
    c.report(Rule::BufferPointerStorage, c.at_type(), {"the result type of OpBufferPointerEXT", type.storage});
  }
  const AnyOperand buffer = c.as<OpBufferPointerEXT>().buffer();
  const TypeRow& source = c.type_of(buffer);
  const Word origin = origin_of(c, buffer);
  // If the origin of the pointer is unknown, as for a parameter, it is accepted.
  const bool is_from_variable = is_variable(c.op_of(origin));
  if (source.is(TypeKind::UntypedPointer) &&
      (!is_from_variable || !c.soundness.is_sound(origin) || is_of_heap(c, origin, BuiltIn::ResourceHeapEXT))) {
    return;
  }
  c.report(Rule::BufferPointerSource, c.at(buffer), {buffer});
  note_pointer(c, buffer);
}

// --- sizes and structures --------------------------------------------------------------------------------------------

void check_size(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  const bool is_wide = result.is_int(64) && c.has(Capability::Int64);
  if (!result.is_int(32) && !is_wide) c.wrong_result("a 32-bit or 64-bit integer scalar");
  const AnyOperand type = c.as<OpConstantSizeOfEXT>().type();
  if (!is_descriptor(c.types.of(type))) { c.report(Rule::SizeOfDescriptor, c.at(type), {type}); }
}

// With descriptor heaps, an opaque member of a structure must be a descriptor.
void check_heap_struct(const InstructionCheck& c) {
  if (!c.is_vulkan() || !c.has(Capability::DescriptorHeapEXT) || c.has(Capability::BindlessTextureNV)) { return; }
  const auto members = c.as<OpTypeStruct>().member_types();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto member = members[i];
    const TypeRow* type = c.types.find(member);
    if (type == nullptr) continue;
    const TypeRow& inner = type->innermost();
    if (!inner.is_opaque() || is_descriptor(inner)) continue;
    c.report(Rule::HeapOpaqueType, c.at(member), {member_text(c, c.result, static_cast<Word>(i)), inner.id});
  }
}

}  // namespace

std::span<const Check> descriptor_heap_checks() {
  static constexpr Check checks[] = {
      {{OpVariable, OpUntypedVariableKHR}, check_heap},
      {{OpLoad}, check_heap_load},
      {{OpTypeBufferEXT}, check_buffer_type},
      {{OpBufferPointerEXT}, check_buffer_pointer},
      {{OpConstantSizeOfEXT}, check_size},
      {{OpTypeStruct}, check_heap_struct},
  };
  return checks;
}

void check_heap_decorations(const ModuleCheck& c) {
  for (const DecorationRow& row : c.decorations.rows()) {
    if (row.form != DecorationForm::Id || !row.group_use.is_none()) continue;
    const InstructionView view = c.module.instruction(row.instruction);
    if (const auto decorate = as<OpDecorateId>(view)) check_heap_decoration(c, *decorate, row.instruction);
    if (const auto member = as<OpMemberDecorateIdEXT>(view)) check_member_decorate_id(c, *member, row.instruction);
  }
}

}  // namespace vireo::spirv
