// SPDX-License-Identifier: Apache-2.0
//
// The nodes of resources: the choice of a descriptor by each pointer.
//
// Indexes into a block or a descriptor select a part of it, so only the indexes before them choose the resource. OpSelect
// and OpPhi choose nothing if all their pointers name one descriptor.
//
// Source: the Vulkan appendix on SPIR-V, RuntimeSpirv-None-10148 and -subgroupSize-10149.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/module/uniformity/function_uniformity.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/relational_and_logical.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// The number of pointers among which a choice is made, and of the links of each. Beyond it, they may name several
/// resources.
constexpr std::size_t most_pointers = 32;

bool is_descriptor_storage(StorageClass storage) {
  return storage == StorageClass::UniformConstant || storage == StorageClass::Uniform ||
         storage == StorageClass::StorageBuffer || storage == StorageClass::Image;
}

}  // namespace

NodeIndex FunctionUniformity::resource_of(Word id) {
  if (!c_.types.of(c_.module.type_of(id)).is_pointer()) return node_of(id);
  const auto row = resources_.find(id);
  return row == resources_.end() ? uniform_node : row->second;
}

// The indexes of a chain into arrays of descriptors.
std::vector<Word> FunctionUniformity::descriptor_indexes(const AccessChain& chain) const {
  std::vector<Word> indexes;
  const TypeRow* type = walked_type(chain);
  const TypeRow& innermost = type->innermost();
  const bool is_block = innermost.is(TypeKind::Struct) && (c_.decorations.has(innermost.id, Decoration::Block) ||
                                                           c_.decorations.has(innermost.id, Decoration::BufferBlock));
  if (!is_block && !innermost.is_opaque()) return indexes;
  for (const Word index : chain.indexes) {
    if (!type->is_array()) break;
    indexes.push_back(index);
    type = &type->element_type();
  }
  return indexes;
}

// Whether all pointers name one descriptor. Pointers that OpSelect and OpPhi choose from are followed.
bool FunctionUniformity::name_one_resource(std::vector<Word> pointers) const {
  // The origin of a pointer, and the indexes from there: ids, or the values of constants.
  using Name = std::pair<Word, std::vector<std::pair<bool, std::uint64_t>>>;
  std::optional<Name> first;
  for (std::size_t p = 0; p < pointers.size(); ++p) {
    Name name{pointers[p], {}};
    InstructionView view = c_.module.find(name.first);
    for (std::size_t links = 0; links < most_pointers; ++links, view = c_.module.find(name.first)) {
      if (view.opcode == OpCopyObject) {
        name.first = View<OpCopyObject>(view).operand();
        continue;
      }
      const auto chain = access_chain(view);
      if (!chain) break;
      // From the last index to the first.
      std::vector<Word> indexes = descriptor_indexes(*chain);
      for (; !indexes.empty(); indexes.pop_back()) {
        const auto constant = c_.constants.as_u64(indexes.back());
        name.second.emplace_back(constant.has_value(), constant.value_or(indexes.back()));
      }
      name.first = chain->base;
    }
    const auto add = [&](Word pointer) {
      if (std::ranges::find(pointers, pointer) == pointers.end()) pointers.push_back(pointer);
    };
    const bool is_choice = view.opcode == OpSelect || view.opcode == OpPhi;
    if (is_choice && name.second.empty() && pointers.size() < most_pointers) {
      if (view.opcode == OpSelect) {
        add(View<OpSelect>(view).object_1());
        add(View<OpSelect>(view).object_2());
      } else {
        for (const PhiOperand pair : View<OpPhi>(view).variables()) add(pair.variable);
      }
    } else if (is_choice || (first && *first != name)) {
      return false;
    } else {
      first = std::move(name);
    }
  }
  return true;
}

// A pointer's choice of a descriptor: the indexes into arrays of descriptors, and the choice between pointers.
void FunctionUniformity::connect_resource(InstructionView view, LocalBlock b, NodeIndex value) {
  const TypeRow& result = c_.types.of(c_.module.type_of(view));
  if (!result.is_pointer() || !is_descriptor_storage(result.storage)) return;
  std::vector<NodeIndex> parts;
  std::uint16_t mask = every_plane;
  const auto add = [&](NodeIndex node) {
    const NodeIndex seen = control_.seen_from(node, b);
    if (seen != uniform_node) parts.push_back(seen);
  };
  if (view.opcode == OpPhi || view.opcode == OpVariable || view.opcode == OpUntypedVariableKHR) return;
  if (view.opcode == OpSelect) {
    const View<OpSelect> select(view);
    add(resource_of(select.object_1()));
    add(resource_of(select.object_2()));
    if (!name_one_resource({select.object_1(), select.object_2()})) add(node_of(select.condition()));
  } else if (view.opcode == OpCopyObject) {
    add(resource_of(View<OpCopyObject>(view).operand()));
  } else if (view.opcode == OpImageTexelPointer) {
    add(resource_of(View<OpImageTexelPointer>(view).image()));
  } else if (const auto chain = access_chain(view)) {
    add(resource_of(chain->base));
    for (const Word index : descriptor_indexes(*chain)) add(node_of(index));
  } else {
    // A pointer that is loaded or returned may differ in the element that it points to, or in the resource.
    add(value);
    mask = only_possible;
  }
  if (parts.empty()) return;
  NodeIndex resource = parts[0];
  if (parts.size() > 1 || mask != every_plane) {
    resource = graph_.add(NodeKind::Value, c_.module.definition(c_.module.result_of(view)), regions_.loop_of(b));
    for (const NodeIndex part : parts) graph_.connect(part, resource, mask);
  }
  resources_[c_.module.result_of(view)] = resource;
}

// The operands of a phi may be defined after it.
void FunctionUniformity::connect_pointer_phis() {
  for (const auto& [i, b] : pointer_phis_) {
    const InstructionView view = c_.module.instruction(i);
    const NodeIndex resource = resources_[c_.module.result_of(view)];
    std::vector<Word> pointers;
    for (const PhiOperand pair : View<OpPhi>(view).variables()) {
      graph_.connect(control_.seen_from(resource_of(pair.variable), b), resource);
      pointers.push_back(pair.variable);
    }
    if (!name_one_resource(std::move(pointers))) graph_.connect(control_.choice(b), resource);
  }
}

}  // namespace vireo::spirv
