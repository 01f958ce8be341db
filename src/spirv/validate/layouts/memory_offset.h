// SPDX-License-Identifier: Apache-2.0
//
// The constant byte offset of a pointer into the variable that it points into.
//
// The offset is the sum of the offsets and strides that the indexes of the access chains select, so it is known if the
// indexes and the decorations are.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/module/layouts/type_layouts.h"
#include "spirv/validate/core/check.h"

namespace vireo::spirv {

struct MemoryOffset {
  Word root = 0;            ///< variable, parameter or other origin of the pointer
  std::uint64_t bytes = 0;  ///< saturated at TypeLayouts::most
};

/// nullopt: the offset is not a constant, or a chain moves the pointer by its Element operand. `layouts` has the offsets
/// of decorations (LayoutKind::Exact). Linear in the chains that make the pointer.
std::optional<MemoryOffset> memory_offset(const ModuleCheck& c, const TypeLayouts& layouts, Word pointer);

}  // namespace vireo::spirv
