// SPDX-License-Identifier: Apache-2.0
//
// The alignment of descriptors in a heap: the offsets that decorations state, and those of accesses with constant
// indexes (SPV_EXT_descriptor_heap).
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <cstdint>
#include <optional>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/device/device_check.h"
#include "spirv/validate/layouts/memory_offset.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

DeviceNumber offset_number(const TypeRow& descriptor) {
  switch (descriptor.kind) {
    case TypeKind::Sampler: return DeviceNumber::SamplerOffset;
    case TypeKind::Image: return DeviceNumber::ImageOffset;
    case TypeKind::Buffer: return DeviceNumber::BufferOffset;
    case TypeKind::AccelerationStructure: return DeviceNumber::AccelerationOffset;
    case TypeKind::Tensor: return DeviceNumber::TensorOffset;
    default: return DeviceNumber::None;
  }
}

// Returns whether a finding was reported.
bool check_decorated_offsets(const DeviceCheck& device) {
  const ModuleCheck& c = device.c;
  bool is_reported = false;
  for (const DecorationRow& row : c.decorations.rows()) {
    if (row.decoration != Decoration::Offset && row.decoration != Decoration::OffsetIdEXT) continue;
    const TypeRow* structure = c.types.find(row.target);
    if (row.member == no_member || structure == nullptr || !structure->is(TypeKind::Struct)) continue;
    const DeviceNumber number = offset_number(c.types.of(c.types.member_type(*structure, row.member)).innermost());
    const Word operand = c.decorations.operand_or(row, 0);
    const std::optional<std::uint64_t> offset =
        row.decoration == Decoration::Offset ? operand : c.constants.as_u64(operand);
    if (number != DeviceNumber::None && offset)
      is_reported |= device.bound(number, *offset, {row.instruction, row.first_operand});
  }
  return is_reported;
}

// What an instruction loads from a heap; None if it loads no descriptor.
DeviceNumber loaded(const ModuleCheck& c, InstructionView view) {
  if (view.opcode == OpBufferPointerEXT) return DeviceNumber::LoadedBufferOffset;
  if (view.opcode == OpUntypedImageTexelPointerEXT) return DeviceNumber::TexelPointerOffset;
  if (view.opcode != OpLoad) return DeviceNumber::None;
  switch (c.type_of(c.module.result_of(view)).kind) {
    case TypeKind::Sampler: return DeviceNumber::LoadedSamplerOffset;
    case TypeKind::Image: return DeviceNumber::LoadedImageOffset;
    case TypeKind::AccelerationStructure: return DeviceNumber::LoadedAccelerationOffset;
    case TypeKind::Tensor: return DeviceNumber::LoadedTensorOffset;
    default: return DeviceNumber::None;
  }
}

// OpLoad, OpBufferPointerEXT and OpUntypedImageTexelPointerEXT have different names for the pointer.
std::uint16_t pointer_word(Op op) {
  for (const OperandName name : {OperandName::pointer, OperandName::buffer, OperandName::image})
    if (const std::uint16_t word = word_of(op, name); word != 0) return word;
  return 0;
}

}  // namespace

void check_heap_offsets(const DeviceCheck& device) {
  const ModuleCheck& c = device.c;
  if (!c.has(Capability::DescriptorHeapEXT)) return;
  if (check_decorated_offsets(device)) return;  // accesses would repeat its findings
  const TypeLayouts layouts(c.facts, LayoutKind::Exact);
  for (const FunctionRow& function : c.module.functions()) {
    for (const auto& [i, view] : c.module.instructions(function.all)) {
      const DeviceNumber number = loaded(c, view);
      if (number == DeviceNumber::None || !c.soundness.is_sound(c.module.result_of(view))) continue;
      const std::uint16_t word = pointer_word(view.opcode);
      const auto offset = memory_offset(c, layouts, view.word(word));
      if (offset && is_heap(c, offset->root)) device.bound(number, offset->bytes, {i, word});
    }
  }
}

}  // namespace vireo::spirv
