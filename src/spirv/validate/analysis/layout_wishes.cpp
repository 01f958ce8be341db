// SPDX-License-Identifier: Apache-2.0
//
// Two steps (layout_wishes.h): references to memory are gathered, and what they wish is handed on to parts of types.
#include "spirv/validate/analysis/layout_wishes.h"

#include <algorithm>

#include "spirv/validate/analysis/pointers.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Places that are remainders of 16, all moved by a number of bytes: a rotation of the sixteen bits.
constexpr std::uint16_t shifted(std::uint16_t residues, std::uint64_t by) {
  const auto n = static_cast<unsigned>(by % vector_boundary);
  return n == 0 ? residues : static_cast<std::uint16_t>((residues << n) | (residues >> (vector_boundary - n)));
}

}  // namespace

LayoutWishes::LayoutWishes(const Context& context, const TypeLayouts& layouts)
    : context_(context), layouts_(layouts), wishes_(context.types.rows().size()) {
  gather();
  hand_on();
}

// --- references ---------------------------------------------------------------------------------------------------------

// Memory is reached through pointers alone, so the uses of pointer types lead to all that refers to it.
void LayoutWishes::gather() {
  for (const TypeRow& pointer : context_.types.rows()) {
    if (!pointer.is_pointer()) continue;
    for (const Use& use : context_.facts.uses().of(pointer.id)) {
      if (use.kind != UseKind::ResultType) continue;
      const InstructionView view = context_.module.instruction(use.instruction);
      pointer.is(TypeKind::Pointer) ? gather_typed(pointer, view, use.instruction)
                                    : gather_untyped(pointer, view, use.instruction);
    }
  }
}

void LayoutWishes::gather_typed(const TypeRow& pointer, InstructionView view, InstructionIndex index) {
  const Op op = view.opcode;
  // Other pointers come from variables; these come from addresses and descriptors.
  const bool is_origin = pointer.storage == StorageClass::PhysicalStorageBuffer || op == OpBufferPointerEXT;
  if (op != OpVariable && !is_origin) return;
  add({index, pointer.storage, pointer.element, op == OpVariable});
}

// An untyped pointer: each access says how the memory is laid out.
void LayoutWishes::gather_untyped(const TypeRow& pointer, InstructionView view, InstructionIndex index) {
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
  // Each result has one pointer type, so all uses of untyped pointers together are walked once.
  const Word result = context_.module.result_of(view);
  for (const Use& use : context_.facts.uses().of(result)) {
    const InstructionView user = context_.module.instruction(use.instruction);
    // A store names pointer and object, a length its type in front of the pointer.
    switch (user.opcode) {
      case OpLoad: add({use.instruction, pointer.storage, View<OpLoad>(user).result_type(), false}); break;
      case OpStore: {
        const View<OpStore> store(user);
        if (use.word != store.pointer().word) break;
        add({use.instruction, pointer.storage, context_.module.type_of(store.object()), false});
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

// The block is asked about only for Workgroup, where decorating it is what chooses explicit layout.
LayoutWishes::Need LayoutWishes::need_of(const Reference& reference, const TypeRow& block) const {
  switch (reference.storage) {
    case StorageClass::StorageBuffer:
    case StorageClass::Uniform:
    case StorageClass::PushConstant:
    case StorageClass::PhysicalStorageBuffer: return Need::Layout;
    case StorageClass::UniformConstant: return reference.is_variable ? Need::NoLayout : Need::Layout;  // a heap
    case StorageClass::Workgroup:
      if (!context_.has(Capability::WorkgroupMemoryExplicitLayoutKHR)) return Need::NoLayout;
      if (!reference.is_variable) return Need::Layout;
      return context_.decorations.has(block.id, Decoration::Block) ? Need::Layout : Need::NoLayout;
    case StorageClass::Function:
    // Compilers used one type for a buffer and for copies of it, until 1.4 had OpCopyLogical to go from one to the other.
    case StorageClass::Private: return context_.version() > Version{1, 4} ? Need::NoLayout : Need::None;
    default: return Need::None;
  }
}

// Features lift rules one by one; without any, uniform blocks keep GLSL's first layout and all else its second one.
LayoutRules LayoutWishes::rules_of(StorageClass storage, const TypeRow& block) const {
  if (context_.has(Feature::ScalarBlockLayout)) return LayoutRules::Scalar;
  if (storage == StorageClass::Workgroup && context_.has(Feature::WorkgroupScalarBlockLayout)) {
    return LayoutRules::Scalar;
  }
  // Which of the two it is meant to be that Vulkan wants, nobody knows: that was told of the variable.
  const bool is_unmarked = context_.is_vulkan() && !context_.decorations.has(block.id, Decoration::Block);
  const bool is_uniform_block = storage == StorageClass::Uniform && !is_unmarked &&
                                !context_.decorations.has(block.id, Decoration::BufferBlock) &&
                                !context_.has(Feature::UniformBufferStandardLayout);
  return is_uniform_block ? LayoutRules::Extended : LayoutRules::Base;
}

// What is referred to directly lies at the remainder 0; only parts of it come to lie elsewhere.
void LayoutWishes::add(const Reference& reference) {
  const TypeRow* type = context_.types.find(reference.type);
  if (type == nullptr || !type->is_aggregate()) return;
  const TypeRow& inner = without_arrays(context_, *type);
  // Arrays of blocks are descriptors, which have no addresses.
  const bool is_descriptors = reference.is_variable && (reference.storage == StorageClass::Uniform ||
                                                        reference.storage == StorageClass::StorageBuffer);
  if (is_descriptors) type = &inner;
  const Need need = need_of(reference, *type);
  const TypeIndex index = context_.types.index_of(type->id);
  if (need == Need::NoLayout) {
    // One decoration is enough to tell: that of the type, or the first that was found in its parts.
    if (const DecorationRow* row = layouts_.first_layout(index)) {
      forbidden_.push_back({reference.instruction, reference.storage, row});
    }
    return;
  }
  if (need == Need::None) return;
  LayoutWish& wish = wishes_[index.index()][static_cast<std::size_t>(rules_of(reference.storage, inner))];
  // The first who wants it is named, whoever is met first here: what is told must not depend on how types are
  // numbered.
  if (wish.residues == 0 || reference.instruction < wish.cause) wish.cause = reference.instruction;
  wish.residues = 1;
}

// --- parts --------------------------------------------------------------------------------------------------------------

void LayoutWishes::hand_on() {
  // A type is declared behind its parts, so by the time it is looked at all wishes for it are there: one pass,
  // however types share their parts.
  for (std::size_t i = wishes_.size(); i-- > 0;) {
    const TypeIndex index(i);
    const TypeRow& type = context_.types.row(index);
    for (std::size_t rules = 0; rules < layout_rules_count; ++rules) {
      const LayoutWish wish = wishes_[i][rules];
      if (wish.residues == 0) continue;
      for (const MemberLayout& member : layouts_.members(index)) {
        // Where specialization puts a part nobody knows, nor whether it is there to be laid out.
        if (member.offset.state == LayoutNumber::State::Unknown) continue;
        give(index, member.type, rules,
             {shifted(wish.residues, member.offset.is_known() ? member.offset.value : 0), wish.cause});
      }
      if (!type.is_array()) continue;
      // Strides are added to the place again and again: after sixteen times every remainder has come that ever will.
      std::uint16_t all = wish.residues;
      const LayoutNumber& stride = layouts_.array(index).stride;
      const std::uint64_t count =
          type.is(TypeKind::RuntimeArray) ? vector_boundary : context_.constants.as_u64(type.length).value_or(1);
      for (std::uint64_t k = 1; k < std::min(count, vector_boundary) && stride.is_known(); ++k) {
        all |= shifted(wish.residues, k * (stride.value % vector_boundary));
      }
      give(index, type.element, rules, {all, wish.cause});
    }
  }
}

// A part takes over what is wanted of the whole. Of causes the smallest index wins, so that the one who is named does
// not depend on the way by which a wish came.
void LayoutWishes::give(TypeIndex whole, Word part, std::size_t rules, const LayoutWish& wish) {
  const TypeIndex index = context_.types.index_of(part);
  if (index.is_none() || index >= whole) return;  // reported elsewhere
  LayoutWish& mine = wishes_[index.index()][rules];
  if (mine.residues == 0 || wish.cause < mine.cause) mine.cause = wish.cause;
  mine.residues |= wish.residues;
}

}  // namespace vireo::spirv
