// SPDX-License-Identifier: Apache-2.0
//
// Sets of execution models, as small values.
//
// A set of models is a word with one bit per model. So a table entry is `in(Fragment, GLCompute)`, and a
// membership test is one AND. Models outside this table share the last bit. Only `any_model` and complements of sets
// contain that bit, so these models are not restricted.
#pragma once

#include <cstdint>
#include <string>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

using Models = std::uint32_t;

inline constexpr ExecutionModel known_models[] = {
    ExecutionModel::Vertex,
    ExecutionModel::TessellationControl,
    ExecutionModel::TessellationEvaluation,
    ExecutionModel::Geometry,
    ExecutionModel::Fragment,
    ExecutionModel::GLCompute,
    ExecutionModel::Kernel,
    ExecutionModel::TaskNV,
    ExecutionModel::MeshNV,
    ExecutionModel::TaskEXT,
    ExecutionModel::MeshEXT,
    ExecutionModel::RayGenerationKHR,
    ExecutionModel::MissKHR,
    ExecutionModel::IntersectionKHR,
    ExecutionModel::AnyHitKHR,
    ExecutionModel::CallableKHR,
    ExecutionModel::ClosestHitKHR,
};

constexpr Models bit_of(ExecutionModel model) {
  // The values of the first seven models are also their indexes. Most entry points have one of these models.
  if (model <= ExecutionModel::Kernel) return 1u << static_cast<std::uint32_t>(model);
  Models bit = 1;
  for (const ExecutionModel known : known_models) {
    if (known == model) return bit;
    bit <<= 1;
  }
  return 1u << 31;
}
static_assert(known_models[static_cast<std::size_t>(ExecutionModel::Kernel)] == ExecutionModel::Kernel);
constexpr Models in(auto... models) { return (bit_of(models) | ...); }
constexpr bool contains(Models set, ExecutionModel model) { return (set & bit_of(model)) != 0; }

inline constexpr Models any_model = ~0u;

/// "Fragment or GLCompute". Only for sets of known models.
std::string models_text(const ModuleCheck& c, Models models);
/// "; expected Fragment or GLCompute", the end of a message. Empty for complements of sets, where the message already
/// has the model that is not allowed.
std::string expected_models_text(const ModuleCheck& c, Models models);

}  // namespace vireo::spirv
