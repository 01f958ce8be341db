// SPDX-License-Identifier: Apache-2.0
//
// The stages of Vulkan's pipelines, by execution model.
//
// Source: Vulkan specification, VkShaderStageFlagBits; "Interface Matching".
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

/// The kinds of pipelines, as bits.
namespace pipeline_kind {
inline constexpr std::uint32_t primitive = 1, mesh = 2, mesh_nv = 4, compute = 8, ray_tracing = 16, kernel = 32;
inline constexpr std::uint32_t graphics = primitive | mesh | mesh_nv;
}  // namespace pipeline_kind

struct PipelineStageRow {
  ExecutionModel model;
  std::uint32_t flag;          // VkShaderStageFlagBits
  std::string_view flag_name;  // without VK_SHADER_STAGE_
  std::uint32_t kinds;         // the pipelines that can have it
  std::uint32_t order;         // in the pipeline
  bool is_single;              // a pipeline has one
  bool passes_values;          // its inputs are outputs of the previous stage, or its outputs inputs of the next
  bool has_arrays_in;          // the inputs, and the outputs, are arrays of one value for each vertex
  bool has_arrays_out;
};

namespace stage_table {
using enum ExecutionModel;
using namespace pipeline_kind;

// clang-format off
inline constexpr PipelineStageRow rows[] = {
    // model                  flag    name                           kinds        order single passes arrays: in     out
    {TaskNV,                  0x0040, "TASK_BIT_EXT",                mesh_nv,      0,  true,  false,        false, false},
    {TaskEXT,                 0x0040, "TASK_BIT_EXT",                mesh,         0,  true,  false,        false, false},
    {Vertex,                  0x0001, "VERTEX_BIT",                  primitive,    1,  true,  true,         false, false},
    {MeshNV,                  0x0080, "MESH_BIT_EXT",                mesh_nv,      2,  true,  true,         false, true},
    {MeshEXT,                 0x0080, "MESH_BIT_EXT",                mesh,         2,  true,  true,         false, true},
    {TessellationControl,     0x0002, "TESSELLATION_CONTROL_BIT",    primitive,    3,  true,  true,         true,  true},
    {TessellationEvaluation,  0x0004, "TESSELLATION_EVALUATION_BIT", primitive,    4,  true,  true,         true,  false},
    {Geometry,                0x0008, "GEOMETRY_BIT",                primitive,    5,  true,  true,         true,  false},
    {Fragment,                0x0010, "FRAGMENT_BIT",                graphics,     6,  true,  true,         false, false},
    {GLCompute,               0x0020, "COMPUTE_BIT",                 compute,      7,  true,  false,        false, false},
    {RayGenerationKHR,        0x0100, "RAYGEN_BIT_KHR",              ray_tracing,  8,  false, false,        false, false},
    {IntersectionKHR,         0x1000, "INTERSECTION_BIT_KHR",        ray_tracing,  9,  false, false,        false, false},
    {AnyHitKHR,               0x0200, "ANY_HIT_BIT_KHR",             ray_tracing, 10,  false, false,        false, false},
    {ClosestHitKHR,           0x0400, "CLOSEST_HIT_BIT_KHR",         ray_tracing, 11,  false, false,        false, false},
    {MissKHR,                 0x0800, "MISS_BIT_KHR",                ray_tracing, 12,  false, false,        false, false},
    {CallableKHR,             0x2000, "CALLABLE_BIT_KHR",            ray_tracing, 13,  false, false,        false, false},
    {Kernel,                  0x0000, "",                            kernel,      14,  false, false,        false, false},
};
// clang-format on

}  // namespace stage_table
inline constexpr const auto& pipeline_stage_rows = stage_table::rows;

/// The row of a model; of an unknown one the last.
inline const PipelineStageRow& pipeline_stage_row(ExecutionModel model) {
  const auto* row = std::ranges::find(pipeline_stage_rows, model, &PipelineStageRow::model);
  return row == std::end(pipeline_stage_rows) ? *std::prev(row) : *row;
}

}  // namespace vireo::spirv
