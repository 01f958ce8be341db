// SPDX-License-Identifier: Apache-2.0
//
// What rows cannot say of derivatives, of rays, and of hints for reordering.
//
// The one idea: these instructions take and give fixed types, which their typing rows say. What is left depends on
// capabilities, extensions, and on how many operands there are.
//
// Source: specification 3.42.16 (derivatives), 3.37 (ray flags); SPV_NV_shader_invocation_reorder and its successor.
#include <algorithm>
#include <string>

#include "spirv/validate/engine/checks.h"

namespace vireo::spirv {
namespace {

using enum Op;

void check_derivative(const Context& context, const Visit& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (context.types.row(type.component).width != 16) return;
  if (context.preamble.has_extension("SPV_AMD_gpu_shader_half_float")) return;
  report.add(Rule::HalfDerivative, visit.at(1), {op_text(context, visit.op()), type_text(context, visit.type)});
}

// --- rays ---------------------------------------------------------------------------------------------------------------

// Flags that are known when the module is compiled; the others are the business of whoever runs it.
void check_ray_flags(const Context& context, const Visit& visit, std::size_t word, Report& report) {
  const auto flags = context.constants.as_u64(visit.word(word), ValueUse::OrDefault);
  const KindId kind = context.kinds.ray_flags;
  if (!flags || kind.is_none()) return;
  for (Word rest = static_cast<Word>(*flags); rest != 0; rest &= rest - 1) {
    const EnumerantRow* row = context.grammar().find_value(kind, rest & (~rest + 1));
    if (row == nullptr) continue;
    const auto capabilities = context.grammar().capabilities(row->capabilities);
    if (capabilities.empty() || std::any_of(capabilities.begin(), capabilities.end(), [&](std::uint16_t capability) {
          return context.preamble.has_enumerant(capability);
        })) {
      continue;
    }
    const std::string_view capability = context.grammar().text(context.grammar().enumerants[capabilities[0]].name);
    report.add_once(Rule::RayFlagCapability, visit.at(word), capability,
                    {context.grammar().text(row->name), op_text(context, visit.op()), capability});
  }
}

void check_flags_behind_accel(const Context& context, const Visit& visit, Report& report) {
  check_ray_flags(context, visit, 2, report);
}

void check_flags_behind_object(const Context& context, const Visit& visit, Report& report) {
  check_ray_flags(context, visit, 3, report);
}

// --- hints --------------------------------------------------------------------------------------------------------------

// The hint is an optional operand, and its bits are another one.
template <std::size_t hint_word>
void check_hint(const Context& context, const Visit& visit, Report& report) {
  if (visit.has_word(hint_word) == visit.has_word(hint_word + 1)) return;
  report.add(Rule::HintBits, visit.at(hint_word), {op_text(context, visit.op())});
}

}  // namespace

// OpTraceNV and OpTraceMotionNV are not here: their flags came with SPV_NV_ray_tracing, whose capability the grammar's rows
// of flags do not name.
std::span<const Check> shader_checks() {
  static constexpr Check checks[] = {
      {{OpDPdx, OpDPdy, OpFwidth, OpDPdxFine, OpDPdyFine, OpFwidthFine, OpDPdxCoarse, OpDPdyCoarse, OpFwidthCoarse},
       check_derivative},
      {{OpTraceRayKHR, OpTraceRayMotionNV, OpHitObjectRecordMissEXT, OpHitObjectRecordMissMotionEXT},
       check_flags_behind_accel},
      {{OpRayQueryInitializeKHR, OpHitObjectTraceRayNV, OpHitObjectTraceRayMotionNV, OpHitObjectTraceRayEXT,
        OpHitObjectTraceRayMotionEXT, OpHitObjectTraceReorderExecuteEXT, OpHitObjectTraceMotionReorderExecuteEXT},
       check_flags_behind_object},
      {{OpReorderThreadWithHitObjectNV, OpReorderThreadWithHitObjectEXT}, check_hint<2>},
      {{OpHitObjectReorderExecuteShaderEXT}, check_hint<3>},
      {{OpHitObjectTraceReorderExecuteEXT}, check_hint<13>},
      {{OpHitObjectTraceMotionReorderExecuteEXT}, check_hint<14>},
  };
  return checks;
}

}  // namespace vireo::spirv
