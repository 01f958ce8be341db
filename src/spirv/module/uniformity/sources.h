// SPDX-License-Identifier: Apache-2.0
//
// Sources of divergence: built-ins, interface variables and memory, by execution model.
//
// Source: the Vulkan chapters on shaders and built-in variables.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/module/uniformity/graph.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// A set of execution models, and of modes that matter for uniformity.
enum StageBit : std::uint32_t {
  WorkgroupStage = 1u << 0,  ///< GLCompute, Kernel, task and mesh shaders
  MeshStage = 1u << 1,
  FragmentStage = 1u << 2,
  TessellationControlStage = 1u << 3,
  OtherGraphicsStage = 1u << 4,  ///< Vertex, Geometry, TessellationEvaluation
  RayTracingStage = 1u << 5,
  TaskStage = 1u << 6,
  OtherStage = 1u << 7,  ///< unknown models, and functions that no entry point reaches
  WideX = 1u << 8,       ///< workgroups may be larger than 1 in this dimension
  WideY = 1u << 9,
  WideZ = 1u << 10,
  ManyInvocations = 1u << 11,  ///< the built-in InvocationId may be other than 0
};
inline constexpr std::uint32_t wide_modes = WideX | WideY | WideZ;
using Stages = std::uint32_t;
Stages stages_of(ExecutionModel model);

/// The planes of a value of a built-in that entry points of these stages read, or of one component of it.
std::uint16_t planes_of(BuiltIn built_in, std::optional<Word> component, Stages stages);

/// The planes of values that are loaded from variables, apart from those of the address.
class Sources {
 public:
  Sources(const Module& module, const Facts& facts) : module_(module), facts_(facts) {}

  /// `variable` is 0 if it is unknown; `member` is the first index into its block or vector.
  [[nodiscard]] std::uint16_t of_load(StorageClass storage, Word variable, std::optional<Word> member,
                                      Stages stages) const;
  /// Whether an image variable is only read.
  [[nodiscard]] bool is_read_only(Word variable) const;

 private:
  [[nodiscard]] std::uint16_t of_input(Word variable, std::optional<Word> member, Stages stages) const;
  [[nodiscard]] bool is_read_only_buffer(Word variable, std::optional<Word> member) const;

  const Module& module_;
  const Facts& facts_;
};

}  // namespace vireo::spirv
