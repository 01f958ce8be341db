// SPDX-License-Identifier: Apache-2.0
//
// The operations of steps that are neither calls nor terminators. Each applies to the active lanes of a machine.
#pragma once

#include "spirv/execute/machine/machine.h"

namespace vireo::spirv {

/// Executes a step (operations.cpp).
void execute(Machine& machine, const Step& step);

// --- memory_operations.cpp ---
void load(Machine& machine, const Step& step);
void store(Machine& machine, const Step& step);
void access_chain(Machine& machine, const Step& step);
void array_length(Machine& machine, const Step& step);

/// The bytes that a pointer of a lane selects; without bytes if the access leaves the object.
struct MemoryPlace {
  std::byte* bytes = nullptr;
  std::uint8_t* shadow = nullptr;  ///< nullptr: all bytes of the object are defined
};
MemoryPlace place_of(Objects& objects, Pointer pointer, std::uint64_t size, std::uint32_t lane);

// --- atomic_operations.cpp, group_operations.cpp ---
void atomic_operation(Machine& machine, const Step& step);
void group_operation(Machine& machine, const Step& step);

// --- conversions.cpp ---
void convert(Machine& machine, const Step& step);
void bitcast(Machine& machine, const Step& step);

// --- functions.cpp: GLSL.std.450 ---
void call_glsl(Machine& machine, const Step& step);

}  // namespace vireo::spirv
