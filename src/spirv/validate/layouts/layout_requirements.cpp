// SPDX-License-Identifier: Apache-2.0
//
// Collects the references to memory, and then propagates their layout requirements to the parts of types
// (layout_requirements.h).
#include "spirv/validate/layouts/layout_requirements.h"

#include <algorithm>

#include "spirv/validate/analysis/pointers.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Adds a number of bytes to each remainder of a set: a rotation of the sixteen bits.
constexpr std::uint16_t shifted(std::uint16_t residues, std::uint64_t by) {
  const auto n = static_cast<unsigned>(by % vector_boundary);
  return n == 0 ? residues : static_cast<std::uint16_t>((residues << n) | (residues >> (vector_boundary - n)));
}

// Returns the size of a handle in bytes if handles are integers (SPV_NV_bindless_texture), else 0.
std::uint64_t handle_bytes(const ModuleCheck& c) {
  if (!c.has(Capability::BindlessTextureNV)) return 0;
  const auto views = c.module.views(c.module.section(Section::MemoryModel));
  for (const InstructionView view : views) {
    if (const auto mode = as<Op::OpSamplerImageAddressingModeNV>(view)) return mode->bit_width() / 8;
  }
  return 0;
}

// Whether an offset or stride is a multiple of the alignment of a type. True if the alignment is unknown.
bool is_aligned(const LayoutNumber& number, const Extent& extent, std::size_t rules) {
  if (!extent.is_known) return true;
  const std::uint64_t unit = extent.aligned(static_cast<LayoutRules>(rules));
  return unit == 0 || number.value % unit == 0;
}

}  // namespace

// The options state the size of a descriptor in a heap. If they do not, the size is 0 and the alignment 1.
TypeLayouts explicit_layouts(const ModuleCheck& c) {
  const std::uint64_t handle = handle_bytes(c);
  const auto of = [](const DescriptorLayout& layout) {
    Extent extent = scalar_extent(layout.alignment);
    extent.size = layout.size;
    return extent;
  };
  const auto or_handle = [&](const DescriptorLayout& layout) {
    return handle != 0 ? scalar_extent(handle) : of(layout);
  };
  return {c.facts,
          LayoutKind::Exact,
          {.image = or_handle(c.options.image_descriptor),
           .sampler = or_handle(c.options.sampler_descriptor),
           .tensor = of(c.options.tensor_descriptor),
           .buffer = of(c.options.buffer_descriptor)}};
}

LayoutRequirements::LayoutRequirements(const ModuleCheck& c, const TypeLayouts& layouts)
    : c_(c), layouts_(layouts), requirements_(c.types.rows().size()) {
  gather();
  propagate();
}

// --- references ------------------------------------------------------------------------------------------------------

// All memory accesses use pointers, so the uses of pointer types include all references to memory.
void LayoutRequirements::gather() {
  for (const TypeRow& pointer : c_.types.rows()) {
    if (!pointer.is_pointer()) continue;
    for (const Use& use : c_.facts.uses().of(pointer.id)) {
      if (use.kind != UseKind::ResultType) continue;
      const InstructionView view = c_.module.instruction(use.instruction);
      pointer.is(TypeKind::Pointer) ? gather_typed(pointer, view, use.instruction)
                                    : gather_untyped(pointer, view, use.instruction);
    }
  }
}

void LayoutRequirements::gather_typed(const TypeRow& pointer, InstructionView view, InstructionIndex index) {
  const Op op = view.opcode;
  // These pointers come from addresses and descriptors. Pointers in other storage classes come from variables.
  const bool is_origin = pointer.storage == StorageClass::PhysicalStorageBuffer || op == OpBufferPointerEXT;
  if (op != OpVariable && !is_origin) return;
  // The storage class of an unsound variable is unknown.
  if (op == OpVariable && !c_.soundness.is_sound(c_.module.result_of(view))) return;
  add({index, pointer.storage, pointer.element, op == OpVariable});
}

// An untyped pointer has no pointee type, so each access states the type that is in memory.
void LayoutRequirements::gather_untyped(const TypeRow& pointer, InstructionView view, InstructionIndex index) {
  switch (view.opcode) {
    case OpUntypedVariableKHR:
      if (const auto type = View<OpUntypedVariableKHR>(view).data_type()) add({index, pointer.storage, *type, true});
      break;
    case OpUntypedAccessChainKHR:
    case OpUntypedInBoundsAccessChainKHR:
    case OpUntypedPtrAccessChainKHR:
    case OpUntypedInBoundsPtrAccessChainKHR:
      add({index, pointer.storage, view.word(word_of(view.opcode, OperandName::base_type)), false});
      break;
    default: break;
  }
  // Each pointer has one type, so the uses of all untyped pointers are visited once in total.
  const Word result = c_.module.result_of(view);
  for (const Use& use : c_.facts.uses().of(result)) {
    const InstructionView user = c_.module.instruction(use.instruction);
    // The result may also be another operand: the object of OpStore. Only a use as the pointer operand is an access.
    switch (user.opcode) {
      case OpLoad: add({use.instruction, pointer.storage, View<OpLoad>(user).result_type(), false}); break;
      case OpStore: {
        const View<OpStore> store(user);
        if (use.word != store.pointer().word) break;
        add({use.instruction, pointer.storage, c_.module.type_of(store.object()), false});
        break;
      }
      case OpUntypedArrayLengthKHR: {
        const View<OpUntypedArrayLengthKHR> length(user);
        if (use.word == length.pointer().word) add({use.instruction, pointer.storage, length.structure(), false});
        break;
      }
      default: break;
    }
  }
}

// `block` is used only for Workgroup, where the Block decoration selects explicit layout.
LayoutRequirements::Need LayoutRequirements::need_of(const Reference& reference, const TypeRow& block) const {
  switch (reference.storage) {
    case StorageClass::StorageBuffer:
    case StorageClass::Uniform:
    case StorageClass::PushConstant:
    case StorageClass::PhysicalStorageBuffer: return Need::Layout;
    case StorageClass::UniformConstant: return reference.is_variable ? Need::NoLayout : Need::Layout;  // a heap
    case StorageClass::Workgroup:
      if (!c_.has(Capability::WorkgroupMemoryExplicitLayoutKHR)) return Need::NoLayout;
      if (!reference.is_variable) return Need::Layout;
      return c_.decorations.has(block.id, Decoration::Block) ? Need::Layout : Need::NoLayout;
    case StorageClass::Function:
    // Before OpCopyLogical (1.4), compilers used one type for a buffer and for copies of it.
    case StorageClass::Private: return c_.version() > Version{1, 4} ? Need::NoLayout : Need::None;
    default: return Need::None;
  }
}

// Each feature relaxes some rules. Without features, uniform blocks follow the std140 rules of GLSL, and all other
// types the std430 rules.
LayoutRules LayoutRequirements::rules_of(StorageClass storage, const TypeRow& block) const {
  if (c_.has(Feature::ScalarBlockLayout)) return LayoutRules::Scalar;
  if (storage == StorageClass::Workgroup && c_.has(Feature::WorkgroupScalarBlockLayout)) { return LayoutRules::Scalar; }
  // Vulkan requires Block or BufferBlock. Without either, the intended rules are unknown, so the weaker ones apply.
  const bool is_unmarked = c_.is_vulkan() && !c_.decorations.has(block.id, Decoration::Block);
  const bool is_uniform_block = storage == StorageClass::Uniform && !is_unmarked &&
                                !c_.decorations.has(block.id, Decoration::BufferBlock) &&
                                !c_.has(Feature::UniformBufferStandardLayout);
  return is_uniform_block ? LayoutRules::Extended : LayoutRules::Base;
}

// The referenced type itself has the remainder 0. Only its parts may have other remainders.
void LayoutRequirements::add(const Reference& reference) {
  const TypeRow* type = c_.types.find(reference.type);
  if (type == nullptr || !type->is_aggregate()) return;
  const TypeRow& inner = type->innermost();
  // Each element of an array of blocks has a separate descriptor, so the array itself has no layout. An untyped access
  // may state such an array as well, as the type of the variable that it accesses. OpBufferPointerEXT points to the
  // memory of one descriptor.
  const bool is_of_buffers =
      reference.storage == StorageClass::Uniform || reference.storage == StorageClass::StorageBuffer;
  const bool is_of_one = c_.module.instruction(reference.instruction).opcode == OpBufferPointerEXT;
  if (is_of_buffers && (reference.is_variable || (is_block(c_, inner.id) && !is_of_one))) type = &inner;
  const Need need = need_of(reference, *type);
  const TypeIndex index = c_.types.index_of(type->id);
  if (need == Need::NoLayout) {
    // Only one decoration is reported: the one on the type, or the first one on its parts.
    if (const DecorationRow* row = layouts_.first_layout(index)) {
      forbidden_.push_back({reference.instruction, reference.storage, row});
    }
    return;
  }
  if (need == Need::None) return;
  LayoutRequirement& requirement =
      requirements_[index.index()][static_cast<std::size_t>(rules_of(reference.storage, inner))];
  // The cause is the first reference in the module, so that the message does not depend on the order of the types.
  if (requirement.residues == 0 || reference.instruction < requirement.cause) requirement.cause = reference.instruction;
  requirement.residues = 1;
}

// --- parts -----------------------------------------------------------------------------------------------------------

void LayoutRequirements::propagate() {
  // A type is declared after its parts. In reverse order, all requirements on a type are complete before it is visited,
  // so one pass is enough.
  for (std::size_t i = requirements_.size(); i-- > 0;) {
    const TypeIndex index(i);
    const TypeRow& type = c_.types.row(index);
    for (std::size_t rules = 0; rules < layout_rules_count; ++rules) {
      const LayoutRequirement requirement = requirements_[i][rules];
      if (requirement.residues == 0) continue;
      for (const MemberLayout& member : layouts_.members(index)) {
        // If specialization determines the offset of a member, its remainders are unknown.
        if (member.offset.state == LayoutNumber::State::Unknown) continue;
        // A misaligned offset has its own finding, so the member counts as aligned: its parts are not at fault.
        const bool is_known = member.offset.is_known() && is_aligned(member.offset, layouts_.extent(member), rules);
        add_to_part(index, member.type, rules,
                    {shifted(requirement.residues, is_known ? member.offset.value : 0), requirement.cause});
      }
      if (!type.is_array()) continue;
      // Each element adds the stride to the remainders. After sixteen elements the remainders repeat.
      std::uint16_t all = requirement.residues;
      const LayoutNumber& stride = layouts_.array(index).stride;
      const std::uint64_t count =
          type.is(TypeKind::RuntimeArray) ? vector_boundary : c_.constants.as_u64(type.length).value_or(1);
      // The same applies to a misaligned stride.
      const bool is_known = stride.is_known() && is_aligned(stride, layouts_.extent(index), rules);
      for (std::uint64_t k = 1; k < std::min(count, vector_boundary) && is_known; ++k) {
        all |= shifted(requirement.residues, k * (stride.value % vector_boundary));
      }
      add_to_part(index, type.element, rules, {all, requirement.cause});
    }
  }
}

// Adds the requirement of a type to one of its parts. The cause with the smallest index is kept, so that the cause does
// not depend on the order of propagation.
void LayoutRequirements::add_to_part(TypeIndex whole, Word part, std::size_t rules,
                                     const LayoutRequirement& requirement) {
  const TypeIndex index = c_.types.index_of(part);
  if (index.is_none() || index >= whole) return;  // not declared before the whole
  LayoutRequirement& merged = requirements_[index.index()][rules];
  if (merged.residues == 0 || requirement.cause < merged.cause) merged.cause = requirement.cause;
  merged.residues |= requirement.residues;
}

}  // namespace vireo::spirv
