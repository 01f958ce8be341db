// SPDX-License-Identifier: Apache-2.0
//
// Constant operands of instructions that trace rays: flags, origin, direction, interval and time.
//
// A row has the numbers of the VUIDs of a group of instructions. An operand that is not a constant, or that
// specialization can change, is not checked.
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "spirv/validate/analysis/constant_components.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/core/by_opcode.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The numbers of VUIDs; 0: the group has none.
struct RayVuids {
  std::uint16_t finite, not_negative, ordered, number, time;
  std::uint16_t skips, culls, opacity;
};
constexpr RayVuids query{6348, 6349, 6350, 6351, 0, 6889, 6890, 6891};
constexpr RayVuids trace{6355, 6356, 6357, 6358, 0, 6552, 6892, 6893};
constexpr RayVuids motion{6361, 6362, 6363, 6364, 6366, 0, 0, 0};
constexpr RayVuids hit_nv{7705, 7706, 7707, 7708, 7710, 7712, 7713, 7714};
constexpr RayVuids hit{11878, 11879, 11880, 11881, 11882, 11883, 11884, 11885};

struct RayRow {
  Op opcode;
  RayVuids vuids;
};
constexpr RayRow all_rows[] = {
    {OpRayQueryInitializeKHR, query},
    {OpTraceRayKHR, trace},
    {OpTraceRayMotionNV, motion},
    {OpHitObjectTraceRayNV, hit_nv},
    {OpHitObjectTraceRayMotionNV, hit_nv},
    {OpHitObjectTraceRayEXT, hit},
    {OpHitObjectTraceRayMotionEXT, hit},
    {OpHitObjectTraceReorderExecuteEXT, hit},
    {OpHitObjectTraceMotionReorderExecuteEXT, hit},
};
constexpr auto rows = by_opcode(all_rows);

// Flags of which a ray has at most one.
struct Exclusive {
  std::uint16_t RayVuids::*vuid;
  std::array<RayFlags, 4> flags;  ///< the first one repeated if there are fewer
};
constexpr Exclusive exclusives[] = {
    {&RayVuids::skips,
     {RayFlags::SkipTrianglesKHR, RayFlags::SkipAABBsKHR, RayFlags::SkipTrianglesKHR, RayFlags::SkipTrianglesKHR}},
    {&RayVuids::culls,
     {RayFlags::SkipTrianglesKHR, RayFlags::CullBackFacingTrianglesKHR, RayFlags::CullFrontFacingTrianglesKHR,
      RayFlags::SkipTrianglesKHR}},
    {&RayVuids::opacity,
     {RayFlags::OpaqueKHR, RayFlags::NoOpaqueKHR, RayFlags::CullOpaqueKHR, RayFlags::CullNoOpaqueKHR}},
};

// The instructions have different names for the same operands.
AnyOperand operand_of(const InstructionCheck& c, std::initializer_list<OperandName> names) {
  for (const OperandName name : names) {
    if (const AnyOperand operand = c.operand(name); operand.id != 0) return operand;
  }
  return {};
}

void check_flags(const InstructionCheck& c, const RayVuids& vuids) {
  const AnyOperand operand = c.operand(OperandName::ray_flags);
  const auto flags = c.constants.as_u64(operand);
  if (!flags) return;
  for (const Exclusive& row : exclusives) {
    std::optional<RayFlags> first;
    for (const RayFlags flag : row.flags) {
      if ((*flags & static_cast<Word>(flag)) == 0 || flag == first || vuids.*row.vuid == 0) continue;
      if (!first) {
        first = flag;
        continue;
      }
      c.report(Rule::RayFlagConflict, c.at(operand),
               {operand, c.op(), enumerant_text(c, "RayFlags", static_cast<Word>(*first)),
                enumerant_text(c, "RayFlags", static_cast<Word>(flag))});
      c.vuid(vuids.*row.vuid);
      break;
    }
  }
}

// Reports a component that is not a number, or for which `is_fine` is false. Returns whether it did.
template <typename IsFine>
bool check_components(const InstructionCheck& c, AnyOperand operand, std::uint16_t number, std::uint16_t vuid,
                      std::string_view expected, IsFine is_fine) {
  for (std::size_t n = 0; n < constant_component_count(c, operand); ++n) {
    const auto value = float_component(c, operand, n);
    if (!value || (!std::isnan(*value) && is_fine(*value))) continue;
    const bool is_nan = std::isnan(*value);
    c.report(Rule::RayOperand, c.at(operand),
             {component_text(c, operand, n), c.op(), is_nan ? "NaN" : std::to_string(*value),
              is_nan ? "a number" : expected});
    c.vuid(is_nan ? number : vuid);
    return true;
  }
  return false;
}

void check_ray(const InstructionCheck& c) {
  const RayRow* row = find_row(rows, c.op());
  if (row == nullptr || !c.is_vulkan() || !c.is_reachable()) return;
  const RayVuids& vuids = row->vuids;
  check_flags(c, vuids);
  for (const AnyOperand vector : {operand_of(c, {OperandName::ray_origin, OperandName::origin}),
                                  operand_of(c, {OperandName::ray_direction, OperandName::direction})}) {
    check_components(c, vector, vuids.number, vuids.finite, "a finite number",
                     [](double value) { return std::isfinite(value); });
  }
  const AnyOperand least = operand_of(c, {OperandName::ray_tmin, OperandName::ray_t_min, OperandName::t_min});
  const AnyOperand most = operand_of(c, {OperandName::ray_tmax, OperandName::ray_t_max, OperandName::t_max});
  const auto is_negative = [&](AnyOperand operand) {
    return check_components(c, operand, vuids.number, vuids.not_negative, "0 or more",
                            [](double value) { return value >= 0; });
  };
  const auto from = float_component(c, least, 0), to = float_component(c, most, 0);
  if (!is_negative(least) && !is_negative(most) && from && to && *from > *to) {
    c.report(Rule::RayOperand, c.at(least),
             {id_text(c, least), c.op(), std::to_string(*from), "at most the maximum, " + std::to_string(*to)});
    c.vuid(vuids.ordered);
  }
  if (vuids.time == 0) return;
  check_components(c, operand_of(c, {OperandName::time, OperandName::current_time}), vuids.time, vuids.time, "0 to 1",
                   [](double value) { return value >= 0 && value <= 1; });
}

void check_hit_kind(const InstructionCheck& c) {
  const AnyOperand kind = c.operand(OperandName::hit_kind);
  const auto value = c.constants.as_u64(kind);
  constexpr std::uint64_t most = 127;
  if (!c.is_vulkan() || !c.is_reachable() || !value || *value <= most) return;
  c.report(Rule::HitKind, c.at(kind), {kind, *value});
}

}  // namespace

std::span<const Check> ray_checks() {
  static constexpr Check checks[] = {
      {{OpRayQueryInitializeKHR, OpTraceRayKHR, OpTraceRayMotionNV, OpHitObjectTraceRayNV, OpHitObjectTraceRayMotionNV,
        OpHitObjectTraceRayEXT, OpHitObjectTraceRayMotionEXT, OpHitObjectTraceReorderExecuteEXT,
        OpHitObjectTraceMotionReorderExecuteEXT},
       check_ray},
      {{OpReportIntersectionKHR}, check_hit_kind},
  };
  return checks;
}

}  // namespace vireo::spirv
