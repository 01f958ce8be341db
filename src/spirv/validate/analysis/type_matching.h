// SPDX-License-Identifier: Apache-2.0
//
// Structural comparison of types.
//
// Source: specification 3.42.12 (OpCopyLogical); the options that relax stores and calls.
#pragma once

#include <cstdint>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The properties in which two types must agree.
enum class MatchLevel : std::uint8_t {
  Logical,     ///< the same scalars in the same order (OpCopyLogical)
  Decorated,   ///< also, each part of the first has all decorations of the same part of the second
  SameLayout,  ///< Logical, and equal offsets and strides
};

/// Whether two types match. True once the work budget is exceeded.
bool types_match(const ModuleCheck& c, Word first, Word second, MatchLevel level);

/// Whether a type has all decorations of another one. Their parts are not compared.
bool has_decorations_of(const ModuleCheck& c, Word type, Word other);

}  // namespace vireo::spirv
