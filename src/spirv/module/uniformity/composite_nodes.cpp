// SPDX-License-Identifier: Apache-2.0
//
// The edges of composite values: what their parts depend on.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/module/uniformity/function_uniformity.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// The number of instructions by which an element of a composite value is traced.
constexpr std::size_t most_traced = 16;

}  // namespace

// Several values together: each part of the result differs only if each of them does.
void FunctionUniformity::connect_construct(InstructionView view, LocalBlock b, NodeIndex to) {
  const auto parts = View<OpCompositeConstruct>(view).constituents();
  std::vector<NodeIndex> nodes;
  for (const Word part : parts) nodes.push_back(use(part, b));
  graph_.connect_parts(nodes, to);
}

// The result may have only components that are uniform. If their definitions are known, it is as if it were constructed.
void FunctionUniformity::connect_shuffle(InstructionView view, LocalBlock b, NodeIndex to) {
  const View<OpVectorShuffle> shuffle(view);
  std::vector<NodeIndex> parts;
  const std::size_t size = shuffle.components().size();
  for (std::uint32_t i = 0; i < size && size <= most_traced; ++i) {
    const auto [node, mask] = element_of(shuffle.result(), i, b);
    if (mask == every_plane) parts.push_back(node);
  }
  if (parts.size() == size) return graph_.connect_parts(parts, to);
  const std::uint64_t count = c_.types.of(c_.module.type_of(c_.module.find(shuffle.vector_1()))).count;
  bool has_first = false, has_second = false;
  for (const Word component : shuffle.components()) (component < count ? has_first : has_second) = true;
  const bool is_one = !has_first || !has_second || shuffle.vector_1() == shuffle.vector_2();
  if (has_first) graph_.connect(use(shuffle.vector_1(), b), to, is_one ? of_one_part : only_possible);
  if (has_second) graph_.connect(use(shuffle.vector_2(), b), to, is_one ? of_one_part : only_possible);
}

std::pair<NodeIndex, std::uint16_t> FunctionUniformity::element_of(Word composite, std::uint32_t element,
                                                                   LocalBlock b) {
  for (std::size_t links = 0; links < most_traced; ++links) {
    const InstructionView view = c_.module.find(composite);
    if (!row_->all.contains(c_.module.definition(composite))) break;
    if (view.opcode == OpCompositeConstruct) {
      const auto parts = View<OpCompositeConstruct>(view).constituents();
      if (parts.size() == c_.types.of(c_.module.type_of(view)).count) {
        if (element >= parts.size()) break;
        return {use(parts[element], b), every_plane};
      }
      // A vector that is constructed from vectors.
      if (parts.size() > most_traced) break;
      Word found = 0;
      for (const Word part : parts) {
        const TypeRow& type = c_.types.of(c_.module.type_of(part));
        const auto count = type.is(TypeKind::Vector) ? static_cast<std::uint32_t>(type.count) : 1;
        if (element < count) {
          if (!type.is(TypeKind::Vector)) return {use(part, b), every_plane};
          found = part;
          break;
        }
        element -= count;
      }
      if (found == 0) break;
      composite = found;
      continue;
    }
    if (view.opcode == OpCompositeInsert) {
      const View<OpCompositeInsert> insert(view);
      if (insert.indexes().empty()) break;
      if (insert.indexes()[0] == element) {
        // The element, or a part of it.
        if (insert.indexes().size() == 1) return {use(insert.object(), b), every_plane};
        break;
      }
      composite = insert.composite();
      continue;
    }
    if (view.opcode == OpVectorShuffle) {
      const View<OpVectorShuffle> shuffle(view);
      if (element >= shuffle.components().size()) break;
      const Word component = shuffle.components()[element];
      const auto count = static_cast<Word>(c_.types.of(c_.module.type_of(shuffle.vector_1())).count);
      composite = component < count ? shuffle.vector_1() : shuffle.vector_2();
      element = component < count ? component : component - count;
      continue;
    }
    if (view.opcode == OpCopyObject || view.opcode == OpCopyLogical) {
      composite = named_operand(view, OperandName::operand);
      continue;
    }
    if (view.opcode != OpLoad) break;
    if (const auto row = elements_.find(node_of(composite)); row != elements_.end()) {
      if (element >= row->second.size()) break;
      return {control_.seen_from(row->second[element], b), every_plane};
    }
    const Word object = object_of(node_of(composite));
    if (object == 0) break;
    composite = object;
  }
  return {use(composite, b), of_one_part};
}

void FunctionUniformity::connect_extract(InstructionView view, LocalBlock b, NodeIndex to) {
  const View<OpCompositeExtract> extract(view);
  if (extract.indexes().empty()) return graph_.connect(use(extract.composite(), b), to);
  const auto [node, mask] = element_of(extract.composite(), extract.indexes()[0], b);
  graph_.connect(node, to, extract.indexes().size() == 1 ? mask : of_one_part);
}

}  // namespace vireo::spirv
