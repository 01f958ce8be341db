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

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/decorations/decoration_places.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/annotation.h"
#include "vireo/spirv/views/constant_creation.h"
#include "vireo/spirv/views/memory.h"
#include "vireo/spirv/views/type_declaration.h"

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
void check_operand(const Context& context, const DecodedInstruction& visit, Decoration decoration, AnyOperand number,
                   Report& report) {
  const TypeRow& type = context.type_of(number);
  const bool is_fine = type.is_int(32) && context.is_constant(number);
  if (is_fine) return;
  const std::string found = type.is_int(32) ? "the result of " + op_text(context, context.op_of(number))
                                            : "a value of type " + type_name(context, type.id);
  report.add(Rule::LayoutIdOperand, visit.at(number),
             {id_text(context, number), enumerant_text(context, decoration), found});
  report.note({context.module.definition(number), 0}, fmt::format("{} defined here", id_text(context, number)));
}

// Strides apply to arrays and offsets to members, so OpDecorateId takes strides and OpMemberDecorateIdEXT takes
// offsets.
void check_heap_decoration(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto decorate = visit.as<OpDecorateId>();
  const AnyOperand target = decorate.target();
  if (decorate.decoration() == Decoration::OffsetIdEXT) {
    report.add(Rule::OffsetIdTarget, visit.at(target), {id_text(context, target)});
    report.hint("use OpMemberDecorateIdEXT with the member's number");
    return;
  }
  const auto stride = decorate.decoration().ArrayStrideIdEXT();
  if (!stride) return;
  const TypeRow& type = context.types.of(target);
  // Another check reports an undefined element type.
  const bool lacks_element = type.is_array() && innermost_element(context, type).is(TypeKind::None);
  if (!lacks_element && (!type.is_array() || !holds_descriptors(type))) {
    report.add(Rule::StrideIdTarget, visit.at(target), {type_text(context, target)});
    report.note({context.module.definition(target), 0}, fmt::format("{} declared here", id_text(context, target)));
  }
  check_operand(context, visit, decorate.decoration(), *stride, report);
  if (context.constants.as_u64(*stride) == 0u) {
    report.add(Rule::StrideIdZero, visit.at(*stride), {id_text(context, *stride)});
    report.note({context.module.definition(*stride), 0}, fmt::format("{} declared here", id_text(context, *stride)));
  }
}

void check_member_decorate_id(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto decorate = visit.as<OpMemberDecorateIdEXT>();
  const TypeRow& type = context.types.of(decorate.structure_type());
  if (!type.is(TypeKind::Struct)) return;  // the decoration checks report it
  const auto offset = decorate.decoration().OffsetIdEXT();
  if (!offset) {
    report.add(Rule::MemberDecorationId, visit.at(decorate.decoration()),
               {enumerant_text(context, decorate.decoration().value())});
    if (decorate.decoration() == Decoration::ArrayStrideIdEXT) {
      report.hint("ArrayStrideIdEXT decorates an array type; use OpDecorateId");
    }
    return;
  }
  if (!holds_descriptors(type)) {
    report.add(Rule::OffsetIdTarget, visit.at(decorate.structure_type()),
               {fmt::format("{}, which contains no descriptor", member_text(context, type.id, decorate.member()))});
    report.note({type.declaration, 0}, "structure declared here");
  }
  check_operand(context, visit, decorate.decoration(), *offset, report);
  // The decoration precedes both the constant and the structure. The constant must precede the structure, whose layout
  // depends on it.
  const InstructionIndex defined = context.module.definition(*offset);
  if (!defined.is_none() && defined > type.declaration) {
    report.add(Rule::OffsetIdOrder, visit.at(*offset), {id_text(context, *offset), id_text(context, type.id)});
    report.note({type.declaration, 0}, "structure declared here");
    report.note({defined, 0}, "offset defined here");
  }
}

// --- heaps -----------------------------------------------------------------------------------------------------------

// decoration_checks.cpp reports a heap built-in of a member.
void check_heap(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (!context.is_vulkan()) return;
  const DecorationRow* row = context.decorations.find(visit.result, Decoration::BuiltIn);
  const TypeRow& pointer = context.types.of(visit.type);
  if (row == nullptr || !pointer.is_pointer() || pointer.storage == StorageClass::UniformConstant) return;
  const auto built_in = static_cast<BuiltIn>(context.decorations.operand_or(*row, 0));
  if (!is_heap(built_in)) return;
  report.add(
      Rule::HeapStorage, target_place(*row),
      {id_text(context, visit.result), enumerant_text(context, built_in), enumerant_text(context, pointer.storage)});
  report.vuid(built_in == BuiltIn::SamplerHeapEXT ? 11239 : 11241);
  report.note(visit.at(), fmt::format("{} declared here", id_text(context, visit.result)));
}

// Whether a variable is decorated with this heap built-in.
bool is_of_heap(const Context& context, Word variable, BuiltIn heap) {
  const DecorationRow* row = context.decorations.find(variable, Decoration::BuiltIn);
  return row != nullptr && static_cast<BuiltIn>(context.decorations.operand_or(*row, 0)) == heap;
}

// A descriptor must be loaded from the heap of its kind, or from a variable with a set and a binding.
void check_heap_load(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (!context.is_vulkan() || !context.has(Capability::DescriptorHeapEXT)) return;
  const auto load = visit.as<OpLoad>();
  const TypeRow &type = context.types.of(visit.type), &pointer = context.type_of(load.pointer());
  if (!pointer.is(TypeKind::UntypedPointer)) return;
  const bool is_sampler = type.is(TypeKind::Sampler);
  if (!is_sampler && !type.is(TypeKind::Image) && !type.is(TypeKind::AccelerationStructure)) return;
  const Word origin = origin_of(context, load.pointer());
  // If the pointer comes from a parameter, its variable is unknown.
  if (!is_variable(context.op_of(origin)) || !context.soundness.is_sound(origin)) return;
  if (is_of_heap(context, origin, is_sampler ? BuiltIn::SamplerHeapEXT : BuiltIn::ResourceHeapEXT)) return;
  // In a module with heaps, variables with a set and a binding are also valid.
  if (context.decorations.has(origin, Decoration::DescriptorSet) &&
      context.decorations.has(origin, Decoration::Binding)) {
    return;
  }
  report.add(
      Rule::DescriptorLoad, visit.at(load.pointer()),
      {type_name(context, type.id), id_text(context, origin), is_sampler ? "SamplerHeapEXT" : "ResourceHeapEXT"});
  report.vuid(is_sampler ? 11336 : type.is(TypeKind::Image) ? 11337 : 11339);
  note_pointer(context, report, origin);
}

// --- buffers ---------------------------------------------------------------------------------------------------------

bool is_buffer_storage(StorageClass storage) {
  return storage == StorageClass::Uniform || storage == StorageClass::StorageBuffer;
}

void check_buffer_type(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto storage = visit.as<OpTypeBufferEXT>().storage_class();
  if (is_buffer_storage(storage)) return;
  report.add(Rule::BufferPointerStorage, visit.at(storage),
             {"OpTypeBufferEXT", enumerant_text(context, storage.value)});
}

void check_buffer_pointer(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (!type.is_pointer()) {
    TypeErrorReporter{context, visit, report}.result("a pointer");
    return;
  }
  if (!is_buffer_storage(type.storage)) {
    report.add(Rule::BufferPointerStorage, visit.at_type(),
               {"the result type of OpBufferPointerEXT", enumerant_text(context, type.storage)});
  }
  const AnyOperand buffer = visit.as<OpBufferPointerEXT>().buffer();
  const TypeRow& source = context.type_of(buffer);
  const Word origin = origin_of(context, buffer);
  // If the origin of the pointer is unknown, as for a parameter, it is accepted.
  const bool is_from_variable = is_variable(context.op_of(origin));
  if (source.is(TypeKind::UntypedPointer) && (!is_from_variable || !context.soundness.is_sound(origin) ||
                                              is_of_heap(context, origin, BuiltIn::ResourceHeapEXT))) {
    return;
  }
  report.add(Rule::BufferPointerSource, visit.at(buffer), {id_text(context, buffer)});
  note_pointer(context, report, buffer);
}

// --- sizes and structures --------------------------------------------------------------------------------------------

void check_size(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& result = context.types.of(visit.type);
  const bool is_wide = result.is_int(64) && context.has(Capability::Int64);
  if (!result.is_int(32) && !is_wide)
    TypeErrorReporter{context, visit, report}.result("a 32-bit or 64-bit integer scalar");
  const AnyOperand type = visit.as<OpConstantSizeOfEXT>().type();
  if (!is_descriptor(context.types.of(type))) {
    report.add(Rule::SizeOfDescriptor, visit.at(type), {type_text(context, type)});
  }
}

// With descriptor heaps, an opaque member of a structure must be a descriptor.
void check_heap_struct(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (!context.is_vulkan() || !context.has(Capability::DescriptorHeapEXT) ||
      context.has(Capability::BindlessTextureNV)) {
    return;
  }
  const auto members = visit.as<OpTypeStruct>().member_types();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto member = members[i];
    const TypeRow* type = context.types.find(member);
    if (type == nullptr) continue;
    const TypeRow& inner = innermost_element(context, *type);
    if (!inner.is_opaque() || is_descriptor(inner)) continue;
    report.add(Rule::HeapOpaqueType, visit.at(member),
               {member_text(context, visit.result, static_cast<Word>(i)), type_name(context, inner.id)});
  }
}

}  // namespace

std::span<const Check> descriptor_heap_checks() {
  static constexpr Check checks[] = {
      {{OpVariable, OpUntypedVariableKHR}, check_heap},
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
