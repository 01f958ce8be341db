// SPDX-License-Identifier: Apache-2.0
//
// The operations of steps that are neither calls nor terminators. Each applies to the active lanes of a machine.
#pragma once

#include "spirv/execute/machine/machine.h"

namespace vireo::spirv {

/// Whether invocations depend on each other by the operation: atomics and group operations.
bool is_shared_operation(Op opcode);
bool is_image_step(Op opcode);

/// The functions of all steps of a program (operations.cpp).
std::vector<StepOperations> operations_of(const Program& program, bool has_checks);
StepFunction* operation_of(const Program& program, const Step& step, bool has_checks);

// --- checks.cpp ---
/// Whether the function of an opcode reports and tracks undefined values itself: accesses to memory and images, groups.
bool is_checked_itself(Op opcode);
/// The function that reports what is undefined about the operands; nullptr if nothing can be.
StepFunction* check_of(const Step& step);
/// The function that tracks undefined values; nullptr for steps without a result.
StepFunction* mark_of(const Step& step);

/// The origin of values that a step makes undefined (CellBank::origins).
inline std::uint32_t origin_of(const Step& step) { return static_cast<std::uint32_t>(step.source.index()) + 1; }

/// Marks a cell of a result: undefined in these of the active lanes, defined in the others.
inline void set_undefined(Machine& machine, CellRef cell, LaneMask lanes, std::uint32_t origin) {
  const LaneMask marked = lanes & machine.active();
  LaneMask& shadow = *machine.undefined(cell);
  shadow = (shadow - machine.active()) | marked;
  if (marked.any()) *machine.origins(cell) = origin;
}

// --- memory_operations.cpp ---
void load(Machine& machine, const Step& step);
/// The function of a load, which may be one for its type alone.
StepFunction* load_of(const Program& program, const Step& step, bool has_checks);
void store(Machine& machine, const Step& step);
void access_chain(Machine& machine, const Step& step);
void array_length(Machine& machine, const Step& step);

/// Reports an undefined pointer, and a resource that differs between the active lanes without NonUniform.
void check_pointers(Machine& machine, const Step& step);
/// The bytes that a pointer of a lane selects. Reports an access that has no bytes.
MemoryPlace find_place(Machine& machine, const Step& step, Pointer pointer, std::uint64_t size, std::uint32_t lane);

// --- atomic_operations.cpp, group_operations.cpp ---
void atomic_operation(Machine& machine, const Step& step);
void group_operation(Machine& machine, const Step& step);

// --- image_operations.cpp ---
/// The value of an image, a sampler or both, from a pointer to its descriptor.
void load_handle(Machine& machine, const Step& step);
void combine_image(Machine& machine, const Step& step);
void image_operation(Machine& machine, const Step& step);

// --- print.cpp ---
void print(Machine& machine, const Step& step);

// --- conversions.cpp ---
void convert(Machine& machine, const Step& step);
void bitcast(Machine& machine, const Step& step);

// --- functions.cpp: GLSL.std.450 ---
void call_glsl(Machine& machine, const Step& step);

}  // namespace vireo::spirv
