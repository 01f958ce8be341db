// SPDX-License-Identifier: Apache-2.0
//
// Whether two types match part by part.
//
// Source: specification 3.42.12 (OpCopyLogical); what options take in stores and calls.
#pragma once

#include <cstdint>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// The properties in which two types have to agree.
enum class MatchLevel : std::uint8_t {
  Logical,     ///< the same scalars in the same places (OpCopyLogical)
  Decorated,   ///< and each part of the first has all decorations of that part of the second
  SameLayout,  ///< and offsets and strides are equal
};

/// Whether two types match. True once the work budget is met.
bool types_match(const Context& context, Word first, Word second, MatchLevel level);

}  // namespace vireo::spirv
