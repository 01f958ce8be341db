// SPDX-License-Identifier: Apache-2.0
//
// Access chains whose indexes must be constant, or whose result must not be used further, in Vulkan: arrays of
// descriptors without the capability for dynamic indexes, and RowMajor matrices with physical addresses.
//
// Source: Vulkan, "Validation Rules Within a Module".
#include <algorithm>
#include <iterator>
#include <string_view>

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

struct DynamicIndexRow {
  DescriptorKind kind;
  Capability capability;
  Capability non_uniform;  ///< compilers declare it instead, although it does not imply the other
  std::uint16_t vuid;
  std::string_view descriptors;  ///< for the message
};
// clang-format off
constexpr DynamicIndexRow dynamic_index_rows[] = {
    {DescriptorKind::UniformBuffer, Capability::UniformBufferArrayDynamicIndexing,
     Capability::UniformBufferArrayNonUniformIndexing, 10127, "uniform buffers"},
    {DescriptorKind::SampledImage, Capability::SampledImageArrayDynamicIndexing,
     Capability::SampledImageArrayNonUniformIndexing, 10128, "sampled images or samplers"},
    {DescriptorKind::StorageBuffer, Capability::StorageBufferArrayDynamicIndexing,
     Capability::StorageBufferArrayNonUniformIndexing, 10129, "storage buffers"},
    {DescriptorKind::StorageImage, Capability::StorageImageArrayDynamicIndexing,
     Capability::StorageImageArrayNonUniformIndexing, 10130, "storage images"},
    {DescriptorKind::InputAttachment, Capability::InputAttachmentArrayDynamicIndexing,
     Capability::InputAttachmentArrayNonUniformIndexing, 10131, "input attachments"},
    {DescriptorKind::UniformTexelBuffer, Capability::UniformTexelBufferArrayDynamicIndexing,
     Capability::UniformTexelBufferArrayNonUniformIndexing, 10132, "uniform texel buffers"},
    {DescriptorKind::StorageTexelBuffer, Capability::StorageTexelBufferArrayDynamicIndexing,
     Capability::StorageTexelBufferArrayNonUniformIndexing, 10133, "storage texel buffers"},
};
// clang-format on

// Reports the first index that needs the capability; it is one fault. Indexes of the chains before this one were checked
// there.
void check_dynamic_index(const InstructionCheck& c) {
  const DescriptorAccess access = descriptor_of(c, c.result);
  if (access.indexes.empty() || is_heap(c, access.root)) return;
  const auto* const row = std::ranges::find(dynamic_index_rows, access.kind, &DynamicIndexRow::kind);
  if (row == std::end(dynamic_index_rows) || c.has(row->capability) || c.has(row->non_uniform)) return;
  for (const DescriptorIndex& index : access.indexes) {
    if (index.chain != c.index || c.is_constant(index.id)) continue;
    c.report_once(Rule::DynamicDescriptorIndex, {index.chain, index.word}, c.name_of(row->capability),
                  {index.id, row->descriptors, row->capability});
    c.vuid(row->vuid);
    note_pointer(c, access.root);
    hint_capability(c, row->capability);
    return;
  }
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
