// SPDX-License-Identifier: Apache-2.0
//
// Comparisons with the limits of the device profile, for checks that compute a number of an entry point.
#pragma once

#include <cstdint>
#include <span>

#include "spirv/validate/core/check.h"
#include "spirv/validate/layouts/location_slots.h"
#include "spirv/validate/tables/device_limit_rows.h"

namespace vireo::spirv {

/// Compares a number of an entry point with the limits of the device for it. Returns whether a finding was reported.
bool check_device_limit(const ModuleCheck& c, Quantity quantity, std::uint64_t number, const EntryPointRow& entry,
                        Place place);

/// Checks the locations of an entry point's inputs and outputs. `intervals` contains all of them.
void check_location_limits(const ModuleCheck& c, const EntryPointRow& entry,
                           std::span<const LocationInterval> intervals);

/// Checks a constant texel offset, or an array of them, of an image instruction.
void check_texel_offset(const InstructionCheck& c, AnyOperand offset, bool is_gather);

}  // namespace vireo::spirv
