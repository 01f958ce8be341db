// SPDX-License-Identifier: Apache-2.0
//
// Access chains whose indexes must be constant, or whose result must not be used further, in Vulkan: arrays of
// descriptors without the capability for dynamic indexes, and RowMajor matrices with physical addresses.
//
// Source: Vulkan, "Validation Rules Within a Module".
#include "spirv/grammar/opcode_families.h"
#include "spirv/validate/analysis/access_path.h"
#include "spirv/validate/analysis/descriptor_access.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- arrays of descriptors -------------------------------------------------------------------------------------------

// A variable is one descriptor or an array of descriptors, which may be nested. The leading indexes of the access chains
// select one of them; further indexes select a part of its block. Reports the first index that needs the capability; it
// is one fault. The indexes of chains before this one were checked there.
void check_dynamic_index(const InstructionCheck& c) {
  const StorageClass storage = c.type_of(c.result).storage;
  if (!is_one_of({StorageClass::UniformConstant, StorageClass::Uniform, StorageClass::StorageBuffer}, storage)) return;
  // Most chains have only constant indexes. Then the path need not be found.
  const auto chain = access_chain(c.view);
  if (!chain) return;
  bool is_constant = true;
  for (const Word index : chain->indexes) is_constant = is_constant && c.is_constant(index);
  if (is_constant) return;
  const AccessPath path = access_path(c, c.result);
  if (is_heap(c, path.root)) return;
  DescriptorKind kind = DescriptorKind::None;
  walk_path(c, path, [&](const TypeRow& type, auto index, InstructionIndex at) {
    const DescriptorKind own = descriptor_kind(c, type.innermost(), storage);
    if (kind == DescriptorKind::None) kind = own;
    const DescriptorIndexing* row = indexing_of(kind);
    // An array within a block has elements of another kind. Compilers declare the second capability instead of the
    // first one, although it does not imply it.
    const bool is_descriptor_array = type.is_array() && row != nullptr && own == kind;
    if (!is_descriptor_array || c.has(row->dynamic) || c.has(row->non_uniform)) return false;
    if (at != c.index || c.is_constant(index)) return true;
    c.report_once(Rule::DynamicDescriptorIndex, c.at(index), c.name_of(row->dynamic),
                  {index, row->plural, row->dynamic});
    c.vuid(row->dynamic_vuid);
    note_pointer(c, path.root);
    hint_capability(c, row->dynamic);
    return false;
  });
}

// --- RowMajor matrices -----------------------------------------------------------------------------------------------

// Whether an index of the chains selects a column or component of a RowMajor matrix.
bool is_in_row_major(const ModuleCheck& c, Word pointer) {
  bool is_row_major = false, is_inside = false;
  walk_path(c, access_path(c, pointer), [&](const TypeRow& type, Word index, InstructionIndex) {
    if (type.is(TypeKind::Struct)) {
      const auto member = c.constants.as_u64(index, ValueUse::OrDefault);
      is_row_major = member && c.decorations.has(type.id, static_cast<Word>(*member), Decoration::RowMajor);
    }
    is_inside = is_inside || (is_row_major && type.is(TypeKind::Matrix));
    return !is_inside;
  });
  return is_inside;
}

// Whether the use is the pointer of a load or store.
bool is_plain_access(const ModuleCheck& c, const Use& use, Word pointer) {
  const InstructionView view = c.module.instruction(use.instruction);
  if (const auto load = as<OpLoad>(view)) return true;
  const auto store = as<OpStore>(view);
  return store && Word{store->pointer()} == pointer && Word{store->object()} != pointer;
}

void check_row_major(const InstructionCheck& c) {
  if (c.module_declarations.addressing_model() != AddressingModel::PhysicalStorageBuffer64) return;
  if (!is_in_row_major(c, c.result)) return;
  for (const Use& use : c.facts.uses().of(c.result)) {
    const Op op = c.module.instruction(use.instruction).opcode;
    if (use.kind != UseKind::Operand || is_extended(op) || is_plain_access(c, use, c.result)) continue;
    c.report(Rule::RowMajorChain, {use.instruction, use.word}, {op, c.result});
    c.note(c.at(), "access chain into the matrix");
  }
}

void check_indexed_chain(const InstructionCheck& c) {
  if (!c.is_vulkan()) return;
  check_dynamic_index(c);
  check_row_major(c);
}

}  // namespace

std::span<const Check> descriptor_index_checks() {
  static constexpr Check checks[] = {
      {{OpAccessChain, OpInBoundsAccessChain, OpPtrAccessChain, OpInBoundsPtrAccessChain, OpUntypedAccessChainKHR,
        OpUntypedInBoundsAccessChainKHR, OpUntypedPtrAccessChainKHR, OpUntypedInBoundsPtrAccessChainKHR},
       check_indexed_chain},
  };
  return checks;
}

}  // namespace vireo::spirv
