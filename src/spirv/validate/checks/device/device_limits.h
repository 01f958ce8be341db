// SPDX-License-Identifier: Apache-2.0
//
// Comparisons with the limits of the device for numbers that other checks compute: locations, and offsets of texels and
// of interpolation. Without a device they do nothing.
#pragma once

#include <span>

#include "spirv/validate/core/check.h"
#include "spirv/validate/layouts/location_slots.h"

namespace vireo::spirv {

/// Checks the locations of an entry point's inputs and outputs. `intervals` contains all of them.
void check_location_limits(const ModuleCheck& c, const EntryPointRow& entry,
                           std::span<const LocationInterval> intervals);

/// Checks a constant texel offset, or an array of them, of an image instruction.
void check_texel_offset(const InstructionCheck& c, AnyOperand offset, bool is_gather);

/// Checks a constant offset of InterpolateAtOffset, unless the device has fragments of several pixels.
void check_interpolation_offset(const InstructionCheck& c, AnyOperand offset);

}  // namespace vireo::spirv
