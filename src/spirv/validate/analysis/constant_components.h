// SPDX-License-Identifier: Apache-2.0
//
// The components of constant operands, for rules about instructions that work component by component.
//
// Only values that specialization cannot change are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// How many components of a value are examined: 1 for a scalar or a cooperative matrix, whose constants repeat one value; at
/// most 16 for a vector. 0 if it is not a constant.
std::size_t constant_component_count(const ModuleCheck& c, Word value);

/// The bits of component `n`, zero above the width. A scalar has the same value for each `n`.
std::optional<std::uint64_t> component_bits(const ModuleCheck& c, Word value, std::size_t n);

/// The same for integers: the value that an instruction computes with if it treats the component as signed.
std::optional<std::int64_t> signed_component(const ModuleCheck& c, Word value, std::size_t n);

/// The same for floats. nullopt for formats of fewer than 16 bits.
std::optional<double> float_component(const ModuleCheck& c, Word value, std::size_t n);

/// "%size", or "component 2 of %sizes" if the value is a vector.
std::string component_text(const ModuleCheck& c, Word value, std::size_t n);

}  // namespace vireo::spirv
