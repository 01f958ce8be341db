// SPDX-License-Identifier: Apache-2.0
//
// Origins of pointers. Nothing recurses: chains go from a definition to an earlier one.
#include "spirv/validate/pointers.h"

#include "spirv/validate/by_opcode.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Where the pointer stands that an instruction goes on from; 0: it is an origin itself.
struct Step {
  Op opcode;
  std::size_t word;
};
constexpr Step step_rows[] = {
    {OpAccessChain, 3},
    {OpInBoundsAccessChain, 3},
    {OpPtrAccessChain, 3},
    {OpInBoundsPtrAccessChain, 3},
    {OpUntypedAccessChainKHR, 4},
    {OpUntypedInBoundsAccessChainKHR, 4},
    {OpUntypedPtrAccessChainKHR, 4},
    {OpUntypedInBoundsPtrAccessChainKHR, 4},
    {OpRawAccessChainNV, 3},
    {OpImageTexelPointer, 3},
    {OpCopyObject, 3},
    {OpCopyLogical, 3},
};
// Looked up by opcode at each step: chains are walked for many loads and stores.
constexpr auto steps = by_opcode(step_rows);

// 2.16.1: which instructions make pointers in the logical addressing model; below, which more do with variable
// pointers.
constexpr Op logical_pointers[] = {
    OpVariable,
    OpUntypedVariableKHR,
    OpFunctionParameter,
    OpImageTexelPointer,
    OpUntypedImageTexelPointerEXT,
    OpCopyObject,
    OpAccessChain,
    OpInBoundsAccessChain,
    OpUntypedAccessChainKHR,
    OpUntypedInBoundsAccessChainKHR,
    OpRawAccessChainNV,
    OpAllocateNodePayloadsAMDX,
    OpBufferPointerEXT,
};
constexpr Op variable_pointers[] = {
    OpSelect,
    OpPhi,
    OpFunctionCall,
    OpPtrAccessChain,
    OpInBoundsPtrAccessChain,
    OpUntypedPtrAccessChainKHR,
    OpUntypedInBoundsPtrAccessChainKHR,
    OpLoad,
    OpConstantNull,
};

}  // namespace

// With addresses any value of a pointer type is one; without them a pointer has to be traceable to a variable.
bool gives_pointer(const Context& context, Word id) {
  if (context.preamble.addressing_model() != AddressingModel::Logical) return true;
  const Op op = context.op_of(id);
  if (is_one_of(logical_pointers, op)) return true;
  return context.has(Capability::VariablePointersStorageBuffer) && is_one_of(variable_pointers, op);
}

// Each step goes to an earlier instruction, so the walk ends; it is as long as the chain that the module writes down.
Word origin_of(const Context& context, Word pointer) {
  InstructionIndex at = context.module.definition(pointer);
  while (!at.is_none()) {
    const InstructionView view = context.module.instruction(at);
    const Step* step = find_row(steps, static_cast<Op>(view.opcode));
    if (step == nullptr || step->word >= view.word_count) break;
    const Word next = view.word(step->word);
    const InstructionIndex definition = context.module.definition(next);
    // Definitions stand in front of uses; what does not is reported elsewhere, and would go round in circles.
    if (definition.is_none() || definition >= at) break;
    at = definition;
    pointer = next;
  }
  return pointer;
}

// Memory that others see, too: the API, other stages, other invocations by an address.
bool has_explicit_layout(const Context& context, StorageClass storage) {
  switch (storage) {
    case StorageClass::Uniform:
    case StorageClass::StorageBuffer:
    case StorageClass::PhysicalStorageBuffer:
    case StorageClass::PushConstant:
    case StorageClass::ShaderRecordBufferKHR: return true;
    case StorageClass::Workgroup: return context.has(Capability::WorkgroupMemoryExplicitLayoutKHR);
    default: return false;
  }
}

bool is_block(const Context& context, Word type) {
  return context.decorations.has(type, Decoration::Block) || context.decorations.has(type, Decoration::BufferBlock);
}

bool is_block_array(const Context& context, Word type) {
  const TypeRow& array = context.types.of(type);
  return array.is_array() && is_block(context, array.element);
}

// An array is declared behind its element, so this ends after as many steps as there are levels.
const TypeRow& without_arrays(const Context& context, const TypeRow& type) {
  const TypeRow* inner = &type;
  while (inner->is_array() && !inner->element_row.is_none()) inner = &context.types.row(inner->element_row);
  return *inner;
}

}  // namespace vireo::spirv
