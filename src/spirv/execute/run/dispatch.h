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
#include <vector>

#include "spirv/execute/images/image.h"
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

/// An image or a sampler of the caller, bound to a descriptor.
struct BoundImage {
  std::uint32_t set = 0, binding = 0, element = 0;
  ImageResource resource;
};

/// All that the caller has bound.
struct Bindings {
  std::vector<BoundBuffer> buffers;
  std::vector<BoundImage> images;
  std::vector<SamplerBinding> samplers;
};

Result<DispatchReport> dispatch(const Program& program, const Facts& facts, const RunOptions& options,
                                const Bindings& bindings, std::array<Word, 3> groups, Diagnostics& diagnostics);

}  // namespace vireo::spirv
