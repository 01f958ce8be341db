// SPDX-License-Identifier: Apache-2.0
//
// Implements the queries of pointers.h: instructions that produce pointers, origins and pointees of pointers, and
// storage classes with explicit layout.
#include "spirv/validate/analysis/pointers.h"

#include <fmt/format.h>

#include "spirv/binary/access_chain.h"
#include "spirv/validate/analysis/fixes.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/conversion.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// 2.16.1: the instructions that produce pointers in the logical addressing model, and those that variable pointers add.
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

// Returns the base pointer of an instruction; 0 if its result is an origin.
Word base_of(InstructionView view, Through through) {
  if (view.opcode == OpCopyObject) return View<OpCopyObject>(view).operand();
  if (through == Through::Copies) return 0;
  if (through == Through::Casts) {
    if (view.opcode == OpBitcast) return View<OpBitcast>(view).operand();
    if (const auto cast = as<OpPtrCastToGeneric>(view)) return cast->pointer();
    if (const auto cast = as<OpGenericCastToPtr>(view)) return cast->pointer();
  }
  if (const auto copy = as<OpCopyLogical>(view)) return copy->operand();
  if (const auto texel = as<OpImageTexelPointer>(view)) return texel->image();
  if (const auto chain = as<OpRawAccessChainNV>(view)) return chain->base();
  const auto chain = access_chain(view);
  return chain ? Word{chain->base} : Word{0};
}

}  // namespace

Word origin_of(const ModuleCheck& c, Word pointer, Through through) {
  // The nesting of access chains follows the source structures, so the first steps do not count against the budget.
  constexpr std::uint64_t free_steps = 16;
  InstructionIndex at = c.module.definition(pointer);
  for (std::uint64_t step = 1; !at.is_none(); ++step) {
    const Word from = base_of(c.module.instruction(at), through);
    if (from == 0) break;
    const InstructionIndex base = c.module.definition(from);
    // Another check reports a definition that does not precede its use. Here it could form a cycle, so tracing stops.
    if (base.is_none() || base >= at) break;
    if (step % free_steps == 0 && !c.budget.spend(free_steps)) return 0;
    pointer = from;
    at = base;
  }
  return pointer;
}

void note_pointer(const ModuleCheck& c, Word pointer) {
  // Chains in real modules are short. A note need not find the variable, so the steps do not use the budget.
  constexpr int most_steps = 16;
  InstructionIndex at = c.module.definition(pointer);
  if (at.is_none()) return;
  for (int step = 0; step < most_steps; ++step) {
    const Word from = base_of(c.module.instruction(at), Through::Chains);
    const InstructionIndex base = from == 0 ? InstructionIndex::none() : c.module.definition(from);
    if (base.is_none() || base >= at) break;
    pointer = from;
    at = base;
  }
  const Op op = c.module.instruction(at).opcode;
  const std::string text = id_text(c, pointer);
  c.note({at, 0}, is_variable(op)             ? fmt::format("variable {} declared here", text)
                  : op == OpFunctionParameter ? fmt::format("parameter {} declared here", text)
                                              : fmt::format("{} defined here", text));
}

// In the logical addressing model, a pointer must be traceable to a variable. In other models, any instruction may
// produce a pointer.
bool gives_pointer(const ModuleCheck& c, Word id) {
  if (c.module_declarations.addressing_model() != AddressingModel::Logical) return true;
  const Op op = c.op_of(id);
  if (is_one_of(logical_pointers, op)) return true;
  return c.has(Capability::VariablePointersStorageBuffer) && is_one_of(variable_pointers, op);
}

bool makes_variable_pointer(Op op) { return is_one_of(variable_pointers, op); }

std::optional<MissingRequirement> missing_for_variable_pointer(const ModuleCheck& c, StorageClass storage,
                                                               std::string_view other_storage) {
  const std::optional<Capability> capability = variable_pointer_capability(storage);
  if (!capability) return MissingRequirement{.capability = {}, .expected = other_storage};
  if (c.has(*capability)) return std::nullopt;
  return MissingRequirement{.capability = capability};
}

std::string missing_text(const ModuleCheck& c, const MissingRequirement& missing) {
  return missing.capability ? fmt::format("this requires capability {}", enumerant_text(c, *missing.capability))
                            : fmt::format("expected {}", missing.expected);
}

void hint_missing(const ModuleCheck& c, const MissingRequirement& missing) {
  if (missing.capability) hint_capability(c, *missing.capability);
}

std::string variable_pointer_text(const ModuleCheck& c, StorageClass storage) {
  const std::optional<Capability> capability = variable_pointer_capability(storage);
  return capability ? fmt::format(" without capability {}", enumerant_text(c, *capability))
                    : "; only pointers in StorageBuffer and Workgroup can be variable pointers";
}

void hint_variable_pointers(const ModuleCheck& c, StorageClass storage) {
  if (const auto capability = variable_pointer_capability(storage)) hint_capability(c, *capability);
}

const TypeRow* pointee_of(const ModuleCheck& c, Word pointer) {
  const TypeRow* type = c.find_type_of(pointer);
  if (type == nullptr || !type->is_pointer() || !c.soundness.is_sound(pointer)) return nullptr;
  const auto sound = [&](Word id) { return c.soundness.is_sound_type(id) ? c.types.find(id) : nullptr; };
  if (type->is(TypeKind::Pointer)) return sound(type->element);
  const auto variable = as<OpUntypedVariableKHR>(c.module.find(pointer));
  const auto data_type = variable ? variable->data_type() : std::nullopt;
  return data_type ? sound(*data_type) : nullptr;
}

// Storage classes that code outside the module can access: the API, other stages, or code that has the address.
bool has_explicit_layout(const ModuleCheck& c, StorageClass storage) {
  switch (storage) {
    case StorageClass::Uniform:
    case StorageClass::StorageBuffer:
    case StorageClass::PhysicalStorageBuffer:
    case StorageClass::PushConstant:
    case StorageClass::ShaderRecordBufferKHR: return true;
    case StorageClass::Workgroup: return c.has(Capability::WorkgroupMemoryExplicitLayoutKHR);
    default: return false;
  }
}

bool is_block(const ModuleCheck& c, Word type) {
  return c.decorations.has(type, Decoration::Block) || c.decorations.has(type, Decoration::BufferBlock);
}

bool is_uniform_block(const ModuleCheck& c, Word pointer) {
  if (c.type_of(pointer).storage != StorageClass::Uniform) return false;
  // The structure of the variable has the decoration, so access chains are traced back to the variable.
  const Word origin = origin_of(c, pointer);
  const TypeRow* held = is_variable(c.op_of(origin)) ? pointee_of(c, origin) : nullptr;
  return held != nullptr && c.decorations.has(held->innermost().id, Decoration::Block);
}

bool is_block_array(const ModuleCheck& c, Word type) {
  const TypeRow& array = c.types.of(type);
  return array.is_array() && is_block(c, array.element);
}

bool contains_block_array(const ModuleCheck& c, Word type) {
  const TypeRow& array = c.types.of(type);
  return array.is_array() && is_block(c, array.innermost().id);
}

bool is_heap(const ModuleCheck& c, Word variable) {
  const DecorationRow* row = c.decorations.find(variable, Decoration::BuiltIn);
  return row != nullptr && is_heap(static_cast<BuiltIn>(c.decorations.operand_or(*row, 0)));
}

}  // namespace vireo::spirv
