// SPDX-License-Identifier: Apache-2.0
//
// The rows of device_rows.def, and the names in them.
#include "spirv/validate/tables/device_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;

constexpr DeviceNeed needs[] = {
#define DEVICE_NEED(use, models, one_of, only_with, vuid, subject) \
  {DeviceUse::use, models, one_of, only_with, vuid, subject},
#include "spirv/validate/tables/device_rows.def"
};

constexpr DeviceBound bounds[] = {
#define DEVICE_BOUND(number, limit, comparison, only_with, vuid, meaning) \
  {DeviceNumber::number, limit, Comparison::comparison, any_model, only_with, vuid, meaning, false},
#define DEVICE_LIMIT(number, limits, models, vuid, meaning) \
  {DeviceNumber::number, limits, Comparison::AtMost, models, "", vuid, meaning, true},
#include "spirv/validate/tables/device_rows.def"
};

constexpr DeviceStages stages[] = {
#define DEVICE_STAGES(use, property, vuid, subject) {StagedUse::use, property, vuid, subject},
#include "spirv/validate/tables/device_rows.def"
};

// The stages of VkShaderStageFlagBits, by their bits.
struct StageRow {
  ExecutionModel model;
  std::uint32_t bit;
};
constexpr StageRow stage_bits[] = {
    {Vertex, 0x1},
    {TessellationControl, 0x2},
    {TessellationEvaluation, 0x4},
    {Geometry, 0x8},
    {Fragment, 0x10},
    {GLCompute, 0x20},
    {TaskNV, 0x40},
    {TaskEXT, 0x40},
    {MeshNV, 0x80},
    {MeshEXT, 0x80},
    {RayGenerationKHR, 0x100},
    {AnyHitKHR, 0x200},
    {ClosestHitKHR, 0x400},
    {MissKHR, 0x800},
    {IntersectionKHR, 0x1000},
    {CallableKHR, 0x2000},
};

// Members that checks read, but that no row names.
constexpr std::string_view other_members[] = {
    "attachmentFragmentShadingRate",
    "cooperativeMatrixWorkgroupScopeReservedSharedMemory",
    "denormBehaviorIndependence",
    "fragmentDensityMap",
    "maxInterpolationOffset",
    "maxTexelGatherOffset",
    "maxTexelOffset",
    "meshOutputPerPrimitiveGranularity",
    "meshOutputPerVertexGranularity",
    "minInterpolationOffset",
    "minTexelGatherOffset",
    "minTexelOffset",
    "pipelineFragmentShadingRate",
    "primitiveFragmentShadingRate",
    "roundingModeIndependence",
    "shaderUntypedPointers",
    "shadingRateImage",
    "splitBarrierReservedSharedMemory",
    "subgroupSize",
};

}  // namespace

std::span<const DeviceNeed> device_needs() { return needs; }
std::span<const DeviceBound> device_bounds() { return bounds; }
std::span<const DeviceStages> device_stages() { return stages; }

std::uint32_t stage_bit(ExecutionModel model) {
  const auto* const row = std::ranges::find(stage_bits, model, &StageRow::model);
  return row == std::end(stage_bits) ? 0 : row->bit;
}

std::optional<std::int64_t> to_fraction_units(double number) {
  if (!(std::abs(number) < 1e9)) return std::nullopt;
  return std::llround(number * static_cast<double>(DeviceLimit::fraction_unit));
}

std::string runtime_vuid(std::string_view vuid) {
  return std::string(vuid.starts_with("VUID-") ? "" : "VUID-RuntimeSpirv-").append(vuid);
}

std::span<const std::string_view> device_members() {
  static const std::vector<std::string_view> members = [] {
    std::vector<std::string_view> names(std::begin(other_members), std::end(other_members));
    const auto add = [&](std::string_view name) { names.push_back(name); };
    for (const DeviceNeed& row : needs) {
      for_each_name(row.one_of, add);
      add(row.only_with);
    }
    for (const DeviceBound& row : bounds) {
      for_each_name(row.limits, add);
      add(row.only_with);
    }
    for (const DeviceStages& row : stages) add(row.property);
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::erase(names, std::string_view());
    return names;
  }();
  return members;
}

}  // namespace vireo::spirv
