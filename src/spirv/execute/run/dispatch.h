// SPDX-License-Identifier: Apache-2.0
//
// Dispatch: executes the workgroups of a compute shader.
//
// The invocations of a workgroup form subgroups in the order of LocalInvocationIndex. Workgroups run one after the
// other; the subgroups of one run in turns, each until it ends or waits at a barrier.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/execute/machine/machine.h"
#include "spirv/execute/program/program.h"
#include "vireo/spirv/module/facts.h"

namespace vireo::spirv {

/// A buffer of the caller, bound to a descriptor. `is_push_constant`: to the push constants instead.
struct BoundBuffer {
  std::uint32_t set = 0, binding = 0;
  bool is_push_constant = false;
  std::span<std::byte> bytes;
};

struct DispatchOptions {
  std::uint32_t groups[3] = {1, 1, 1};
  std::uint32_t subgroup_size = 32;
  std::uint64_t max_steps = 1'000'000'000;
};

struct DispatchResult {
  bool has_ended = true;  ///< false: the limit of steps is reached
  std::uint64_t steps = 0;
};

DispatchResult dispatch(const Program& program, const Facts& facts, std::span<const BoundBuffer> buffers,
                        const DispatchOptions& options);

}  // namespace vireo::spirv
