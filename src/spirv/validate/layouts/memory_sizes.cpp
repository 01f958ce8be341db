// SPDX-License-Identifier: Apache-2.0
//
// Sizes of scalars, then of the types that contain them (memory_sizes.h).
#include "spirv/validate/layouts/memory_sizes.h"

#include <algorithm>

#include "spirv/validate/layouts/type_layouts.h"

namespace vireo::spirv {
namespace {

// Sizes saturate, so that the size of a crafted type does not wrap.
std::uint64_t bounded(std::uint64_t bytes) { return std::min(bytes, TypeLayouts::most); }

}  // namespace

std::uint64_t bounded_product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > TypeLayouts::most / a ? TypeLayouts::most : a * b;
}

std::uint64_t element_count(const ModuleCheck& c, const TypeRow& array) {
  if (array.is(TypeKind::RuntimeArray)) return 1;
  return c.constants.as_u64(array.length, ValueUse::OrDefault).value_or(1);
}

MemorySizes::MemorySizes(const ModuleCheck& c) : c_(c) {
  sizes_.reserve(c.types.rows().size());
  for (const TypeRow& type : c.types.rows()) sizes_.push_back(read(type));
}

// A type that is not declared yet has no size. This excludes cycles.
MemorySize MemorySizes::of(Word type) const {
  const TypeIndex index = c_.types.index_of(type);
  return index.is_none() || index.index() >= sizes_.size() ? MemorySize{} : sizes_[index.index()];
}

MemorySize MemorySizes::array(std::uint64_t count, MemorySize element) const {
  return {bounded_product(round_up(element.bytes, element.alignment), count), element.alignment};
}

MemorySize MemorySizes::read(const TypeRow& type) const {
  switch (type.kind) {
    case TypeKind::Bool: return {4, 4};
    case TypeKind::Int:
    case TypeKind::Float: {
      const std::uint64_t bytes = (std::uint64_t{type.width} + 7) / 8;
      return {bytes, std::max<std::uint64_t>(bytes, 1)};
    }
    case TypeKind::Vector: {
      const MemorySize component = of(type.element);
      // A vector of three components is aligned like one of four.
      return {component.bytes * type.count, component.alignment * (type.count == 2 ? 2 : type.count <= 4 ? 4 : 1)};
    }
    case TypeKind::LongVector:
      return {array(element_count(c_, type), of(type.element)).bytes, of(type.element).alignment};
    case TypeKind::Matrix: return array(type.count, of(type.element));
    case TypeKind::Array:
    case TypeKind::RuntimeArray: return array(element_count(c_, type), of(type.element));
    case TypeKind::Struct: {
      MemorySize sum;
      for (const Word member : c_.types.members(type)) {
        const MemorySize size = of(member);
        sum.bytes = bounded(round_up(sum.bytes, size.alignment) + size.bytes);
        sum.alignment = std::max(sum.alignment, size.alignment);
      }
      return {round_up(sum.bytes, sum.alignment), sum.alignment};
    }
    case TypeKind::Pointer:
      return type.storage == StorageClass::PhysicalStorageBuffer ? MemorySize{8, 8} : MemorySize{};
    default: return {};
  }
}

}  // namespace vireo::spirv
