// SPDX-License-Identifier: Apache-2.0
//
// Dispatch: executes the workgroups of a compute shader.
//
// The invocations of a workgroup form subgroups in the order of LocalInvocationIndex. Workgroups run one after the
// other; the subgroups of one run in turns, each until it ends, waits at a barrier, or can only wait for another one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "spirv/execute/program/program.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/run.h"

namespace vireo::spirv {

/// A buffer of the caller, bound to a descriptor. `is_push_constant`: to the push constants instead.
struct BoundBuffer {
  std::uint32_t set = 0, binding = 0, element = 0;
  bool is_push_constant = false;
  std::span<std::byte> bytes;
};

Result<DispatchReport> dispatch(const Program& program, const Facts& facts, const RunOptions& options,
                                std::span<const BoundBuffer> buffers, std::array<Word, 3> groups,
                                Diagnostics& diagnostics);

}  // namespace vireo::spirv
