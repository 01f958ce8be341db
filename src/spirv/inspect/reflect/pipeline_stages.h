// SPDX-License-Identifier: Apache-2.0
//
// The stages of Vulkan's pipelines, by execution model.
//
// Source: Vulkan specification, VkShaderStageFlagBits; "Interface Matching".
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

/// The kinds of pipelines, as bits.
namespace pipeline_kind {
inline constexpr std::uint32_t primitive = 1, mesh = 2, mesh_nv = 4, compute = 8, ray_tracing = 16, kernel = 32;
inline constexpr std::uint32_t graphics = primitive | mesh | mesh_nv;
}  // namespace pipeline_kind

struct PipelineStageRow {
  ExecutionModel model;
  std::uint32_t flag;   // VkShaderStageFlagBits
  std::uint32_t kinds;  // the pipelines that can have it
  std::uint32_t order;  // in the pipeline
  bool is_single;       // a pipeline has one
  bool passes_values;   // its inputs are outputs of the previous stage, or its outputs inputs of the next
  bool has_arrays_in;   // the inputs, and the outputs, are arrays of one value for each vertex
  bool has_arrays_out;
};

// clang-format off
inline constexpr PipelineStageRow pipeline_stage_rows[] = {
    // model                                  flag    kinds                       order single passes arrays: in     out
    {ExecutionModel::TaskNV,                  0x0040, pipeline_kind::mesh_nv,     0,   true,  false,         false, false},
    {ExecutionModel::TaskEXT,                 0x0040, pipeline_kind::mesh,        0,   true,  false,         false, false},
    {ExecutionModel::Vertex,                  0x0001, pipeline_kind::primitive,   1,   true,  true,          false, false},
    {ExecutionModel::MeshNV,                  0x0080, pipeline_kind::mesh_nv,     2,   true,  true,          false, true},
    {ExecutionModel::MeshEXT,                 0x0080, pipeline_kind::mesh,        2,   true,  true,          false, true},
    {ExecutionModel::TessellationControl,     0x0002, pipeline_kind::primitive,   3,   true,  true,          true,  true},
    {ExecutionModel::TessellationEvaluation,  0x0004, pipeline_kind::primitive,   4,   true,  true,          true,  false},
    {ExecutionModel::Geometry,                0x0008, pipeline_kind::primitive,   5,   true,  true,          true,  false},
    {ExecutionModel::Fragment,                0x0010, pipeline_kind::graphics,    6,   true,  true,          false, false},
    {ExecutionModel::GLCompute,               0x0020, pipeline_kind::compute,     7,   true,  false,         false, false},
    {ExecutionModel::RayGenerationKHR,        0x0100, pipeline_kind::ray_tracing, 8,   false, false,         false, false},
    {ExecutionModel::IntersectionKHR,         0x1000, pipeline_kind::ray_tracing, 9,   false, false,         false, false},
    {ExecutionModel::AnyHitKHR,               0x0200, pipeline_kind::ray_tracing, 10,   false, false,         false, false},
    {ExecutionModel::ClosestHitKHR,           0x0400, pipeline_kind::ray_tracing, 11,   false, false,         false, false},
    {ExecutionModel::MissKHR,                 0x0800, pipeline_kind::ray_tracing, 12,   false, false,         false, false},
    {ExecutionModel::CallableKHR,             0x2000, pipeline_kind::ray_tracing, 13,   false, false,         false, false},
    {ExecutionModel::Kernel,                  0x0000, pipeline_kind::kernel,      14,   false, false,         false, false},
};
// clang-format on

/// The row of a model; of an unknown one the last.
inline const PipelineStageRow& pipeline_stage_row(ExecutionModel model) {
  const auto* row = std::ranges::find(pipeline_stage_rows, model, &PipelineStageRow::model);
  return row == std::end(pipeline_stage_rows) ? *std::prev(row) : *row;
}

}  // namespace vireo::spirv
