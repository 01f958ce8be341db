// SPDX-License-Identifier: Apache-2.0
//
// Comparisons with the limits of the device profile, for checks that compute a number of an entry point.
#pragma once

#include <cstdint>
#include <span>

#include "spirv/validate/analysis/location_slots.h"
#include "spirv/validate/engine/context.h"
#include "spirv/validate/tables/device_limit_rows.h"

namespace vireo::spirv {

/// Compares a number of an entry point with the limits of the device for it. Returns whether a finding was reported.
bool check_device_limit(const Context& context, Quantity quantity, std::uint64_t number, const EntryPointRow& entry,
                        Place place, Report& report);

/// Checks the locations of an entry point's inputs and outputs. `intervals` contains all of them.
void check_location_limits(const Context& context, const EntryPointRow& entry,
                           std::span<const LocationInterval> intervals, Report& report);

/// Checks a constant texel offset, or an array of them, of an image instruction.
void check_texel_offset(const Context& context, const DecodedInstruction& visit, AnyOperand offset, bool is_gather,
                        Report& report);

}  // namespace vireo::spirv
