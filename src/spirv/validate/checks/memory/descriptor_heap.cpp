// SPDX-License-Identifier: Apache-2.0
//
// Descriptor heaps: descriptors that lie in memory, and how that memory is laid out.
//
// The one idea: a heap is a variable without a type; a structure or an array says where in it descriptors lie, by
// decorations whose numbers are constants. So what is new is what those constants are, and that a descriptor comes from
// the heap of its kind.
//
// Source: SPV_EXT_descriptor_heap; Vulkan, VUIDs of it.
#include <algorithm>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {
namespace {

using enum Op;

// What a heap has room for. The union of images and samplers, OpTypeSampledImage, is none: its parts lie in two heaps.
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

// Whether a type is of descriptors, or has such: opaque types are what no number is.
bool holds_descriptors(const TypeRow& type) { return type.contains.has_any(TypeTrait::Opaque); }

// --- decorations --------------------------------------------------------------------------------------------------------

// The constant that a decoration has for a number.
// `word` is that of the decoration; its number follows. Specialization may say it: sizes differ between devices.
void check_operand(const Context& context, const Visit& visit, std::size_t word, Report& report) {
  const Word id = visit.word(word + 1);
  const TypeRow* type = context.type_of(id);
  const bool is_fine = type != nullptr && type->is_int(32) && context.is_constant(id);
  if (is_fine || type == nullptr) return;
  report.add(Rule::LayoutOperand, visit.at(word + 1),
             {enumerant_text(context, static_cast<Decoration>(visit.word(word))), id_text(context, id),
              type_text(context, type->id)});
}

// Strides are of arrays and offsets of members, so this instruction takes the first and the next one the second.
void check_heap_decoration(const Context& context, const Visit& visit, Report& report) {
  const auto decoration = static_cast<Decoration>(visit.word(2));
  const Word target = visit.word(1);
  if (decoration == Decoration::OffsetIdEXT) {
    report.add(Rule::OffsetIdTarget, visit.at(1), {id_text(context, target)});
    return;
  }
  if (decoration != Decoration::ArrayStrideIdEXT) return;
  const TypeRow& type = context.types.of(target);
  // An element that is missing is told elsewhere.
  const bool lacks_element = type.is_array() && without_arrays(context, type).is(TypeKind::None);
  if (!lacks_element && (!type.is_array() || !holds_descriptors(type))) {
    report.add(Rule::StrideIdTarget, visit.at(1), {type_text(context, target)});
  }
  check_operand(context, visit, 2, report);
  if (context.constants.as_u64(visit.word(3)) == 0u) {
    report.add(Rule::StrideIdZero, visit.at(3), {id_text(context, visit.word(3))});
  }
}

void check_member_decorate_id(const Context& context, const Visit& visit, Report& report) {
  const auto decoration = static_cast<Decoration>(visit.word(3));
  const TypeRow& type = context.types.of(visit.word(1));
  if (!type.is(TypeKind::Struct)) return;  // told where members are
  if (decoration != Decoration::OffsetIdEXT) {
    report.add(Rule::MemberDecorationId, visit.at(3), {enumerant_text(context, decoration)});
    return;
  }
  if (!holds_descriptors(type)) report.add(Rule::OffsetIdTarget, visit.at(1), {id_text(context, type.id)});
  check_operand(context, visit, 3, report);
  // Decorations come in front of types, so the order that matters is that of constant and structure: who lays the
  // structure out has to know the offset.
  const InstructionIndex defined = context.module.definition(visit.word(4));
  if (!defined.is_none() && defined > type.declaration) {
    report.add(Rule::OffsetOrder, visit.at(4), {id_text(context, visit.word(4)), id_text(context, type.id)});
  }
}

// --- heaps --------------------------------------------------------------------------------------------------------------

void check_heap(const Context& context, const Visit& visit, Report& report) {
  // Behind the target, and behind the member where there is one.
  const std::size_t word = visit.op() == OpMemberDecorate ? 3 : 2;
  if (static_cast<Decoration>(visit.word(word)) != Decoration::BuiltIn) return;
  if (!is_heap(static_cast<BuiltIn>(visit.word(word + 1)))) return;
  const std::string name = enumerant_text(context, "BuiltIn", visit.word(word + 1));
  if (visit.op() == OpMemberDecorate) {
    report.add(Rule::HeapMember, visit.at(1), {name, id_text(context, visit.word(1))});
    return;
  }
  const TypeRow* pointer = context.type_of(visit.word(1));
  if (!context.is_vulkan() || pointer == nullptr || pointer->storage == StorageClass::UniformConstant) return;
  report.add(Rule::HeapStorage, visit.at(1),
             {id_text(context, visit.word(1)), name, enumerant_text(context, pointer->storage)});
}

// Whether a variable is this heap.
bool is_of_heap(const Context& context, Word variable, BuiltIn heap) {
  const DecorationRow* row = context.decorations.find(variable, Decoration::BuiltIn);
  return row != nullptr && static_cast<BuiltIn>(context.decorations.operand_or(*row, 0)) == heap;
}

// A descriptor comes from its heap, or from a variable that is one.
void check_heap_load(const Context& context, const Visit& visit, Report& report) {
  if (!context.is_vulkan() || !context.has(Capability::DescriptorHeapEXT)) return;
  const TypeRow *type = context.types.find(visit.type), *pointer = context.type_of(visit.word(3));
  if (type == nullptr || pointer == nullptr || !pointer->is(TypeKind::UntypedPointer)) return;
  const bool is_sampler = type->is(TypeKind::Sampler);
  if (!is_sampler && !type->is(TypeKind::Image) && !type->is(TypeKind::AccelerationStructure)) return;
  const Word origin = origin_of(context, visit.word(3));
  // A parameter may come from anywhere.
  if (!is_variable(context.op_of(origin))) return;
  if (is_of_heap(context, origin, is_sampler ? BuiltIn::SamplerHeapEXT : BuiltIn::ResourceHeapEXT)) return;
  // The older way goes on beside heaps: a variable with a set and a binding.
  if (context.decorations.has(origin, Decoration::DescriptorSet) &&
      context.decorations.has(origin, Decoration::Binding)) {
    return;
  }
  report.add(
      Rule::DescriptorLoad, visit.at(3),
      {type_text(context, type->id), id_text(context, origin), is_sampler ? "SamplerHeapEXT" : "ResourceHeapEXT"});
}

// --- buffers ------------------------------------------------------------------------------------------------------------

bool is_buffer_storage(StorageClass storage) {
  return storage == StorageClass::Uniform || storage == StorageClass::StorageBuffer;
}

void check_buffer_type(const Context& context, const Visit& visit, Report& report) {
  const auto storage = static_cast<StorageClass>(visit.word(2));
  if (is_buffer_storage(storage)) return;
  report.add(Rule::BufferPointerStorage, visit.at(2), {"a buffer", enumerant_text(context, storage)});
}

void check_buffer_pointer(const Context& context, const Visit& visit, Report& report) {
  const TypeRow* type = context.types.find(visit.type);
  if (type == nullptr) return;
  if (!type->is_pointer()) {
    Complaint{context, visit, report}.result("a pointer");
    return;
  }
  if (!is_buffer_storage(type->storage)) {
    report.add(Rule::BufferPointerStorage, visit.at(1),
               {"a pointer to a buffer", enumerant_text(context, type->storage)});
  }
  const TypeRow* source = context.type_of(visit.word(3));
  if (source == nullptr) return;
  const Word origin = origin_of(context, visit.word(3));
  // An address that has lost its variable, as in a parameter, is given the benefit of the doubt.
  const bool is_from_variable = is_variable(context.op_of(origin));
  if (source->is(TypeKind::UntypedPointer) &&
      (!is_from_variable || is_of_heap(context, origin, BuiltIn::ResourceHeapEXT))) {
    return;
  }
  report.add(Rule::BufferPointerSource, visit.at(3), {id_text(context, visit.word(3))});
}

// --- sizes and structures -----------------------------------------------------------------------------------------------

void check_size(const Context& context, const Visit& visit, Report& report) {
  const TypeRow& result = context.types.of(visit.type);
  const bool is_wide = result.is_int(64) && context.has(Capability::Int64);
  if (!result.is_int(32) && !is_wide) Complaint{context, visit, report}.result("a 32-bit or 64-bit integer scalar");
  const TypeRow& type = context.types.of(visit.word(3));
  if (!is_descriptor(type)) { report.add(Rule::SizeOfDescriptor, visit.at(3), {type_text(context, visit.word(3))}); }
}

// Structures of handles lie in heaps, which have no room for what is no descriptor.
void check_heap_struct(const Context& context, const Visit& visit, Report& report) {
  if (!context.is_vulkan() || !context.has(Capability::DescriptorHeapEXT) ||
      context.has(Capability::BindlessTextureNV)) {
    return;
  }
  for (std::size_t i = 2; visit.has_word(i); ++i) {
    const TypeRow* member = context.types.find(visit.word(i));
    if (member == nullptr) continue;
    const TypeRow& inner = without_arrays(context, *member);
    if (!inner.is_opaque() || is_descriptor(inner)) continue;
    report.add(Rule::HeapOpaque, visit.at(i), {id_text(context, visit.result), type_text(context, inner.id)});
  }
}

}  // namespace

std::span<const Check> descriptor_heap_checks() {
  static constexpr Check checks[] = {
      {{OpDecorate, OpMemberDecorate}, check_heap},
      {{OpDecorateId}, check_heap_decoration},
      {{OpMemberDecorateIdEXT}, check_member_decorate_id},
      {{OpLoad}, check_heap_load},
      {{OpTypeBufferEXT}, check_buffer_type},
      {{OpBufferPointerEXT}, check_buffer_pointer},
      {{OpConstantSizeOfEXT}, check_size},
      {{OpTypeStruct}, check_heap_struct},
  };
  return checks;
}

}  // namespace vireo::spirv
