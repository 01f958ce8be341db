// SPDX-License-Identifier: Apache-2.0
//
// The limits of a device for locations and for offsets of texels and of interpolation (device_limits.h).
//
// Source: Vulkan, "Limits", "Shader Input and Output Locations", "Runtime SPIR-V Validation".
#include "spirv/validate/checks/device/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/validate/analysis/constant_components.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/device/device_check.h"

namespace vireo::spirv {
namespace {

// A limit for components of texel offsets.
struct TexelOffsetLimit {
  std::string_view name;
  bool is_gather;
  bool is_least;  ///< false: the limit is the largest value
  std::uint16_t vuid;
};
constexpr TexelOffsetLimit texel_offset_limits[] = {
    {"minTexelOffset", false, true, 6435},
    {"maxTexelOffset", false, false, 6436},
    {"minTexelGatherOffset", true, true, 6376},
    {"maxTexelGatherOffset", true, false, 6377},
};

// A limit for a component of the offset of InterpolateAtOffset.
struct InterpolationOffsetLimit {
  std::string_view name;
  std::size_t component;
  bool is_least;
  std::uint16_t vuid;
};
constexpr InterpolationOffsetLimit interpolation_offset_limits[] = {
    {"minInterpolationOffset", 0, true, 6344},
    {"maxInterpolationOffset", 0, false, 6345},
    {"minInterpolationOffset", 1, true, 6346},
    {"maxInterpolationOffset", 1, false, 6347},
};

// The features with which a fragment may have several pixels. Each fragment has one pixel otherwise.
constexpr std::string_view large_fragments[] = {"attachmentFragmentShadingRate", "fragmentDensityMap",
                                                "pipelineFragmentShadingRate", "primitiveFragmentShadingRate",
                                                "shadingRateImage"};

// Adds the values of the integers in a constant: a scalar, a vector, or an array of vectors.
void add_components(const ModuleCheck& c, const ConstantRow& constant, std::vector<std::int64_t>& values) {
  std::vector<const ConstantRow*> waiting{&constant};
  while (!waiting.empty() && c.budget.spend()) {
    const ConstantRow& row = *waiting.back();
    waiting.pop_back();
    for (const ConstantIndex part : c.constants.parts(row)) waiting.push_back(&c.constants.row(part));
    if (row.kind != ConstantKind::Int || row.status == ConstantStatus::Unknown) continue;
    // Image instructions take offsets as signed numbers, whatever the signedness of the type.
    const std::uint32_t unused_bits = 64 - std::min(std::max(c.types.row(row.type).width, 1u), 64u);
    values.push_back(static_cast<std::int64_t>(row.bits << unused_bits) >> unused_bits);
  }
}

}  // namespace

void check_location_limits(const ModuleCheck& c, const EntryPointRow& entry,
                           std::span<const LocationInterval> intervals) {
  if (c.device == nullptr) return;
  // For each kind of variables, the interval with the largest location, and the number of locations up to it.
  struct Largest {
    DeviceNumber locations, components;
    std::uint64_t count = 0;
    const LocationInterval* interval = nullptr;
  };
  Largest inputs{DeviceNumber::InputLocations, DeviceNumber::InputComponents};
  Largest outputs{DeviceNumber::OutputLocations, DeviceNumber::OutputComponents};
  Largest patches{DeviceNumber::None, DeviceNumber::PatchOutputComponents};
  for (const LocationInterval& interval : intervals) {
    // A patch input has no limit of its own.
    if (interval.space.is_patch && !interval.space.is_output) continue;
    Largest& largest = interval.space.is_patch ? patches : interval.space.is_output ? outputs : inputs;
    const std::uint64_t count = (interval.end - 1) * 2 + interval.lane % 2 + 1;
    if (count > largest.count) largest.count = count, largest.interval = &interval;
  }
  for (const Largest& row : {inputs, outputs, patches}) {
    if (row.interval == nullptr) continue;
    const Place place = place_in_list(c, entry, row.interval->order);
    if (check_device_number(c, row.locations, row.count, place, &entry) ||
        check_device_number(c, row.components, row.count * 4, place, &entry))
      c.note({c.module.definition(row.interval->variable), 0}, "{id} declared here", {row.interval->variable});
  }
}

void check_texel_offset(const InstructionCheck& c, AnyOperand offset, bool is_gather) {
  if (c.device == nullptr) return;
  std::vector<std::int64_t> values;
  add_components(c, c.constants.of(offset), values);
  if (values.empty()) return;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  for (const TexelOffsetLimit& row : texel_offset_limits) {
    const auto limit = c.device->find(row.name);
    const std::int64_t value = row.is_least ? *least : *most;
    if (row.is_gather != is_gather || !limit || (row.is_least ? value >= *limit : value <= *limit)) continue;
    c.report(Rule::DeviceTexelOffset, c.at(offset), {offset, c.op(), value, row.name, *limit});
    c.vuid(row.vuid);
  }
}

// The limits are multiplied by the size of the fragment. maxInterpolationOffset has a tolerance for larger fragments
// only, so the number subPixelInterpolationOffsetBits does not matter here.
void check_interpolation_offset(const InstructionCheck& c, AnyOperand offset) {
  if (c.device == nullptr) return;
  for (const std::string_view feature : large_fragments) {
    if (c.device->find(feature).value_or(0) != 0) return;
  }
  for (const InterpolationOffsetLimit& row : interpolation_offset_limits) {
    const auto limit = c.device->find(row.name);
    const auto value = float_component(c, offset, row.component);
    // Both are rounded to the units, so equal numbers remain equal.
    const auto units = value ? to_fraction_units(*value) : std::nullopt;
    if (!limit || !units || (row.is_least ? *units >= *limit : *units <= *limit)) continue;
    const double allowed = static_cast<double>(*limit) / static_cast<double>(DeviceLimit::fraction_unit);
    c.report(
        Rule::DeviceInterpolationOffset, c.at(offset),
        {component_text(c, offset, row.component), fmt::format("{}", *value), row.name, fmt::format("{}", allowed)});
    c.vuid(row.vuid);
  }
}

}  // namespace vireo::spirv
