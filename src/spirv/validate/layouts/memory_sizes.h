// SPDX-License-Identifier: Apache-2.0
//
// MemorySizes: sizes of types in memory that has no explicit layout, such as workgroup memory.
//
// Vulkan defines an upper bound for such memory: the size under the rules for storage buffers, with
// booleans of 32 bits. A type is declared before its uses, so one pass computes all sizes from those of the parts.
// type_layouts.h has the sizes of types with layout decorations.
//
// Source: Vulkan, "Shader Resource Interface" (workgroup memory), "Offset and Stride Assignment".
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The bytes of a type. A part without a size, such as a pointer, takes none.
struct MemorySize {
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 1;
};

class MemorySizes {
 public:
  /// Linear in the types. Lengths that specialization can change have their defaults.
  explicit MemorySizes(const ModuleCheck& c);

  [[nodiscard]] MemorySize of(Word type) const;

 private:
  [[nodiscard]] MemorySize read(const TypeRow& type) const;
  [[nodiscard]] MemorySize array(std::uint64_t count, MemorySize element) const;

  const ModuleCheck& c_;
  std::vector<MemorySize> sizes_;  // by type; complete for the types before the one that is read
};

/// The product, saturated at TypeLayouts::most.
std::uint64_t bounded_product(std::uint64_t a, std::uint64_t b);

/// The number of elements of an array, with the default of a specialization constant. 1 if it is not known, as for a
/// runtime array.
std::uint64_t element_count(const ModuleCheck& c, const TypeRow& array);

}  // namespace vireo::spirv
