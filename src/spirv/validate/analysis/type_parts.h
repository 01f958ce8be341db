// SPDX-License-Identifier: Apache-2.0
//
// The parts of composites: their number, and a search for parts with some property.
//
// Few checks search, and they test TypeRow::contains first. So each query walks the type, and its steps count against
// the work budget.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spirv/module/opcode_traits.h"
#include "spirv/validate/core/check.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// The number of components, columns, elements or members. Nothing for runtime arrays and cooperative matrices, if
/// specialization determines the number, and for an array of length 0, which is an error.
inline std::optional<std::uint64_t> part_count(const ModuleCheck& c, const TypeRow& type) {
  const std::uint64_t count = type.length != 0 ? c.constants.as_u64(type.length).value_or(0) : type.count;
  if (count == 0 && !type.is(TypeKind::Struct)) return std::nullopt;
  return count;
}

/// Whether a type is a vector for instructions that take any number of components (SPV_EXT_long_vector, issue 2).
inline bool is_vector_of_any_count(const ModuleCheck& c, const TypeRow& type) {
  return type.is(TypeKind::Vector) || (type.is(TypeKind::LongVector) && c.has(Capability::LongVectorEXT));
}

/// Whether a type is opaque and the API binds its values. A shader cannot make or store such a value.
inline bool is_bound_handle(const TypeRow& type) {
  return type.is(TypeKind::Image) || type.is(TypeKind::Sampler) || type.is(TypeKind::SampledImage) ||
         type.is(TypeKind::AccelerationStructure) || type.is(TypeKind::Tensor);
}

/// Returns a part for which `is_wanted` is true, possibly the type itself; nullptr if there is none. If several members
/// have such a part, the last one is returned. Pointers are not followed.
template <typename IsWanted>
const TypeRow* find_part(const ModuleCheck& c, const TypeRow& type, IsWanted is_wanted) {
  std::vector<const TypeRow*> waiting{&type};
  IdHashSet seen;  // visits a shared part once
  while (!waiting.empty()) {
    const TypeRow& part = *waiting.back();
    waiting.pop_back();
    if (is_wanted(part)) return &part;
    if (!part.is_composite() || !seen.insert(part.id).second) continue;
    const Words members = part.is(TypeKind::Struct) ? c.types.members(part) : Words(&part.element, 1);
    if (!c.budget.spend(1 + members.size())) return nullptr;
    for (const Word member : members) waiting.push_back(&c.types.of(member));
  }
  return nullptr;
}

/// The first part of a composite whose type is not `type`; 0 if all parts have that type. Not for runtime arrays.
inline Word other_part(const ModuleCheck& c, const TypeRow& composite, Word type) {
  const Words parts = composite.is(TypeKind::Struct) ? c.types.members(composite) : Words(&composite.element, 1);
  if (!c.budget.spend(parts.size())) return 0;
  const auto other = std::ranges::find_if(parts, [type](Word part) { return part != type; });
  return other == parts.end() ? 0 : *other;
}

/// The type of a part of a result, for messages: "the component type of the result", "the type of member 1 ('eye') of
/// %Camera".
inline std::string part_text(const ModuleCheck& c, const TypeRow& composite, std::size_t part) {
  if (composite.is(TypeKind::Struct)) { return "the type of " + member_text(c, composite.id, static_cast<Word>(part)); }
  if (composite.is(TypeKind::Matrix)) return "the column type of the result";
  return composite.is_array() ? "the element type of the result" : "the component type of the result";
}

/// The number of constituents that the following instructions add to a composite (SPV_INTEL_long_composites).
inline std::size_t continued_constituents(const ModuleCheck& c, InstructionIndex composite) {
  const Op continued = continuation_of(c.module.instruction(composite).opcode);
  std::size_t count = 0;
  if (continued == Op::OpNop) return count;
  for (std::uint32_t i = composite.raw + 1; i < c.module.instruction_count(); ++i) {
    const InstructionView view = c.module.instruction(InstructionIndex(i));
    if (view.opcode != continued) break;
    count += view.word_count - std::size_t{1};
  }
  return count;
}

}  // namespace vireo::spirv
