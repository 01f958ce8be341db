// SPDX-License-Identifier: Apache-2.0
//
// Byte offsets of pointers (memory_offset.h).
#include "spirv/validate/layouts/memory_offset.h"

#include <algorithm>

#include "spirv/validate/analysis/access_path.h"

namespace vireo::spirv {
namespace {

// The bytes before the part that an index selects. Columns of matrices are unknown: their stride belongs to the member.
std::optional<std::uint64_t> offset_of(const ModuleCheck& c, const TypeLayouts& layouts, const TypeRow& type,
                                       Word index) {
  const auto number = c.constants.as_u64(index);
  if (!number) return std::nullopt;
  const TypeIndex row = c.types.index_of(type.id);
  if (type.is(TypeKind::Struct)) {
    const auto members = layouts.members(row);
    if (*number >= members.size() || !members[*number].offset.is_known()) return std::nullopt;
    return members[*number].offset.value;
  }
  if (type.is_array()) {
    const LayoutNumber& stride = layouts.array(row).stride;
    if (!stride.is_known()) return std::nullopt;
    return bounded_product(*number, stride.value);
  }
  if (!type.is_vector()) return std::nullopt;
  return bounded_product(*number, type.component().width / 8);
}

}  // namespace

std::optional<MemoryOffset> memory_offset(const ModuleCheck& c, const TypeLayouts& layouts, Word pointer) {
  const AccessPath path = access_path(c, pointer);
  if (path.root == 0) return std::nullopt;
  std::size_t indexes = 0;
  for (const InstructionIndex at : path.chains) {
    const auto chain = access_chain(c.module.instruction(at));
    if (!chain || chain->element) return std::nullopt;
    indexes += chain->indexes.size();
  }
  MemoryOffset offset{path.root, 0};
  bool is_known = true;
  walk_path(c, path, [&](const TypeRow& type, Word index, InstructionIndex) {
    const auto bytes = offset_of(c, layouts, type, index);
    is_known = bytes.has_value();
    if (is_known) offset.bytes = std::min(offset.bytes + *bytes, TypeLayouts::most);
    --indexes;
    return is_known;
  });
  // Indexes that the walk did not reach select from an unknown type.
  if (!is_known || indexes != 0) return std::nullopt;
  return offset;
}

}  // namespace vireo::spirv
